"""Find every figure of a text with all its readings: nothing that holds a digit or a number word is passed over."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

from agent.text.calendar import Calendar
from agent.text.currencies import Currency
from agent.text.dates import DATE_OPENERS, date_at
from agent.text.english import HEDGES_AFTER, HEDGES_BEFORE, words
from agent.text.figure import Figure, FigureKind
from agent.text.fold import Folded, Span
from agent.text.masks import MASK
from agent.text.money import MONEY_OPENERS, cents_of, money_at
from agent.text.numbers import NumberFormat, Numeral
from agent.text.quantities import QUANTITY_OPENERS, quantity_at
from agent.text.relative import RELATIVE_OPENERS, relative_at
from agent.text.roman import roman_at
from agent.text.tokens import Token, tokens

__all__ = ["Manner", "read_figures"]

_RANGE_MARKS = frozenset(["-", "–", "to", "through", "thru", "until", "till", "and up to", "or"])
_LIST_MARKS = frozenset([".", ")", ":"])
_NO_HEDGE_BEFORE = words(
    "write writing wrote written email emailing emailed called calling call ask asking asked question questions query "
    "queries reminder reminders contact you us hear heard talk spoke reach reminded remind enquiry"
)
_WITH_UNIT = (FigureKind.DURATION, FigureKind.PERCENT, FigureKind.COUNT)
_BULLETS = frozenset("-*•·>–+")
_CARRIES = re.compile(rf"(?:[\s,;]|\b(?:and|while|late|overdue|past|due|is|for|by)\b|{MASK})*")
_OPENERS = (DATE_OPENERS, RELATIVE_OPENERS, MONEY_OPENERS, QUANTITY_OPENERS)
_Openings = tuple[bool, bool, bool, bool]
_ALWAYS = (True, True, True, True)
_NEVER = (False, False, False, False)
_ENDS_HEDGE = frozenset(hedge.split(" ")[-1] for hedge in HEDGES_BEFORE)
_OPENS_HEDGE = frozenset(hedge.split(" ")[0] for hedge in HEDGES_AFTER)
_AFTER_HEDGE = words("is are was were in and remains remain")
_SUMMING = words("add adds adding come comes coming sum sums bring brings brought")


@dataclass(frozen=True, slots=True)
class Manner:
    """Hold how a sheet's numbers, money and dates are written."""

    form: NumberFormat
    currency: Currency
    calendar: Calendar


def read_figures(folded: Folded, masked: str, sentences: tuple[Span, ...], manner: Manner) -> tuple[Figure, ...]:
    """Return the figures of a masked folded text in order, sentence by sentence.

    A number that opens a line, or a sentence of a list that has begun, as a list's counter ("1." then "2.") is none.
    Amounts, dates and counts that are joined to a range ("$1,000 to $1,200", "between 5 and 7 days") become one DERIVED
    figure.
    """
    figures: list[Figure] = []
    counter = 0
    cased = "".join(map(folded.source.__getitem__, folded.offsets))
    for sentence in sentences:
        if not masked[sentence.start : sentence.end].strip(MASK):
            continue
        before = max(0, sentence.start - 1)
        passage = _Passage(
            masked[before : sentence.end], cased[before : sentence.end], sentence.start - before, manner.form.group
        )
        start, counter = _list_counter(_tokens(passage), counter, folded, sentence)
        placed = [_moved(figure, before) for figure in _figures(passage, start, manner)]
        figures += _join_ranges(placed, masked)
    return tuple(figures)


class _Passage(NamedTuple):
    """Hold all that the figures of a sentence go by: its words behind the character before it, folded and as shown."""

    masked: str
    cased: str
    start: int
    group: str


@lru_cache(maxsize=2048)  # a draft is read again after each edit, and the sentences of most drafts are alike
def _tokens(passage: _Passage) -> list[Token]:
    text, cased, start, group = passage
    return tokens(Folded(text, cased, range(len(cased))), text, Span(start, len(text)), group)


@lru_cache(maxsize=2048)
def _figures(passage: _Passage, start: int, manner: Manner) -> tuple[Figure, ...]:
    return tuple(_share_units(_scan(_tokens(passage), start, manner), passage.masked))


def _moved(figure: Figure, by: int) -> Figure:
    # One of the dearest lines of a reading if it were written with `replace`.
    return Figure(
        Span(figure.span.start + by, figure.span.end + by),
        figure.kind,
        figure.numbers,
        figure.cents,
        figure.days,
        figure.unit,
        figure.quality,
        figure.fault,
        figure.hedge,
        figure.direction,
    )


def _list_counter(found: list[Token], counter: int, folded: Folded, sentence: Span) -> tuple[int, int]:
    at = 1 if found and found[0].text == "(" else 0
    begins_line = folded.text[max(0, sentence.start - 1) : sentence.start] in ("", "\n")
    if begins_line and len(found) > 1 and found[0].text in _BULLETS and not found[1].glued:
        return 1, counter
    if len(found) < at + 1 or found[at].kind != "number" or not found[at].text.isdigit():
        return 0, counter
    value = int(found[at].text)
    if not begins_line and not (counter and value == counter + 1):
        return 0, counter  # in the midst of a line only a list that has begun goes on: "1. TX-1 is open. 2. TX-2 is"
    marked = at + 1 < len(found) and found[at + 1].text in _LIST_MARKS and found[at + 1].glued
    if not marked or value not in (1, counter + 1) or (at + 2 < len(found) and found[at + 2].glued):
        return 0, counter
    return at + 2, value


def _scan(found: list[Token], start: int, manner: Manner) -> list[Figure]:
    figures: list[Figure] = []
    at = start
    while at < len(found):
        openings = _openings(found, at)
        read = None if openings is _NEVER and not found[at].upper else _figure_at(found, at, openings, manner)
        if read is None:
            at += 1
            continue
        figure, end = read
        hedge = _hedge(found, at, end)
        figures.append(replace(figure, hedge=hedge) if hedge else figure)
        at = max(end, at + 1)
    return figures


def _figure_at(found: list[Token], at: int, openings: _Openings, manner: Manner) -> tuple[Figure, int] | None:
    """Read the figure that begins at a token by the first reader that knows it: most words of a text begin none."""
    dates, relatives, money, quantities = openings
    read = (
        (dates and date_at(found, at, manner.calendar))
        or (relatives and relative_at(found, at, manner.calendar, manner.form))
        or (money and money_at(found, at, manner.form, manner.currency))
        or (found[at].upper and roman_at(found, at))
        or (quantities and quantity_at(found, at, manner.form))
        or None
    )
    if read and read[0].kind is FigureKind.NUMBER:
        return _as_money_too(found, at, read, manner)
    return read


def _openings(found: list[Token], at: int) -> _Openings:
    """Tell whether a date, a relative date, an amount or a quantity can begin at a token."""
    token = found[at]
    if token.kind == "word":
        openings = _openings_of(token.text)
        signed = at + 1 < len(found) and found[at + 1].glued and found[at + 1].kind == "mark"
        return (*openings[:2], True, openings[3]) if signed else openings
    if token.kind == "mark":
        return _openings_of_mark(token.text)
    return _NEVER if token.kind == "mask" else _ALWAYS


@lru_cache(maxsize=4096)
def _openings_of(word: str) -> _Openings:
    """Tell the same of a word by itself, as it stands or without its possessive ending; `_NEVER` when it opens none."""
    forms = {word, word.removesuffix("'s").removesuffix("'")}
    dates, relatives, money, quantities = (not forms.isdisjoint(openers) for openers in _OPENERS)
    return (dates, relatives, money, quantities) if dates or relatives or money or quantities else _NEVER


@lru_cache(maxsize=256)
def _openings_of_mark(mark: str) -> _Openings:
    is_sign = mark in "-+" or category(mark) == "Sc"
    return (False, False, is_sign, mark == "×") if is_sign or mark == "×" else _NEVER


def _as_money_too(found: list[Token], at: int, read: tuple[Figure, int], manner: Manner) -> tuple[Figure, int]:
    """Give a number without a currency its reading in minor units, with the sign before it."""
    figure, end = read
    decimals = next((int(note[9:]) for note in figure.quality if note.startswith("decimals:")), None)
    cents = cents_of(Numeral(figure.numbers, decimals), manner.currency.digits)
    if at and found[at - 1].text in ("-", "minus", "negative") and not (found[at - 1].glued and at > 1):
        cents = tuple(-value for value in cents)
    return replace(figure, cents=cents), end


def _hedge(found: list[Token], at: int, end: int) -> str:
    """Return the word right before or after a figure that makes it vague, else ""."""
    before = found[at - 1].text in _ENDS_HEDGE if at else False
    starts = tuple(
        start for start in ((end, end + 1) if _pauses(found, end) else (end,)) if _begins_hedge(found, start)
    )
    if not before and not starts:
        return ""
    for length in (4, 3, 2, 1):
        if before and at >= length:
            words = " ".join(token.text for token in found[at - length : at])
            if words in HEDGES_BEFORE and not _is_preposition(found, at - length, words):
                return words
        for start in starts:
            after = " ".join(token.text for token in found[start : start + length])
            is_hedge = after in HEDGES_AFTER and start + length <= len(found) and not _is_sum(found, start, after)
            if is_hedge and (start == end or _ends(found, start + length)):
                return after
    return ""


def _begins_hedge(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].text in _OPENS_HEDGE


def _pauses(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].text in (",", "(", "-")


def _ends(found: list[Token], at: int) -> bool:
    """Tell whether nothing follows that the words before could belong to: "$5.00, approximately", not "... 2 weeks"."""
    return at >= len(found) or found[at].text in (".", ",", ";", ")", "!") or found[at].text in _AFTER_HEDGE


def _is_preposition(found: list[Token], at: int, words: str) -> bool:
    """Tell whether "about" names a topic ("we write about $5"), and "above" or "below" a place."""
    if words == "up to" and at and found[at - 1].text in _SUMMING:
        return True
    if words in ("above", "below", "some") and at and found[at - 1].text in ("the", "as", "listed", "see"):
        return True
    return words in ("about", "around", "over") and at > 0 and found[at - 1].text in _NO_HEDGE_BEFORE


def _is_sum(found: list[Token], end: int, after: str) -> bool:
    return after in ("+", "plus") and end + 1 < len(found) and found[end + 1].text not in (".", ",", ";", ")", "!")


def _share_units(figures: list[Figure], masked: str) -> list[Figure]:
    """Give a bare number the unit of the figure that it is joined to: "86 and 41 days"."""
    shared: list[Figure] = []
    for figure in reversed(figures):
        last = shared[-1] if shared else None
        if figure.kind is FigureKind.NUMBER and last is not None and last.kind in _WITH_UNIT:
            between = masked[figure.span.end : last.span.start].strip()
            if between in ("and", ",", "&", "or", ", and"):
                figure = replace(figure, kind=last.kind, unit=last.unit, cents=())  # noqa: PLW2901 - the same figure
        shared.append(figure)
    return _carry_units(shared[::-1], masked)


def _carry_units(figures: list[Figure], masked: str) -> list[Figure]:
    """Give a bare number the unit of the duration before it: "TX-1 is ten weeks late, TX-2 five"."""
    carried: list[Figure] = []
    for figure in figures:
        last = carried[-1] if carried else None
        follows = figure.kind is FigureKind.NUMBER and last is not None and last.kind is FigureKind.DURATION
        if follows and last and _CARRIES.fullmatch(masked[last.span.end : figure.span.start]):
            figure = replace(figure, kind=last.kind, unit=last.unit, cents=())  # noqa: PLW2901 - the same figure
        carried.append(figure)
    return carried


def _join_ranges(figures: list[Figure], masked: str) -> list[Figure]:
    joined: list[Figure] = []
    for figure in figures:
        last = joined[-1] if joined else None
        if last is not None and _is_range(last, figure, masked):
            joined[-1] = Figure(Span(last.span.start, figure.span.end), FigureKind.DERIVED, fault="range")
        else:
            joined.append(figure)
    return joined


def _is_range(first: Figure, second: Figure, masked: str) -> bool:
    between = masked[first.span.end : second.span.start].strip()
    if FigureKind.DERIVED in (first.kind, second.kind) or FigureKind.ORDINAL in (first.kind, second.kind):
        return False
    if between in ("-", "–"):
        return first.kind in (second.kind, FigureKind.NUMBER)
    before = masked[max(0, first.span.start - 24) : first.span.start].split()
    opened = before[-1] if before else ""
    same = first.kind is second.kind or FigureKind.NUMBER in (first.kind, second.kind)
    if between == "and":
        return opened in ("between", "betwixt") and same
    return same and (
        between in ("to", "through", "thru") or (opened == "from" and between in ("until", "till", "up to"))
    )
