"""Let people decline, hand on, take over or have drafts written anew, and take decisions back."""

from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from reviewhub.doorbell import DRAFT_CASE, INDEX, ring
from reviewhub.edits import Refused
from reviewhub.models import (
    Act,
    Actor,
    Decision,
    DeclineReason,
    Draft,
    Exemplar,
    Exit,
    Role,
    State,
    StateChanged,
    Verdict,
    Who,
    storable,
)
from reviewhub.permissions import NotAllowed, acting
from reviewhub.reviewing.approving import NothingToApprove
from reviewhub.reviewing.beginning import already_decided, begin, held, load
from reviewhub.reviewing.deciding import Grounds, decide, review

__all__ = [
    "NeedsNote",
    "NeedsReason",
    "TooLateToUndo",
    "claim",
    "decline",
    "escalate",
    "hand_to_lead",
    "let_out",
    "redraft",
    "undo",
]

_FREE: dict[str, Any] = {"claimed_by": None, "claimed_until": None}


class NeedsReason(Refused):
    """Refuse to decline without a reason of the list."""


class NeedsNote(Refused):
    """Refuse to escalate without a note."""


class TooLateToUndo(Refused):
    """Refuse to take a decision back that others may already build on."""


def decline(
    *, draft_id: int, version: int, reason: str, user: User, key: str, now: datetime, note: str = ""
) -> Decision:
    """Decline a draft for a reason of the list.

    The same `key` again returns the same decision. Raise AlreadyDecided, ClaimedByOther, NeedsReason or NotAllowed.
    """
    draft, by, earlier = begin(draft_id, version, user, key, now, verdicts=(Verdict.DECLINED,))
    if earlier:
        return earlier
    if not DeclineReason.objects.offered_in(draft.queue).filter(code=reason).exists():
        raise NeedsReason("Choose why the draft is declined.")
    made = Decision(verdict=Verdict.DECLINED, idempotency_key=key)
    return decide(draft, made, by=by, now=now, grounds=Grounds(reason=reason, note=storable(note)))


def escalate(*, draft_id: int, version: int, note: str, user: User, now: datetime) -> Draft:
    """Hand a draft on to a lead with a note; raise AlreadyDecided, ClaimedByOther, NeedsNote or NotAllowed."""
    draft, by, _ = begin(draft_id, version, user, "", now)
    if not note.strip():
        raise NeedsNote("Write what the lead should look at.")
    try:
        with transaction.atomic():
            hand_to_lead(draft, note=storable(note.strip()), by=by, now=now)
    except StateChanged:
        raise already_decided(draft_id) from None
    return draft


def hand_to_lead(draft: Draft, *, note: str, by: Actor, now: datetime) -> None:
    """Escalate a draft with its review, in the caller's transaction; raise StateChanged when another was first."""
    free = Draft.free_for(by.person_id, now)
    draft.move(Act.ESCALATE, State.ESCALATED, by=by, now=now, guard=free, changes=_FREE)
    review(draft, Verdict.ESCALATED, by=by, now=now, note=note)


def redraft(*, draft_id: int, version: int, user: User, now: datetime) -> Draft:
    """Supersede a draft by a new one on the newest facts and ring for it.

    Raise AlreadyDecided, ClaimedByOther or NotAllowed.
    """
    draft, by, _ = begin(draft_id, version, user, "", now)
    try:
        with transaction.atomic():
            draft.case.lock()
            draft.move(Act.SUPERSEDE, State.SUPERSEDED, by=by, now=now, guard=Draft.free_for(user.pk, now))
            new = Draft.queue_up(case=draft.case, sheet=draft.case.newest_sheet(), by=by, now=now)
            transaction.on_commit(partial(ring, DRAFT_CASE, new.pk))
    except StateChanged:
        raise already_decided(draft_id) from None
    return new


def undo(*, decision_id: int, user: User, now: datetime) -> Draft:
    """Take one's own decision back within 15 s, unless its text has left; again changes nothing.

    Raise TooLateToUndo, or NotAllowed for another person's decision.
    """
    decision = Decision.objects.select_related("draft__case", "draft__queue").get(pk=decision_id)
    draft = decision.draft
    acting(user, draft.queue)
    if decision.decided_by_id != user.pk:
        raise NotAllowed("Only the person who decided may take the decision back.")
    with transaction.atomic():
        draft.case.lock()
        stands = Decision.objects.filter(pk=decision_id, undone_at=None, left_at=None, effects_at__gt=now)
        if not stands.update(undone_at=now):
            decision.refresh_from_db()
            if decision.undone_at is not None:
                return draft
            raise TooLateToUndo(_why_too_late(decision))
        if draft.case.newest_draft().pk != draft.pk:
            raise TooLateToUndo("New facts have come and a new draft is on its way. Decide on that one.")
        by = Actor(Who.DECIDER, user.pk)
        draft.move(Act.UNDO, State(decision.state_before), by=by, now=now)
        _unlearn(decision, by=by, now=now)
    return draft


def _unlearn(decision: Decision, *, by: Actor, now: datetime) -> None:
    """Forget what was learned of a decision while somebody waited to take it back: its time was over meanwhile."""
    rows = Exemplar.objects.select_for_update(of=("self",), no_key=True).select_related("decision")
    for exemplar in rows.filter(decision=decision):
        exemplar.forget(by=by, now=now)
        transaction.on_commit(partial(ring, INDEX, exemplar.pk))


def let_out(*, decision_id: int, way: Exit, user: User, now: datetime) -> Decision:
    """Note that an approved text is copied or downloaded, after which its approval cannot be undone.

    Raise NothingToApprove when the approval does not stand, or NotAllowed.
    """
    decision = Decision.objects.select_related("draft__case", "draft__queue", "draft__sheet").get(pk=decision_id)
    by = acting(user, decision.draft.queue)
    with transaction.atomic():
        stands = Decision.objects.filter(pk=decision_id, undone_at=None).exclude(verdict=Verdict.DECLINED)
        if stands.filter(left_at=None).update(left_at=now, left_by=way):
            decision.draft.note(f"let_out_{way}", by=by, now=now)
        decision.refresh_from_db(fields=["left_at", "left_by"])
    # Nothing was updated: it left before, or it does not stand, or somebody has just taken it back.
    if decision.left_at is None:
        raise NothingToApprove("This text is not approved (any more). Load the page again.")
    return decision


def claim(*, draft_id: int, user: User, now: datetime, take_over: bool = False) -> Draft:
    """Hold a draft for oneself for ten minutes; raise ClaimedByOther, or NotAllowed unless a lead takes over."""
    draft = load(draft_id)
    acting(user, draft.queue, Role.LEAD if take_over else Role.OPERATOR)
    if not draft.claim(user_id=user.pk, now=now, take_over=take_over):
        raise held(draft) if draft.is_claimed_by_other(user.pk, now) else already_decided(draft_id)
    return draft


def _why_too_late(decision: Decision) -> str:
    if decision.left_at is not None:
        return f"The text was already {decision.get_left_by_display().lower()}, so its approval stands."
    return "The 15 seconds to take a decision back are over."
