"""Let people decide on drafts: one conditional update for each act, and nothing that they wrote is lost."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from agent.outcome import Outcome
from agent.validators.runner import Verdict as Checked
from reviewhub.doorbell import DRAFT_CASE, ring
from reviewhub.edits import Edit, Refused, check_edit
from reviewhub.models import (
    REVIEWABLE,
    UNDO_TIME,
    Act,
    Actor,
    Decision,
    DeclineReason,
    Draft,
    Exit,
    Finding,
    Review,
    Role,
    State,
    StateChanged,
    Verdict,
    Who,
    Written,
    storable,
)
from reviewhub.permissions import NotAllowed, acting

__all__ = [
    "AlreadyDecided",
    "ClaimedByOther",
    "FactsStale",
    "KeyReused",
    "NeedsNote",
    "NeedsReason",
    "NothingToApprove",
    "TextRefused",
    "TooLateToUndo",
    "approve_as_is",
    "approve_edited",
    "claim",
    "decline",
    "escalate",
    "let_out",
    "redraft",
    "undo",
]


class AlreadyDecided(Exception):
    """Tell that the draft is no longer as the person saw it; `decision` says who decided and when, if anyone did."""

    def __init__(self, draft: Draft, decision: Decision | None) -> None:
        self.draft, self.decision = draft, decision
        if decision is None:
            words = f"This draft changed while you looked at it: it is now {draft.get_state_display().lower()}."
        else:
            when = f"{decision.decided_at:%Y-%m-%d %H:%M} UTC"
            words = f"{decision.decided_by} has already decided ({decision.get_verdict_display().lower()}) at {when}."
        super().__init__(f"{words} Load the page again.")


class ClaimedByOther(Refused):
    """Refuse to decide a draft that another person holds."""


class FactsStale(Refused):
    """Refuse to approve on facts that are older than the queue allows, until they are refreshed or confirmed."""


class NeedsReason(Refused):
    """Refuse to decline without a reason of the list."""


class NeedsNote(Refused):
    """Refuse to escalate without a note."""


class NothingToApprove(Refused):
    """Refuse to approve a draft that has no text, or none that may be approved as it is."""


class TooLateToUndo(Refused):
    """Refuse to take a decision back that others may already build on."""


class TextRefused(Refused):
    """Refuse a person's text that fails a check; it is kept with the draft, and `checked` says what failed."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        super().__init__("The text was kept but not approved: correct what is marked, then approve it again.")


class KeyReused(Refused):
    """Refuse an idempotency key that already stands for another act."""


def approve_as_is(
    *, draft_id: int, version: int, user: User, key: str, now: datetime, facts_confirmed: bool = False
) -> Decision:
    """Approve the shown text unchanged; an escalated one needs a lead, and no blocking finding.

    The same `key` again returns the same decision. Raise AlreadyDecided, ClaimedByOther, FactsStale, NothingToApprove
    or NotAllowed.
    """
    draft, by, earlier = _begin(draft_id, version, user, key, now, verdicts=(Verdict.APPROVED_AS_IS,))
    if earlier:
        return earlier
    if draft.state == State.ESCALATED:
        acting(user, draft.queue, Role.LEAD)
    shown = draft.shown
    if shown is None or draft.state == State.ABSTAINED:
        raise NothingToApprove("There is no draft to approve as it is. Write the text, or decline.")
    if draft.state == State.ESCALATED and shown.findings.filter(blocking=True).exists():
        raise NothingToApprove("A check that must pass has failed. Correct the text, then approve it.")
    _require_fresh(draft, now, confirmed=facts_confirmed)
    made = Decision(
        verdict=Verdict.APPROVED_AS_IS,
        written=Written.AGENT,
        body=shown.body,
        text=shown.text,
        facts_confirmed=facts_confirmed,
        idempotency_key=key,
    )
    return _decide(draft, made, by=by, now=now)


def approve_edited(
    *, draft_id: int, version: int, edit: Edit, user: User, key: str, now: datetime, facts_confirmed: bool = False
) -> Decision:
    """Approve a person's text once the deterministic checks pass; a text that fails is kept, and TextRefused says why.

    The same `key` again returns the same decision. Raise AlreadyDecided, ClaimedByOther, FactsStale, TextRefused,
    NothingToApprove or NotAllowed.
    """
    draft, by, earlier = _begin(draft_id, version, user, key, now, verdicts=_APPROVALS)
    if earlier:
        return earlier
    body, checked = check_edit(draft, edit, now=now)
    if checked.verdict == "FAIL":
        _keep(draft, edit, user, now)
        raise TextRefused(checked)
    if draft.is_stale(now) and not facts_confirmed:
        _keep(draft, edit, user, now)
    _require_fresh(draft, now, confirmed=facts_confirmed)
    made = Decision(
        verdict=Verdict.APPROVED_WITH_EDITS,
        written=Written.EDITED if edit.free is None else Written.BY_HAND,
        body=body.as_json(),
        text=checked.text,
        facts_confirmed=facts_confirmed,
        idempotency_key=key,
    )
    if draft.state == State.AWAITING_REVIEW and draft.shown and draft.shown.text == checked.text:
        made.verdict, made.written, made.body = Verdict.APPROVED_AS_IS, Written.AGENT, draft.shown.body
        return _decide(draft, made, by=by, now=now)
    return _decide(draft, made, by=by, now=now, edit=edit, outcomes=checked.outcomes)


def decline(
    *, draft_id: int, version: int, reason: str, user: User, key: str, now: datetime, note: str = ""
) -> Decision:
    """Decline a draft for a reason of the list.

    The same `key` again returns the same decision. Raise AlreadyDecided, ClaimedByOther, NeedsReason or NotAllowed.
    """
    draft, by, earlier = _begin(draft_id, version, user, key, now, verdicts=(Verdict.DECLINED,))
    if earlier:
        return earlier
    if not DeclineReason.objects.offered_in(draft.queue).filter(code=reason).exists():
        raise NeedsReason("Choose why the draft is declined.")
    made = Decision(verdict=Verdict.DECLINED, idempotency_key=key)
    return _decide(draft, made, by=by, now=now, reason=reason, note=storable(note))


def escalate(*, draft_id: int, version: int, note: str, user: User, now: datetime) -> Draft:
    """Hand a draft on to a lead with a note; raise AlreadyDecided, ClaimedByOther, NeedsNote or NotAllowed."""
    draft, by, _ = _begin(draft_id, version, user, "", now)
    if not note.strip():
        raise NeedsNote("Write what the lead should look at.")
    try:
        with transaction.atomic():
            draft.move(Act.ESCALATE, State.ESCALATED, by=by, now=now, guard=Draft.free_for(user.pk, now), changes=_FREE)
            _review(draft, Verdict.ESCALATED, by=by, now=now, note=storable(note.strip()))
    except StateChanged:
        raise _already_decided(draft_id) from None
    return draft


def redraft(*, draft_id: int, version: int, user: User, now: datetime) -> Draft:
    """Supersede a draft by a new one on the newest facts and ring for it.

    Raise AlreadyDecided, ClaimedByOther or NotAllowed.
    """
    draft, by, _ = _begin(draft_id, version, user, "", now)
    try:
        with transaction.atomic():
            draft.case.lock()
            draft.move(Act.SUPERSEDE, State.SUPERSEDED, by=by, now=now, guard=Draft.free_for(user.pk, now))
            new = Draft.queue_up(case=draft.case, sheet=draft.case.newest_sheet(), by=by, now=now)
            transaction.on_commit(partial(ring, DRAFT_CASE, new.pk))
    except StateChanged:
        raise _already_decided(draft_id) from None
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
        draft.move(Act.UNDO, State(decision.state_before), by=Actor(Who.DECIDER, user.pk), now=now)
    return draft


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
    draft = _load(draft_id)
    acting(user, draft.queue, Role.LEAD if take_over else Role.OPERATOR)
    if not draft.claim(user_id=user.pk, now=now, take_over=take_over):
        raise _held(draft) if draft.is_claimed_by_other(user.pk, now) else _already_decided(draft_id)
    return draft


_FREE: dict[str, Any] = {"claimed_by": None, "claimed_until": None}
_ACTS = {
    Verdict.APPROVED_AS_IS: Act.APPROVE_AS_IS,
    Verdict.APPROVED_WITH_EDITS: Act.APPROVE_EDITED,
    Verdict.DECLINED: Act.DECLINE,
}
_APPROVALS = (Verdict.APPROVED_AS_IS, Verdict.APPROVED_WITH_EDITS)


def _load(draft_id: int) -> Draft:
    return Draft.objects.select_related("case", "queue", "sheet__case", "shown", "claimed_by").get(pk=draft_id)


def _begin(
    draft_id: int, version: int, user: User, key: str, now: datetime, *, verdicts: Sequence[Verdict] = ()
) -> tuple[Draft, Actor, Decision | None]:
    """Load the draft; refuse who may not act, what has changed and what another holds; or find the act already done.

    An act is done already when the decision of its key has one of these verdicts and stands.
    """
    draft = _load(draft_id)
    by = acting(user, draft.queue)
    earlier = _made_with(key, draft_id, user.pk)
    if earlier and earlier.undone_at is None and earlier.verdict in verdicts:
        return draft, by, earlier
    if earlier or draft.version != version or draft.state not in REVIEWABLE:
        raise _already_decided(draft_id)
    if draft.is_claimed_by_other(user.pk, now):
        raise _held(draft)
    return draft, by, None


def _made_with(key: str, draft_id: int, user_id: int) -> Decision | None:
    earlier = Decision.objects.filter(idempotency_key=key).first() if key else None
    if earlier and (earlier.draft_id, earlier.decided_by_id) != (draft_id, user_id):
        raise KeyReused("This form was already used for another decision. Load the page again.")
    return earlier


def _decide(
    draft: Draft,
    made: Decision,
    *,
    by: Actor,
    now: datetime,
    reason: str = "",
    note: str = "",
    edit: Edit | None = None,
    outcomes: Sequence[Outcome] = (),
) -> Decision:
    """Move the draft and save the decision with its review, all or nothing; an undo finds what was typed again."""
    made.state_before = draft.state
    act = _ACTS[Verdict(made.verdict)]
    to = State.APPROVED if made.is_approval else State.DECLINED
    hashes = {"text": hashlib.sha256(made.text.encode()).hexdigest()} if made.text else {}
    free = Draft.free_for(by.person_id, now)
    typed = {"pending": edit.as_json()} if edit else {}
    try:
        with transaction.atomic():
            draft.move(act, to, by=by, now=now, guard=free, changes=typed, hashes=hashes)
            made.review = _review(draft, Verdict(made.verdict), by=by, now=now, reason=reason, note=note)
            made.draft, made.decided_by_id = draft, made.review.reviewer_id
            made.decided_at, made.effects_at = now, now + UNDO_TIME
            made.save(force_insert=True)
            _save_findings(made, outcomes)
    except StateChanged:
        # The same form sent twice at once: the other request has just saved this very decision.
        earlier = _made_with(made.idempotency_key, draft.pk, by.person_id)
        if earlier and earlier.verdict == made.verdict:
            return earlier
        raise _already_decided(draft.pk) from None
    except IntegrityError:
        # One key for two drafts at once: the other request was first.
        _made_with(made.idempotency_key, draft.pk, by.person_id)
        raise
    return made


def _review(draft: Draft, verdict: Verdict, *, by: Actor, now: datetime, reason: str = "", note: str = "") -> Review:
    rounds = draft.reviews.count()
    return Review.objects.create(
        draft=draft, reviewer_id=by.person_id, round=rounds + 1, verdict=verdict, reason=reason, note=note, at=now
    )


def _save_findings(made: Decision, outcomes: Sequence[Outcome]) -> None:
    Finding.objects.bulk_create(
        Finding.of(outcome, draft=made.draft, position=at, decision=made) for at, outcome in enumerate(outcomes)
    )


def _keep(draft: Draft, edit: Edit, user: User, now: datetime) -> None:
    rows = Draft.objects.filter(Draft.free_for(user.pk, now), pk=draft.pk, version=draft.version)
    if not rows.update(pending=edit.as_json()):
        raise _already_decided(draft.pk)


def _require_fresh(draft: Draft, now: datetime, *, confirmed: bool) -> None:
    if draft.is_stale(now) and not confirmed:
        raise FactsStale(
            f"The facts are as of {draft.sheet.as_of:%Y-%m-%d}, older than this queue allows. "
            "Send newer ones, or confirm that they still hold."
        )


def _already_decided(draft_id: int) -> AlreadyDecided:
    draft = _load(draft_id)
    return AlreadyDecided(draft, draft.current_decision())


def _held(draft: Draft) -> ClaimedByOther:
    until = f"{draft.claimed_until:%H:%M} UTC" if draft.claimed_until else "now"
    return ClaimedByOther(f"{draft.claimed_by} is working on this draft until {until}. A lead may take it over.")


def _why_too_late(decision: Decision) -> str:
    if decision.left_at is not None:
        return f"The text was already {decision.get_left_by_display().lower()}, so its approval stands."
    return "The 15 seconds to take a decision back are over."
