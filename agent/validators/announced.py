"""Tell which patterns of a list can match in a passage, by the strings that each of their matches holds."""

import re
from collections.abc import Sequence

from agent.text import MASK
from agent.validators.phrases import needed_strings

__all__ = ["Announced"]

_LONG_WORD, _MOST_KNOWN = 24, 20_000  # what a draft may add to the memory of words is bounded


class Announced:
    """Hold patterns in order; a passage is looked through word by word, and only what it announces is searched for.

    The patterns are used as they are written. What they need is told by `needed_strings`: literals of their matches,
    which no white space parts, so that each stands within a word.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        """Raise ValueError for a pattern that no string announces."""
        self._patterns = [re.compile(pattern) for pattern in patterns]
        self._bits: dict[str, int] = {}
        self._needs: list[int] = []
        bit = 1
        for pattern in patterns:
            needs = 0
            for strings in needed_strings(f"(?:{pattern})"):
                if any(MASK in string for string in strings):
                    raise ValueError(f"the pattern {pattern!r} needs what hides names and figures, and no word")
                for string in strings:
                    self._bits[string] = self._bits.get(string, 0) | bit
                needs |= bit
                bit <<= 1
            self._needs.append(needs)
        self._known: dict[str, int] = {}

    def within(self, passage: str) -> list[re.Pattern[str]]:
        """Return the patterns that can match in a passage, in order."""
        given = 0
        known = self._known
        for word in passage.replace(MASK, " ").split():
            bits = known.get(word)
            given |= self._given_by(word) if bits is None else bits
        return [pattern for pattern, needs in zip(self._patterns, self._needs, strict=True) if given & needs == needs]

    def _given_by(self, word: str) -> int:
        bits = 0
        for string, bit in self._bits.items():
            if string in word:
                bits |= bit
        if len(word) <= _LONG_WORD and len(self._known) < _MOST_KNOWN:
            self._known[word] = bits
        return bits
