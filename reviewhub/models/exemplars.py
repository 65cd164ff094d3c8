"""Hold what people's edits taught: sanitised prose, and where each stands on its way into the index."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models, transaction
from django.db.models import Count, Q

from agent.body import Body, Prose
from reviewhub.models.audit import AuditEvent
from reviewhub.models.cases import Case
from reviewhub.models.drafts import MAX_TAKES, LeaseLost
from reviewhub.models.keyset import Keyset, row_after
from reviewhub.models.queues import Queue
from reviewhub.models.reviews import Decision
from reviewhub.models.transitions import Actor, Who

__all__ = [
    "FREE_BLOCK",
    "LEARNING_LEASE",
    "PART_BACKOFF",
    "VECTOR_BYTES",
    "Exemplar",
    "ExemplarChanged",
    "ExemplarQuerySet",
    "ExemplarState",
    "QuarantineReason",
]

FREE_BLOCK = "free"
"""The name of the one block of a text that a person wrote freely."""
VECTOR_BYTES = 384 * 4
"""The length of a vector: 384 float32, little endian."""
LEARNING_LEASE = timedelta(seconds=330)
"""How long a worker holds an exemplar for one step: somewhat longer than the 300 s after which its task is ended."""
PART_BACKOFF = timedelta(seconds=60)
"""How long a part of the hub that is needed and not there, such as the vector store, is left alone."""

_LEARN_BACKOFF = (timedelta(seconds=10), timedelta(seconds=60))
_WORKER = Actor(Who.WORKER)
_NO_LEASE: dict[str, Any] = {"lease_token": None, "lease_until": None}
_AFRESH: dict[str, Any] = {"takes": 0, "not_before": None, "rung_at": None, "last_error": "", **_NO_LEASE}


class ExemplarState(models.TextChoices):
    """Say where an exemplar stands on its way into the index."""

    WAITING = "waiting", "Waiting to be sanitised"
    READY = "ready", "Ready to be indexed"
    INDEXED = "indexed", "In the index"
    QUARANTINED = "quarantined", "In quarantine"
    FORGOTTEN = "forgotten", "Forgotten"


class QuarantineReason(models.TextChoices):
    """Say why a text is not provably clean."""

    DOUBTS = "doubts", "some of its words may tell who it is about"
    TOO_LONG = "too_long", "it is too long to be sanitised"
    NOT_SANITISED = "not_sanitised", "sanitising it failed three times"
    EMPTY = "empty", "it has no prose to learn from"


class ExemplarChanged(Exception):
    """Tell that an exemplar is no longer in the state in which it was read, or that another holds it."""


class ExemplarQuerySet(models.QuerySet["Exemplar"]):
    """Ask for exemplars."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Keep the exemplars of the queues that a person may read."""
        return self.filter(queue__in=Queue.objects.visible_to(user))

    def of(self, queue_id: int, domain: str) -> Self:
        """Keep those of one queue and domain: they share a collection of the vector store."""
        return self.filter(queue=queue_id, domain=domain)

    def of_queue(self, queue: Queue) -> Self:
        """Keep those of one queue, whatever their domain."""
        return self.filter(queue=queue)

    def in_state(self, *states: ExemplarState) -> Self:
        """Keep the exemplars in any of these states."""
        return self.filter(state__in=states)

    def recallable(self) -> Self:
        """Keep clean ones with a vector, whether or not the store has them yet."""
        return self.filter(state__in=_CLEAN)

    def stale_in_store(self) -> Self:
        """Keep those that the store may hold and must not."""
        return self.filter(state__in=_NOT_IN_STORE, indexed_at__isnull=False)

    def to_be_sent(self, now: datetime) -> Self:
        """Keep those with a step to be done that nobody holds and whose backoff is over, oldest first."""
        step = Q(state=ExemplarState.WAITING, takes__lt=MAX_TAKES) | Q(state=ExemplarState.READY)
        stale = Q(state__in=_NOT_IN_STORE, indexed_at__isnull=False)
        return self.filter(step | stale, _past("not_before", now), _past("lease_until", now)).order_by("id")

    def not_rung_since(self, then: datetime) -> Self:
        """Keep those whose last message, if any, is older."""
        return self.filter(Q(rung_at__isnull=True) | Q(rung_at__lt=then))

    def worn_out(self, now: datetime) -> Self:
        """Keep waiting ones that were taken as often as allowed, and that nobody holds."""
        return self.filter(_past("lease_until", now), state=ExemplarState.WAITING, takes__gte=MAX_TAKES)

    def counts_by_state(self) -> dict[ExemplarState, int]:
        """Count the exemplars of every state; a state without any counts 0."""
        counted = dict(self.order_by().values_list("state").annotate(n=Count("id")))
        return {state: counted.get(state.value, 0) for state in ExemplarState}

    def count_up_to(self, most: int) -> int:
        """Count them, but stop at one more than `most`."""
        return self.order_by()[: most + 1].count()

    def keyset_page(self, *, after: Keyset | None = None, newest_first: bool = False) -> Self:
        """Order by the time of the last change, then id, and begin after a row, as lists of drafts do."""
        rows = self.order_by(*(("-state_since", "-id") if newest_first else ("state_since", "id")))
        return rows.filter(row_after("state_since", "id", after, descending=newest_first)) if after else rows

    def leave_store_alone(self, now: datetime) -> None:
        """Let what waits for the store wait: it did not answer, and asking for each row would take a second each."""
        waiting = Q(state=ExemplarState.READY) | Q(state__in=_NOT_IN_STORE, indexed_at__isnull=False)
        self.filter(waiting).update(not_before=now + PART_BACKOFF, rung_at=None)


class Exemplar(models.Model):
    """Hold one edit as an example: its prose by block in slot language, and its way into the index.

    `prose` is {block: text}. While WAITING it is empty, or a person's correction that has still to be sanitised; in
    quarantine it may hold personal details, so it is shown only to those who may read the queue and goes nowhere else.
    `doubts` is a list of {block, start, end, words, code, reason} with places in the block's text.
    """

    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="exemplars")
    domain = models.CharField(max_length=30)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="exemplars")
    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="exemplar")
    situation = models.CharField(max_length=60, blank=True)
    state = models.CharField(max_length=12, choices=ExemplarState.choices, default=ExemplarState.WAITING)
    state_since = models.DateTimeField()
    prose = models.JSONField(default=dict, blank=True)
    doubts = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=20, choices=QuarantineReason.choices, blank=True)
    vector = models.BinaryField(max_length=VECTOR_BYTES, null=True, blank=True)
    embedder = models.CharField(max_length=80, blank=True, help_text="Which model the vector is of.")
    approved_at = models.DateTimeField()
    indexed_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when the vector store may hold it; empty when it surely does not."
    )
    used = models.PositiveIntegerField(default=0)
    bad = models.PositiveIntegerField(default=0)

    takes = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    rung_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=80, blank=True, help_text="The kind of the last failure, never its text.")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    objects = ExemplarQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["queue", "domain", "state"], name="exemplar_of_queue"),
            models.Index(fields=["state", "id"], name="exemplar_by_state"),
            models.Index(fields=["queue", "state", "state_since", "id"], name="exemplar_by_time"),
            models.Index(
                fields=["id"],
                condition=Q(state__in=["quarantined", "forgotten"], indexed_at__isnull=False),
                name="exemplar_stale_in_store",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ExemplarState.values), name="exemplar_state_known"),
            models.CheckConstraint(condition=Q(takes__gte=0, takes__lte=MAX_TAKES), name="exemplar_takes_bounded"),
            models.CheckConstraint(
                condition=Q(state__in=["ready", "indexed"], vector__isnull=False)
                & ~Q(situation="")
                & ~Q(embedder="")
                & ~Q(prose={})
                & Q(doubts=[])
                | Q(state__in=["waiting", "quarantined", "forgotten"], vector__isnull=True, embedder=""),
                name="exemplar_with_vector_is_clean",
            ),
            models.CheckConstraint(
                condition=~Q(state="indexed") | Q(indexed_at__isnull=False), name="exemplar_indexed_since"
            ),
            models.CheckConstraint(
                condition=Q(state="quarantined", reason__in=QuarantineReason.values)
                | (~Q(state="quarantined") & Q(reason="", doubts=[])),
                name="exemplar_quarantined_with_reason",
            ),
            models.CheckConstraint(
                condition=~Q(state="forgotten") | Q(prose={}, doubts=[]), name="exemplar_forgotten_is_blank"
            ),
            models.CheckConstraint(
                condition=Q(lease_token__isnull=True, lease_until__isnull=True)
                | Q(lease_token__isnull=False, lease_until__isnull=False),
                name="exemplar_lease_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"exemplar {self.pk} of case {self.case_id}"

    # Factories

    @classmethod
    def of_decision(cls, decision: Decision, *, now: datetime) -> "Exemplar":
        """Return the decision's exemplar, made once, however often and by however many this is asked.

        Raise ExemplarChanged when the decision was taken back meanwhile.
        """
        case = decision.draft.case
        given = {
            "queue_id": case.queue_id,
            "domain": case.domain,
            "case": case,
            "state_since": now,
            "approved_at": decision.decided_at,
        }
        with transaction.atomic():
            # First, so that whoever takes the decision back waits, and then sees the exemplar.
            if not Decision.objects.filter(pk=decision.pk, undone_at__isnull=True).update(taught=True):
                raise ExemplarChanged(f"decision {decision.pk} was taken back")
            row, is_new = cls.objects.get_or_create(decision=decision, defaults=given)
            if is_new:
                row.note("exemplar_wait", by=_WORKER, now=now, after=ExemplarState.WAITING)
        return row

    # Changes

    def take(self, *, now: datetime) -> uuid.UUID:
        """Hold the row for the step that its state asks for; raise ExemplarChanged when it is not to be had.

        Sanitising counts its takes. The store's absence is no fault of the text, so steps that need it are not counted.
        """
        token = uuid.uuid4()
        fields: dict[str, Any] = {"lease_token": token, "lease_until": now + LEARNING_LEASE}
        free = Exemplar.objects.to_be_sent(now).filter(pk=self.pk, state=self.state, takes=self.takes)
        if self.state == ExemplarState.WAITING:
            fields["takes"] = self.takes + 1
        if self.state == ExemplarState.READY and self.indexed_at is None:
            fields["indexed_at"] = now  # from here on the store may hold it, whatever becomes of this worker
        if not Exemplar.objects.filter(pk__in=free.order_by().values("pk")).update(**fields):
            raise ExemplarChanged(f"exemplar {self.pk} has no step to be done, or another worker holds it")
        self._set(fields)
        return token

    def settle(self, token: uuid.UUID, to: ExemplarState, *, now: datetime, **changes: Any) -> None:
        """Leave the row in a state with what the step found out, under its lease or not at all: raise LeaseLost."""
        fields = {**_AFRESH, **changes, "state": to, "state_since": now}
        held = Exemplar.objects.filter(pk=self.pk, state=self.state, lease_token=token, lease_until__gt=now)
        with transaction.atomic():
            if not held.update(**fields):
                raise LeaseLost(f"exemplar {self.pk} is no longer this worker's")
            self.note(f"exemplar_{to.value}", by=_WORKER, now=now, before=self.state, after=to)
        self._set(fields)

    def removed(self, token: uuid.UUID) -> None:
        """Note that the store holds it no more."""
        fields = {**_AFRESH, "takes": self.takes, "last_error": self.last_error, "indexed_at": None}
        Exemplar.objects.filter(pk=self.pk, lease_token=token).update(**fields)
        self._set(fields)

    def put_back(self, token: uuid.UUID, *, now: datetime, error: str, counts: bool = True) -> None:
        """Give a step up for now; the third time that sanitising failed, the text goes into quarantine.

        It counts unless what was lacking is a part of the hub, which is no fault of the text.
        """
        counts = counts and self.state == ExemplarState.WAITING
        if counts and self.takes >= MAX_TAKES:
            why = {"reason": QuarantineReason.NOT_SANITISED, "last_error": error}
            self.settle(token, ExemplarState.QUARANTINED, now=now, takes=self.takes, **why)
            return
        takes = self.takes - (self.state == ExemplarState.WAITING and not counts)
        pause = _LEARN_BACKOFF[takes - 1] if counts else PART_BACKOFF
        fields = {**_NO_LEASE, "takes": takes, "not_before": now + pause, "rung_at": None, "last_error": error}
        Exemplar.objects.filter(pk=self.pk, lease_token=token).update(**fields)
        self._set(fields)

    def give_up(self, *, now: datetime) -> bool:
        """Put a text that three workers took and none finished into quarantine; False when it is not such a one."""
        fields = {**_AFRESH, "takes": MAX_TAKES, "state": ExemplarState.QUARANTINED, "state_since": now}
        fields |= {"reason": QuarantineReason.NOT_SANITISED, "last_error": "the worker was lost"}
        by, after = Actor(Who.SWEEPER), ExemplarState.QUARANTINED
        with transaction.atomic():
            given_up = bool(Exemplar.objects.worn_out(now).filter(pk=self.pk).update(**fields))
            if given_up:
                self.note("exemplar_quarantined", by=by, now=now, before=self.state, after=after)
        if given_up:
            self._set(fields)
        return given_up

    def wait_again(self, *, by: Actor, now: datetime, prose: Mapping[str, str] | None = None) -> None:
        """Have it sanitised and examined anew: after words were confirmed, or with a person's correction as its prose.

        Raise ExemplarChanged when it is not in quarantine any more, or, for a correction, when it was forgotten. The
        caller rings INDEX when the transaction is committed.
        """
        sources = [ExemplarState.QUARANTINED] if prose is None else [*_CLEAN, ExemplarState.QUARANTINED]
        fields = {**_AFRESH, **_NOT_CLEAN, "state": ExemplarState.WAITING, "state_since": now}
        if prose is not None:
            fields["prose"] = dict(prose)
        self._change("exemplar_again", sources, fields, by=by, now=now)

    def forget(self, *, by: Actor, now: datetime) -> None:
        """Blank it for good; the store follows once INDEX is rung. Forgetting it again changes nothing."""
        if self.state == ExemplarState.FORGOTTEN:
            return
        fields = {**_AFRESH, **_NOT_CLEAN, "prose": {}, "state": ExemplarState.FORGOTTEN, "state_since": now}
        sources = [state for state in ExemplarState if state is not ExemplarState.FORGOTTEN]
        self._change("exemplar_forgotten", sources, fields, by=by, now=now)

    def note(self, act: str, *, by: Actor, now: datetime, before: str = "", after: str = "") -> None:
        """Add a line about it to the audit trail, under the draft that it was learned from."""
        refs = {"queue_ref": self.queue_id, "case_ref": self.case_id, "draft_ref": self.decision.draft_id}
        AuditEvent.line(act, refs=refs, by=by, now=now, before=before, after=after).save(force_insert=True)

    def _change(
        self, act: str, sources: Iterable[ExemplarState], fields: dict[str, Any], *, by: Actor, now: datetime
    ) -> None:
        with transaction.atomic():
            if not Exemplar.objects.filter(pk=self.pk, state=self.state, state__in=list(sources)).update(**fields):
                raise ExemplarChanged(f"exemplar {self.pk} is no longer as it was read")
            self.note(act, by=by, now=now, before=self.state, after=fields["state"])
        self._set(fields)

    def _set(self, fields: Mapping[str, Any]) -> None:
        for name, value in fields.items():
            setattr(self, name, value)

    # Queries

    def texts(self) -> dict[str, str]:
        """Return what is to be sanitised by block: what stands here already, else the prose that was approved."""
        if self.prose:
            return dict(self.prose)
        body = Body.from_json(self.decision.body) if self.decision.body else Body(())
        if body.record is not None:
            return {}
        prose = {block.name: block.text for block in body.blocks if isinstance(block, Prose) and block.text.strip()}
        return prose if body.framed else {FREE_BLOCK: "\n\n".join(prose.values())} if prose else {}

    @property
    def keyset(self) -> Keyset:
        """Return the row's place in a list, to page on from."""
        return Keyset(self.state_since, self.pk)

    @property
    def is_clean(self) -> bool:
        """Tell whether its prose was examined and may be shown and exported."""
        return self.state in _CLEAN

    @property
    def is_stale_in_store(self) -> bool:
        """Tell whether the vector store may hold it and must not."""
        return self.state in _NOT_IN_STORE and self.indexed_at is not None


def _past(field: str, now: datetime) -> Q:
    return Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__lte": now})


_CLEAN: Sequence[ExemplarState] = (ExemplarState.READY, ExemplarState.INDEXED)
# A waiting one may stay there until its step is done: recall takes clean rows alone, and the step replaces it or not.
_NOT_IN_STORE: Sequence[ExemplarState] = (ExemplarState.QUARANTINED, ExemplarState.FORGOTTEN)
_NOT_CLEAN: dict[str, Any] = {"vector": None, "embedder": "", "doubts": [], "reason": ""}
