"""Cut a folded text into words, numerals and marks."""

import re
from functools import lru_cache
from typing import NamedTuple

from agent.text.fold import Folded, Span
from agent.text.masks import MASK

__all__ = ["Token", "tokens"]


class Token(NamedTuple):
    """Hold one piece of a folded text.

    `kind` is word, number (ASCII digits with inner group and decimal marks), date (digits set apart twice by one mark),
    odd (a numeral that is not in ASCII digits), mask or mark. `glued`: no space before it. `upper` and `capital` tell
    how the word is written in the text as shown; `first`: it begins the passage.
    """

    kind: str
    text: str
    start: int
    end: int
    glued: bool = False
    upper: bool = False
    capital: bool = False
    first: bool = False


def tokens(folded: Folded, masked: str, span: Span, group: str) -> list[Token]:
    """Return the tokens of a passage of the masked text; `group` is the locale's mark between groups of digits."""
    found: list[Token] = []
    last = -1
    source, offsets = folded.source, folded.offsets
    for match in _pattern(group.isspace()).finditer(masked, *span):
        kind = match.lastgroup or "mark"
        text = match[0]
        start, end = match.span()
        upper = capital = False
        if kind == "word":
            if not text.isalpha() and any(char.isnumeric() for char in text):
                kind = "odd"
            elif source[offsets[start]].isupper():
                capital, upper = True, source[offsets[start] : offsets[end - 1] + 1].isupper()
        found.append(Token(kind, text, start, end, start == last, upper, capital, not found))
        last = end
    return found


@lru_cache(maxsize=2)
def _pattern(spaced: bool) -> re.Pattern[str]:
    # A numeral may be broken after its group mark at a line's end; a space joins where the locale groups by one.
    wrapped = r"[.,']\n[ ]*(?=[0-9]{2,3}(?![0-9]))"
    space = r"|(?<![0-9]{4})[ ](?=[0-9]{3}(?![0-9]))" if spaced else ""
    return re.compile(
        rf"(?P<mask>{MASK}+)"
        r"|(?P<date>(?<![0-9])(?:[0-9]{4}([-/.])[0-9]{1,2}\3[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\4(?:[0-9]{4}|[0-9]{2}))(?![0-9]))"
        rf"|(?P<number>[0-9]+(?:(?:[.,'](?=[0-9])|{wrapped}{space})[0-9]+)*)"
        r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
        r"|(?P<odd>\d)"
        r"|(?P<mark>\S)"
    )
