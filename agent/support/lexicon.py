"""Reduce English sentences to what can be compared: content words by family, figures, names, negation."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from agent.text import fold
from agent.text.english import CARDINALS, MONTHS

__all__ = ["LETTER", "WORDS", "Sentence", "any_of", "concepts_of", "read_sentence", "stem_of"]

WORDS: Mapping[str, Any] = tomllib.loads(
    files("agent").joinpath("words", "en_support.toml").read_text(encoding="utf-8")
)
"""The word lists of the support check."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NAME = re.compile(r"(?<![.!?:\n] )(?<!^)\b[A-Z][^\W\d_]+\b")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ID = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*\b")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)$")
_MONTH = "|".join(MONTHS)
_DAY_OF = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})|({_MONTH}) (\d{{1,2}})(?!\d)(?:st|nd|rd|th)?)\b"
)
_CONTACT = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+|(?:https?://|www\.)\S+|\+?\d[\d ()-]{7,}\d")
_DAY = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
_ENDINGS = ("ations", "ation", "ements", "ement", "ments", "ment", "ingly", "edly", "ings", "ing", "ions", "ion", "ers",
            "ied", "ies", "ed", "es", "er", "ly", "al", "s", "e", "y")  # fmt: skip


def any_of(forms: Iterable[str]) -> re.Pattern[str] | None:
    """Join patterns into one; None if there are none."""
    joined = "|".join(f"(?:{form})" for form in forms)
    return re.compile(joined) if joined else None


@lru_cache(maxsize=8192)
def stem_of(word: str) -> str:
    """Return a word without its ending, so that its forms compare equal."""
    word = word.removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _families() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for number, family in enumerate(WORDS["lexicon"]["families"]):
        for word in family.split():
            found.setdefault(stem_of(word), set()).add(f"#{number}")
    return {stem: frozenset(numbers) for stem, numbers in found.items()}


_FAMILIES = _families()
LETTER = frozenset(stem_of(word) for word in WORDS["lexicon"]["letter"].split())
"""Stems of the words that letters are made of."""
_NEGATION = any_of(WORDS["lexicon"]["negations"]) or re.compile(r"(?!)")


@lru_cache(maxsize=8192)
def concepts_of(stem: str) -> frozenset[str]:
    """Return a stem with the families that it belongs to."""
    return _FAMILIES.get(stem, frozenset()) | {stem}


@dataclass(frozen=True)
class Sentence:
    """Hold a sentence as shown and folded."""

    shown: str
    folded: str

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Return the stems of its content words, in order."""
        words = (word for word in _WORD.findall(self.folded) if word not in MONTHS and word not in CARDINALS)
        return tuple(stem for stem in map(stem_of, words) if len(stem) > 1 and stem not in LETTER)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Return stems and the families that they belong to."""
        return frozenset(concept for stem in map(stem_of, _WORD.findall(self.folded)) for concept in concepts_of(stem))

    @cached_property
    def is_negated(self) -> bool:
        """Tell whether it denies anything."""
        return bool(_NEGATION.search(self.folded))

    @cached_property
    def figures(self) -> frozenset[str]:
        """Return its numbers, months, weekdays and ids in one form each."""
        return frozenset(_figures(self.folded))

    @cached_property
    def days(self) -> frozenset[tuple[int, int]]:
        """Return its days of a month, as month and day."""
        return frozenset(
            (MONTHS[first or second], int(day or number)) for day, first, second, number in _DAY_OF.findall(self.folded)
        )

    @cached_property
    def contacts(self) -> frozenset[str]:
        """Return its addresses of mail and web, and its telephone numbers."""
        return frozenset(found.rstrip(".,") for found in _CONTACT.findall(self.folded))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the stems of words with a capital that does not open the sentence."""
        return frozenset(stem_of(name.casefold()) for name in _NAME.findall(self.shown))

    def has(self, stem: str) -> bool:
        """Tell whether a stem, or one of its family, is in it."""
        return not concepts_of(stem).isdisjoint(self.concepts)


@lru_cache(maxsize=4096)
def read_sentence(shown: str) -> Sentence:
    """Read one sentence."""
    return Sentence(shown, " ".join(fold(shown).text.split()))


def _figures(folded: str) -> Iterator[str]:
    for word in re.findall(r"[a-z]+", folded):
        if word in MONTHS:
            yield f"month {MONTHS[word]}"
        elif word in _DAY:
            yield word
        elif word in CARDINALS and word not in ("one", "a", "an"):
            yield str(CARDINALS[word])
    for found in _ID.findall(folded):
        if not _ORDINAL.match(found) and not re.fullmatch(r"\d+(?:am|pm|h|min|kg|km|cm|mm|gb|mb|m)", found):
            yield found
    bare = _ID.sub(lambda match: match[0] if _ORDINAL.match(match[0]) else " ", folded)
    for found in _NUMBER.findall(bare):
        yield _plain(found)


def _plain(number: str) -> str:
    digits = number.replace(",", "")
    if ":" in digits:
        return digits.removesuffix(":00")
    whole, _, part = digits.partition(".")
    return f"{whole.lstrip('0') or '0'}.{part}" if part.strip("0") else whole.lstrip("0") or "0"
