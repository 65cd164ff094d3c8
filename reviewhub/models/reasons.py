"""Hold the reasons that a draft may be declined for."""

from typing import Self

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from reviewhub.models.queues import Queue

__all__ = ["DeclineReason", "DeclineReasonQuerySet"]


class DeclineReasonQuerySet(models.QuerySet["DeclineReason"]):
    """Ask for reasons."""

    def offered_in(self, queue: Queue) -> Self:
        """Keep the reasons that people of a queue may choose now, in the order in which they are offered."""
        return self.filter(Q(queue=queue) | Q(queue__isnull=True), is_active=True).order_by("position", "id")


class DeclineReason(models.Model):
    """Hold one reason of a queue, or of the whole hub; a retired one stays on the reviews that gave it."""

    queue = models.ForeignKey(
        Queue,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="decline_reasons",
        help_text="Whose people are offered it; empty = everybody's.",
    )
    code = models.CharField(
        max_length=20,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z][a-z0-9_]*\Z", "Use small letters, digits and _, beginning with a letter: wrong_person."
            )
        ],
        help_text="What reviews and exports keep, such as wrong_person. It stays as it is once saved.",
    )
    label = models.CharField(max_length=120, help_text="What people read: a few words.")
    needs_note = models.BooleanField(default=False, help_text="Whether whoever chooses it must add a few words.")
    is_active = models.BooleanField(
        "offered", default=True, help_text="Untick to retire it: old reviews keep it, nobody is offered it any more."
    )
    position = models.PositiveSmallIntegerField(default=100, help_text="Lower ones are offered first.")
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = DeclineReasonQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(code="") & ~Q(label=""), name="decline_reason_is_whole"),
        ]

    def __str__(self) -> str:
        return self.label

    def is_last_for_everybody(self) -> bool:
        """Tell whether it is the only reason that everybody is offered."""
        offered = DeclineReason.objects.filter(queue__isnull=True, is_active=True)
        return offered.filter(pk=self.pk).exists() and offered.count() == 1
