"""Make up for what was lost: messages that no broker kept, workers that died, work that none could finish."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from reviewhub.doorbell import DRAFT_CASE, INDEX, ring
from reviewhub.models import (
    MAX_TAKES,
    Act,
    Actor,
    Decision,
    Draft,
    Exemplar,
    ExemplarChanged,
    State,
    StateChanged,
    StopReason,
    Tally,
    Who,
)

__all__ = ["SWEPT", "Swept", "send_learning", "send_waiting", "sweep"]

SWEPT = "swept"
"""The name under which sweeps are counted: the last one's time tells whether the sweeper runs."""
# What waits and whose message is older than this is sent again: the broker may have lost it.
_STALE = timedelta(seconds=30)
# As many steps of learning may be on their way at once, and as many new exemplars are made by one sweep.
_LEARNING_AT_ONCE = 20
_SWEEPER = Actor(Who.SWEEPER)


@dataclass(frozen=True, slots=True)
class Swept:
    """Count what one sweep did with drafts, then with what is learned."""

    put_back: int = 0
    given_up: int = 0
    sent: int = 0
    quarantined: int = 0
    learning: int = 0


def sweep(*, now: datetime) -> Swept:
    """Put drafts of dead workers back, give up those that were taken three times, and send waiting ones.

    The same with what is learned: decisions become exemplars once they cannot be taken back, texts that three workers
    took are quarantined, and steps that wait are sent.
    """
    put_back = given_up = 0
    for draft in Draft.objects.lease_expired(now):
        if draft.takes < MAX_TAKES:
            put_back += _put_back(draft, now)
        else:
            given_up += _give_up(draft, now)
    for draft in Draft.objects.worn_out():
        given_up += _give_up(draft, now)
    quarantined = sum(exemplar.give_up(now=now) for exemplar in Exemplar.objects.worn_out(now))
    swept = Swept(put_back, given_up, send_waiting(now=now), quarantined, send_learning(now=now))
    Tally.add(SWEPT, now=now)
    return swept


def send_waiting(*, now: datetime) -> int:
    """Ring for the oldest waiting drafts, at most as many as the workers can take, and return how many were sent.

    Each slot may hold one draft in work and one message in wait, so that no slot idles and no broker fills up.
    """
    room = 2 * settings.REVIEWHUB_DRAFTING_SLOTS - Draft.objects.occupying(now, recent=_STALE).count()
    waiting = Draft.objects.ready_to_start(now).not_rung_since(now - _STALE)
    sent = 0
    for draft_id in waiting.values_list("id", flat=True)[: max(room, 0)]:
        if not ring(DRAFT_CASE, draft_id):
            break  # the broker is away; trying the others would take a second each
        sent += 1
    return sent


def send_learning(*, now: datetime) -> int:
    """Make exemplars of the decisions that may be learned from, ring for steps to be done, and return how many.

    A step is to sanitise, to index or to take out of the index. Only so many are on their way at once.
    """
    due = Decision.objects.to_learn_from(now).select_related("draft__case").order_by("effects_at", "id")
    for decision in due[:_LEARNING_AT_ONCE]:
        with suppress(ExemplarChanged):  # it was taken back meanwhile
            Exemplar.of_decision(decision, now=now)
    steps = Exemplar.objects.to_be_sent(now)
    room = _LEARNING_AT_ONCE - steps.filter(rung_at__gte=now - _STALE).count()
    sent = 0
    for exemplar_id in steps.not_rung_since(now - _STALE).values_list("id", flat=True)[: max(room, 0)]:
        if not ring(INDEX, exemplar_id):
            break
        sent += 1
    return sent


def _put_back(draft: Draft, now: datetime) -> bool:
    expired = Q(lease_until__lte=now, takes__lt=MAX_TAKES)
    try:
        draft.move(
            Act.PUT_BACK,
            State.QUEUED,
            by=_SWEEPER,
            now=now,
            guard=expired,
            changes={"not_before": now, "rung_at": None},
        )
    except StateChanged:
        return False  # its worker was alive after all, or another sweeper was first
    return True


def _give_up(draft: Draft, now: datetime) -> bool:
    dead = Q(takes=MAX_TAKES) & (Q(state=State.QUEUED) | Q(lease_until__lte=now))
    changes = {"stop_reason": StopReason.TAKES, "finished_at": now}
    try:
        draft.move(Act.GIVE_UP, State.ESCALATED, by=_SWEEPER, now=now, guard=dead, changes=changes)
    except StateChanged:
        return False
    return True
