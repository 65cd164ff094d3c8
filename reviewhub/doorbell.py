"""Tell the workers that there is work, and never fail or wait long when they cannot be told.

The work itself is a row that is already committed; a ring that is lost is made up for by the sweeper.
"""

import logging

from celery import Celery
from celery.exceptions import CeleryError
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from kombu.exceptions import KombuError, OperationalError
from redis.exceptions import RedisError

from reviewhub.models import Draft, Tally

__all__ = ["DRAFT_CASE", "RING_FAILED", "SWEEP", "ring"]

# The names that tasks are sent and found by. A worker of the version before knows them too: they do not change.
DRAFT_CASE = "drafting.draft_case"
SWEEP = "sweeping.sweep"

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


def ring(name: str, draft_id: int | None = None) -> bool:
    """Send a task by name for one draft, or for none; return whether the broker took it.

    Call it once the row is committed. It returns within some seconds whatever the broker does, and never raises: a
    failure is logged and counted.
    """
    kwargs = {} if draft_id is None else {"draft_id": draft_id}
    try:
        _bell.send_task(name, kwargs=kwargs, ignore_result=True)
    except (CeleryError, KombuError, OperationalError, RedisError, OSError) as error:
        _log.warning("the broker did not take %s for draft %s: %s", name, draft_id, type(error).__name__)
        _note(failed=True, draft_id=draft_id)
        return False
    _note(failed=False, draft_id=draft_id)
    return True


def _note(*, failed: bool, draft_id: int | None) -> None:
    now = timezone.now()
    try:
        if failed:
            Tally.add(RING_FAILED, now=now)
        elif draft_id is not None:
            Draft.objects.filter(pk=draft_id).update(rung_at=now)
    except DatabaseError as error:
        _log.warning("the ring for draft %s was not noted: %s", draft_id, type(error).__name__)
