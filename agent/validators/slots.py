"""Hold the model's prose in a frame to slot language: slots where they belong, no figure of its own.

Covers prose blocks of framed bodies by the agent. A person's text in a frame is read as free text.
"""

import re
from collections.abc import Iterator

from agent.body import Placed, Prose
from agent.facts import FactType
from agent.slots import clause_spans, misplaced
from agent.text import Span
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Author, Reading

__all__ = ["CHECK", "check"]

_LATE = ("overdue", "late", "past", "behind", "outstanding", "old", "ago")
# A time unit that is said to be late takes a slot before it. A model that may not decode digits fills the place with
# whatever letters it is left with: "over ouch days overdue".
_LATE_BY = re.compile(
    rf"(?P<amount>[A-Za-z'-]+) (?:hour|day|week|month|year)s? (?:{'|'.join(_LATE)})\b",
    re.IGNORECASE,
)
_VAGUE = frozenset(["few", "several", "some", "many", "couple", "more"])


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report slots in clauses that say something else about them, literal figures, and figures that were left out."""
    if not reading.framed or reading.author is not Author.AGENT:
        return
    for place in reading.rendered.prose:
        yield from _roles(reading, place)
        yield from _left_out(reading, place)
    yield from _literals(reading)


def _roles(reading: Reading, place: Placed) -> Iterator[Found]:
    if not isinstance(place.block, Prose):
        return
    spans = tuple(clause_spans(place.block.text))
    for fill in place.fills:
        slot = reading.slots.get(fill.slot)
        clause = next((span for span in spans if span[0] <= fill.slot_start < span[1]), None)
        if slot is None or clause is None:
            continue
        reason = misplaced(slot, place.block.text[clause[0] : clause[1]])
        if reason:
            yield Found(
                "SLOT_ROLE",
                reason,
                (fill.start, fill.end),
                critique=f"{reason}.",
                fix=f"Write: {' / '.join(slot.clauses)}" if slot.clauses else None,
                more={"slot": slot.name},
            )


def _left_out(reading: Reading, place: Placed) -> Iterator[Found]:
    folded = place.block.text.casefold() if isinstance(place.block, Prose) else ""
    if not isinstance(place.block, Prose) or not any(word in folded for word in _LATE):
        return
    for late in _LATE_BY.finditer(place.block.text):
        if late["amount"].casefold() in _VAGUE:
            continue
        critique = f'"{late[0]}" does not say how long: "{late["amount"]}" stands where a figure belongs.'
        start = reading.text.find(late[0], place.start, place.end)
        slot = next((slot for slot in reading.slots.values() if slot.type is FactType.DAYS), None)
        fix = f"Write: {' / '.join(slot.clauses)}" if slot else None
        span = None if start < 0 else (start, start + len(late[0]))
        yield Found("LITERAL_FIGURE", late[0], span, critique=critique, fix=fix)


def _literals(reading: Reading) -> Iterator[Found]:
    fills = [Span(fill.start, fill.end) for place in reading.rendered.prose for fill in place.fills]
    for figure in reading.figures:
        span = reading.folded.span(*figure.span)
        if not reading.in_code(*span) and not any(fill.holds(span) for fill in fills):
            yield Found("LITERAL_FIGURE", reading.text[span.start : span.end], span)


CHECK = Check(name="slots", version="1", run=check, blocking=True, core=True)
