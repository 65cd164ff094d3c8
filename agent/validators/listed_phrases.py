"""Hold prose to phrases that it must and must not contain, as whoever owns the queue lists them.

Covers literal phrases of whole words in prose, whatever their letter case, quotation marks and spacing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from pydantic import Field, StringConstraints

from agent.outcome import Status
from agent.text import Span, fold
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Author, Reading

__all__ = ["CHECK", "PhrasesParams", "check"]

_Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
_MOST = 200


class PhrasesParams(Params):
    """Set the phrases, and how grave a breach is."""

    forbidden: tuple[_Phrase, ...] = Field((), max_length=_MOST, description="Phrases that prose may not hold.")
    required: tuple[_Phrase, ...] = Field((), max_length=_MOST, description="Phrases that prose has to hold.")
    severity: float = Field(default=0.6, ge=0, le=1, description="How grave a breach is.")


def check(reading: Reading, params: PhrasesParams) -> Iterator[Found]:
    """Report forbidden phrases where they stand, and required ones that are missing; a person is only told."""
    status = Status.WARN if reading.author is Author.PERSON else Status.FAIL
    prose = [reading.folded_span(*block) for block in reading.prose]
    for phrase in params.forbidden:
        for block in prose:
            for match in _pattern(phrase).finditer(reading.folded.text, *block):
                span = reading.folded.span(*match.span())
                yield Found(
                    "PHRASE_FORBIDDEN",
                    reading.text[span.start : span.end],
                    Span(*span),
                    critique=f'The phrase "{phrase}" may not be used.',
                    severity=params.severity,
                    status=status,
                )
    for phrase in params.required:
        if not any(_pattern(phrase).search(reading.folded.text, *block) for block in prose):
            yield Found(
                "PHRASE_MISSING",
                f'"{phrase}" is not said',
                fix=f'Write "{phrase}" where it fits.',
                severity=params.severity,
                status=status,
            )


@lru_cache(maxsize=512)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, fold(phrase).text.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)")


CHECK = Check(name="phrases", version="1", run=check, params=PhrasesParams())
