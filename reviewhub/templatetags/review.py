"""Put codes, ages and holders into words."""

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, format_time
from django import template

from agent.outcome import Status
from reviewhub.models import Attempt, Draft, Finding, Queue, State

__all__ = ["age", "asks_tone", "change", "clock", "holder", "moment", "named", "words", "worst"]

register = template.Library()

_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


@register.filter
def words(code: str) -> str:
    """Write a code such as LINE_MISSING or gentle_reminder as words."""
    return code.replace("_", " ").lower()


@register.filter
def age(since: datetime, now: datetime) -> str:
    """Say how long ago something was, in its largest unit."""
    seconds = int((now - since).total_seconds())
    for length, name in _STEPS:
        if seconds >= length:
            count = seconds // length
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "just now"


@register.filter
def holder(draft: Draft, now: datetime) -> str:
    """Name who holds a draft at the moment; empty when nobody does."""
    held = draft.claimed_by is not None and draft.claimed_until is not None and draft.claimed_until > now
    return draft.claimed_by.get_full_name() or draft.claimed_by.get_username() if held and draft.claimed_by else ""


@register.filter
def moment(at: datetime, queue: Queue) -> str:
    """Write a moment as the people of a queue do, in its time zone."""
    return str(format_datetime(at, "medium", tzinfo=ZoneInfo(queue.time_zone), locale=queue.locale))


@register.filter
def change(by: float | str | None, digits: int) -> str:
    """Write by how much a figure moved, with its sign; empty where there is none, or was none before it."""
    if not isinstance(by, int | float):
        return ""
    return f"{by:+.{digits}f}".replace("-", "−") if by else "±0"


@register.filter
def clock(at: datetime, queue: Queue) -> str:
    """Write the time of day in a queue's time zone."""
    return str(format_time(at, "short", tzinfo=ZoneInfo(queue.time_zone), locale=queue.locale))


@register.filter
def named(pairs: Iterable[tuple[str, str]], name: str) -> str:
    """Return the value that stands beside a name, empty when there is none."""
    return next((value for label, value in pairs if label == name), "")


@register.filter
def asks_tone(draft: Draft) -> bool:
    """Tell of a draft of the list, with the problems of its text fetched, whether its tone waits to be confirmed."""
    problems: list[Finding] = getattr(draft.shown, "problems", [])
    return draft.state == State.AWAITING_REVIEW and any(finding.is_tone_in_doubt for finding in problems)


@register.filter
def worst(attempt: Attempt) -> Finding | None:
    """Return the gravest outcome of an attempt whose findings were fetched; None when every check passed."""
    problems = [finding for finding in attempt.findings.all() if finding.status != Status.PASS]
    return min(problems, key=lambda finding: (finding.status, -finding.severity), default=None)
