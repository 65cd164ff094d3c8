"""Let people approve a text, the shown one or their own, on facts that are fresh, and leads over a failing check."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.contrib.auth.models import User

from agent.outcome import Outcome
from agent.validators.runner import Verdict as Checked
from reviewhub.edits import Edit, Refused, check_edit
from reviewhub.models import Decision, Draft, Role, State, Verdict, Written, storable
from reviewhub.permissions import acting
from reviewhub.reviewing.beginning import already_decided, begin
from reviewhub.reviewing.deciding import Grounds, decide

__all__ = [
    "FactsStale",
    "Hurdle",
    "NeedsOverrideReason",
    "NothingToApprove",
    "Override",
    "TextRefused",
    "approve_as_is",
    "approve_edited",
    "hurdle_of",
    "seen_of",
]

_APPROVALS = (Verdict.APPROVED_AS_IS, Verdict.APPROVED_WITH_EDITS)


class FactsStale(Refused):
    """Refuse to approve on facts that are older than the queue allows, until they are refreshed or confirmed."""


class NothingToApprove(Refused):
    """Refuse to approve a draft that has no text, or none that may be approved as it is."""


class NeedsOverrideReason(Refused):
    """Refuse to approve over a failing check without a reason."""


class TextRefused(Refused):
    """Refuse a person's text that fails a check; it is kept with the draft, and `checked` says what failed."""

    def __init__(self, checked: Checked, why: str = "") -> None:
        self.checked = checked
        super().__init__(why or "The text was kept but not approved: correct what is marked, then approve it again.")


class Hurdle(Enum):
    """Say what keeps a shown text from being approved as it is."""

    NONE = "none"
    NO_TEXT = "no text"
    NEEDS_LEAD = "needs a lead"
    TONE = "somebody has to say first whether the tone fits"
    BLOCKED = "a check that must pass has failed; a lead may override it"


@dataclass(frozen=True, slots=True)
class Override:
    """Hold why a lead approves over failing checks; `seen` is what `seen_of` made of the failures they were shown."""

    reason: str
    seen: str = ""


def hurdle_of(draft: Draft, role: Role | None) -> Hurdle:
    """Return what keeps somebody in this role from approving the shown text as it is: the one rule of page and verb."""
    if draft.state not in {State.AWAITING_REVIEW, State.ESCALATED} or draft.shown is None or not draft.shown.text:
        return Hurdle.NO_TEXT
    if draft.state == State.ESCALATED and role is not Role.LEAD:
        return Hurdle.NEEDS_LEAD
    if draft.has_tone_to_confirm:
        return Hurdle.TONE
    return Hurdle.BLOCKED if draft.shown.findings.blocking().exists() else Hurdle.NONE


def seen_of(outcomes: Sequence[Outcome]) -> str:
    """Return a digest of what fails, so that nobody overrides a failure that they were not shown."""
    told = sorted([item.error_type or "", item.evidence or "", item.validator_source] for item in outcomes)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def approve_as_is(
    *,
    draft_id: int,
    version: int,
    user: User,
    key: str,
    now: datetime,
    facts_confirmed: bool = False,
    override: Override | None = None,
) -> Decision:
    """Approve the shown text unchanged; an escalated one needs a lead, and so does one that a check blocks.

    The same `key` again returns the same decision. Raise AlreadyDecided, ClaimedByOther, FactsStale, NothingToApprove,
    NeedsOverrideReason or NotAllowed.
    """
    draft, by, earlier = begin(draft_id, version, user, key, now, verdicts=(Verdict.APPROVED_AS_IS,))
    if earlier:
        return earlier
    hurdle = hurdle_of(draft, draft.queue.role_of(user))
    if hurdle is Hurdle.NO_TEXT:
        raise NothingToApprove("There is no draft to approve as it is. Write the text, or decline.")
    if hurdle is Hurdle.TONE:
        raise NothingToApprove("Say first whether the tone fits: confirm what the check found, or refuse it.")
    if hurdle is Hurdle.NEEDS_LEAD or (hurdle is Hurdle.BLOCKED and override):
        acting(user, draft.queue, Role.LEAD)
    if hurdle is Hurdle.BLOCKED and override is None:
        raise NothingToApprove(
            "A check that must pass has failed. Correct the text, then approve it; a lead may approve over the check."
        )
    _require_fresh(draft, now, confirmed=facts_confirmed)
    made = _as_shown(draft, key, now)
    if hurdle is Hurdle.BLOCKED:
        _override(made, override)
    return decide(draft, made, by=by, now=now)


def approve_edited(
    *,
    draft_id: int,
    version: int,
    edit: Edit,
    user: User,
    key: str,
    now: datetime,
    facts_confirmed: bool = False,
    override: Override | None = None,
) -> Decision:
    """Approve a person's text once the deterministic checks pass; a text that fails is kept, and TextRefused says why.

    A lead may override what fails, if it is what they were shown. The same `key` again returns the same decision.
    Raise AlreadyDecided, ClaimedByOther, FactsStale, TextRefused, NeedsOverrideReason, NothingToApprove or NotAllowed.
    """
    draft, by, earlier = begin(draft_id, version, user, key, now, verdicts=_APPROVALS)
    if earlier:
        return earlier
    body, checked = check_edit(draft, edit, now=now)
    fails = checked.verdict == "FAIL"
    if fails or _lacks_freshness(draft, now, confirmed=facts_confirmed):
        _keep(draft, edit, user, now)
    if fails:
        _require_override(draft, checked, user, override)
    _require_fresh(draft, now, confirmed=facts_confirmed)
    if not fails and _is_as_shown(draft, checked.text):
        return decide(draft, _as_shown(draft, key, now), by=by, now=now)
    made = Decision(
        verdict=Verdict.APPROVED_WITH_EDITS,
        written=Written.EDITED if edit.free is None else Written.BY_HAND,
        body=body.as_json(),
        text=checked.text,
        facts_confirmed=draft.is_stale(now),
        idempotency_key=key,
    )
    if fails:
        _override(made, override)
    return decide(draft, made, by=by, now=now, grounds=Grounds(edit=edit, outcomes=checked.outcomes))


def _as_shown(draft: Draft, key: str, now: datetime) -> Decision:
    """Return the approval of the shown text, unsaved."""
    shown = draft.shown
    return Decision(
        verdict=Verdict.APPROVED_AS_IS,
        written=Written.AGENT,
        body=shown.body if shown else None,
        text=shown.text if shown else "",
        facts_confirmed=draft.is_stale(now),
        idempotency_key=key,
    )


def _is_as_shown(draft: Draft, text: str) -> bool:
    """Tell whether an edit changed nothing of a text that may be approved as it is."""
    unchanged = draft.state == State.AWAITING_REVIEW and draft.shown is not None and draft.shown.text == text
    return unchanged and hurdle_of(draft, Role.OPERATOR) is Hurdle.NONE


def _require_override(draft: Draft, checked: Checked, user: User, override: Override | None) -> None:
    """Refuse a failing text, unless a lead has seen what fails and overrides it."""
    if override is None or not checked.text.strip():
        raise TextRefused(checked)
    acting(user, draft.queue, Role.LEAD)
    if override.seen != seen_of(checked.failures):
        raise TextRefused(checked, "What fails is not what you were shown. Look at it, then override it or correct it.")


def _override(made: Decision, override: Override | None) -> None:
    reason = storable(override.reason.strip()) if override else ""
    if not reason:
        raise NeedsOverrideReason("Say why the checks are mistaken, then approve over them.")
    made.overridden, made.override_reason = True, reason


def _keep(draft: Draft, edit: Edit, user: User, now: datetime) -> None:
    rows = Draft.objects.filter(Draft.free_for(user.pk, now), pk=draft.pk, version=draft.version)
    if not rows.update(pending=edit.as_json()):
        raise already_decided(draft.pk)


def _lacks_freshness(draft: Draft, now: datetime, *, confirmed: bool) -> bool:
    return draft.is_stale(now) and not confirmed


def _require_fresh(draft: Draft, now: datetime, *, confirmed: bool) -> None:
    if _lacks_freshness(draft, now, confirmed=confirmed):
        raise FactsStale(
            f"The facts are as of {draft.sheet.as_of:%Y-%m-%d}, older than this queue allows. "
            "Send newer ones, or confirm that they still hold."
        )
