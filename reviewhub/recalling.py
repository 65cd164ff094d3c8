"""Find the past edits that a draft is shown, once for each draft, and note which and why."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F

from agent.domains.domain import Case as AgentCase
from agent.domains.domain import Exemplar as Shown
from memory import exact
from memory.model_folder import ModelFolderInvalid
from memory.recall import Candidate, Chosen, choose, is_given_up
from memory.store import Hit, StoreUnavailable, collection_name
from reviewhub.models import Draft, Exemplar, ExemplarQuerySet, ExemplarState, ExemplarUse, Recall, RecallWay, Tally
from reviewhub.remembering import EMBEDDER, Vector, as_matrix, embed_query, store

__all__ = ["RECALL_EXACT", "RECALL_STARTERS", "exemplars_for"]

RECALL_EXACT = "recall-exact"
RECALL_STARTERS = "recall-starters"

_NEAREST = 50
_MOST = 2
_BUDGET_TOKENS = 600
_CHARACTERS_PER_TOKEN = 3
_MOST_SKIPPED = 10
_MOST_DIGITS = 18  # of a row's id
_log = logging.getLogger(__name__)


def exemplars_for(draft: Draft, case: AgentCase, *, clock: Callable[[], datetime]) -> tuple[Shown, ...]:
    """Return the past edits that this draft is shown, best first; starters fill up what is lacking of two.

    They are looked for once: whoever takes the draft over shows the same ones, but for those forgotten since. When the
    vector store does not answer within a second, exact search over the database does; when the embedding model cannot
    be used, none are shown. Both are counted and stand in the draft's Recall.
    """
    if not Recall.objects.filter(draft=draft).exists():
        _recall(draft, case, clock())
    uses = draft.exemplar_uses.select_related("exemplar").filter(exemplar__in=Exemplar.objects.recallable())
    return tuple(_shown(use.exemplar) for use in uses)


def _recall(draft: Draft, case: AgentCase, now: datetime) -> None:
    if not _clean(draft).exists():
        _save(Recall(draft=draft, way=RecallWay.NOTHING, at=now))
        return
    try:
        query = embed_query(case)
    except ModelFolderInvalid as error:
        _log.error("no past edits for draft %s: %s", draft.pk, error)
        Tally.add(RECALL_STARTERS, now=now)
        _save(Recall(draft=draft, way=RecallWay.STARTERS, at=now))
        return
    hits, way = _nearest(draft, query, now)
    similarity = {int(hit.id): hit.similarity for hit in hits}
    near = _clean(draft).filter(pk__in=similarity, embedder=EMBEDDER).select_related("case")
    fit, skipped = _fitting(sorted(near, key=lambda row: -similarity[row.pk]), case)
    candidates = [_candidate(row, similarity[row.pk], draft) for row in fit]
    chosen = choose(candidates, situation=case.situation.name, budget_tokens=_BUDGET_TOKENS, most=_MOST)
    _save(Recall(draft=draft, way=way, skipped=skipped[:_MOST_SKIPPED], at=now), chosen)


def _clean(draft: Draft) -> ExemplarQuerySet:
    return Exemplar.objects.of(draft.queue_id, draft.case.domain).recallable()


def _nearest(draft: Draft, query: Vector, now: datetime) -> tuple[Sequence[Hit], RecallWay]:
    """Ask the vector store, or search the database's own vectors when it does not answer or has lost what it had."""
    try:
        hits = store().nearest(collection_name(draft.queue_id, draft.case.domain), query, _NEAREST)
    except StoreUnavailable as error:
        _log.warning("the vector store did not answer for draft %s: %s", draft.pk, type(error).__name__)
    else:
        if _is_whole(draft, hits):
            return hits, RecallWay.STORE
        _log.warning("the vector store has lost edits that the database has, seen at draft %s", draft.pk)
    Tally.add(RECALL_EXACT, now=now)
    rows = list(_clean(draft).filter(embedder=EMBEDDER).values_list("pk", "vector"))
    vectors = as_matrix([vector for _, vector in rows])
    return exact.nearest(query, [str(pk) for pk, _ in rows], vectors, _NEAREST), RecallWay.EXACT


def _is_whole(draft: Draft, hits: Sequence[Hit]) -> bool:
    """Tell whether the store found what it has by the database: after a loss it has the newest alone."""
    indexed = _clean(draft).in_state(ExemplarState.INDEXED).filter(embedder=EMBEDDER)
    rows = [int(hit.id) for hit in hits if _is_of_a_row(hit)]
    found = indexed.filter(pk__in=rows).count()
    return len(rows) == len(hits) and found > 0 and found >= min(_NEAREST, indexed.count_up_to(_NEAREST))


def _is_of_a_row(hit: Hit) -> bool:
    """Tell whether an id of the store can be a row's: what else stands there the hub did not put there."""
    return hit.id.isascii() and hit.id.isdecimal() and len(hit.id) <= _MOST_DIGITS


def _fitting(rows: Sequence[Exemplar], case: AgentCase) -> tuple[list[Exemplar], list[str]]:
    """Part what can be shown for this case from what cannot, and say why not."""
    offered, blocks = set(case.offered()), {task.name for task in case.blocks()}
    fit: list[Exemplar] = []
    skipped: list[str] = []
    for row in rows:
        missing = sorted(_shown(row).slots - offered)
        if set(row.prose) != blocks:
            skipped.append(f"Edit {row.pk} has other passages than this letter.")
        elif missing:
            skipped.append(f"Edit {row.pk} uses {', '.join(missing)}, which this letter does not offer.")
        elif is_given_up(used=row.used, bad=row.bad):
            skipped.append(f"Edit {row.pk} was marked bad {row.bad} times.")
        else:
            fit.append(row)
    return fit, skipped


def _candidate(row: Exemplar, similarity: float, draft: Draft) -> Candidate:
    text = " ".join(row.prose.values())
    return Candidate(
        id=str(row.pk),
        situation=row.situation,
        text=text,
        tokens=len(text) // _CHARACTERS_PER_TOKEN,
        similarity=similarity,
        same_subject=row.case.subject == draft.case.subject,
        approved_at=row.approved_at,
        used=row.used,
        bad=row.bad,
    )


def _shown(row: Exemplar) -> Shown:
    return Shown(f"edit/{row.pk}", row.situation, dict(row.prose), starter=False)


def _save(recall: Recall, chosen: Sequence[Chosen] = ()) -> None:
    """Save what was found, all or nothing; when another worker has just saved it for this draft, that one counts."""
    uses = [
        ExemplarUse(
            draft=recall.draft,
            exemplar_id=int(one.id),
            rank=rank,
            similarity=one.similarity,
            reasons=list(one.reasons),
        )
        for rank, one in enumerate(chosen, start=1)
    ]
    try:
        with transaction.atomic():
            recall.save(force_insert=True)
            ExemplarUse.objects.bulk_create(uses)
            Exemplar.objects.filter(pk__in=[use.exemplar_id for use in uses]).update(used=F("used") + 1)
    except IntegrityError:
        _log.info("past edits for draft %s were found by another worker", recall.draft_id)
