"""Begin a person's act on a draft: who may act, whether it is still as they saw it, and whether they did it before."""

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User

from reviewhub.edits import Refused
from reviewhub.models import REVIEWABLE, Actor, Decision, Draft, Verdict
from reviewhub.permissions import acting

__all__ = [
    "AlreadyDecided",
    "ClaimedByOther",
    "KeyReused",
    "already_decided",
    "begin",
    "held",
    "load",
    "made_with",
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


class KeyReused(Refused):
    """Refuse an idempotency key that already stands for another act."""


def load(draft_id: int) -> Draft:
    """Return a draft with the rows that acts read."""
    return Draft.objects.select_related("case", "queue", "sheet__case", "shown", "claimed_by").get(pk=draft_id)


def begin(
    draft_id: int, version: int, user: User, key: str, now: datetime, *, verdicts: Sequence[Verdict] = ()
) -> tuple[Draft, Actor, Decision | None]:
    """Load the draft; refuse who may not act, what has changed and what another holds; or find the act already done.

    An act is done already when the decision of its key has one of these verdicts and stands.
    """
    draft = load(draft_id)
    by = acting(user, draft.queue)
    earlier = made_with(key, draft_id, user.pk)
    if earlier and earlier.undone_at is None and earlier.verdict in verdicts:
        return draft, by, earlier
    if earlier or draft.version != version or draft.state not in REVIEWABLE:
        raise already_decided(draft_id)
    if draft.is_claimed_by_other(user.pk, now):
        raise held(draft)
    return draft, by, None


def made_with(key: str, draft_id: int, user_id: int) -> Decision | None:
    """Return the decision that a form has made already; raise KeyReused when it is one of another draft or person."""
    earlier = Decision.objects.filter(idempotency_key=key).first() if key else None
    if earlier and (earlier.draft_id, earlier.decided_by_id) != (draft_id, user_id):
        raise KeyReused("This form was already used for another decision. Load the page again.")
    return earlier


def already_decided(draft_id: int) -> AlreadyDecided:
    """Return the refusal that says what became of a draft meanwhile."""
    draft = load(draft_id)
    return AlreadyDecided(draft, draft.current_decision())


def held(draft: Draft) -> ClaimedByOther:
    """Return the refusal that says who holds a draft, and until when."""
    until = f"{draft.claimed_until:%H:%M} UTC" if draft.claimed_until else "now"
    return ClaimedByOther(f"{draft.claimed_by} is working on this draft until {until}. A lead may take it over.")
