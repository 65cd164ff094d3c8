"""Let people say whether a draft's tone fits, where nothing but the tone kept it from passing."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from reviewhub.edits import Refused
from reviewhub.models import Actor, Draft, FindingQuerySet, Ruling, StateChanged
from reviewhub.reviewing.beginning import already_decided, begin
from reviewhub.reviewing.handing_on import hand_to_lead

__all__ = ["NoToneToConfirm", "confirm_tone", "refuse_tone"]

_NOTE = "The tone does not fit."


class NoToneToConfirm(Refused):
    """Refuse to rule on the tone of a draft whose tone is not in doubt."""


def confirm_tone(*, draft_id: int, version: int, user: User, now: datetime) -> Draft:
    """Agree that the tone does not fit: the finding was right, and the draft goes to a lead.

    Raise NoToneToConfirm, AlreadyDecided, ClaimedByOther or NotAllowed.
    """
    draft, by, findings = _begin(draft_id, version, user, now)
    try:
        with transaction.atomic():
            findings.update(ruling=Ruling.RIGHT)
            hand_to_lead(draft, note=_NOTE, by=by, now=now)
            draft.note("confirm_tone", by=by, now=now)
    except StateChanged:
        raise already_decided(draft_id) from None
    return draft


def refuse_tone(*, draft_id: int, version: int, user: User, now: datetime) -> Draft:
    """Say that the tone fits: the finding was a false alarm, and the draft can be approved like any other.

    Raise NoToneToConfirm, AlreadyDecided, ClaimedByOther or NotAllowed.
    """
    draft, by, findings = _begin(draft_id, version, user, now)
    try:
        with transaction.atomic():
            draft.touch("refuse_tone", by=by, now=now)
            findings.update(ruling=Ruling.WRONG)
    except StateChanged:
        raise already_decided(draft_id) from None
    return draft


def _begin(draft_id: int, version: int, user: User, now: datetime) -> tuple[Draft, Actor, FindingQuerySet]:
    draft, by, _ = begin(draft_id, version, user, "", now)
    if not draft.has_tone_to_confirm or draft.shown is None:
        raise NoToneToConfirm("The tone of this draft is not in doubt. Load the page again.")
    return draft, by, draft.shown.findings.tone_in_doubt()
