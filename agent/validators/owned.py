"""Find the sheet's own strings in a text: what a draft may repeat although it holds figures or odd letters."""

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.facts import OwnString, Sheet
from agent.validators.words import word_list

__all__ = ["name_words", "own_strings"]

_NAMES = {"client_name", "client_contact", "sender_name", "sender_team"}
_PARTS = re.compile(r"\s*[,;\n()]\s*|\s+[-–]\s+")
_FIGURE = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]{4,}")
# Words that stand beside figures that a verifier must read: a part such as "3 days" is never masked.
_PLAIN = word_list("en_plain")


def own_strings(sheet: Sheet) -> tuple[str, ...]:
    """Return names, descriptions, addresses and the like, with the parts of them that are said alone.

    A part is one between commas, brackets or line breaks that holds a figure and also a word of its own, such as
    "30-minute call"; a name's first word that holds a digit ("3M" of "3M Company") is one too.
    """
    return _own(sheet.strings)


@lru_cache(maxsize=64)
def _own(strings: tuple[OwnString, ...]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for string in strings:
        for value in (string.value, *_parts(string)):
            found.setdefault(value.strip(), None)
    found.pop("", None)
    return tuple(found)


def name_words(sheet: Sheet, *kinds: str) -> frozenset[str]:
    """Return the words of the names of these kinds (all names when none is given), in lower case."""
    return _words_of(sheet.strings, frozenset(kinds or _NAMES))


@lru_cache(maxsize=64)
def _words_of(strings: tuple[OwnString, ...], wanted: frozenset[str]) -> frozenset[str]:
    words = (
        word.strip(".,'()").casefold()
        for string in strings
        if string.kind in wanted
        for word in re.split(r"[\s,]+", string.value)
    )
    return frozenset(word for word in words if word)


def _parts(string: OwnString) -> Iterator[str]:
    if string.kind in _NAMES:
        first = string.value.split()[0] if string.value.split() else ""
        if _FIGURE.search(first) and re.search(r"[^\W\d_]", first):
            yield first
        return
    for part in _PARTS.split(string.value):
        words = {word.casefold() for word in _WORD.findall(part)}
        if _FIGURE.search(part) and words - _PLAIN:
            yield part
