"""Decide whether a sanitised text may be indexed: name every passage that is not provably free of personal details.

Covers digits and number words, what is known of any client of the queue, what a second pass of the sanitiser finds,
and every word that is not plainly English. It does not judge what the sentences mean: who is meant by "the owner of
the mill by the church" is beyond it, and so is a firm's name of plain words that somebody wrote in lower case.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.sanitize.gate_known import KnownValues
from memory.sanitize.gate_pieces import Piece, pieces
from memory.sanitize.gate_words import word_doubts
from memory.sanitize.sanitizer import Sanitizer, TextTooLong
from memory.sanitize.vocabulary import Vocabulary

__all__ = ["Doubt", "Reason", "examine"]

_MARKS = frozenset(".,;:!?…'\"‘’“”()-‐‑–—/&*•%+")
_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SLOT_NAME = re.compile(r"(?P<stem>[A-Z]+(?:_[A-Z]+)*)(?:_[0-9]{1,2})?")
_MOST_DOUBTS = 200


class Reason(StrEnum):
    """Name why a passage is doubtful; `sentence` tells an operator what to do."""

    KNOWN = "known"
    PERSONAL = "personal"
    DIGIT = "digit"
    NUMBER = "number"
    MARK = "mark"
    SLOT = "slot"
    JOINED = "joined"
    INITIAL = "initial"
    NAME = "name"
    WORD = "word"
    LONG = "long"

    @property
    def sentence(self) -> str:
        """Return what is wrong and what an operator can do."""
        return _SENTENCES[self]


_SENTENCES = {
    Reason.KNOWN: "part of what the records of this queue hold about a client: edit it out, or use a slot",
    Reason.PERSONAL: "read as a personal detail when the text was looked through again: edit it out, or use a slot",
    Reason.DIGIT: "a digit or number sign outside a slot: edit it out, or use a slot",
    Reason.NUMBER: "a number above ten, or several in a row, in words: edit it out, or use a slot",
    Reason.MARK: "a character that the gate does not let through: edit it out, or write it in plain letters and marks",
    Reason.SLOT: "a slot that this domain does not have: edit it out, or use one of its slots",
    Reason.JOINED: "words joined into one, which may hide a name or an address: part them, or edit them out",
    Reason.INITIAL: "a single letter, which may be somebody's initial: edit it out, or write the word in full",
    Reason.NAME: "a word that is a name too: edit it out, or write it small if it is no name here",
    Reason.WORD: "not in the word list, or with a capital that it need not have: confirm it as a word, or edit it out",
    Reason.LONG: "too long, or too many doubtful places, to be looked through: shorten the text, or forget it",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """Hold a doubtful passage: `[start, end)` in the sanitised text, its words, a code and a sentence for a person.

    A person can confirm the words of a doubt with the code "word", exactly as they are, and of no other.
    """

    start: int
    end: int
    words: str
    code: Reason
    reason: str


def examine(
    text: str,
    *,
    known: Iterable[str] | KnownValues,
    sanitizer: Sanitizer,
    vocabulary: Vocabulary,
    slots: Collection[str] | None = None,
) -> tuple[Doubt, ...]:
    """Return what is doubtful in a sanitised text, in order; none means that it may be indexed.

    `known` are the values of all clients of the queue, `slots` the names that the domain has (None: not checked;
    "LINE_n" stands for LINE_1 and so on). No two doubts share a place: the first reason in the order of `Reason` wins.
    """
    values = known if isinstance(known, KnownValues) else KnownValues.of(known)
    try:
        second = [(span.start, span.end) for span in sanitizer.sanitize(text, known={}).spans]
    except TextTooLong:
        return (_doubt(text, 0, len(text), Reason.LONG),)
    found = pieces(text, vocabulary.lists["abbreviations"], vocabulary.lists["greetings"])
    places: list[tuple[int, int, Reason]] = [(start, end, Reason.KNOWN) for start, end in values.find(text)]
    places += ((start, end, Reason.KNOWN) for start, end in _known_parts(found, values, vocabulary))
    places += ((start, end, Reason.PERSONAL) for start, end in second)
    places += _marks(found)
    places += _slots(found, slots, vocabulary)
    places += ((doubt.start, doubt.end, Reason(doubt.code)) for doubt in word_doubts(found, vocabulary))
    return _settled(text, places)


def _settled(text: str, places: Sequence[tuple[int, int, Reason]]) -> tuple[Doubt, ...]:
    """Return one doubt for each doubtful place: the weightiest reason where several meet, digits in a row as one."""
    order = {reason: rank for rank, reason in enumerate(Reason)}
    taken = bytearray(len(text))
    kept: list[tuple[int, int, Reason]] = []
    for start, end, reason in sorted(places, key=lambda one: (order[one[2]], one[0] - one[1], one[0])):
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            kept.append((start, end, reason))
    kept.sort()
    doubts: list[Doubt] = []
    for start, end, reason in kept:
        last = doubts[-1] if doubts else None
        goes_on = last and last.end == start and last.code is reason and reason in (Reason.DIGIT, Reason.MARK)
        begin = doubts.pop().start if goes_on else start
        doubts.append(_doubt(text, begin, end, reason))
    return tuple(doubts) if len(doubts) <= _MOST_DOUBTS else (_doubt(text, 0, len(text), Reason.LONG),)


def _doubt(text: str, start: int, end: int, reason: Reason) -> Doubt:
    return Doubt(start, end, text[start:end], reason, reason.sentence)


def _known_parts(found: Sequence[Piece], values: KnownValues, vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Yield words that are a part of a known value, unless they are plain words written as such."""
    for piece in found:
        if piece.kind != "word":
            continue
        lower = piece.text.casefold()
        plain = lower in vocabulary.words and (piece.text.islower() or (piece.begins and lower in vocabulary.openers))
        if not plain and any(map(values.has_part, _PART.findall(piece.text))):
            yield piece.start, piece.end


def _marks(found: Sequence[Piece]) -> Iterator[tuple[int, int, Reason]]:
    for piece in found:
        if piece.kind == "word":
            for at, char in enumerate(piece.text, piece.start):
                if not char.isascii() and char.isalpha() and not unicodedata.name(char, "").startswith("LATIN"):
                    yield at, at + 1, Reason.MARK
        elif piece.kind == "mark" and (piece.text.isnumeric() or piece.text in "#№"):
            yield piece.start, piece.end, Reason.DIGIT
        elif piece.kind == "mark" and piece.text not in _MARKS:
            yield piece.start, piece.end, Reason.MARK


def _slots(
    found: Sequence[Piece], slots: Collection[str] | None, vocabulary: Vocabulary
) -> Iterator[tuple[int, int, Reason]]:
    """Yield slots that the domain lacks or, where it is not said, that are named in other than plain words."""
    for piece in found:
        if piece.kind != "slot":
            continue
        name = piece.text[1:-1]
        shape = _SLOT_NAME.fullmatch(name)
        stem = shape["stem"] if shape else ""
        plain = all(vocabulary.knows(word) and word not in vocabulary.given for word in stem.casefold().split("_"))
        has_it = plain if slots is None else name in slots or (shape is not None and f"{stem}_n" in slots)
        if not has_it:
            yield piece.start, piece.end, Reason.SLOT
