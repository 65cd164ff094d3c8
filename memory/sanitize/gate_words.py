"""Doubt the words of a sanitised text that may tell who or how much: names, unknown words, number words, initials."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memory.sanitize.gate_pieces import JOINTS, Piece
from memory.sanitize.vocabulary import Vocabulary

__all__ = ["WordDoubt", "word_doubts"]

_PART = re.compile(rf"{JOINTS}|[^-‐‑/.&]+")
_LOOSE_JOINTS = "-‐‑/"
_SEPARATORS = "—–…"
_BEFORE_WORD = "\"'“‘(*•"
_PLURALS = ("s", "es")
_LONGEST_WORD = 40
_NUMBER_KINDS = ("numbers", "digits", "scales_after_a_number")
_INSIDE_NUMBERS = "-–,'\""


class WordDoubt(NamedTuple):
    """Hold where a doubtful word stands and the code of the reason."""

    start: int
    end: int
    code: str


class _Word(NamedTuple):
    """Hold a word without what it is joined to and without the ending of a possessive."""

    text: str
    lower: str
    start: int
    begins: bool
    joined: bool
    owns: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def doubt(self, code: str) -> WordDoubt:
        return WordDoubt(self.start, self.end, code)


def word_doubts(found: Sequence[Piece], vocabulary: Vocabulary) -> Iterator[WordDoubt]:
    """Yield the doubtful words among the pieces of a text, in no certain order."""
    yield from _glued(found)
    yield from _numbers(found, vocabulary)
    for index, piece in enumerate(found):
        if piece.kind != "word" or vocabulary.lists_word("joined", _plain(piece.text)):
            continue
        if piece.before in ("'", "’", "(") and _is_ending(found, index):
            continue
        if any(mark in piece.text for mark in ".&"):
            yield WordDoubt(piece.start, piece.end, "joined")
            continue
        words = _words(piece, vocabulary)
        for word in words:
            code = _code(word, found, index, vocabulary)
            if code:
                yield word.doubt(code)
        if any(
            first.lower in vocabulary.given and second.lower in vocabulary.given for first, second in pairwise(words)
        ):
            yield WordDoubt(piece.start, piece.end, "joined")


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'")


def _words(piece: Piece, vocabulary: Vocabulary) -> list[_Word]:
    parts = [part for part in _PART.finditer(piece.text) if part[0] not in _LOOSE_JOINTS]
    words: list[_Word] = []
    for part in parts:
        lower = _plain(part[0])
        owns = lower.endswith("'s") and not vocabulary.knows(lower)
        text = part[0][:-2] if owns else part[0]
        lower = lower[:-2] if owns else lower
        begins = piece.begins and not words
        words.append(_Word(text, lower, piece.start + part.start(), begins, len(parts) > 1, owns))
    return words


def _code(word: _Word, found: Sequence[Piece], index: int, vocabulary: Vocabulary) -> str | None:
    """Return why a word is doubtful, None when it is not."""
    if len(word.text) == 1:
        return _of_letter(word, found[index])
    if vocabulary.lists_word("acronyms", word.text.replace("’", "'")):
        return None
    if len(word.text) > _LONGEST_WORD or (word.joined and word.lower in vocabulary.rare):
        return "joined"
    if not vocabulary.knows(word.lower) and not vocabulary.is_confirmed_as(word.text):
        return "word"
    if word.text.islower():
        return "name" if _is_small_name(word, found, index, vocabulary) else None
    return _of_capital(word, found, index, vocabulary)


def _is_small_name(word: _Word, found: Sequence[Piece], index: int, vocabulary: Vocabulary) -> bool:
    """Tell whether a name in lower case is told to be one: "mark's share", "hi grant"."""
    if word.owns and word.lower in vocabulary.given:
        return True
    before = found[index - 1] if index else None
    if before and before.text == "." and index > 1:
        before = found[index - 2]
    is_called = before is not None and vocabulary.lists_word("before_names", before.text.casefold())
    return is_called and vocabulary.is_name(word.lower) and not vocabulary.lists_word("not_names", word.lower)


def _of_letter(word: _Word, piece: Piece) -> str | None:
    is_word = word.text in ("I", "i", "a") or (word.text == "A" and word.begins)
    return None if is_word and not word.joined and piece.after != "." else "initial"


def _of_capital(word: _Word, found: Sequence[Piece], index: int, vocabulary: Vocabulary) -> str | None:
    if vocabulary.lists_word("capitals", word.lower) or vocabulary.is_confirmed_as(word.text):
        return None
    if _is_month(word, found, index, vocabulary):
        return None
    if word.begins and (vocabulary.may_begin(word.lower) or _is_verb(word, found, index, vocabulary)):
        return None
    return "name" if vocabulary.is_name(word.lower) else "word"


def _is_month(word: _Word, found: Sequence[Piece], index: int, vocabulary: Vocabulary) -> bool:
    if not vocabulary.lists_word("named_months", word.lower) or not index:
        return False
    before = found[index - 1]
    return before.kind == "word" and vocabulary.lists_word("before_months", before.text.casefold())


def _is_verb(word: _Word, found: Sequence[Piece], index: int, vocabulary: Vocabulary) -> bool:
    """Tell whether a name that begins a sentence is a verb there, or one of a fixed pair, by the word behind it."""
    if word.joined or word.owns or index + 1 >= len(found):
        return False
    behind = found[index + 1]
    if behind.kind == "slot":
        return vocabulary.lists_word("asking", word.lower)
    follower = _plain(behind.text)
    if not behind.text.islower() and behind.text != "I":
        return vocabulary.lists_word("pairs", f"{word.lower} {follower}")
    return (
        (vocabulary.lists_word("asking", word.lower) and vocabulary.lists_word("asked", follower))
        or (vocabulary.lists_word("telling", word.lower) and vocabulary.lists_word("told", follower))
        or vocabulary.lists_word("pairs", f"{word.lower} {follower}")
    )


def _is_ending(found: Sequence[Piece], index: int) -> bool:
    """Tell whether a piece is the s of "[PERSON_1]'s" or of "invoice(s)"."""
    piece, mark = found[index], found[index - 1]
    if piece.text not in _PLURALS or not mark.before:
        return False
    return piece.after == ")" if mark.text == "(" else mark.before.endswith("]")


def _glued(found: Sequence[Piece]) -> Iterator[WordDoubt]:
    """Yield words that touch a slot or, over a mark that parts no words, another word."""
    for index, piece in enumerate(found):
        if piece.kind != "word":
            continue
        if piece.before.endswith("]") or piece.after.startswith("["):
            yield WordDoubt(piece.start, piece.end, "joined")
        if not piece.before or not index or _is_ending(found, index):
            continue
        mark = found[index - 1]
        beyond = mark.before
        if mark.kind == "mark" and (beyond[-1:].isalpha() or beyond.endswith("]")):
            loose = _SEPARATORS + _LOOSE_JOINTS if beyond.endswith("]") else _SEPARATORS
            if mark.text not in loose:
                yield WordDoubt(piece.start, piece.end, "joined")


def _numbers(found: Sequence[Piece], vocabulary: Vocabulary) -> Iterator[WordDoubt]:
    """Yield number words above ten, and runs of two and more number words, which say a figure digit by digit."""
    run: list[_Word] = []
    for piece in found:
        if piece.kind != "word":
            if piece.kind == "slot" or piece.text not in _INSIDE_NUMBERS:
                yield from _run_doubts(run, vocabulary)
                run = []
            continue
        for word in _words(piece, vocabulary):
            if any(vocabulary.lists_word(kind, word.lower) for kind in (_NUMBER_KINDS if run else _NUMBER_KINDS[:2])):
                run.append(word)
            else:
                yield from _run_doubts(run, vocabulary)
                run = []
    yield from _run_doubts(run, vocabulary)


def _run_doubts(run: Sequence[_Word], vocabulary: Vocabulary) -> Iterator[WordDoubt]:
    if len(run) > 1 or any(vocabulary.lists_word("numbers", word.lower) for word in run):
        yield WordDoubt(run[0].start, run[-1].end, "number")
