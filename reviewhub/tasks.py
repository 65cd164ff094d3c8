"""Let workers do what the doorbell rings for: ids in, one call, nothing back."""

from typing import Any

from celery import Task
from django.conf import settings
from django.utils import timezone

from reviewhub import drafting, sweeping
from reviewhub.celery import app
from reviewhub.doorbell import DRAFT_CASE, SWEEP

__all__ = ["draft_case", "sweep"]


@app.task(name=DRAFT_CASE, bind=True)
def draft_case(self: Task[Any, Any], *, draft_id: int) -> None:
    """Write one draft, then see to it that the next waiting one is sent."""
    drafting.draft_case(
        draft_id=draft_id,
        model_name=settings.REVIEWHUB_MODEL,
        worker=str(self.request.hostname),
        clock=timezone.now,
    )
    sweeping.send_waiting(now=timezone.now())


@app.task(name=SWEEP)
def sweep() -> None:
    """Sweep once."""
    sweeping.sweep(now=timezone.now())
