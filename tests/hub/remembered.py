"""Put exemplars into the memory in any state, as the workers would have left them."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from agent.body import Body, Prose
from reviewhub.models import (
    VECTOR_BYTES,
    Decision,
    Draft,
    Exemplar,
    ExemplarState,
    ExemplarUse,
    Review,
    State,
    Verdict,
    Written,
)
from tests.hub.acting import key

__all__ = ["DOUBTS", "PROSE", "remember", "use_in"]

PROSE = {
    "opening": "Thank you for the talk with Zorblatt about the retainer. The retainer stays as it is.",
    "request": "Please settle the total of [TOTAL_DUE] when you can.",
}
DOUBTS = (("Zorblatt", "word"), ("retainer", "word"), ("Zorblatt about", "name"))


def remember(draft: Draft, person: User, state: ExemplarState = ExemplarState.QUARANTINED, **changes: Any) -> Exemplar:
    """Approve the draft with edits by a person some minutes ago, and remember its text in a state."""
    then = changes.pop("then", timezone.now() - timedelta(minutes=5))
    prose = changes.pop("prose", PROSE)
    doubtful = changes.pop("doubtful", DOUBTS)
    review = Review.objects.create(draft=draft, reviewer=person, round=1, verdict=Verdict.APPROVED_WITH_EDITS, at=then)
    decision = Decision.objects.create(
        draft=draft,
        review=review,
        decided_by=person,
        verdict=Verdict.APPROVED_WITH_EDITS,
        written=Written.EDITED,
        state_before=State.AWAITING_REVIEW,
        body=Body(tuple(Prose(name, text) for name, text in prose.items()), framed=True).as_json(),
        text="An approved text.",
        idempotency_key=key(),
        decided_at=then,
        effects_at=then + timedelta(seconds=15),
        taught=True,
    )
    Draft.objects.filter(pk=draft.pk).update(state=State.APPROVED)
    given: dict[str, Any] = {"prose": prose, "situation": "gentle_reminder", "state": state, "state_since": then}
    if state in {ExemplarState.READY, ExemplarState.INDEXED}:
        given |= {"vector": bytes(VECTOR_BYTES), "embedder": "minilm"}
    if state is ExemplarState.INDEXED:
        given["indexed_at"] = then
    if state is ExemplarState.QUARANTINED:
        given |= {"reason": "doubts", "doubts": _doubts(prose, doubtful)}
    if state is ExemplarState.FORGOTTEN:
        given["prose"] = {}
    row = Exemplar(
        queue=draft.queue,
        domain="billing",
        case=draft.case,
        decision=decision,
        approved_at=then,
        **{**given, **changes},
    )
    row.save(force_insert=True)
    return row


def use_in(draft: Draft, exemplar: Exemplar, *, rank: int = 1, similarity: float = 0.914) -> ExemplarUse:
    """Note that a draft was shown an exemplar."""
    Exemplar.objects.filter(pk=exemplar.pk).update(used=exemplar.used + 1)
    reasons = ["the same situation", "nearest in wording"]
    return ExemplarUse.objects.create(draft=draft, exemplar=exemplar, rank=rank, similarity=similarity, reasons=reasons)


def _doubts(prose: dict[str, str], doubtful: Any) -> list[dict[str, Any]]:
    found = []
    for words, code in doubtful:
        for block, text in prose.items():
            start = text.find(words)
            while start >= 0:
                reason = "This word is not in the list of harmless words." if code == "word" else "This may be a name."
                place = {"block": block, "start": start, "end": start + len(words)}
                found.append({**place, "words": words, "code": code, "reason": reason})
                start = text.find(words, start + 1)
    return found
