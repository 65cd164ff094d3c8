"""Hold prose to house style: no banned dashes, no more words than the situation allows.

Covers prose blocks only; short rows of a list that begin with a line's id are no prose. A person's text is warned
about, never failed.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated

from pydantic import Field, StringConstraints

from agent.outcome import Status
from agent.text import Span
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Author, Reading

__all__ = ["CHECK", "WordingParams", "check"]

_Mark = Annotated[str, StringConstraints(pattern=r"\S", max_length=100)]
_Limit = Annotated[int, Field(ge=1)]
_MOST_ITEM_WORDS = 25
_ROW = re.compile(r"[^\n]+")
_BULLET = re.compile(r"[ \t]*[-*•]?[ \t]*")
_WORD = re.compile(r"[^\W_](?:\S{0,100}[^\W_])?")


class WordingParams(Params):
    """Set the banned marks, the severity of a breach, and the most prose words, by situation where it differs."""

    banned: tuple[_Mark, ...] = Field(("—", "―", " – ", " -- "), description="Marks that prose may not hold.")
    severity: float = Field(default=0.3, ge=0, le=1, description="How grave a breach is.")
    max_words: int = Field(default=150, ge=1, description="The most words of prose.")
    max_words_by_situation: Mapping[str, _Limit] = Field(
        default_factory=dict, description="The most words in situations where it differs, such as formal_notice."
    )


def check(reading: Reading, params: WordingParams) -> Iterator[Found]:
    """Report banned dashes and too many words of prose."""
    status = Status.WARN if reading.author is Author.PERSON else Status.FAIL
    for block in reading.prose:
        prose = reading.text[block.start : block.end]
        for match in _any_of(params.banned).finditer(prose) if params.banned else ():
            start = block.start + match.start()
            end = start + len(match[0])
            around = reading.text[max(block.start, start - 20) : end + 20].strip()
            yield Found("PUNCTUATION", around, (start, end), severity=params.severity, status=status)
    limit = params.max_words_by_situation.get(reading.sheet.situation, params.max_words)
    items = frozenset(reading.folded.span(*mention.span).start for mention in reading.mentions)
    words = sum(
        _words(reading.text, items, Span(block.start + row.start(), block.start + row.end()))
        for block in reading.prose
        for row in _ROW.finditer(reading.text[block.start : block.end])
    )
    if words > limit:
        evidence = f"{words} words of prose"
        critique = f"The prose holds {words} words; at most {limit} are allowed."
        yield Found("TOO_WORDY", evidence, critique=critique, severity=params.severity, status=status)


def _words(text: str, items: frozenset[int], row: Span) -> int:
    """Count the words of a row; a short one that begins with a line's id is an item of a list, and no prose."""
    count = len(_WORD.findall(text, *row))
    bullet = _BULLET.match(text, *row)
    is_item = (bullet.end() if bullet else row.start) in items
    return 0 if is_item and count <= _MOST_ITEM_WORDS else count


@lru_cache(maxsize=64)
def _any_of(marks: tuple[str, ...]) -> re.Pattern[str]:
    # A space of a mark matches any white space and a line's ends: a dash at a line's end parts clauses as well.
    forms = (re.escape(mark.strip()) for mark in marks)
    spaced = zip(marks, forms, strict=True)
    return re.compile("|".join(rf"(?<!\S){form}(?!\S)" if mark != mark.strip() else form for mark, form in spaced))


CHECK = Check(name="wording", version="1", run=check, params=WordingParams())
