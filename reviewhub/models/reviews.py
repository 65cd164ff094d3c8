"""Hold what people said about drafts, and the decisions that stand."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.functional import cached_property

from reviewhub.models.drafts import Draft
from reviewhub.models.reasons import DeclineReason
from reviewhub.models.transitions import REVIEWABLE, State

__all__ = ["UNDO_TIME", "Decision", "DecisionQuerySet", "Exit", "Review", "ReviewQuerySet", "Verdict", "Written"]

UNDO_TIME = timedelta(seconds=15)


class Verdict(models.TextChoices):
    """Say what a person made of a draft."""

    APPROVED_AS_IS = "approved_as_is", "Approved as is"
    APPROVED_WITH_EDITS = "approved_with_edits", "Approved with edits"
    DECLINED = "declined", "Declined"
    ESCALATED = "escalated", "Escalated"


class Written(models.TextChoices):
    """Say who wrote the approved words."""

    AGENT = "agent", "By the agent"
    EDITED = "edited", "Edited by a person"
    BY_HAND = "by_hand", "Written freely by a person"


class Exit(models.TextChoices):
    """Say how an approved text left the hub first."""

    COPIED = "copied", "Copied"
    DOWNLOADED = "downloaded", "Downloaded"


class ReviewQuerySet(models.QuerySet["Review"]):
    """Ask for reviews."""

    def with_words(self) -> Self:
        """Read with each review who gave it, and its reason in words, in one query."""
        labels = DeclineReason.objects.filter(code=OuterRef("reason")).values("label")
        rows = self.select_related("reviewer")
        return rows.annotate(reason_label=Coalesce(Subquery(labels), "reason"))


class Review(models.Model):
    """Hold one person's verdict on a draft, in the round in which it was given."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="reviews")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reviews")
    round = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    reason = models.CharField(max_length=20, blank=True, help_text="The code of a reason to decline.")
    note = models.TextField(blank=True)
    at = models.DateTimeField()

    objects = ReviewQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "reviewer", "round"], name="one_review_per_round"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="review_verdict_known"),
            models.CheckConstraint(
                condition=(Q(verdict="declined") & ~Q(reason="")) | (~Q(verdict="declined") & Q(reason="")),
                name="review_declined_with_reason",
            ),
            models.CheckConstraint(condition=~Q(verdict="escalated", note=""), name="review_escalated_with_note"),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} by {self.reviewer}"

    @cached_property
    def reason_label(self) -> str:
        """Return the reason in words, retired or not; empty when there is none. Lists read it with their rows."""
        if not self.reason:
            return ""
        return DeclineReason.objects.filter(code=self.reason).values_list("label", flat=True).first() or self.reason


class DecisionQuerySet(models.QuerySet["Decision"]):
    """Ask for decisions."""

    def to_learn_from(self, now: datetime) -> Self:
        """Keep approved edits that can no longer be taken back and have no exemplar yet; no overridden ones."""
        approved = self.filter(verdict=Verdict.APPROVED_WITH_EDITS, undone_at__isnull=True, overridden=False)
        return approved.filter(taught=False, effects_at__lte=now)

    def approvals_of(self, queue_id: int) -> Self:
        """Keep a queue's approvals, those taken back included, with what an export reads of them."""
        rows = self.exclude(verdict=Verdict.DECLINED).filter(draft__queue=queue_id)
        read = rows.select_related("draft__sheet__case", "draft__case", "draft__shown", "exemplar")
        return read.defer("text", "draft__shown__prompt", "draft__shown__raw_reply", "exemplar__vector")


class Decision(models.Model):
    """Hold what was decided about a draft; one stands at a time."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="decisions")
    review = models.OneToOneField(Review, on_delete=models.PROTECT, related_name="decision")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions")
    decided_at = models.DateTimeField()
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    written = models.CharField(max_length=10, choices=Written.choices, blank=True)
    state_before = models.CharField(max_length=20, choices=State.choices)
    body = models.JSONField(null=True, blank=True)
    text = models.TextField(blank=True)
    facts_confirmed = models.BooleanField(
        default=False, help_text="The facts were older than the queue allows, and whoever decided said that they hold."
    )
    overridden = models.BooleanField(
        default=False, help_text="A lead approved over failing checks: neither learnt from nor exported."
    )
    override_reason = models.TextField(blank=True)
    idempotency_key = models.CharField(max_length=64, unique=True)
    effects_at = models.DateTimeField(
        help_text="What follows from the decision starts then, when it can no longer be undone."
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    left_by = models.CharField(max_length=12, choices=Exit.choices, blank=True)
    # Beside the exemplar itself, so that an index finds the decisions that have none among a million that have.
    taught = models.BooleanField(default=False, help_text="Whether an exemplar was made of it.")

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["effects_at"],
                condition=Q(verdict="approved_with_edits", undone_at__isnull=True, taught=False),
                name="decision_to_learn_from",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["draft"], condition=Q(undone_at__isnull=True), name="one_decision_stands"),
            models.CheckConstraint(
                condition=Q(verdict="declined", written="", text="")
                | (Q(verdict="approved_as_is", written="agent") & ~Q(text=""))
                | (Q(verdict="approved_with_edits", written__in=["edited", "by_hand"]) & ~Q(text="")),
                name="decision_is_whole",
            ),
            models.CheckConstraint(condition=Q(state_before__in=REVIEWABLE), name="decision_state_before_known"),
            models.CheckConstraint(
                condition=Q(overridden=False, override_reason="")
                | (Q(overridden=True) & ~Q(override_reason="") & ~Q(verdict="declined")),
                name="decision_overridden_with_reason",
            ),
            models.CheckConstraint(condition=~Q(idempotency_key=""), name="decision_has_key"),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True, left_by="")
                | Q(left_at__isnull=False, left_by__in=Exit.values, undone_at__isnull=True),
                name="decision_left_is_not_undone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} at {self.decided_at:%Y-%m-%d %H:%M}"

    @property
    def is_approval(self) -> bool:
        """Tell whether a text was approved."""
        return self.verdict != Verdict.DECLINED

    def can_undo(self, *, user_id: int | None, now: datetime) -> bool:
        """Tell whether this person may still take it back."""
        stands = self.undone_at is None and self.left_at is None
        return stands and self.decided_by_id == user_id and now < self.effects_at

    def seconds_to_undo(self, now: datetime) -> int:
        """Return how many whole seconds are left to take it back."""
        return max(int((self.effects_at - now).total_seconds()), 0)
