"""Hold what a reply may draw on: articles, rules, orders and events as sentences, and the customer's own words.

Words are compared by their stems, without the commonest ones. Figures are read from a source as they are from a reply.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from babel.dates import format_date

from agent.facts import FactType, Sheet
from agent.text import fold, sentences
from agent.text.figure import Figure, FigureKind
from agent.text.figures import Manner, read_figures
from agent.text.writing import locale_of, write_money
from agent.validators.manner import manner_of
from agent.validators.replies.refunds import refund_of
from agent.validators.words import word_list

__all__ = ["RULES", "Keys", "Passage", "Source", "keys_of", "sources_of", "stems"]

_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")
_ENDINGS = re.compile(r"(?:ations?|ings?|ments?|edly|ed|es|ly|ies|y|s|e)$")
_UNITS = {"day": ("day", 1), "week": ("day", 7), "fortnight": ("day", 14), "month": ("month", 1), "year": ("month", 12)}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SPAN = re.compile(
    rf"\b(?P<number>\d+|{'|'.join(_NUMBERS)})[ -](?:working |business |calendar )?(?P<unit>{'|'.join(_UNITS)})s?\b"
)

RULES = {
    "refund_window_days": "You can get a refund within {value} days of delivery.",
    "exchange_window_days": "You can exchange an item within {value} days of delivery.",
    "warranty_months": "The warranty lasts {value} months.",
    "refund_percent": "We refund {value}% of the price that was paid.",
    "restocking_fee_percent": "We keep a restocking fee of {value}% of the price.",
    "goodwill_cents": "As goodwill we may give a credit of up to {value}.",
    "refund_takes_days": "A refund takes {value} days.",
    "answer_takes_days": "We answer complaints within {value} days.",
}
"""What each rule of a policy says."""


Keys = frozenset[tuple[Any, ...]]
"""By what a figure is known."""


@dataclass(frozen=True)
class Passage:
    """Hold one sentence of a source with its stems, and its figures as keys by kind."""

    text: str
    stems: frozenset[str]
    keys: tuple[Keys, ...]


@dataclass(frozen=True)
class Source:
    """Hold one source; `kind` is article, rule, order, event or customer. `uri` is where it can be read."""

    id: str
    kind: str
    text: str
    sheet: Sheet
    uri: str = ""

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Return the sentences of the source."""
        return _read(self.text, manner_of(self.sheet))

    @cached_property
    def keys(self) -> Keys:
        """Return the keys of all figures of the source."""
        return frozenset(key for passage in self.passages for keys in passage.keys for key in keys)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the stems of all words of the source."""
        return frozenset(stem for passage in self.passages for stem in passage.stems)


@lru_cache(maxsize=512)
def _read(text: str, manner: Manner) -> tuple[Passage, ...]:
    folded = fold(text)
    spans = tuple(sentences(folded))
    figures = read_figures(folded, folded.text, spans, manner)
    return tuple(
        Passage(
            folded.text[span.start : span.end],
            stems(folded.text[span.start : span.end]),
            tuple(keys_of(one, folded.text) for one in figures if span.holds(one.span)),
        )
        for span in spans
    )


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the telling words of a folded text."""
    common = word_list("en_reply_stop")
    words = (word for word in _WORD.findall(text.casefold()) if word not in common and len(word) > 2)
    return frozenset(_stem(word.removesuffix("'s")) for word in words)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    short = _ENDINGS.sub("", word) if len(word) > 4 else word.removesuffix("s")
    if len(short) < 3:
        return word
    return short[:-1] if len(short) > 4 and short[-1] == short[-2] else short


def keys_of(figure: Figure, text: str) -> Keys:
    """Return by what a figure is known: two figures that share a key say the same."""
    shown = " ".join(text[figure.span.start : figure.span.end].split())
    found: set[tuple[Any, ...]] = {("text", shown)}
    # "Within 30 days" is a day for the reader of figures, and a length of time in a policy.
    for match in _SPAN.finditer(shown):
        number = _NUMBERS.index(match["number"]) + 1 if match["number"] in _NUMBERS else int(match["number"])
        found.add(_duration(match["unit"], Decimal(number)))
    match figure.kind:
        case FigureKind.MONEY:
            found |= {("money", cents) for cents in figure.cents}
        case FigureKind.DURATION:
            found |= {_duration(figure.unit.rstrip("s"), number) for number in figure.numbers}
        case FigureKind.DATE:
            found |= {("date", days.first, days.last) for days in figure.days}
        case FigureKind.UNREADABLE:
            pass
        case _:
            found |= {(str(figure.kind), number) for number in figure.numbers}
    return frozenset(found)


def _duration(unit: str, number: Decimal) -> tuple[str, str, Decimal]:
    base, scale = _UNITS.get(unit, (unit, 1))
    return "duration", base, number * scale


def sources_of(sheet: Sheet) -> Sequence[Source]:
    """Return the sources of a sheet, the customer's own words last."""
    return tuple(_all(sheet))


def _all(sheet: Sheet) -> Iterator[Source]:
    uris = {fact.line: str(fact.value) for fact in sheet.by_role.get("uri", ())}
    for fact in sheet.by_role.get("article", ()):
        yield Source(fact.id, "article", str(fact.value), sheet, uris.get(fact.id, ""))
    for fact in sheet.facts:
        if fact.role in RULES:
            value = (
                write_money(int(str(fact.value)), sheet.currency, sheet.locale) if "cents" in fact.role else fact.value
            )
            yield Source(fact.id, "rule", RULES[fact.role].format(value=value), sheet, uris.get(fact.id, ""))
    for line in sheet.lines:
        yield Source(line.id, "order", " ".join(_order(sheet, line.id)), sheet)
    for event in sheet.events:
        when = _day(sheet, event.on)
        told = f"{event.text.rstrip('.')}. There was a {event.kind.replace('_', ' ')} on {when}."
        yield Source(f"{event.kind} of {event.on.isoformat()}", "event", told.lstrip(". "), sheet)
    for role in ("said_by_customer", "question"):
        for fact in sheet.by_role.get(role, ()):
            yield Source(fact.id, "customer", str(fact.value), sheet)


def _order(sheet: Sheet, order: str) -> Iterator[str]:
    line = sheet.line(order)
    yield f"The order was for {line.description}." if line and line.description else "The order is on file."
    for fact in sheet.facts:
        if fact.line != order and not (fact.line is None and fact.role.startswith("paid_")):
            continue
        if fact.type is FactType.MONEY and isinstance(fact.value, int):
            yield f"{_LABELS.get(fact.role, 'An amount')} is {write_money(fact.value, sheet.currency, sheet.locale)}."
        elif fact.type is FactType.DATE:
            yield f"{_LABELS.get(fact.role, 'A day')} is {_day(sheet, fact.value)}."
        elif fact.type is FactType.DAYS:
            yield f"That was delivered {fact.value} days ago."
    refund = refund_of(sheet)
    if refund.order == order and refund.open_cents:
        yield f"The refund of the order may be {write_money(refund.open_cents, sheet.currency, sheet.locale)}."
    if refund.order == order and refund.days is not None:
        yield f"The refund was asked for {refund.days} days after delivery."
        if refund.is_refused and refund.window is not None:
            yield f"The window ended {refund.days - refund.window} days before."


_LABELS = {
    "order_paid": "The price paid for the order",
    "item_paid": "The price of an item",
    "order_refunded": "The amount refunded",
    "paid_refund": "The amount of the refund",
    "paid_credit": "The amount of the credit",
    "order_ordered": "The day of the order",
    "order_delivered": "The day of delivery of the order",
}


def _day(sheet: Sheet, value: Any) -> str:
    return format_date(value, format="long", locale=locale_of(sheet.locale))
