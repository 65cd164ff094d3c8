"""Write amounts, dates, months and lists of a sheet the way its locale does."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from babel.dates import format_date

from agent.facts import Sheet
from agent.text.writing import locale_of, write_money

__all__ = ["counted", "day", "joined", "money", "month", "ordinal"]

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def money(cents: int, sheet: Sheet) -> str:
    """Write minor units as an amount of the sheet's currency: $1,975.00."""
    return write_money(cents, sheet.currency, sheet.locale)


def day(value: date, sheet: Sheet) -> str:
    """Write a date in the locale's long form, without a weekday."""
    return _written(value, "long", sheet.locale)


def month(period: str, sheet: Sheet) -> str:
    """Write "YYYY-MM" as a month: March 2026."""
    return _written(date.fromisoformat(f"{period}-01"), "LLLL y", sheet.locale)


@lru_cache(maxsize=4096)
def _written(value: date, form: str, locale: str) -> str:
    return format_date(value, format=form, locale=locale_of(locale))


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: one open item, 12 open items."""
    number = _SMALL[count] if count <= 10 else str(count)
    return f"{number} {noun}" + ("" if count == 1 else "s")


def ordinal(number: int) -> str:
    """Write a place in a sequence: first, second, 11th."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


def joined(names: Sequence[str]) -> str:
    """Write names as a list in a sentence: A, B and C."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
