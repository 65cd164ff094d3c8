"""Read a date that names a day, a month, a quarter or a year."""

import re

from agent.text.calendar import PARTS, Calendar
from agent.text.english import MONTHS, WEEKDAYS, words
from agent.text.figure import Days, Direction, Figure, FigureKind
from agent.text.fold import Span
from agent.text.numbers import NUMBER_OPENERS, ordinal_at
from agent.text.tokens import Token

__all__ = ["DATE_OPENERS", "date_at", "date_figure", "is_side", "unit_word"]

_VERBS = frozenset(["may", "march", "mar"])
_BEFORE_MONTH = words(
    "in since of for during by early mid late end until till this last next from through before after and the your our "
    "- / beginning start middle & or each every to both on"
)
_SURELY_MONTH = words("in since during early mid late")
_OWNED_BY = words("my our your their his her its the either each this that one whose")
_SENT_IN = words("came come coming sent paid called put handed brought turned written filled wrote logged")
_AFTER_MODAL = words("be have not well also need still yet even only already never perhaps")
_BEFORE_YEAR = words("in since during of fy year throughout for")


def date_figure(
    found: list[Token],
    start: int,
    end: int,
    days: tuple[Days, ...],
    direction: Direction = Direction.NONE,
    fault: str = "",
) -> tuple[Figure, int]:
    """Make the figure of a date that reaches from one token to another."""
    span = Span(found[start].start, found[end - 1].end)
    return Figure(span, FigureKind.DATE, days=days, direction=direction, fault=fault), end


def unit_word(token: Token) -> str:
    """Return a word without its possessive ending."""
    return token.text.removesuffix("'s").removesuffix("'")


DATE_OPENERS = frozenset(WEEKDAYS) | frozenset(MONTHS) | frozenset(PARTS) | NUMBER_OPENERS | _BEFORE_YEAR | {"q", "the"}
"""Words that a date can begin with."""


def date_at(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read the absolute date that begins at a token; one that does not exist, or whose weekday is wrong, says so."""
    token = found[at]
    if token.kind == "date":
        return _numeric(found, at, calendar)
    if token.kind == "number":
        return _clock(found, at) or _day_first(found, at, calendar)
    if token.kind != "word":
        return None
    if unit_word(token) in WEEKDAYS and (read := _after_weekday(found, at, calendar)):
        return read
    return (
        _part(found, at, calendar)
        or _quarter(found, at, calendar)
        or _month_first(found, at, calendar)
        or _day_first(found, at, calendar)
        or _day_alone(found, at, calendar)
        or _year(found, at, calendar)
    )


def _numeric(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int]:
    parts = re.split(r"[-/.]", found[at].text)
    if len(parts[0]) == 4:
        days = calendar.day(int(parts[2]), int(parts[1]), (int(parts[0]),))
        return date_figure(found, at, at + 1, days, fault="" if days else "date")
    year = int(parts[2]) if len(parts[2]) == 4 else 2000 + int(parts[2])
    return _two_orders(found, at, at + 1, int(parts[0]), int(parts[1]), (year,), calendar)


def _two_orders(
    found: list[Token], at: int, end: int, one: int, two: int, years: tuple[int, ...], calendar: Calendar
) -> tuple[Figure, int]:
    """Read day and month in either order: when both are dates the reader cannot know which one is meant."""
    days = tuple(dict.fromkeys((*calendar.day(one, two, years), *calendar.day(two, one, years))))
    fault = "" if days else "date"
    both = one != two and one <= 12 and two <= 12
    return date_figure(found, at, end, days, fault="ambiguous" if both and days else fault)


def _clock(found: list[Token], at: int) -> tuple[Figure, int] | None:
    """Read a time of day: no fact has one, so it can only be a deadline's."""
    texts = [token.text for token in found[at : at + 4]]
    if len(texts) > 2 and texts[1] == ":" and found[at + 1].glued and found[at + 2].glued and texts[2].isdigit():
        end = at + 4 if texts[3:] and texts[3] in ("am", "pm") else at + 3
        return date_figure(found, at, end, (), Direction.FORWARD, "time")
    if len(texts) > 1 and texts[1] in ("am", "pm", "o'clock") and texts[0].isdigit():
        return date_figure(found, at, at + 2, (), Direction.FORWARD, "time")
    return None


def _after_weekday(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "Wednesday, 15 April": the weekday must be the date's own."""
    index = at + 1
    while index < len(found) and found[index].text in (",", ".", "the"):
        index += 1
    read = date_at(found, index, calendar) if index < len(found) and found[index].text not in WEEKDAYS else None
    if read is None or not all(days.first == days.last for days in read[0].days) or not read[0].days:
        return None
    weekday = WEEKDAYS[unit_word(found[at])]
    fitting = tuple(days for days in read[0].days if days.first.weekday() == weekday)
    return date_figure(found, at, read[1], fitting, fault=read[0].fault if fitting else "weekday")


def _month(found: list[Token], at: int, *, beside_number: bool = False) -> tuple[int, int] | None:
    """Return the month that a token names, and the index after it; "may" and "march" only where they are no verbs."""
    if at >= len(found) or found[at].kind != "word":
        return None
    token = found[at]
    name = unit_word(token)
    number = MONTHS.get(name)
    if number is None:
        return None
    if name in _VERBS and not beside_number and _is_verb(found, at):
        return None
    dotted = len(name) <= 4 and at + 1 < len(found) and found[at + 1].text == "." and found[at + 1].glued
    return number, at + 2 if dotted and at + 2 < len(found) else at + 1


def _is_verb(found: list[Token], at: int) -> bool:
    token = found[at]
    previous = found[at - 1].text if at else ""
    is_before_number = at + 1 < len(found) and found[at + 1].kind == "number"
    if previous == "in" and at > 1 and found[at - 2].text in _SENT_IN and _is_modal(found, at):
        return True
    if previous in _SURELY_MONTH and not token.first:
        return False
    if not token.capital or (not is_before_number and (token.first or not previous)):
        return True
    return previous not in _BEFORE_MONTH and not is_before_number and not _names_bill(found, at + 1)


def _is_modal(found: list[Token], at: int) -> bool:
    """Tell whether "may" stands before what only a verb has after it: "what you sent in may have crossed"."""
    return not found[at].capital and at + 1 < len(found) and found[at + 1].text in _AFTER_MODAL


def _names_bill(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].text in (
        "invoice",
        "invoices",
        "bill",
        "bills",
        "work",
        "services",
        "and",
        ",",
    )


def _year_after(found: list[Token], at: int) -> tuple[int, int] | None:
    """Return the year that stands at a token, behind "," or "of" or not, and the index after it."""
    index = at
    if index < len(found) and found[index].text in (",", "of", "/", "-", "'"):
        index += 1
    if index >= len(found) or found[index].kind != "number" or not found[index].text.isdigit():
        return None
    text = found[index].text
    if len(text) == 4 and text.startswith(("19", "20")):
        return int(text), index + 1
    is_short = len(text) == 2 and found[index - 1].text in ("'", "-") and found[index].glued
    return (2000 + int(text), index + 1) if is_short else None


def _month_first(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    after_is_number = at + 1 < len(found) and found[at + 1].kind == "number"
    named = _month(found, at, beside_number=after_is_number)
    if named is None:
        return None
    month, end = named
    year = _year_after(found, end)
    if year:
        return date_figure(found, at, year[1], calendar.month(month, (year[0],)))
    day = _day_number(found, end + 1 if end < len(found) and found[end].text in ("the", "-") else end)
    if day:
        year = _year_after(found, day[1]) or _glued_year(found, day[1] - 1)
        years, stop = ((year[0],), year[1]) if year else ((), day[1])
        days = calendar.day(day[0], month, years)
        return date_figure(found, at, stop, days, fault="" if days else "date")
    return date_figure(found, at, end, calendar.month(month))


def _glued_year(found: list[Token], at: int) -> tuple[int, int] | None:
    match = re.fullmatch(r"[0-9]{1,2},((?:19|20)[0-9]{2})", found[at].text)
    return (int(match[1]), at + 1) if match else None


def _day_number(found: list[Token], at: int) -> tuple[int, int] | None:
    """Return the day of a month at a token ("15", "15th", "fifteenth") and the index after it."""
    if at >= len(found):
        return None
    ordinal = ordinal_at(found, at)
    if ordinal:
        return ordinal if ordinal[0] <= 31 else None
    text = found[at].text
    if found[at].kind != "number" or (at + 1 < len(found) and found[at + 1].text == "%"):
        return None
    match = re.fullmatch(r"([0-9]{1,2})(?:,(?:19|20)[0-9]{2})?", text)
    return (int(match[1]), at + 1) if match else None


def _day_first(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    day = _day_number(found, at)
    if day is None:
        return None
    index = day[1]
    if index + 1 < len(found) and found[index].text == "/" and found[index + 1].glued and found[index].glued:
        return _slashed(found, at, calendar)
    while index < len(found) and found[index].text in ("of", "-", "/", "the"):
        index += 1
    month = _month(found, index, beside_number=True)
    if month is None:
        return _this_month(found, at, index, day[0], calendar)
    year = _year_after(found, month[1])
    years, end = ((year[0],), year[1]) if year else ((), month[1])
    days = calendar.day(day[0], month[0], years)
    return date_figure(found, at, end, days, fault="" if days else "date")


def _this_month(found: list[Token], at: int, index: int, day: int, calendar: Calendar) -> tuple[Figure, int] | None:
    texts = [unit_word(token) for token in found[index : index + 2]]
    offset = {"this": 0, "last": -1, "next": 1}.get(texts[0] if texts else "")
    if offset is None or texts[1:] != ["month"]:
        return None
    month = calendar.unit("month", offset)
    days = calendar.day(day, month.first.month, (month.first.year,))
    direction = Direction.FORWARD if days and days[0].first > calendar.as_of else Direction.BACKWARD
    return date_figure(found, at, index + 2, days, direction, "" if days else "date")


def _slashed(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "15/04", a date without a year, or what else two numbers with a slash may be: nothing that a fact has."""
    second = found[at + 2].text
    if found[at].kind != "number" or not second.isdigit() or not found[at].text.isdigit():
        return None
    return _two_orders(found, at, at + 3, int(found[at].text), int(second), (calendar.as_of.year,), calendar)


def _day_alone(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "the 15th" when no month follows: that day in any month of the sheet's years."""
    if found[at].text != "the" or at + 1 >= len(found) or found[at + 1].kind != "number":
        return None
    day = ordinal_at(found, at + 1)
    if day is None or not 1 <= day[0] <= 31:
        return None
    dated = _day_first(found, at + 1, calendar)
    if dated:
        return dated
    follows = found[day[1]] if day[1] < len(found) else None
    if (
        follows is not None
        and follows.kind == "word"
        and follows.text not in ("and", "or", "at", "please", "as", "when")
    ):
        return None
    return date_figure(found, at, day[1], calendar.any_month(day[0]))


def is_side(found: list[Token], at: int) -> bool:
    """Tell whether "end" is a person's side or a thing's, not a month's: "at your end may", "at our end this week"."""
    if found[at].text != "end" or not at or found[at - 1].text not in _OWNED_BY - {"the"}:
        return False
    return at + 1 < len(found) and found[at + 1].text not in ("of", "-", "in") and not found[at + 1].capital


def _part(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "mid-April", "early in April", "the end of April 2026"."""
    name = found[at].text
    if name not in PARTS or is_side(found, at):
        return None
    index = at + 1
    while index < len(found) and found[index].text in ("-", "of", "in", "the", "part"):
        index += 1
    month = _month(found, index, beside_number=True)
    if month is None or (index == at + 1 and unit_word(found[index]) in _VERBS and _is_modal(found, index)):
        return None
    year = _year_after(found, month[1])
    years, end = ((year[0],), year[1]) if year else ((), month[1])
    return date_figure(found, at, end, calendar.part(name, calendar.month(month[0], years)))


def _quarter(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "Q1 2026" and "the first quarter of 2026"."""
    token = found[at]
    number, end = 0, at
    if token.text == "q" and at + 1 < len(found) and found[at + 1].glued and found[at + 1].text in "1234":
        number, end = int(found[at + 1].text), at + 2
    else:
        ordinal = ordinal_at(found, at)
        if ordinal and ordinal[1] < len(found) and unit_word(found[ordinal[1]]) == "quarter" and 1 <= ordinal[0] <= 4:
            number, end = ordinal[0], ordinal[1] + 1
    if not number:
        return None
    year = _year_after(found, end)
    years, end = ((year[0],), year[1]) if year else ((), end)
    return date_figure(found, at, end, calendar.quarter(number, years))


def _year(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "in 2026": a year alone, behind a word that says so."""
    if found[at].text not in _BEFORE_YEAR or at + 1 >= len(found) or found[at + 1].kind != "number":
        return None
    text = found[at + 1].text
    follows = found[at + 2] if at + 2 < len(found) else None
    if len(text) != 4 or not text.startswith(("19", "20")) or not text.isdigit():
        return None
    if found[at].text in ("of", "for") and (follows is None or follows.text not in ("invoice", "invoices", "work")):
        return None
    if follows is not None and follows.kind == "word" and follows.text not in _AFTER_YEAR:
        return None
    return date_figure(found, at + 1, at + 2, calendar.year(int(text)))


_AFTER_YEAR = words("and or invoice invoices is are was were which that we you it they has have for as so far but")
