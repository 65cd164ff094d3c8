"""Save a decision: the draft moves by one conditional update, and its review, findings and audit lines come with it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from agent.outcome import Outcome, Status
from reviewhub.edits import Edit
from reviewhub.models import UNDO_TIME, Act, Actor, Decision, Draft, Finding, Review, State, StateChanged, Verdict
from reviewhub.reviewing.beginning import already_decided, made_with

__all__ = ["Grounds", "decide", "review"]

_ACTS = {
    Verdict.APPROVED_AS_IS: Act.APPROVE_AS_IS,
    Verdict.APPROVED_WITH_EDITS: Act.APPROVE_EDITED,
    Verdict.DECLINED: Act.DECLINE,
}


@dataclass(frozen=True, slots=True)
class Grounds:
    """Hold what a decision rests on: a reason and note, or a person's text with what the checks said of it."""

    reason: str = ""
    note: str = ""
    edit: Edit | None = None
    outcomes: Sequence[Outcome] = ()


_NOTHING_MORE = Grounds()


def decide(draft: Draft, made: Decision, *, by: Actor, now: datetime, grounds: Grounds = _NOTHING_MORE) -> Decision:
    """Move the draft and save the decision with its review, all or nothing; an undo finds what was typed again."""
    made.state_before = draft.state
    act = _ACTS[Verdict(made.verdict)]
    to = State.APPROVED if made.is_approval else State.DECLINED
    hashes = {"text": hashlib.sha256(made.text.encode()).hexdigest()} if made.text else {}
    free = Draft.free_for(by.person_id, now)
    typed = {"pending": grounds.edit.as_json()} if grounds.edit else {}
    try:
        with transaction.atomic():
            draft.move(act, to, by=by, now=now, guard=free, changes=typed, hashes=hashes)
            verdict = Verdict(made.verdict)
            made.review = review(draft, verdict, by=by, now=now, reason=grounds.reason, note=grounds.note)
            made.draft, made.decided_by_id = draft, made.review.reviewer_id
            made.decided_at, made.effects_at = now, now + UNDO_TIME
            made.save(force_insert=True)
            _save_findings(made, grounds.outcomes)
            _note_exceptions(made, by=by, now=now)
    except StateChanged:
        # The same form sent twice at once: the other request has just saved this very decision.
        earlier = made_with(made.idempotency_key, draft.pk, by.person_id)
        if earlier and earlier.verdict == made.verdict:
            return earlier
        raise already_decided(draft.pk) from None
    except IntegrityError:
        # One key for two drafts at once: the other request was first.
        made_with(made.idempotency_key, draft.pk, by.person_id)
        raise
    return made


def review(draft: Draft, verdict: Verdict, *, by: Actor, now: datetime, reason: str = "", note: str = "") -> Review:
    """Save what a person made of a draft, as their newest round."""
    rounds = draft.reviews.count()
    return Review.objects.create(
        draft=draft, reviewer_id=by.person_id, round=rounds + 1, verdict=verdict, reason=reason, note=note, at=now
    )


def _save_findings(made: Decision, outcomes: Sequence[Outcome]) -> None:
    rows = [Finding.of(outcome, draft=made.draft, position=at, decision=made) for at, outcome in enumerate(outcomes)]
    for row in rows:
        row.overridden_by = made if made.overridden and row.status == Status.FAIL else None
    Finding.objects.bulk_create(rows)
    if made.overridden and not rows and made.draft.shown:
        made.draft.shown.findings.blocking().update(overridden_by=made)


def _note_exceptions(made: Decision, *, by: Actor, now: datetime) -> None:
    """Add audit lines about an approval on old facts, and about one over failing checks with what had failed."""
    draft = made.draft
    if made.facts_confirmed:
        draft.note("confirm_facts", by=by, now=now, hashes={"facts": draft.sheet.hash})
    if made.overridden:
        failed = {code.lower() for code in made.overrides.values_list("error_type", flat=True)}
        draft.note("override", by=by, now=now, fields=sorted(failed))
