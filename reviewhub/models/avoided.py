"""Hold what a queue's drafts got wrong lately, which the next ones are told, and what they are told no more."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.db.models.fields.json import KeyTextTransform

from agent.validators.register import REGISTER
from reviewhub.models.attempts import Finding
from reviewhub.models.queues import Queue

__all__ = ["AVOID_SPAN", "MOST_AVOIDED", "AvoidLine", "RetiredLine", "avoid_lines", "counted_lines"]

AVOID_SPAN = timedelta(days=30)
MOST_AVOIDED = 5
_SLOT = re.compile(r"[A-Z][A-Z0-9_]{0,59}")


@dataclass(frozen=True, slots=True)
class AvoidLine:
    """Hold one thing that went wrong in `drafts` drafts of a kind: an error type, and the slot that it was about."""

    domain: str
    situation: str
    error_type: str
    slot: str
    drafts: int
    is_retired: bool = False

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what tells the line from others of its queue."""
        return self.domain, self.situation, self.error_type, self.slot

    @property
    def text(self) -> str:
        """Return the line as the model reads it: never a word of a draft."""
        about = f" [{self.slot}]" if self.slot else ""
        return f"{self.error_type.replace('_', ' ').lower()}{about}: {REGISTER[self.error_type].critique}"


class RetiredLine(models.Model):
    """Hold one thing that the drafts of a queue are not told to avoid, however often it goes wrong."""

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="retired_lines")
    domain = models.CharField(max_length=30)
    situation = models.CharField(max_length=60)
    error_type = models.CharField(max_length=60)
    slot = models.CharField(max_length=60, blank=True)
    retired_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    retired_at = models.DateTimeField()

    class Meta:
        verbose_name = "avoid line"
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "domain", "situation", "error_type", "slot"], name="line_is_retired_once"
            ),
            models.CheckConstraint(condition=~Q(error_type="") & ~Q(situation=""), name="retired_line_is_whole"),
        ]

    def __str__(self) -> str:
        return f"{self.error_type} in {self.domain} of {self.queue}"


def avoid_lines(
    *, queue_id: int, domain: str, situation: str, now: datetime, besides: int | None = None
) -> tuple[str, ...]:
    """Return what the next draft of a kind is told to avoid, most frequent first; `besides` is that draft itself."""
    lines = counted_lines(queue_id, now=now, domain=domain, situation=situation, besides=besides)
    return tuple(line.text for line in lines if not line.is_retired)[:MOST_AVOIDED]


def counted_lines(
    queue_id: int, *, now: datetime, domain: str = "", situation: str = "", besides: int | None = None
) -> list[AvoidLine]:
    """Count what went wrong in a queue's drafts of the last 30 days, each thing once a draft, most frequent first.

    Without a domain or a situation it is of all. What people held for a false alarm does not count.
    """
    found = Finding.objects.of_outputs_since(now - AVOID_SPAN, queue_id).exclude(draft=besides)
    kind = {"draft__case__domain": domain, "draft__situation": situation}
    found = found.filter(**{name: value for name, value in kind.items() if value})
    retired = set(RetiredLine.objects.filter(queue=queue_id).values_list("domain", "situation", "error_type", "slot"))
    counted = (
        found.order_by()
        .annotate(about=KeyTextTransform("slot", "metadata"))
        .values_list("draft__case__domain", "draft__situation", "error_type", "about")
        .annotate(drafts=Count("draft", distinct=True))
    )
    lines = _lines(counted, retired)
    return sorted(lines, key=lambda line: (-line.drafts, line.domain, line.situation, line.error_type, line.slot))


def _lines(
    counted: "models.QuerySet[Finding, tuple[str, str, str, str | None, int]]",
    retired: set[tuple[str, str, str, str]],
) -> Iterator[AvoidLine]:
    for domain, situation, error_type, about, drafts in counted:
        # Only what the product itself names: anything else might be a word of a draft.
        if error_type in REGISTER and situation and (about is None or _SLOT.fullmatch(about)):
            key = (domain, situation, error_type, about or "")
            yield AvoidLine(*key, drafts, key in retired)
