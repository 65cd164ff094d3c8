"""Let workers do what the doorbell rings for: ids in, one call, nothing back.

What a task needs is loaded by name when it runs: it may bring models of several hundred megabytes, which a process that
sweeps never needs, and which a worker's children must load after they are forked.
"""

from typing import Any

from celery import Task
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from reviewhub import sweeping
from reviewhub.celery import app
from reviewhub.doorbell import DRAFT_CASE, INDEX, RECONCILE, SWEEP

__all__ = ["draft_case", "index", "reconcile", "sweep"]

# A text takes a second, the longest ones half a minute; the first of a process waits for the models as well. After this
# the process is ended and the sweeper takes the text over. There is no soft limit: an exception thrown into the loading
# of a model leaves a process in which it can never be loaded.
_LEARNING_SECONDS = 300


@app.task(name=DRAFT_CASE, bind=True)
def draft_case(self: Task[Any, Any], *, draft_id: int) -> None:
    """Write one draft, then see to it that the next waiting one is sent."""
    import_string("reviewhub.drafting.draft_case")(
        draft_id=draft_id,
        model_name=settings.REVIEWHUB_MODEL,
        worker=str(self.request.hostname),
        clock=timezone.now,
    )
    sweeping.send_waiting(now=timezone.now())


@app.task(name=INDEX, time_limit=_LEARNING_SECONDS)
def index(*, exemplar_id: int) -> None:
    """Do the step that one exemplar waits for, then see to it that the next one is sent."""
    import_string("reviewhub.learning.advance")(exemplar_id=exemplar_id, clock=timezone.now)
    sweeping.send_learning(now=timezone.now())


@app.task(name=RECONCILE)
def reconcile() -> None:
    """Compare the vector store with the database, if that is due."""
    import_string("reviewhub.reindexing.reconcile_when_due")(now=timezone.now())


@app.task(name=SWEEP)
def sweep() -> None:
    """Sweep once."""
    sweeping.sweep(now=timezone.now())
