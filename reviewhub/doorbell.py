"""Tell the workers that there is work, and never fail or wait long when they cannot be told.

The work itself is a row that is already committed; a ring that is lost is made up for by the sweeper.
"""

import logging
from collections.abc import Mapping
from datetime import datetime

from celery import Celery
from celery.exceptions import CeleryError
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from kombu.exceptions import KombuError, OperationalError
from redis.exceptions import RedisError

from reviewhub.models import Draft, Exemplar, Tally

__all__ = ["DRAFT_CASE", "INDEX", "RECONCILE", "RING_FAILED", "SWEEP", "ring"]

# The names that tasks are sent and found by. A worker of the version before knows them too: they do not change.
DRAFT_CASE = "drafting.draft_case"
SWEEP = "sweeping.sweep"
INDEX = "learning.index"
RECONCILE = "learning.reconcile"

# What each task calls the id that it is given. That it was sent is noted on the row with its step to be done.
_IDS: Mapping[str, str] = {DRAFT_CASE: "draft_id", INDEX: "exemplar_id"}

RING_FAILED = "ring-failed"

_log = logging.getLogger(__name__)


def _bell_at(url: str) -> Celery:
    """Make the application that sends: one of its own, because a worker must be able to wait longer than a second.

    Without these limits a broker that accepts and never answers holds the caller for more than a minute.
    """
    bell = Celery("doorbell", set_as_current=False)
    bell.config_from_object("django.conf:settings", namespace="CELERY")
    bell.conf.update(
        broker_url=url,
        broker_connection_timeout=1,
        broker_connection_retry=False,
        broker_transport_options={"socket_timeout": 1, "socket_connect_timeout": 1, "max_retries": 0},
        task_publish_retry=False,
    )
    return bell


_bell = _bell_at(settings.CELERY_BROKER_URL)


def ring(name: str, row_id: int | None = None) -> bool:
    """Send a task by name for one row, or for none; return whether the broker took it.

    DRAFT_CASE takes the id of a draft, INDEX of an exemplar, SWEEP none. Call it once the row is
    committed. It returns within some seconds whatever the broker does, and never raises: a failure is logged and
    counted.
    """
    kwargs = {} if row_id is None else {_IDS[name]: row_id}
    try:
        _bell.send_task(name, kwargs=kwargs, ignore_result=True)
    except (CeleryError, KombuError, OperationalError, RedisError, OSError) as error:
        _log.warning("the broker did not take %s for %s: %s", name, row_id, type(error).__name__)
        _note(name, row_id, failed=True)
        return False
    _note(name, row_id, failed=False)
    return True


def _note(name: str, row_id: int | None, *, failed: bool) -> None:
    now = timezone.now()
    try:
        if failed:
            Tally.add(RING_FAILED, now=now)
        elif row_id is not None:
            _note_on_row(name, row_id, now)
    except DatabaseError as error:
        _log.warning("the ring of %s for %s was not noted: %s", name, row_id, type(error).__name__)


def _note_on_row(name: str, row_id: int, now: datetime) -> None:
    if name == DRAFT_CASE:
        Draft.objects.filter(pk=row_id).update(rung_at=now)
    else:
        Exemplar.objects.filter(pk=row_id).update(rung_at=now)
