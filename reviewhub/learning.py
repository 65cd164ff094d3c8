"""Turn approved edits into exemplars: sanitise, examine, embed, and keep the vector store in line with the rows."""

import logging
import traceback
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import DatabaseError, close_old_connections, transaction

from memory.model_folder import ModelFolderInvalid
from memory.sanitize import TextTooLong
from memory.store import StoreRefused, StoreUnavailable, collection_name
from reviewhub.examining import SheetUnreadable, doubts_about, load_recogniser, sanitised
from reviewhub.models import (
    Exemplar,
    ExemplarChanged,
    ExemplarState,
    LeaseLost,
    QuarantineReason,
    Tally,
    VocabularyWord,
)
from reviewhub.remembering import (
    EMBEDDER,
    STORE_AWAY,
    STORE_REFUSED,
    as_bytes,
    as_matrix,
    embed_exemplars,
    load_embedder,
    store,
)

__all__ = ["VocabularyChanged", "advance"]

_log = logging.getLogger(__name__)
_Step = Callable[[Exemplar, uuid.UUID, datetime], None]


class VocabularyChanged(Exception):
    """Tell that words were confirmed or taken back while a text was examined by those before."""


def advance(*, exemplar_id: int, clock: Callable[[], datetime]) -> ExemplarState:
    """Do the steps that an exemplar waits for, each under its lease, and return the state in which it was left.

    Sanitise what waits, index what is clean, and take out of the store what may not be there.
    """
    rows = Exemplar.objects.select_related("case", "decision__draft__sheet__case")
    if rows.filter(pk=exemplar_id, state=ExemplarState.WAITING).exists():
        _load_models()
    exemplar = rows.get(pk=exemplar_id)
    if exemplar.state == ExemplarState.WAITING:
        _do(_sanitise, exemplar, clock)
    if exemplar.state == ExemplarState.READY:
        _do(_index, exemplar, clock)
    elif exemplar.is_stale_in_store:
        _do(_take_out, exemplar, clock)
    return ExemplarState(exemplar.state)


def _load_models() -> None:
    """Load what sanitising needs before a text is taken, so that a slow machine does not count against the text."""
    with suppress(ModelFolderInvalid):  # the step meets it again, and says so on the row
        load_recogniser()
        load_embedder()


def _do(step: _Step, exemplar: Exemplar, clock: Callable[[], datetime]) -> None:
    try:
        token = exemplar.take(now=clock())
    except ExemplarChanged:
        _log.info("exemplar %s is not waiting, or another worker holds it", exemplar.pk)
        return
    try:
        step(exemplar, token, clock())
    except LeaseLost:
        _log.warning("exemplar %s was taken from this worker; what it found out is dropped", exemplar.pk)
    except StoreRefused as error:
        # It answers, so nothing else need wait for it; the row says why this one does.
        exemplar.put_back(token, now=clock(), error=type(error).__name__, counts=False)
        Tally.add(STORE_REFUSED, now=clock())
        _log.error("exemplar %s waits: %s", exemplar.pk, error)
    except StoreUnavailable as error:
        # It did not answer for one and will not for the others.
        exemplar.put_back(token, now=clock(), error=type(error).__name__, counts=False)
        Exemplar.objects.leave_store_alone(clock())
        Tally.add(STORE_AWAY, now=clock())
        _log.warning("the vector store did not answer for exemplar %s", exemplar.pk)
    except ModelFolderInvalid as error:
        exemplar.put_back(token, now=clock(), error=type(error).__name__, counts=False)
        _log.error("exemplar %s waits: %s", exemplar.pk, error)
    except SheetUnreadable as error:
        # It says ids and a kind. The texts of the queue wait: what is known of that client cannot be held against them.
        exemplar.put_back(token, now=clock(), error=type(error).__name__, counts=False)
        _log.error("exemplar %s waits: %s", exemplar.pk, error)
    except VocabularyChanged:
        exemplar.put_back(token, now=clock(), error="VocabularyChanged", counts=False)
        _log.info("exemplar %s is examined again: words of its queue changed meanwhile", exemplar.pk)
    except Exception as error:  # noqa: BLE001 - the task's boundary: whatever broke, the text waits or goes to a person
        _put_back(exemplar, token, error, clock())


def _put_back(exemplar: Exemplar, token: uuid.UUID, error: Exception, now: datetime) -> None:
    # The message of an error may repeat the text, so log and row get its kind and place only.
    where = traceback.extract_tb(error.__traceback__)[-1]
    kind = type(error).__name__
    _log.error("exemplar %s broke: %s at %s:%s", exemplar.pk, kind, where.filename, where.lineno)
    if isinstance(error, DatabaseError):
        close_old_connections()
    try:
        exemplar.put_back(token, now=now, error=kind)
    except LeaseLost:
        _log.warning("exemplar %s was taken from this worker as it broke", exemplar.pk)


def _sanitise(exemplar: Exemplar, token: uuid.UUID, now: datetime) -> None:
    """Sanitise and examine each block; what is provably clean gets its vector, the rest waits for a person."""
    if not exemplar.texts():
        exemplar.settle(token, ExemplarState.QUARANTINED, now=now, reason=QuarantineReason.EMPTY)
        return
    try:
        exemplar.prose = sanitised(exemplar)
    except TextTooLong:
        exemplar.settle(token, ExemplarState.QUARANTINED, now=now, reason=QuarantineReason.TOO_LONG)
        return
    exemplar.situation = exemplar.decision.draft.sheet.as_case().situation.name
    changes: dict[str, Any] = {"prose": exemplar.prose, "situation": exemplar.situation}
    words = VocabularyWord.objects.of(exemplar.queue_id)
    if doubts := doubts_about(exemplar, exemplar.prose, words):
        to = ExemplarState.QUARANTINED
        changes |= {"doubts": doubts, "reason": QuarantineReason.DOUBTS}
    else:
        to = ExemplarState.READY
        [vector] = embed_exemplars([exemplar])
        changes |= {"vector": as_bytes(vector), "embedder": EMBEDDER}
    with transaction.atomic():
        if VocabularyWord.objects.held_of(exemplar.queue_id) != words:
            raise VocabularyChanged
        exemplar.settle(token, to, now=now, **changes)


def _index(exemplar: Exemplar, token: uuid.UUID, now: datetime) -> None:
    collection = collection_name(exemplar.queue_id, exemplar.domain)
    store().upsert(collection, [str(exemplar.pk)], as_matrix([exemplar.vector]))
    try:
        exemplar.settle(token, ExemplarState.INDEXED, now=now)
    except LeaseLost:
        # Forgotten or corrected meanwhile, and perhaps taken out before this put it in.
        if not Exemplar.objects.recallable().filter(pk=exemplar.pk).exists():
            store().delete(collection, [str(exemplar.pk)])
        raise


def _take_out(exemplar: Exemplar, token: uuid.UUID, now: datetime) -> None:  # noqa: ARG001 - all steps are called alike
    store().delete(collection_name(exemplar.queue_id, exemplar.domain), [str(exemplar.pk)])
    exemplar.removed(token)
