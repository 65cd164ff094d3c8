"""Refuse prose that is not English.

Covers passages in a language whose commonest words are listed, and passages with hardly a common English word. Does not
cover single foreign words, which names and descriptions are full of.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pydantic import Field

from agent.text import Span
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading
from agent.validators.words import LANGUAGES, word_list

__all__ = ["CHECK", "LanguageParams", "check", "foreign_language"]

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|re|ve|ll|d|m))$")


class LanguageParams(Params):
    """Set from how many words on a passage is judged, and the share of common English words that it needs."""

    min_words: int = Field(default=7, ge=3, description="From how many words on a passage is judged.")
    min_foreign_words: int = Field(default=3, ge=2, description="How many words of another language make it foreign.")
    min_english_share: float = Field(
        default=0.25, ge=0, le=1, description="The share of common English words that a passage needs."
    )


def check(reading: Reading, params: LanguageParams) -> Iterator[Found]:
    """Report each sentence in another language, and a whole text with hardly an English word."""
    text: list[str] = []
    for sentence in reading.prose_sentences:
        words = _words(reading.masked[sentence.start : sentence.end])
        text += words
        if language := _foreign(words, params):
            yield _found(reading, sentence, f"the passage reads as {language}")
        elif len(words) >= params.min_words and not _english(words):
            yield _found(reading, sentence, "no common English word in the passage")
    if len(text) >= params.min_words and _english(text) < params.min_english_share * len(text):
        yield _found(reading, Span(0, len(reading.masked)), "hardly a common English word in the text")


def foreign_language(text: str) -> str | None:
    """Return what tells that a text is not English, or None: a code of a language, or in words."""
    words = _words(text.casefold())
    params = LanguageParams()
    letters = [char for char in text if char.isalpha()]
    if 2 * sum(not unicodedata.name(char, "").startswith("LATIN") for char in letters) > len(letters):
        return "another script"
    few = len(words) >= params.min_words and _english(words) < params.min_english_share * len(words)
    return _foreign(words, params) or ("no English" if few else None)


@lru_cache(maxsize=2048)  # a draft is read again after each edit, and the sentences of most drafts are alike
def _words(text: str) -> tuple[str, ...]:
    return tuple(_CONTRACTION.sub("", word) if "'" in word else word for word in _WORD.findall(text))


def _english(words: Sequence[str]) -> int:
    common = word_list("en_common")
    return sum(word in common for word in words)


def _foreign(words: Sequence[str], params: LanguageParams) -> str | None:
    strange = set(words) - word_list("en_common")
    if len(strange) < params.min_foreign_words:
        return None
    for language in LANGUAGES:
        hits = len(strange & word_list(f"{language}_stop"))
        if hits >= params.min_foreign_words and hits * 2 > _english(words):
            return language
    return None


def _found(reading: Reading, span: Span, why: str) -> Found:
    shown = reading.folded.quote(*span)
    return Found("NOT_ENGLISH", f"{shown[:80].strip() or 'text'} ({why})", reading.folded.span(*span))


CHECK = Check(name="language", version="1", run=check, params=LanguageParams(), blocking=True)
