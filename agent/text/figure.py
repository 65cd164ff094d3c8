"""Define what a figure in a text is, before anything is known about whether it is right."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from agent.text.fold import Span

__all__ = ["Days", "Direction", "Figure", "FigureKind"]


class FigureKind(StrEnum):
    """Say what a figure is by its form."""

    MONEY = "money"
    NUMBER = "number"  # no unit and no noun: its role tells what it is
    PERCENT = "percent"
    DURATION = "duration"
    COUNT = "count"
    ORDINAL = "ordinal"
    DATE = "date"
    DERIVED = "derived"  # a range, a fraction, a multiple: says more than its numbers
    UNREADABLE = "unreadable"


class Direction(StrEnum):
    """Say which way from now a date is told; WEEKDAY has both ways, its tense decides."""

    NONE = ""
    FORWARD = "forward"
    BACKWARD = "backward"
    WEEKDAY = "weekday"


class Days(NamedTuple):
    """Hold a time by its first and last day; `month` when it is a whole calendar month."""

    first: date
    last: date
    month: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold a passage that is a figure, with every reading that it has.

    `span` is in the folded text. `numbers` are plain values, `cents` signed minor units of the expected currency,
    `days` times; which are filled goes by `kind`. `unit` is a duration's unit, or the noun of a count or an ordinal.
    `fault` says why it cannot be read ("format", "currency", "weekday", "date", "time", "ambiguous") or how it is
    derived ("range", "fraction", "multiple"). `hedge` is the word that makes it vague.
    """

    span: Span
    kind: FigureKind
    numbers: tuple[Decimal, ...] = ()
    cents: tuple[int, ...] = ()
    days: tuple[Days, ...] = ()
    unit: str = ""
    quality: tuple[str, ...] = ()
    fault: str = ""
    hedge: str = ""
    direction: Direction = Direction.NONE

    def __hash__(self) -> int:
        """Hash by place alone: no two figures of a text share one, and readings take longer to hash than to compare."""
        return hash(self.span)
