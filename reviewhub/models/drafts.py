"""Hold the drafts of a case, their state, and who holds them: a worker by lease, an operator by claim."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models, transaction
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from reviewhub.models.audit import AuditEvent
from reviewhub.models.cases import Case, FactSheet
from reviewhub.models.keyset import Keyset, row_after
from reviewhub.models.queues import Queue
from reviewhub.models.transitions import CLOSED, REVIEWABLE, UNDECIDED, Act, Actor, State, Who, check

if TYPE_CHECKING:
    from reviewhub.models.attempts import Attempt
    from reviewhub.models.reviews import Decision

__all__ = [
    "CLAIM_TIME",
    "LEASE_TIME",
    "MAX_TAKES",
    "Draft",
    "DraftQuerySet",
    "LeaseLost",
    "StateChanged",
    "StopReason",
]

LEASE_TIME = timedelta(seconds=30)
CLAIM_TIME = timedelta(minutes=10)
MAX_TAKES = 3

_NO_LEASE: dict[str, Any] = {"lease_token": None, "lease_until": None, "lease_worker": ""}
_NO_CLAIM: dict[str, Any] = {"claimed_by": None, "claimed_until": None}


class StopReason(models.TextChoices):
    """Say why drafting stopped."""

    PASSED = "passed", "passed every check"
    ACCEPTED_LOW_SEVERITY = "accepted_low_severity", "only trifles remained"
    ABSTAINED = "abstained", "nothing safe to write"
    IDENTICAL = "identical", "the model repeated itself"
    CYCLE = "cycle", "the model went round in a circle"
    NO_IMPROVEMENT = "no_improvement", "the drafts got no better"
    ATTEMPTS = "attempts", "all attempts used"
    TOKENS = "tokens", "all tokens used"
    TIME = "time", "all time used"
    TAKES = "takes", "three workers took it and none finished"
    TONE_ONLY = "tone_only", "tone to confirm"
    IRRECONCILABLE = "irreconcilable", "the facts contradict each other"
    VALIDATOR_ERROR = "validator_error", "a check could not be made"
    MODEL_ERROR = "model_error", "the model gave no usable answer"
    FACTS_CHANGED = "facts_changed", "the facts changed"


class StateChanged(Exception):
    """Tell that a draft is no longer as it was read: someone else moved it first."""

    def __init__(self, draft_id: int, act: str) -> None:
        self.draft_id, self.act = draft_id, act
        super().__init__(f"draft {draft_id} changed before it could be moved ({act.replace('_', ' ')})")


class LeaseLost(Exception):
    """Tell a worker that its lease is over: what it wrote since belongs to nobody."""


class DraftQuerySet(models.QuerySet["Draft"]):
    """Ask for drafts."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Keep the drafts of the queues that a person may read."""
        return self.filter(queue__in=Queue.objects.visible_to(user))

    def undecided(self) -> Self:
        """Keep the drafts that are still to be written or decided."""
        return self.filter(state__in=UNDECIDED)

    def in_state(self, state: State) -> Self:
        """Keep the drafts in one state."""
        return self.filter(state=state)

    def of_queue(self, queue: Queue) -> Self:
        """Keep the drafts of one queue."""
        return self.filter(queue=queue)

    def in_states(self, states: Sequence[State]) -> Self:
        """Keep the drafts in any of these states."""
        return self.filter(state__in=states)

    def count_up_to(self, most: int) -> int:
        """Count the drafts, but stop at one more than `most`: what a page shows as "200+" is not worth counting."""
        return self.order_by()[: most + 1].count()

    def counts_by_state(self) -> dict[State, int]:
        """Count the drafts of every state; a state without drafts counts 0."""
        counted = dict(self.order_by().values_list("state").annotate(n=Count("id")))
        return {state: counted.get(state.value, 0) for state in State}

    def keyset_page(self, *, after: Keyset | None = None, newest_first: bool = False) -> Self:
        """Order by the time of the last change, then id, and begin after a row: flat at any depth, unlike an offset."""
        rows = self.order_by(*(("-state_since", "-id") if newest_first else ("state_since", "id")))
        if after is None:
            return rows
        return rows.filter(row_after("state_since", "id", after, descending=newest_first))

    def for_list(self) -> Self:
        """Fetch what a row of the queue page shows in one query: case, claim, number of attempts."""
        # A subquery for each row shown: a join that counts would group and sort every row of the state first.
        outputs = Draft.objects.filter(pk=OuterRef("pk"), attempts__rendered_from=None)
        newest = outputs.order_by("-attempts__number").values("attempts__number")[:1]
        rows = self.select_related("case", "queue", "claimed_by", "shown")
        return rows.annotate(attempt_count=Coalesce(Subquery(newest), 0))

    def ready_to_start(self, now: datetime) -> Self:
        """Keep queued drafts whose backoff is over and that may be taken once more, oldest first."""
        ready = Q(not_before__isnull=True) | Q(not_before__lte=now)
        return self.filter(ready, state=State.QUEUED, takes__lt=MAX_TAKES).order_by("created_at", "id")

    def not_rung_since(self, then: datetime) -> Self:
        """Keep drafts whose last message, if any, is older."""
        return self.filter(Q(rung_at__isnull=True) | Q(rung_at__lt=then))

    def occupying(self, now: datetime, *, recent: timedelta) -> Self:
        """Keep drafts that workers hold, or will as soon as they read their messages."""
        held = Q(state=State.DRAFTING, lease_until__gt=now)
        return self.filter(held | Q(state=State.QUEUED, rung_at__gte=now - recent))

    def lease_expired(self, now: datetime) -> Self:
        """Keep drafts whose worker has not been heard of in time."""
        return self.filter(state=State.DRAFTING, lease_until__lte=now)

    def worn_out(self) -> Self:
        """Keep queued drafts that were taken as often as allowed."""
        return self.filter(state=State.QUEUED, takes__gte=MAX_TAKES)


class Draft(models.Model):
    """Hold one run of the loop for a case. Its state changes through `move` alone."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="drafts")
    # The case's own queue, repeated here for the indexes that lists are read by.
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="drafts")
    sheet = models.ForeignKey(FactSheet, on_delete=models.PROTECT, related_name="drafts")
    situation = models.CharField(
        max_length=60, blank=True, help_text="Which kind of letter was written; empty until a worker began."
    )
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    state_since = models.DateTimeField()
    version = models.PositiveIntegerField(default=0)
    stop_reason = models.CharField(max_length=30, choices=StopReason.choices, blank=True)
    stop_detail = models.TextField(blank=True)
    shown = models.ForeignKey("reviewhub.Attempt", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_worker = models.CharField(max_length=120, blank=True)
    takes = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    rung_at = models.DateTimeField(null=True, blank=True)

    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claimed_until = models.DateTimeField(null=True, blank=True)
    # What a person wrote last, so that no refusal and no undo loses it: {"prose": [text, ...]} or {"free": text}.
    pending = models.JSONField(null=True, blank=True)

    objects = DraftQuerySet.as_manager()
    attempt_count: int  # set by for_list

    class Meta:
        indexes = [
            models.Index(fields=["queue", "state", "state_since", "id"], name="draft_by_state"),
            models.Index(fields=["queue", "state_since", "id"], name="draft_by_time"),
            models.Index(fields=["created_at", "id"], condition=Q(state="queued"), name="draft_waiting"),
            models.Index(fields=["lease_until"], condition=Q(state="drafting"), name="draft_leased"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="draft_state_known"),
            models.CheckConstraint(
                condition=Q(stop_reason__in=["", *StopReason.values]), name="draft_stop_reason_known"
            ),
            models.CheckConstraint(condition=Q(takes__gte=0, takes__lte=MAX_TAKES), name="draft_takes_bounded"),
            models.CheckConstraint(
                condition=Q(state="drafting", lease_token__isnull=False, lease_until__isnull=False)
                | (~Q(state="drafting") & Q(lease_token__isnull=True, lease_until__isnull=True)),
                name="draft_leased_while_drafting",
            ),
            models.CheckConstraint(
                condition=Q(claimed_by__isnull=True) | Q(claimed_until__isnull=False),
                name="draft_claim_has_end",
            ),
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(state__in=["queued", "drafting", "awaiting_review", "escalated", "abstained"]),
                name="one_open_draft_per_case",
            ),
        ]

    def __str__(self) -> str:
        return f"draft {self.pk} of case {self.case_id}"

    # Factories

    @classmethod
    def queue_up(cls, *, case: Case, sheet: FactSheet, by: Actor, now: datetime) -> "Draft":
        """Queue a new draft of a case; the caller rings when the transaction is committed."""
        [draft] = cls.queue_up_all([sheet], queue=case.queue, by=by, now=now)
        return draft

    @classmethod
    def queue_up_all(cls, sheets: Iterable[FactSheet], *, queue: Queue, by: Actor, now: datetime) -> "list[Draft]":
        """Queue a draft of each sheet's case, all of them in two statements; the caller rings as above."""
        drafts = cls.objects.bulk_create(
            [cls(case_id=sheet.case_id, queue=queue, sheet=sheet, state_since=now, created_at=now) for sheet in sheets]
        )
        AuditEvent.objects.bulk_create(
            draft.line("queue", by=by, now=now, after=State.QUEUED, hashes={"facts": draft.sheet.hash})
            for draft in drafts
        )
        return drafts

    # Changes

    def move(
        self,
        act: Act,
        to: State,
        *,
        by: Actor,
        now: datetime,
        guard: Q | None = None,
        changes: Mapping[str, Any] | None = None,
        hashes: Mapping[str, str] | None = None,
    ) -> None:
        """Change the state by one conditional update, with its audit line.

        Raise TransitionRefused when the table forbids it, StateChanged when the row is no longer as it was read or
        `guard` does not hold. A lease ends with drafting, a claim with the decision.
        """
        before = State(self.state)
        check(act, before, to, by.who)
        fields = {**(changes or {}), "state": to, "state_since": now}
        if to is not State.DRAFTING:
            fields |= _NO_LEASE
        if to in CLOSED:
            fields |= _NO_CLAIM
        with transaction.atomic():
            rows = Draft.objects.filter(guard or Q(), pk=self.pk, state=before, version=self.version)
            if not rows.update(**fields, version=F("version") + 1):
                raise StateChanged(self.pk, act)
            self.note(act, by=by, now=now, before=before, after=to, fields=sorted(changes or {}), hashes=hashes)
        for name, value in fields.items():
            setattr(self, name, value)
        self.version += 1

    def move_to(
        self, sheet: FactSheet, *, shown: "Attempt | None", act: str, fields: Sequence[str], by: Actor, now: datetime
    ) -> None:
        """Rest the draft on another version of its facts, with what is shown of it then, by one conditional update.

        The state stays. Raise StateChanged when the row is no longer as it was read, or another person holds it.
        """
        rows = Draft.objects.filter(
            self.free_for(by.person_id, now), pk=self.pk, state=self.state, version=self.version
        )
        with transaction.atomic():
            if not self.is_reviewable or not rows.update(sheet=sheet, shown=shown, version=F("version") + 1):
                raise StateChanged(self.pk, act)
            self.note(act, by=by, now=now, fields=fields, hashes={"facts": sheet.hash})
        self.sheet, self.shown = sheet, shown
        self.version += 1

    def touch(self, act: str, *, by: Actor, now: datetime, fields: Sequence[str] = ()) -> None:
        """Make whoever saw the draft before look again, by one conditional update with its audit line; it stays put.

        Raise StateChanged when the row is no longer as it was read, or another person holds it.
        """
        rows = Draft.objects.filter(
            self.free_for(by.person_id, now), pk=self.pk, state=self.state, version=self.version
        )
        with transaction.atomic():
            if not rows.update(version=F("version") + 1):
                raise StateChanged(self.pk, act)
            self.note(act, by=by, now=now, fields=fields)
        self.version += 1

    def require_unchanged(self, act: str) -> None:
        """Raise StateChanged when the row is no longer as it was read."""
        if not Draft.objects.filter(pk=self.pk, state=self.state, version=self.version).exists():
            raise StateChanged(self.pk, act)

    def note(
        self,
        act: str,
        *,
        by: Actor,
        now: datetime,
        before: str = "",
        after: str = "",
        fields: Sequence[str] = (),
        hashes: Mapping[str, str] | None = None,
    ) -> None:
        """Add a line about the draft to the audit trail; raise NotForAudit for anything but names and digests."""
        line = self.line(act, by=by, now=now, before=before, after=after, fields=fields, hashes=hashes)
        line.save(force_insert=True)

    def line(self, act: str, **given: Any) -> AuditEvent:
        """Return a line of the audit trail about the draft, not yet saved; see AuditEvent.line."""
        refs = {"queue_ref": self.queue_id, "case_ref": self.case_id, "draft_ref": self.pk}
        return AuditEvent.line(act, refs=refs, **given)

    def start(self, *, worker: str, now: datetime) -> uuid.UUID:
        """Take the draft for a worker and return its lease; raise StateChanged when another was first."""
        token = uuid.uuid4()
        self.move(
            Act.START,
            State.DRAFTING,
            by=Actor(Who.WORKER),
            now=now,
            guard=Q(takes__lt=MAX_TAKES) & (Q(not_before__isnull=True) | Q(not_before__lte=now)),
            changes={
                "lease_token": token,
                "lease_until": now + LEASE_TIME,
                "lease_worker": worker[:120],
                "takes": self.takes + 1,
                "not_before": None,
            },
        )
        return token

    def renew(self, token: uuid.UUID, *, now: datetime) -> None:
        """Hold the lease for another 30 s; raise LeaseLost when it is over. It locks the row in a transaction."""
        held = Draft.objects.filter(pk=self.pk, state=State.DRAFTING, lease_token=token, lease_until__gt=now)
        if not held.update(lease_until=now + LEASE_TIME):
            raise LeaseLost(f"draft {self.pk} is no longer this worker's")

    def claim(self, *, user_id: int, now: datetime, take_over: bool = False) -> bool:
        """Hold the draft for an operator for ten minutes; False when another holds it. A lead may take over."""
        free = Q() if take_over else self.free_for(user_id, now)
        rows = Draft.objects.filter(free, pk=self.pk, state__in=REVIEWABLE)
        claimed = rows.update(claimed_by=user_id, claimed_until=now + CLAIM_TIME)
        self.refresh_from_db(fields=["claimed_by", "claimed_until"])
        return bool(claimed)

    def release(self, *, user_id: int) -> None:
        """Give up one's own claim."""
        Draft.objects.filter(pk=self.pk, claimed_by=user_id).update(**_NO_CLAIM)
        self.refresh_from_db(fields=["claimed_by", "claimed_until"])

    # Queries

    @staticmethod
    def free_for(user_id: int, now: datetime) -> Q:
        """Return the condition that no other person holds the draft."""
        return Q(claimed_by__isnull=True) | Q(claimed_by=user_id) | Q(claimed_until__lte=now)

    @property
    def keyset(self) -> Keyset:
        """Return the row's place in a list, to page on from."""
        return Keyset(self.state_since, self.pk)

    @property
    def has_tone_to_confirm(self) -> bool:
        """Tell whether a person has to say first if the tone fits."""
        stopped = self.stop_reason == StopReason.TONE_ONLY and self.state == State.AWAITING_REVIEW
        return stopped and self.shown is not None and self.shown.findings.tone_in_doubt().exists()

    @property
    def is_reviewable(self) -> bool:
        """Tell whether a person may decide it now."""
        return self.state in REVIEWABLE

    @property
    def is_open(self) -> bool:
        """Tell whether it is still to be written or decided."""
        return self.state in UNDECIDED

    @property
    def is_in_work(self) -> bool:
        """Tell whether the page should look again: it is queued or being written."""
        return self.state in {State.QUEUED, State.DRAFTING}

    def is_claimed_by_other(self, user_id: int, now: datetime) -> bool:
        """Tell whether another person's claim is live."""
        held = self.claimed_by_id is not None and self.claimed_until is not None and self.claimed_until > now
        return held and self.claimed_by_id != user_id

    def is_stale(self, now: datetime) -> bool:
        """Tell whether its facts are older than the queue allows at approval."""
        return self.queue.is_stale(self.sheet.as_of, now)

    def current_decision(self) -> "Decision | None":
        """Return the decision that stands, if any."""
        return self.decisions.filter(undone_at__isnull=True).select_related("decided_by", "review").first()
