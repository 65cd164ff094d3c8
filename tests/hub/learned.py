"""Approve a draft with or without edits, as a person would have."""

import struct
import uuid
from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User

from reviewhub.edits import Edit
from reviewhub.learning import advance
from reviewhub.models import Decision, Draft, Exemplar, ExemplarState, Queue, State
from reviewhub.reviewing import approve_as_is, approve_edited
from tests.hub.written import CLOSING, OPENING, REQUEST, write_attempt

__all__ = ["VECTOR", "approve", "learn"]

VECTOR = struct.pack("<384f", 1.0, *[0.0] * 383)


def approve(make_draft: Callable[..., Draft], user: User, *, now: datetime, **prose: str) -> Decision:
    """Approve a new draft: as it is, or with these passages in place of its own."""
    draft = make_draft(State.AWAITING_REVIEW)
    Queue.objects.filter(pk=draft.queue_id).update(facts_max_age_days=None)
    write_attempt(draft)
    draft.refresh_from_db()
    given = {"draft_id": draft.pk, "version": draft.version, "user": user, "key": uuid.uuid4().hex, "now": now}
    if not prose:
        return approve_as_is(**given)
    edited = {"opening": OPENING, "request": REQUEST, "closing": CLOSING, **prose}
    return approve_edited(**given, edit=Edit(prose=tuple(edited.values())))


def learn(*, decision_id: int, clock: Callable[[], datetime]) -> ExemplarState | None:
    """Do what sweeper and worker do, without a broker between; None when it is not to be learned from."""
    due = Decision.objects.to_learn_from(clock()).select_related("draft__case").filter(pk=decision_id).first()
    if due is not None:
        Exemplar.of_decision(due, now=clock())
    known = Exemplar.objects.filter(decision=decision_id).values_list("pk", flat=True).first()
    return None if known is None else advance(exemplar_id=known, clock=clock)
