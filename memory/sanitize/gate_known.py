"""Find what is known of any client in a text, however it is written: folded, joined, or in part."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memory.sanitize.english import LEGAL_FORMS

__all__ = ["KnownValues", "skeleton"]

_SHORTEST_PART = 3
_SHORTEST_INSIDE = 6  # a shorter value is looked for as whole words only: "rent" is part of "currently"
_LONGEST = 120  # of a value without its spaces and marks
_SLOT = re.compile(r"\[[A-Z][A-Z0-9_]{0,60}\]")
_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\w+")
_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
_MARKS = re.compile(r"[^a-z0-9]+")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})


@dataclass(frozen=True, slots=True)
class KnownValues:
    """Hold values for looking them up: their skeletons, the lengths of those by how they begin, and their parts."""

    skeletons: frozenset[str]
    lengths: Mapping[str, tuple[int, ...]]
    parts: frozenset[str]

    @classmethod
    def of(cls, values: Iterable[str]) -> "KnownValues":
        """Make the look-up; 10,000 values take half a second, so build it once for many texts."""
        skeletons: set[str] = set()
        parts: set[str] = set()
        for value in (spelling for one in values for spelling in _spellings(one)):
            skeletons.add(_bare(value)[:_LONGEST])
            parts.update(part for word in _PART.findall(value) if len(part := _bare(word)) >= _SHORTEST_PART)
        whole = frozenset(one for one in skeletons if len(one) >= _SHORTEST_PART)
        lengths: dict[str, set[int]] = {}
        for one in whole:
            lengths.setdefault(one[:_SHORTEST_PART], set()).add(len(one))
        return cls(whole, {head: tuple(sorted(found)) for head, found in lengths.items()}, frozenset(parts))

    def with_more(self, values: Iterable[str]) -> "KnownValues":
        """Return the look-up with further values in it; what is held already is copied, not made again."""
        more = KnownValues.of(values)
        longer = {
            head: tuple(sorted({*self.lengths.get(head, ()), *lengths})) for head, lengths in more.lengths.items()
        }
        return KnownValues(self.skeletons | more.skeletons, {**self.lengths, **longer}, self.parts | more.parts)

    def has_part(self, word: str) -> bool:
        """Tell whether a word is a part of a value, three letters or longer; a final s is let go."""
        bare = _bare(word)
        return bare in self.parts or (bare.endswith("s") and bare[:-1] in self.parts)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a whole value stands outside slots.

        A value matches over spaces and marks where it begins and ends with words; a longer one also inside a word.
        """
        start = 0
        for slot in (*_SLOT.finditer(text), None):
            end = slot.start() if slot else len(text)
            if start < end:
                yield from self._find(text[start:end], start)
            start = slot.end() if slot else end

    def _find(self, text: str, offset: int) -> Iterator[tuple[int, int]]:
        bare, places = skeleton(text)
        begins, ends = _edges(places)
        for at in range(len(bare) - _SHORTEST_PART + 1):
            for length in reversed(self.lengths.get(bare[at : at + _SHORTEST_PART], ())):
                end = at + length
                if bare[at:end] not in self.skeletons:
                    continue
                one_word = length >= _SHORTEST_INSIDE and not any(begins[at + 1 : end])
                if one_word or (begins[at] and ends[end - 1]):
                    yield offset + places[at], offset + places[end - 1] + 1
                    break  # the longest one that begins here holds the others


def _spellings(value: str) -> set[str]:
    """Return a value as it is written, spelled out, and a firm's of several words also without its legal form."""
    words = value.split()
    while len(words) > 2 and _bare(words[-1]) in LEGAL_FORMS:
        words.pop()
    return {value, value.translate(_SPELLED_OUT), " ".join(words)}


def skeleton(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text, folded and without accents, and where each of them stands."""
    chars: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        if char.isascii():
            plain = char.lower() if char.isalnum() else ""
        else:
            apart = unicodedata.normalize("NFKD", char).casefold().translate(_PLAIN)
            plain = "".join(one for one in apart if one.isalnum())
        chars.extend(plain)
        places.extend([at] * len(plain))
    return "".join(chars), places


def _bare(value: str) -> str:
    return _MARKS.sub("", value.lower()) if value.isascii() else skeleton(value)[0]


def _edges(places: list[int]) -> tuple[list[bool], list[bool]]:
    """Tell of each letter or digit whether a word begins, and whether one ends, with it."""
    apart = [places[at] - places[at - 1] > 1 for at in range(1, len(places))]
    # "Brightwater's" and "clients'" end where the apostrophe stands; any other mark parts words as well.
    return [True, *apart], [*apart, True]
