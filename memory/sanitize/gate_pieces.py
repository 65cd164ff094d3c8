"""Cut a sanitised text into slots, words and marks, and say where sentences begin."""

import re
from collections.abc import Set as AbstractSet
from typing import NamedTuple

__all__ = ["JOINTS", "Piece", "pieces"]

JOINTS = r"[-‐‑/.&]"
"""A pattern of the marks that join words into one."""

_SLOT = r"\[[A-Z][A-Z0-9_]{0,60}\]"
_LETTERS = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_SPACES = "[ \t\u00a0\u2009\u202f]"
_PIECE = re.compile(
    rf"(?P<slot>{_SLOT})|(?P<word>{_LETTERS}(?:{JOINTS}{_LETTERS})*)"
    rf"|(?P<line>{_SPACES}*\n(?:{_SPACES}|\n)*)|(?P<space>{_SPACES}+)|(?P<mark>.)",
    re.DOTALL,
)
_STOPS = ".!?…"
_AROUND = "\"'“”‘’()*•-–—"  # what may stand before the first word of a sentence and behind its stop
_LONGEST_GREETING = 5


class Piece(NamedTuple):
    """Hold one piece of a text: its kind (slot, word or mark), its place, and what touches it without a space.

    `begins` tells of a word that a sentence or a line begins with it; `before` and `after` are the pieces beside it,
    as written, "" for none. A word may be joined of several ("follow-up").
    """

    kind: str
    text: str
    start: int
    end: int
    begins: bool
    before: str
    after: str


def pieces(text: str, abbreviations: AbstractSet[str], greetings: AbstractSet[str]) -> list[Piece]:
    """Return the pieces of a text in order, without its white space.

    A sentence begins after a stop that belongs to no abbreviation, after a colon, after an empty line or a line that
    ended in a mark, with a list's item, and after the comma of a greeting.
    """
    raw = [(match.lastgroup or "", match[0], match.start(), match.end()) for match in _PIECE.finditer(text)]
    found: list[Piece] = []
    begins = True
    sentence: list[str] = []
    for index, (kind, written, start, end) in enumerate(raw):
        if kind == "space":
            continue
        if kind == "line":
            if written.count("\n") > 1 or (found and found[-1].kind == "mark") or _is_item(raw[index + 1 : index + 3]):
                begins, sentence = True, []
            continue
        before = _beside(raw[index - 1 : index] if index else [])
        after = _beside(raw[index + 1 : index + 2])
        found.append(Piece(kind, written, start, end, begins, before, after))
        if kind != "mark":
            begins = False
            sentence.append(written.casefold())
        elif _is_greeting(written, sentence, greetings) or _is_end(written, after, sentence, abbreviations):
            begins, sentence = True, []
        elif written not in _AROUND:
            begins = False
    return found


def _beside(neighbour: list[tuple[str, str, int, int]]) -> str:
    return neighbour[0][1] if neighbour and neighbour[0][0] not in ("line", "space") else ""


def _is_item(following: list[tuple[str, str, int, int]]) -> bool:
    return len(following) == 2 and following[0][1] in "-*•" and following[1][0] == "space"


def _is_greeting(mark: str, sentence: list[str], greetings: AbstractSet[str]) -> bool:
    return mark == "," and len(sentence) <= _LONGEST_GREETING and not greetings.isdisjoint(sentence[:2])


def _is_end(mark: str, after: str, sentence: list[str], abbreviations: AbstractSet[str]) -> bool:
    if after and after not in _AROUND + _STOPS:
        return False
    if mark == ".":
        return not sentence or sentence[-1] not in abbreviations
    return mark in _STOPS or mark == ":"
