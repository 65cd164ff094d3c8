"""Turn what people say about time into first and last days."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from agent.text.figure import Days

__all__ = ["PARTS", "Calendar"]

PARTS = {
    "early": (1, 10),
    "beginning": (1, 10),
    "start": (1, 10),
    "mid": (11, 20),
    "middle": (11, 20),
    "late": (21, 31),
    "end": (21, 31),
    "close": (21, 31),
}
"""Days of a month that its early, middle and late part mean."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Hold the day that relative dates are told from, and the years that a date without one may mean."""

    as_of: date
    years: tuple[int, ...]

    def month(self, number: int, years: tuple[int, ...] = ()) -> tuple[Days, ...]:
        """Return a calendar month in each year that it may mean."""
        return tuple(_month(year, number) for year in years or self.years)

    def part(self, name: str, months: tuple[Days, ...]) -> tuple[Days, ...]:
        """Return the early, middle or late part of months."""
        first, last = PARTS[name]
        return tuple(
            Days(month.first.replace(day=first), month.first.replace(day=min(last, month.last.day))) for month in months
        )

    def day(self, number: int, month: int, years: tuple[int, ...] = ()) -> tuple[Days, ...]:
        """Return a day in each year that it may mean; () when no such day exists."""
        found = (_date(year, month, number) for year in years or self.years)
        return tuple(Days(day, day) for day in found if day)

    def any_month(self, number: int) -> tuple[Days, ...]:
        """Return a day of the month in every month that it may mean."""
        return tuple(days for month in range(1, 13) for days in self.day(number, month))

    def quarter(self, number: int, years: tuple[int, ...] = ()) -> tuple[Days, ...]:
        """Return a quarter in each year that it may mean."""
        last = number * 3
        return tuple(Days(date(year, last - 2, 1), _month(year, last).last) for year in years or self.years)

    def unit(self, name: str, offset: int) -> Days:
        """Return the day, week, month, quarter or year that lies `offset` of them from now."""
        now = self.as_of
        if name == "day":
            day = now + timedelta(days=offset)
            return Days(day, day)
        if name in ("week", "weekend", "fortnight"):
            monday = now - timedelta(days=now.weekday()) + timedelta(weeks=offset)
            return Days(monday + timedelta(days=5 if name == "weekend" else 0), monday + timedelta(days=6))
        if name == "year":
            return Days(date(now.year + offset, 1, 1), date(now.year + offset, 12, 31))
        if name == "quarter":
            quarters = now.year * 4 + (now.month - 1) // 3 + offset
            return self.quarter(quarters % 4 + 1, (quarters // 4,))[0]
        months = now.year * 12 + now.month - 1 + offset
        return _month(months // 12, months % 12 + 1)

    def year(self, number: int) -> tuple[Days, ...]:
        """Return a calendar year."""
        return (Days(date(number, 1, 1), date(number, 12, 31)),)

    def shift(self, count: int, unit: str) -> date | None:
        """Return the day that lies `count` units from now; None for a unit shorter than a day or a day out of range."""
        try:
            if unit in ("days", "weeks", "fortnights"):
                return self.as_of + timedelta(days=count * {"days": 1, "weeks": 7, "fortnights": 14}[unit])
            if unit in ("months", "quarters", "years"):
                months = (
                    self.as_of.year * 12
                    + self.as_of.month
                    - 1
                    + count * {"months": 1, "quarters": 3, "years": 12}[unit]
                )
                month = _month(months // 12, months % 12 + 1)
                return month.first.replace(day=min(self.as_of.day, month.last.day))
        except (ValueError, OverflowError):
            return None
        return None

    def weekday(self, number: int) -> tuple[Days, Days]:
        """Return the next and the most recent such weekday, today not counted."""
        ahead = (number - self.as_of.weekday() - 1) % 7 + 1
        behind = (self.as_of.weekday() - number - 1) % 7 + 1
        following, last = self.as_of + timedelta(days=ahead), self.as_of - timedelta(days=behind)
        return Days(following, following), Days(last, last)


def _month(year: int, number: int) -> Days:
    return Days(date(year, number, 1), date(year, number, monthrange(year, number)[1]), month=True)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
