"""Find amounts, percentages, dates and times with the agent's reader of figures, however digits are grouped."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from agent.text import MASK, fold, sentences
from agent.text.calendar import Calendar
from agent.text.currencies import Currency
from agent.text.english import MONTHS, ORDINALS
from agent.text.figure import Figure, FigureKind
from agent.text.figures import Manner, read_figures
from agent.text.numbers import NumberFormat
from memory.sanitize import days as calendar_days
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain, plain

__all__ = ["Figures", "find", "known_figure"]

# Each way to group digits, and what in a text makes it worth a reading of its own.
_MANNERS = {
    "en_US": re.compile(""),
    "de_DE": re.compile(r"[0-9]\.[0-9]{3}(?![0-9])|[0-9],[0-9]{2}(?![0-9])"),
    "fr_FR": re.compile(r"[0-9] [0-9]{3}(?![0-9])"),
    "de_CH": re.compile(r"[0-9]'[0-9]{3}(?![0-9])"),
    "en_IN": re.compile(r"[0-9],[0-9]{2},[0-9]{3}(?![0-9])"),
}
_CURRENCIES = {
    "GBP": r"£|gbp|pound|pence|penny|quid|sterling",
    "EUR": r"€|eur",
    "INR": r"₹|inr|rupee|lakh|crore|\brs\b",
    "JPY": r"¥|jpy|\byen\b",
    "CHF": r"chf|franc",
    "KWD": r"kwd|dinar",
    "ZAR": r"zar|\brand\b",
    "SEK": r"sek|nok|dkk|kron",
    "PLN": r"pln|zloty|\bzl\b",  # "zł" in a plain text
}
_CURRENCY_CUES = {code: re.compile(cues, re.IGNORECASE) for code, cues in _CURRENCIES.items()}
_MONEY_CUE = re.compile(r"[$£€¥₹₩₽₺₪₫฿]|\b[A-Za-z]{3}\b")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_ORDINAL = re.compile(rf"\b(?:{'|'.join(sorted(ORDINALS))})\b")
_MONTH = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS))})\b")
_SCALE = re.compile(r"\b(?:hundred|thousand|million|billion|lakhs?|crores?)\b")
_DATED = re.compile(r"[0-9][-/.][0-9]|(?:19|20)[0-9]{2}|[0-9](?:st|nd|rd|th)\b")
# Signs of currencies that stand behind a number and that the reader does not know, as a plain text has them.
_SIGN_BEHIND = re.compile(r" ?(?:kr|zl|ft|kc|lei|lv|/-|,--?|\.-)(?!\w)")
_LONE_DAY = re.compile(r"the\s+")
_MEASURED = (FigureKind.MONEY, FigureKind.NUMBER, FigureKind.DURATION)
_LEAST_BARE = 100  # a smaller number without a currency is taken for a count


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold the figures of a record: each amount, day and length of time with its slot."""

    amounts: Mapping[Decimal, str] = field(default_factory=dict)
    days: Mapping[date, str] = field(default_factory=dict)
    lengths: Mapping[tuple[Decimal, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Read:
    start: int
    end: int
    figure: Figure
    values: tuple[Decimal, ...]


def known_figure(value: str) -> tuple[FigureKind, tuple[Decimal, ...], tuple[date, ...], str] | None:
    """Read a value of a record that is one whole amount, number, day or length of time; None for any other."""
    written = plain(value.strip())
    for read in _read(written, ()):
        figure = read.figure
        if read.start == 0 and read.end == len(written.text):
            days = tuple(day.first for day in figure.days if day.first == day.last)
            if days or (figure.kind in _MEASURED and read.values):
                return figure.kind, read.values, days, figure.unit
    return None


def find(page: Plain, known: Figures) -> Iterator[Found]:
    """Yield every amount, percentage, date and time of a text; other numbers only if a record has them."""
    years = {day.year for day in known.days} | {int(match[0]) for match in _YEAR.finditer(page.text)}
    reads = list(_read(page, tuple(sorted(years))))
    yield from _lengths(page, known)
    yield from calendar_days.find(page, known.days, sorted(years))
    sure = {read.figure.days[0].first for read in reads if len(read.figure.days) == 1}
    for read in reads:
        text = page.lower[read.start : read.end]
        kind = read.figure.kind
        sign = _SIGN_BEHIND.match(page.lower, read.end) if kind in _MEASURED else None
        if sign and kind is not FigureKind.DURATION and any(char.isdigit() for char in text):
            yield replace(_amount(read, text, known), end=sign.end())
        elif kind is FigureKind.MONEY:
            yield _amount(read, text, known)
        elif kind is FigureKind.DATE:
            yield from _date(read, text, known, sure)
        elif kind is FigureKind.PERCENT:
            yield Found(read.start, read.end, "PERCENT", read.values[:1] or text)
        elif kind is FigureKind.DERIVED and any(char.isdigit() for char in text):
            yield Found(read.start, read.end, "AMOUNT" if _MONEY_CUE.search(text) else "NUMBER", text, rank=8)
        elif kind is FigureKind.NUMBER and (slot := _bare(read, text, known)):
            yield Found(read.start, read.end, "AMOUNT", slot, slot, rank=4)


def _lengths(page: Plain, known: Figures) -> Iterator[Found]:
    """Yield the record's lengths of time ("86 days"), also where they are told as a date ("86 days ago")."""
    for (number, unit), slot in known.lengths.items():
        written = rf"(?<![\w.,]){number.normalize():f}[ -]?{re.escape(unit.removesuffix('s'))}s?(?!\w)"
        for match in re.finditer(written, page.lower):
            yield Found(*match.span(), "LENGTH", slot, slot, rank=4)


def _amount(read: _Read, text: str, known: Figures) -> Found:
    slot = next((known.amounts[value] for value in read.values if value in known.amounts), "")
    return Found(read.start, read.end, "AMOUNT", read.values[:1] or text, slot, rank=3)


def _bare(read: _Read, text: str, known: Figures) -> str:
    if not any(char.isdigit() for char in text) and not _SCALE.search(text):
        return ""  # "nineteen seventy-five" may be a year, a sum or a price: a person must say
    values = (value for value in read.values if value >= _LEAST_BARE or "." in text)
    return next((known.amounts[value] for value in values if value in known.amounts), "")


def _date(read: _Read, text: str, known: Figures, sure: set[date]) -> Iterator[Found]:
    figure = read.figure
    has_digit = any(char.isdigit() for char in text)
    if figure.fault == "time":
        if has_digit:
            yield Found(read.start, read.end, "TIME", text)
        return
    if has_digit and not (_DATED.search(text) or _MONTH.search(text)):
        return  # "within 30 days" is no date of anyone's
    if not has_digit and not (_ORDINAL.search(text) and (_MONTH.search(text) or text.startswith("the "))):
        return
    lone = _LONE_DAY.match(text)
    start = read.start + lone.end() if lone else read.start
    days = [day.first for day in figure.days if day.first == day.last]
    slot = next((known.days[day] for day in days if day in known.days), "")
    if slot or not lone or _MONTH.search(text) or has_digit:
        key = next((day for day in days if day in sure), None) or (figure.days[0] if figure.days else text)
        yield Found(start, read.end, "DATE", key, slot, rank=3)


def _read(page: Plain, years: tuple[int, ...]) -> Iterator[_Read]:
    """Yield the figures of a plain text; of several manners that read one passage, with the values of each."""
    folded = fold(page.text)
    parts = tuple(sentences(folded))
    calendar = Calendar(date(max(years, default=2000), 1, 1), years or (2000,))
    found: dict[tuple[int, int], _Read] = {}
    for locale, cue in _MANNERS.items():
        if not cue.search(page.text):
            continue
        for code in _currencies(page.text):
            manner = Manner(NumberFormat(locale), Currency(code, locale), calendar)
            for figure in read_figures(folded, folded.text, parts, manner):
                _add(found, folded.span(*figure.span), figure, Currency(code, locale).digits)
    yield from _longest(sorted(found.values(), key=lambda read: read.start))


def _currencies(text: str) -> Iterator[str]:
    yield "USD"
    yield from (code for code, cues in _CURRENCY_CUES.items() if cues.search(text))


def _add(found: dict[tuple[int, int], _Read], span: tuple[int, int], figure: Figure, digits: int) -> None:
    values = tuple(abs(Decimal(cents).scaleb(-digits)) for cents in figure.cents) or tuple(map(abs, figure.numbers))
    old = found.get(span)
    unread = old is not None and old.figure.kind is FigureKind.UNREADABLE
    if old is None or unread or (old.figure.kind is not figure.kind and figure.kind is FigureKind.MONEY):
        found[span] = _Read(*span, figure, values)
    elif old.figure.kind is figure.kind:
        first, second = (values, old.values) if figure.cents and not old.figure.cents else (old.values, values)
        kept = figure if figure.cents and not old.figure.cents else old.figure
        found[span] = _Read(*span, kept, tuple(dict.fromkeys((*first, *second))))


def _longest(reads: Sequence[_Read]) -> Iterator[_Read]:
    """Yield those that no other holds: one manner's "1.975" with its sign wins over another's "1"."""
    last: _Read | None = None
    for read in sorted(reads, key=lambda read: (read.start, -read.end)):
        if MASK in read.figure.unit or (last is not None and read.end <= last.end):
            continue
        last = read
        yield read
