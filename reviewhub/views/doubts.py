"""Cut an exemplar's text into pieces, so that a template can mark the words that are in doubt and the slots."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reviewhub.curating import confirmable_words
from reviewhub.models import Exemplar

__all__ = ["DoubtShown", "Part", "Passage", "number_doubts", "passages"]

_SLOT = re.compile(r"\[[A-Z][A-Z0-9_]*\]")


@dataclass(frozen=True, slots=True)
class DoubtShown:
    """Hold one doubt about the same words wherever they stand, with its number on the page.

    `places` are (block, start, end); `confirmable` when a person may say that the words are harmless.
    """

    number: int
    words: str
    reason: str
    places: tuple[tuple[str, int, int], ...]
    confirmable: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Hold a run of text with the doubts about it; `starts` are those whose first place begins here."""

    text: str
    doubts: tuple[DoubtShown, ...] = ()
    starts: tuple[DoubtShown, ...] = ()
    ends: tuple[DoubtShown, ...] = ()
    is_slot: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """Hold one block of the text as parts."""

    name: str
    parts: tuple[Part, ...]


def number_doubts(exemplar: Exemplar) -> tuple[DoubtShown, ...]:
    """Gather the doubts about the same words for the same reason, and number them in the order of the text."""
    order = {name: place for place, name in enumerate(exemplar.prose)}
    rows = sorted(exemplar.doubts, key=lambda doubt: (order.get(doubt["block"], len(order)), doubt["start"]))
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for doubt in rows:
        groups.setdefault((doubt["words"], doubt["reason"]), []).append(doubt)
    harmless = set(confirmable_words(exemplar))
    return tuple(
        DoubtShown(
            number,
            words,
            reason,
            tuple((doubt["block"], doubt["start"], doubt["end"]) for doubt in doubts),
            confirmable=words in harmless,
        )
        for number, ((words, reason), doubts) in enumerate(groups.items(), start=1)
    )


def passages(prose: Mapping[str, str], doubts: Sequence[DoubtShown] = ()) -> tuple[Passage, ...]:
    """Cut every block where a doubt or a slot begins or ends; doubts may overlap."""
    return tuple(Passage(name, tuple(_parts(name, text, doubts))) for name, text in prose.items())


def _parts(name: str, text: str, doubts: Sequence[DoubtShown]) -> Iterator[Part]:
    here = [
        (doubt, start, end)
        for doubt in doubts
        for block, start, end in doubt.places
        if block == name and 0 <= start < end <= len(text)
    ]
    slots = [found.span() for found in _SLOT.finditer(text)]
    edges = sorted({0, len(text), *(at for _, *span in here for at in span), *(at for span in slots for at in span)})
    for start, end in pairwise(edges):
        about = [(doubt, first, last) for doubt, first, last in here if first <= start and end <= last]
        yield Part(
            text=text[start:end],
            doubts=tuple(doubt for doubt, _, _ in about),
            starts=tuple(doubt for doubt, _, last in about if doubt.places[0] == (name, start, last)),
            ends=tuple(doubt for doubt, _, last in about if last == end),
            is_slot=any(first <= start and end <= last for first, last in slots),
        )
