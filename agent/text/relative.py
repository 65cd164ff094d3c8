"""Read a date that is told from now: weekdays, "last week", "within 7 days", "by the end of next quarter"."""

from datetime import date, timedelta

from agent.text.calendar import PARTS, Calendar
from agent.text.dates import date_figure, is_side, unit_word
from agent.text.english import DURATIONS, WEEKDAYS, words
from agent.text.figure import Days, Direction, Figure
from agent.text.numbers import NUMBER_OPENERS, NumberFormat, numeral_at
from agent.text.tokens import Token

__all__ = ["RELATIVE_OPENERS", "relative_at"]

_FORWARD = words("next coming following upcoming forthcoming")
_BACKWARD = words("last previous past prior preceding")
_UNITS = words("day week weekend fortnight month quarter year")
_ABBREVIATED_ENDS = {
    "eod": "day",
    "cob": "day",
    "eob": "day",
    "eow": "week",
    "eom": "month",
    "eoq": "quarter",
    "eoy": "year",
}
_DAYS_FROM_NOW = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "overnight": 1, "noon": 0, "midnight": 0}
_SPAN_OPENERS = words("within in inside over during for no under")
_SEASONS = words("spring summer autumn winter christmas easter")
_VAGUE = words("few several couple coming")
_FROM_NOW = words("now today receipt")
_ACTING = words("we i you they to us can could will would must should shall may might")
_UNTIL = words("before until till when once")
_DEMANDING = words("please kindly must should need require expect ask pay settle remit transfer")
_PAYING = words(
    "pay paid payment payments settle settled settlement remit remitted transfer transferred wire wired send clear "
    "cleared"
)
_WORKING = words("business working calendar full further more clear")


RELATIVE_OPENERS = (
    frozenset(_DAYS_FROM_NOW) | frozenset(_ABBREVIATED_ENDS) | frozenset(WEEKDAYS) | frozenset(PARTS) | NUMBER_OPENERS
    | _SEASONS | _UNITS | _FORWARD | _BACKWARD | _SPAN_OPENERS | {"this", "weekend", "weekends"}
)  # fmt: skip
"""Words that a relative date can begin with."""


def relative_at(found: list[Token], at: int, calendar: Calendar, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read the relative date that begins at a token, with the way it looks and, where it has one, its day."""
    token = found[at]
    if token.kind == "number":
        return _from_now(found, at, calendar, form)
    if token.kind != "word":
        return None
    return (
        _single(found, at, calendar)
        or _running_out(found, at, calendar)
        or _end_of(found, at, calendar)
        or _span_of_days(found, at, calendar, form)
        or _adjective(found, at, calendar)
        or _weekday(found, at, calendar)
        or _from_now(found, at, calendar, form)
    )


def _single(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    word = unit_word(found[at])
    texts = [token.text for token in found[at : at + 4]]
    if texts[:3] == ["day", "after", "tomorrow"]:
        return date_figure(found, at, at + 3, (calendar.unit("day", 2),), Direction.FORWARD)
    if texts[:3] == ["day", "before", "yesterday"]:
        return date_figure(found, at, at + 3, (calendar.unit("day", -2),), Direction.BACKWARD)
    if word in _DAYS_FROM_NOW:
        offset = _DAYS_FROM_NOW[word]
        direction = (Direction.BACKWARD, Direction.NONE, Direction.FORWARD)[offset + 1]
        return date_figure(found, at, at + 1, (calendar.unit("day", offset),), direction)
    if word in _ABBREVIATED_ENDS:
        return _end_figure(found, at, at + 1, calendar.unit(_ABBREVIATED_ENDS[word], 0), calendar)
    return None


def _running_out(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "before summer" and "before the quarter is out"."""
    word = found[at].text
    if word in _SEASONS and at and found[at - 1].text in ("by", "before", "until", "till", "next", "this"):
        return date_figure(found, at, at + 1, (), Direction.FORWARD)
    texts = [token.text for token in found[at + 1 : at + 3]]
    if word in _UNITS and texts in (["is", "out"], ["is", "over"]):
        return _end_figure(found, at, at + 3, calendar.unit(word, 0), calendar)
    return None


def _end_of(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "end of (the|this|next|last) month", "close of business", "month-end", "mid-month"."""
    texts = [unit_word(token) for token in found[at : at + 6]]
    if texts[0] in ("month", "quarter", "year", "week") and texts[1:3] == ["-", "end"]:
        return _end_figure(found, at, at + 3, calendar.unit(texts[0], 0), calendar)
    if texts[0] in ("month", "quarter", "year") and texts[1:2] == ["end"]:
        return _end_figure(found, at, at + 2, calendar.unit(texts[0], 0), calendar)
    if texts[0] not in PARTS or is_side(found, at) or _is_own_act(found, at):
        return None
    index = 1
    offset = 0
    while index < len(texts) and (
        texts[index] in ("of", "-", "the", "this", "play", "current") or texts[index] in _STEPS
    ):
        offset = _STEPS.get(texts[index], offset)
        index += 1
    unit = {"business": "day", "day": "day", "play": "day"}.get(texts[index] if index < len(texts) else "", "")
    unit = unit or (texts[index] if index < len(texts) and texts[index] in _UNITS else "")
    if not unit or index == 1:
        return None
    whole = calendar.unit(unit, offset)
    if texts[0] in ("end", "close"):
        return _end_figure(found, at, at + index + 1, whole, calendar)
    part = calendar.part(texts[0], (whole,))[0] if unit == "month" else whole
    return _end_figure(found, at, at + index + 1, part, calendar)


def _is_own_act(found: list[Token], at: int) -> bool:
    """Tell whether "close", "end" or "start" is a verb: "before we close the month", a reason and no day.

    Where its sentence demands money before then ("please pay before we close the month"), it is the day to pay by.
    """
    if found[at].text not in ("close", "end", "start") or not at or found[at - 1].text not in _ACTING:
        return False
    before = {token.text for token in found[:at]}
    return not before & _UNTIL or not before & _DEMANDING or not before & _PAYING


_STEPS = {"next": 1, "coming": 1, "following": 1, "last": -1, "previous": -1, "past": -1}


def _end_figure(found: list[Token], at: int, end: int, whole: Days, calendar: Calendar) -> tuple[Figure, int]:
    direction = Direction.FORWARD if whole.last >= calendar.as_of else Direction.BACKWARD
    days = Days(whole.last, whole.last) if direction is Direction.FORWARD else whole
    return date_figure(found, at, end, (days,), direction)


def _span_of_days(found: list[Token], at: int, calendar: Calendar, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read "within 7 days", "in the next two weeks", "in the last 30 days", "over the coming days"."""
    index = at
    if found[index].text in _SPAN_OPENERS:
        index += 1
        while index < len(found) and found[index].text in ("the", "later", "than", "of"):
            index += 1
    step = found[index].text if index < len(found) else ""
    opened = found[at].text in ("within", "in", "inside")
    if step in _FORWARD or step in _BACKWARD:
        index += 1
        opened = True
    if not opened:
        return None
    amount = _amount(found, index, form)
    if amount is None:
        return None
    count, unit, end = amount
    if step in _BACKWARD:
        first = calendar.shift(-count, unit) if count else None
        days = (Days(first, calendar.as_of),) if first else ()
        return date_figure(found, at, end, days, Direction.BACKWARD)
    if found[at].text in ("in", "within") and end < len(found) and found[end].text in ("overdue", "late", "arrears"):
        return None
    return _ahead(found, at, end, count, unit, calendar)


def _ahead(found: list[Token], at: int, end: int, count: int, unit: str, calendar: Calendar) -> tuple[Figure, int]:
    day: date | None = None
    if count:
        day = _working_days(calendar, count) if unit == "working" else calendar.shift(count, unit)
    days = (Days(day, day),) if day else ()
    end = _receipt(found, end)
    return date_figure(found, at, end, days, Direction.FORWARD)


def _receipt(found: list[Token], at: int) -> int:
    """Skip "from today", "of receipt", "from now" after a number of days."""
    texts = [token.text for token in found[at : at + 3]]
    if texts[:1] and texts[0] in ("from", "of", "after") and len(texts) > 1:
        if texts[1] in _FROM_NOW:
            return at + 2
        if texts[1] in ("the", "its", "this") and len(texts) > 2 and texts[2] in ("date", "letter", "email", "notice"):
            return at + 3
    return at


def _amount(found: list[Token], at: int, form: NumberFormat) -> tuple[int, str, int] | None:
    """Return count (0 when vague), unit and end of "7 days", "a week", "the coming days", "a few weeks"."""
    index = at
    while index < len(found) and found[index].text in ("a", "the", "an", "another"):
        index += 1
    if index >= len(found):
        return None
    count = 1
    if found[index].text in _VAGUE:
        count, index = 0, index + 1
        if index < len(found) and found[index].text == "of":
            index += 1
    elif (read := numeral_at(found, index, form)) is not None:
        values, index = read[0].values, read[1]
        if not values or values[0] != int(values[0]) or values[0] > 10_000:
            return None
        count = int(values[0])
    elif index == at and (index >= len(found) or found[index].text not in ("days", "weeks", "months", "hours")):
        return None
    return _unit(found, index, count)


def _unit(found: list[Token], at: int, count: int) -> tuple[int, str, int] | None:
    index = at
    working = False
    while index < len(found) and (found[index].text == "-" or found[index].text in _WORKING):
        working = working or found[index].text in ("business", "working")
        index += 1
    if index >= len(found):
        return None
    unit = DURATIONS.get(found[index].text) or DURATIONS.get(unit_word(found[index]))
    if unit is None:
        return None
    if found[index].text in ("days", "weeks", "months", "hours") and count == 1 and index == at:
        count = 0
    return count, "working" if working and unit == "days" else unit, index + 1


def _working_days(calendar: Calendar, count: int) -> date:
    day = calendar.as_of
    for _ in range(min(count, 400)):
        day += timedelta(days=3 if day.weekday() == 4 else 2 if day.weekday() == 5 else 1)
    return day


def _adjective(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    """Read "last week", "next month", "this quarter", "next Friday", "this past Friday"."""
    texts = [unit_word(token) for token in found[at : at + 3]]
    word = texts[0]
    skip = 1
    if word == "this" and len(texts) > 2 and (texts[1] in _FORWARD or texts[1] in _BACKWARD):
        word, skip = texts[1], 2
    if word != "this" and word not in _FORWARD and word not in _BACKWARD:
        return None
    unit = texts[skip] if len(texts) > skip else ""
    offset = 0 if word == "this" else 1 if word in _FORWARD else -1
    direction = (Direction.BACKWARD, Direction.NONE, Direction.FORWARD)[offset + 1]
    if unit in WEEKDAYS:
        following, last = calendar.weekday(WEEKDAYS[unit])
        if word == "next":
            # To some the coming one, to some the one after it: the reader cannot know.
            later = following.first + timedelta(days=7)
            both = (following, Days(later, later))
            return date_figure(found, at, at + skip + 1, both, Direction.FORWARD, "ambiguous")
        days = (last,) if offset < 0 else (following,)
        return date_figure(found, at, at + skip + 1, days, Direction.BACKWARD if offset < 0 else Direction.FORWARD)
    if (
        unit not in _UNITS
        or unit == "day"
        or (found[at + skip].text in DURATIONS and found[at + skip].text.endswith("s"))
    ):
        return None
    days = (calendar.unit(unit, offset),)
    return date_figure(found, at, at + skip + 1, days, direction)


def _weekday(found: list[Token], at: int, calendar: Calendar) -> tuple[Figure, int] | None:
    token = found[at]
    name = unit_word(token)
    if name in ("weekend", "weekends"):
        return date_figure(
            found, at, at + 1, (calendar.unit(name[:7], 0), calendar.unit(name[:7], -1)), Direction.WEEKDAY
        )
    if name not in WEEKDAYS or (len(name) < 6 and not token.capital):
        return None
    end = at + 2 if at + 1 < len(found) and found[at + 1].text == "week" else at + 1
    direction = Direction.FORWARD if end > at + 1 else Direction.WEEKDAY
    return date_figure(found, at, end, calendar.weekday(WEEKDAYS[name]), direction)


def _from_now(found: list[Token], at: int, calendar: Calendar, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read "15 days ago", "two weeks from now", "a month ago", "5 days hence"."""
    if found[at].text not in ("a", "an") and numeral_at(found, at, form) is None:
        return None
    amount = _amount(found, at, form)
    if amount is None or amount[2] >= len(found):
        return None
    count, unit, end = amount
    word = found[end].text
    if word in ("ago", "earlier", "back") and count:
        return date_figure(found, at, end + 1, _around(count, unit, calendar), Direction.BACKWARD)
    if word == "hence" or (word in ("from", "after", "of") and _receipt(found, end) > end):
        return _ahead(found, at, max(_receipt(found, end), end + (word == "hence")), count, unit, calendar)
    return None


def _around(count: int, unit: str, calendar: Calendar) -> tuple[Days, ...]:
    """Return the days that lie `count` whole units back, rounded down as lateness is."""
    last, before = calendar.shift(-count, unit), calendar.shift(-count - 1, unit)
    if last is None or before is None:
        return ()
    return (Days(before + timedelta(days=1), last),)
