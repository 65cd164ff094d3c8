"""Find days in spellings that the reader of figures does not know: "31.12.", "9 Jan 26", "May the first"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from agent.text.english import MONTHS
from agent.text.figure import Days
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain

__all__ = ["find"]

_MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY, _NUMBER = r"(?P<day>0?[1-9]|[12]\d|3[01])", r"(?P<month>0?[1-9]|1[0-2])"
_NTH = r"(?:st|nd|rd|th)?"
_DAYS_IN_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
_ORDINALS = {word: number for number, word in enumerate(_DAYS_IN_WORDS.split(), 1)}
# Before a noun it counts something else: "in March the third invoice".
_IN_WORDS = rf"(?P<ordinal>{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?! [a-z])"
_SHAPES = tuple(
    re.compile(rf"(?<![\w.,/-]){shape}(?![\w]|[.,/:-]\d)")
    for shape in (
        rf"{_MONTH}\. ?{_DAY}{_NTH}(?:,? {_YEAR})?",
        rf"{_DAY}{_NTH}[ .-]{_MONTH}\.?[ .,-]{{1,2}}(?:{_YEAR}|'?(?P<short>\d\d))",
        rf"{_MONTH} the (?:{_DAY}{_NTH}|{_IN_WORDS})(?:,? {_YEAR})?",
        rf"{_DAY}\.{_NUMBER}\.(?!\w)",
        rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])",
        rf"{_DAY} {_NUMBER} {_YEAR}",
        rf"{_YEAR} {_NUMBER} {_DAY}",
    )
)


def find(page: Plain, known: Mapping[date, str], years: Sequence[int]) -> Iterator[Found]:
    """Yield the days of a text that are written so; one without a year is of `years`."""
    for shape in _SHAPES:
        for match in shape.finditer(page.lower):
            days = tuple(_days(match.groupdict(), years))
            slot = next((known[day] for day in days if day in known), "")
            if days:
                # As the reader of figures keys them, so that one day has one slot.
                key = days[0] if len(days) == 1 else Days(days[0], days[0])
                yield Found(*match.span(), "DATE", key, slot, rank=2)


def _days(parts: Mapping[str, str | None], years: Sequence[int]) -> Iterator[date]:
    name, ordinal = parts.get("name"), parts.get("ordinal")
    number = _ORDINALS[ordinal] if ordinal else int(parts["day"] or 0)
    month = MONTHS[name] if name else int(parts["month"] or 0)
    written = parts.get("year") or (f"20{parts['short']}" if parts.get("short") else None)
    for year in [int(written)] if written else years or [2000]:
        try:
            yield date(year, month, number)
        except ValueError:
            continue  # 31 February
