"""Bring the vector store in line with the rows, one collection at a time: anew from nothing, or where it drifted."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from memory.model_folder import ModelFolderInvalid
from memory.store import StoreRefused, StoreUnavailable, collection_name
from reviewhub.models import Exemplar, ExemplarQuerySet, Queue, Tally
from reviewhub.recalling import RECALL_EXACT
from reviewhub.remembering import EMBEDDER, STORE_AWAY, STORE_REFUSED, as_bytes, as_matrix, embed_exemplars, store

__all__ = ["RECONCILED", "REPAIRED", "Reindexed", "rebuild", "reconcile", "reconcile_when_due"]

RECONCILED = "reconciled"
"""The name under which comparisons of the whole store are counted."""
REPAIRED = "reconcile-repaired"
"""The name under which vectors are counted that were put in, taken out or made anew by them."""

_BATCH = 500
_COLLECTION = re.compile(r"queue-[0-9]+-[a-z]+")
_TROUBLES = (RECALL_EXACT, STORE_AWAY)
_RECONCILE_EVERY = timedelta(hours=24)
_PATIENCE_SECONDS = 30.0  # nobody waits for this as for a draft
_Item = TypeVar("_Item")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reindexed:
    """Count what was done to one collection: `total` exemplars belong in it.

    `missing` were put in, `extra` were taken out, `other_model` had a vector of another embedding model. `queue` is the
    collection's name, and `domain` empty, when the database has no exemplar for the collection and it was dropped.
    """

    queue: str
    domain: str
    total: int
    missing: int
    extra: int
    other_model: int


def rebuild(*, queue: Queue | None, now: datetime) -> Iterator[Reindexed]:
    """Drop each collection, of one queue or of all, and fill it from the database; yield what was done, one by one.

    It can be run while the hub works, and again. Raise StoreUnavailable when the store does not answer; run it again
    then, it starts anew.
    """
    for place, name, rows in _collections(queue):
        had = len(store(_PATIENCE_SECONDS).ids(name))
        other_model = _embed_anew(rows)
        store(_PATIENCE_SECONDS).drop(name)
        rows.stale_in_store().update(indexed_at=None)
        ids = _ids(rows.recallable())
        _put_in(name, ids, now)
        yield Reindexed(*place, total=len(ids), missing=len(ids), extra=had, other_model=other_model)
    yield from _drop_orphans(queue)


def reconcile(*, queue: Queue | None, now: datetime) -> Iterator[Reindexed]:
    """Compare each collection, of one queue or of all, with the database and repair it; yield what was found.

    It can be run while the hub works, and again. Raise StoreUnavailable when the store does not answer. When it refuses
    one collection, the others are repaired before that is raised as StoreRefused.
    """
    refusal: StoreRefused | None = None
    for place, name, rows in _collections(queue):
        try:
            found = _repair(place, name, rows, now)
        except StoreRefused as error:
            refusal = error
        else:
            yield found
    yield from _drop_orphans(queue)
    if refusal is not None:
        raise refusal


def reconcile_when_due(*, now: datetime) -> bool:
    """Reconcile every collection once a day, and once more after the store was away or at a loss; tell whether it was.

    While the store does not answer it stays due. A collection that it refuses is counted, and waits for a rebuild.
    """
    last_at = dict(Tally.objects.filter(name__in=[RECONCILED, *_TROUBLES]).values_list("name", "last_at"))
    last = last_at.pop(RECONCILED, None)
    if last is not None and now - last < _RECONCILE_EVERY and all(trouble <= last for trouble in last_at.values()):
        return False
    found: list[Reindexed] = []
    try:
        found.extend(reconcile(queue=None, now=now))  # what came before a refusal stays
    except StoreRefused as error:
        Tally.add(STORE_REFUSED, now=now)
        _log.error("a collection was not reconciled: %s", error)
    except (StoreUnavailable, ModelFolderInvalid) as error:
        _log.warning("the memory was not reconciled to the end: %s", error)
        return False
    if repaired := sum(one.missing + one.extra + one.other_model for one in found):
        Tally.add(REPAIRED, now=now, times=repaired)
        _log.warning("%s vectors were missing, did not belong there or were of another model; repaired", repaired)
    Tally.add(RECONCILED, now=now)
    return True


def _collections(queue: Queue | None) -> Iterator[tuple[tuple[str, str], str, ExemplarQuerySet]]:
    exemplars = Exemplar.objects.all() if queue is None else Exemplar.objects.of_queue(queue)
    places = exemplars.order_by("queue", "domain").values_list("queue", "queue__slug", "domain").distinct()
    for queue_id, slug, domain in places:
        yield (slug, domain), collection_name(queue_id, domain), Exemplar.objects.of(queue_id, domain)


def _repair(place: tuple[str, str], name: str, rows: ExemplarQuerySet, now: datetime) -> Reindexed:
    there = store(_PATIENCE_SECONDS).ids(name)
    stale = _ids(rows.recallable().exclude(embedder=EMBEDDER))
    _embed_anew(rows)
    wanted = _ids(rows.recallable())
    extra = sorted(there - {str(pk) for pk in wanted})
    _take_out(name, extra, rows)
    rows.stale_in_store().update(indexed_at=None)
    missing = [pk for pk in wanted if str(pk) not in there]
    _put_in(name, sorted({*missing, *stale}), now)
    return Reindexed(*place, total=len(wanted), missing=len(missing), extra=len(extra), other_model=len(stale))


def _embed_anew(rows: ExemplarQuerySet) -> int:
    """Give clean rows whose vector is of another model one of this, and return how many there were."""
    stale = _ids(rows.recallable().exclude(embedder=EMBEDDER))
    for batch in _batches(stale):
        found = list(Exemplar.objects.recallable().filter(pk__in=batch))
        for row, vector in zip(found, embed_exemplars(found), strict=True):
            same = Exemplar.objects.recallable().filter(pk=row.pk, state_since=row.state_since)
            same.update(vector=as_bytes(vector), embedder=EMBEDDER)
    return len(stale)


def _drop_orphans(queue: Queue | None) -> Iterator[Reindexed]:
    """Drop collections of ours that the database has no exemplar for: their queue or their cases are gone."""
    ours = _COLLECTION if queue is None else re.compile(rf"queue-{queue.pk}-[a-z]+")
    there = {name for name in store(_PATIENCE_SECONDS).collections() if ours.fullmatch(name)}
    known = {name for _, name, _ in _collections(queue)}  # read last: rows are there before their collection is
    for name in sorted(there - known):
        had = len(store(_PATIENCE_SECONDS).ids(name))
        store(_PATIENCE_SECONDS).drop(name)
        yield Reindexed(name, "", total=0, missing=0, extra=had, other_model=0)


def _take_out(name: str, ids: Sequence[str], rows: ExemplarQuerySet) -> None:
    """Take out what does not belong there; what became clean meanwhile, perhaps just before, is put back."""
    for batch in _batches(ids):
        store(_PATIENCE_SECONDS).delete(name, batch)
    gone = set(ids)
    back = [row for row in rows.recallable().only("pk", "vector") if str(row.pk) in gone]
    for some in _batches(back):
        store(_PATIENCE_SECONDS).upsert(name, [str(row.pk) for row in some], as_matrix([row.vector for row in some]))


def _put_in(name: str, ids: Sequence[int], now: datetime) -> None:
    """Put clean rows into the store. Those that are READY stay so: their own step puts them in again, and says so."""
    for batch in _batches(ids):
        clean = Exemplar.objects.recallable().filter(pk__in=batch)
        clean.filter(indexed_at__isnull=True).update(indexed_at=now)  # from here on the store may hold them
        found = list(clean.only("pk", "vector"))
        if not found:
            continue
        store(_PATIENCE_SECONDS).upsert(name, [str(row.pk) for row in found], as_matrix([row.vector for row in found]))
        # Forgotten or corrected meanwhile, and perhaps taken out before this put them in.
        gone = {row.pk for row in found}.difference(_ids(clean))
        if gone:
            store(_PATIENCE_SECONDS).delete(name, [str(pk) for pk in gone])


def _ids(rows: ExemplarQuerySet) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _batches(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    for start in range(0, len(items), _BATCH):
        yield list(items[start : start + _BATCH])
