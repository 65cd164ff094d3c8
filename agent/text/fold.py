"""Fold a text into the copy that matching runs on, with a map back to the text as it is shown."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Folded", "Span", "fold", "nfc"]

_QUOTES = dict.fromkeys("‘’‚‛′ʼ´", "'") | dict.fromkeys("“”„‟″«»", '"')
_DASHES = dict.fromkeys("‐‑‒−﹣－", "-")
# A run of ASCII and currency signs without the marks * _ ` folds to its lower case at once, with single spaces and line
# breaks within it; anything else is looked at by itself.
_RUN = "[!-)+-^a-~$£€¥₹]+"
_PIECE = re.compile(rf"(?P<plain>{_RUN}(?:(?: |\n+){_RUN})*)|.", re.DOTALL)
_SHORT = 200
_SIMPLE = _QUOTES | _DASHES | {"\t": " ", "\n": "\n", "\r": "\n", "\u2028": "\n", "\u2029": "\n"}


class Span(NamedTuple):
    """Hold a passage as `[start, end)` offsets."""

    start: int
    end: int

    def holds(self, other: tuple[int, int]) -> bool:
        """Tell whether the other passage lies wholly inside."""
        return self.start <= other[0] and other[1] <= self.end

    def meets(self, other: tuple[int, int]) -> bool:
        """Tell whether the two passages share a character."""
        return self.start < other[1] and other[0] < self.end


@dataclass(frozen=True, slots=True)
class Folded:
    """Hold a matching copy: `text` is folded, `source` is the NFC text it came from; offsets map back by `span`."""

    text: str
    source: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Return where a passage of the folded text stands in the NFC text."""
        if start >= end:
            at = self.offsets[start] if start < len(self.offsets) else len(self.source)
            return Span(at, at)
        return Span(self.offsets[start], self.offsets[end - 1] + 1)

    def quote(self, start: int, end: int) -> str:
        """Return a passage as it is shown."""
        span = self.span(start, end)
        return self.source[span.start : span.end]


def nfc(text: str) -> str:
    """Return the text as it is checked, shown, sent and spanned: composed by Unicode NFC, line ends as newlines."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def fold(text: str) -> Folded:
    """Fold an NFC text for matching: lower case, straight quotes, single spaces, one hyphen, no markdown marks.

    Spaces and tabs in a row become one, those beside a line break none, so that a cue's words are parted one way.

    Format characters vanish (the text check refuses them), `*`, `` ` `` and an underscore at a word's edge too. A `*`
    between two digits or two spaces stays: it multiplies. An en dash before a space stays: it parts clauses.
    """
    # A sheet's names, ids and descriptions are folded for each look for them.
    return _folded_again(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> Folded:
    pieces: list[str] = []
    offsets: list[int] = []
    for piece in _PIECE.finditer(text):
        at, end = piece.span()
        if piece.lastgroup:
            pieces.append(piece[0].lower())
            offsets += range(at, end)
            continue
        plain = _folded(text, at, piece[0])
        if plain == " ":
            if not pieces or pieces[-1] in (" ", "\n"):
                continue
        elif plain == "\n" and pieces and pieces[-1] == " ":
            pieces.pop()
            offsets.pop()
        if not plain:
            continue
        pieces.append(plain)
        offsets += [at] * len(plain)
    return Folded("".join(pieces), text, offsets)


_folded_again = lru_cache(maxsize=4096)(_fold)


def _folded(text: str, at: int, char: str) -> str:
    simple = _SIMPLE.get(char)
    if simple is not None:
        return simple
    before = text[at - 1] if at else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    if char == "–":
        return char if after.isspace() else "-"
    if char in "*_`":
        return char if _is_kept(char, before, after) else ""
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    return "" if category == "Cf" else char.casefold()


def _is_kept(mark: str, before: str, after: str) -> bool:
    if mark == "_":
        return before.isalnum() and after.isalnum()
    if mark == "*":
        return (before.isdigit() and after.isdigit()) or (before.isspace() and after.isspace())
    return False
