"""Hold the facts that people added to a case, where they know them from, and why one no longer stands."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from reviewhub.models.cases import Case, FactSheet
from reviewhub.models.transitions import Actor

__all__ = ["AddedFact", "AddedFactQuerySet", "AddedKind", "EndReason", "with_added"]

_MOST = {"promise": 500, "attachment": 100}  # as many as the billing schema takes


class AddedKind(models.TextChoices):
    """Say what kind of fact a person added; each goes under the key that the domain has for it."""

    PAY_BY = "pay_by", "Pay-by date"
    PROMISE = "promise", "Promise by phone"
    ATTACHMENT = "attachment", "Attachment"


class EndReason(models.TextChoices):
    """Say why an added fact no longer stands."""

    REPLACED = "replaced", "replaced by another"
    WITHDRAWN = "withdrawn", "taken back"
    IMPORTED = "imported", "the imported facts hold it themselves now"
    OTHER_DATE = "other_date", "the imported facts give another pay-by date"
    PASSED = "passed", "its day had passed when new facts came"
    LINE_GONE = "line_gone", "its line is not in the new facts"
    OTHER_LINE = "other_line", "the imported facts tie this attachment to another line"
    NO_ROOM = "no_room", "the imported facts hold as many of its kind as a case may have"


class AddedFactQuerySet(models.QuerySet["AddedFact"]):
    """Ask for added facts."""

    def standing(self) -> Self:
        """Keep those that count, oldest first."""
        return self.filter(ended_at__isnull=True).order_by("id")


class AddedFact(models.Model):
    """Hold one fact that a person added. The sheets stay as they are: each change makes a new version.

    `value` has the shape of its key: {"pay_by": day} of the policy, an event, or an attachment.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="added_facts")
    kind = models.CharField(max_length=12, choices=AddedKind.choices)
    value = models.JSONField()
    known_from = models.CharField(max_length=300, help_text="Where the person knows it from, in their words.")
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()
    sheet = models.ForeignKey(
        FactSheet, on_delete=models.CASCADE, related_name="added", help_text="The first version that holds it."
    )
    idempotency_key = models.CharField(max_length=64, unique=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    end_reason = models.CharField(max_length=12, choices=EndReason.choices, blank=True)

    objects = AddedFactQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=AddedKind.values), name="added_kind_known"),
            models.CheckConstraint(condition=~Q(known_from=""), name="added_known_from_somewhere"),
            models.CheckConstraint(condition=~Q(idempotency_key=""), name="added_has_key"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, end_reason="", ended_by__isnull=True)
                | Q(ended_at__isnull=False, end_reason__in=EndReason.values),
                name="added_ends_with_reason",
            ),
            models.UniqueConstraint(
                fields=["case"], condition=Q(kind="pay_by", ended_at__isnull=True), name="one_pay_by_stands"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.case_id}"

    def end(self, reason: EndReason, *, by: Actor, now: datetime) -> None:
        """Let it count no longer."""
        self.end_reason, self.ended_at, self.ended_by_id = reason, now, by.user_id
        self.save(update_fields=["end_reason", "ended_at", "ended_by"])

    @property
    def was_dropped(self) -> bool:
        """Tell whether new facts ended it though they do not hold it themselves: what people should look at."""
        kept = {EndReason.REPLACED, EndReason.WITHDRAWN, EndReason.IMPORTED}
        return self.ended_at is not None and self.end_reason not in kept

    def clash_with(self, facts: Mapping[str, Any]) -> EndReason | None:
        """Return why it cannot stand beside newly imported facts of its case, None when it can."""
        lines = {str(item["id"]).casefold() for item in facts["transactions"]}
        line = self.value.get("line")
        match self.kind:
            case AddedKind.PAY_BY:
                return self._clash_of_day(facts)
            case AddedKind.PROMISE:
                if self.value in facts["events"]:
                    return EndReason.IMPORTED
                is_full = len(facts["events"]) >= _MOST["promise"]
            case _:
                for item in facts["attachments"]:
                    if item["name"].casefold() == self.value["name"].casefold():
                        return EndReason.IMPORTED if line in (None, item.get("line")) else EndReason.OTHER_LINE
                is_full = len(facts["attachments"]) >= _MOST["attachment"]
        if line is not None and line.casefold() not in lines:
            return EndReason.LINE_GONE
        return EndReason.NO_ROOM if is_full else None

    def _clash_of_day(self, facts: Mapping[str, Any]) -> EndReason | None:
        stated, ours = facts["policy"].get("pay_by"), self.value["pay_by"]
        if stated is not None:
            return EndReason.IMPORTED if stated == ours else EndReason.OTHER_DATE
        return EndReason.PASSED if date.fromisoformat(ours) < date.fromisoformat(facts["as_of"]) else None


def with_added(facts: Mapping[str, Any], added: Iterable[AddedFact]) -> dict[str, Any]:
    """Return imported facts with added ones under the keys that the domain has for them."""
    merged = {**facts, "policy": {**facts["policy"]}, "events": [*facts["events"]]}
    merged["attachments"] = [*facts["attachments"]]
    for fact in added:
        match fact.kind:
            case AddedKind.PAY_BY:
                merged["policy"] |= fact.value
            case AddedKind.PROMISE:
                merged["events"].append(fact.value)
            case _:
                merged["attachments"].append(fact.value)
    return merged
