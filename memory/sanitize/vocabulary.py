"""Say which words a sanitised text may hold, and how each may be written."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

__all__ = ["Vocabulary"]

_FOLDER = Path(__file__).parent.parent / "words"
_LISTS = ("openers", "words", "rare", "names", "given")


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Hold the words of one language, and the words that people confirmed for one queue.

    `names` are words that are names too ("grant", "rose"), `given` those of them that are given names; `rare` words may
    be no part of a joined word; `openers` may begin a sentence with a capital. All are in lower case. `confirmed` is
    kept as people wrote it: in lower case a word is confirmed everywhere but for capitals inside a sentence, with a
    capital just as it stands. `lists` holds what else the gate knows of the language, by the names of `en_gate.toml`.
    """

    words: frozenset[str]
    names: frozenset[str]
    given: frozenset[str]
    rare: frozenset[str]
    openers: frozenset[str]
    lists: Mapping[str, frozenset[str]]
    confirmed: frozenset[str] = frozenset()

    @classmethod
    def english(cls, confirmed: Collection[str] = ()) -> "Vocabulary":
        """Return the shipped English words with those that were confirmed for a queue."""
        return replace(_english(), confirmed=frozenset(word.strip().replace("’", "'") for word in confirmed))

    def knows(self, word: str) -> bool:
        """Tell whether a word in lower case is one of the language or was confirmed."""
        return word in self.words or word in self.confirmed

    def may_begin(self, word: str) -> bool:
        """Tell whether a word in lower case may begin a sentence, whatever follows."""
        return word in self.openers or (word in self.confirmed and not self.is_name(word))

    def is_confirmed_as(self, written: str) -> bool:
        """Tell whether a word was confirmed with the capitals it is written with; no name can be."""
        return written in self.confirmed and not written.islower() and not self.is_name(written.casefold())

    def is_name(self, word: str) -> bool:
        """Tell whether a word in lower case is a name too."""
        return word in self.names

    def lists_word(self, kind: str, word: str) -> bool:
        """Tell whether a list of `en_gate.toml` holds a word."""
        return word in self.lists[kind]


@lru_cache(maxsize=1)
def _english() -> Vocabulary:
    openers, words, rare, names, given = (
        frozenset((_FOLDER / f"en_{kind}.txt").read_text(encoding="utf-8").split()) for kind in _LISTS
    )
    known = tomllib.loads((_FOLDER / "en_gate.toml").read_text(encoding="utf-8"))
    lists = {kind: frozenset(value.split() if isinstance(value, str) else value) for kind, value in known.items()}
    also = lists["glossary"].union(lists["openers"], lists["numbers"], lists["digits"], lists["named_months"])
    capitals = lists["capitals"]
    return Vocabulary(
        words=openers | words | rare | names | given | also | capitals,
        names=names | given | lists["named_months"],
        given=given,
        rare=rare - also - capitals,
        openers=openers | lists["openers"] | (lists["glossary"] - names - given),
        lists=lists,
    )
