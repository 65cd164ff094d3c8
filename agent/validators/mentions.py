"""Find the ids of a sheet's lines in a folded text."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agent.text import Span, fold

__all__ = ["Mention", "find_mentions"]

_AMOUNT_BEFORE = re.compile(r"(?:[$€£¥₹]\s?|\d[,.])$")
_AMOUNT_AFTER = re.compile(r"[,.]\d|\s?[$€£¥₹%]")


@dataclass(frozen=True, slots=True)
class Mention:
    """Hold where a line is named: `span` in the folded text, `line` as the sheet writes the id."""

    span: Span
    line: str


def find_mentions(folded_text: str, ids: Iterable[str]) -> tuple[Mention, ...]:
    """Return every mention of a line's id: the whole token, up to letter case.

    A suffix, a prefix or a break inside makes it another id. A slash may part two ids, and an id that is a bare number
    is none inside an amount.
    """
    by_folded, pattern = _sought(tuple(ids))
    if not by_folded:
        return ()
    found = []
    for match in pattern.finditer(folded_text):
        start, end = match.span()
        if match[0].isdigit() and _is_amount(folded_text, start, end):
            continue
        found.append(Mention(Span(start, end), by_folded[" ".join(match[0].split())]))
    return tuple(found)


@lru_cache(maxsize=64)
def _sought(ids: tuple[str, ...]) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Map ids, folded, to what the sheet writes, with the pattern that finds them."""
    by_folded = {_plain(line_id): line_id for line_id in ids}
    return by_folded, _pattern(by_folded)


def _plain(line_id: str) -> str:
    return " ".join(fold(line_id).text.split())


def _pattern(ids: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(ids, key=len, reverse=True)
    any_id = "|".join(_form(line_id) for line_id in longest_first)
    # What may not stand before an id is looked up behind its first character: so the engine skips ahead to that.
    first = {line_id[0]: re.escape(line_id[0]) for line_id in longest_first}
    begun = "|".join(
        rf"{char}(?<![^\W_]{char})(?<![^\W_][-.]{char})"
        rf"(?:{'|'.join(_form(one)[len(char) :] for one in longest_first if one[0] == plain)})"
        for plain, char in first.items()
    )
    # After a slash only another id may follow, so that "TX-1/2" is not read as TX-1.
    return re.compile(rf"(?:{begun})(?![^\W_]|-\w|\.\d|,\d{{3}})(?!/(?!(?:{any_id})(?![^\W_]))\w)")


def _form(line_id: str) -> str:
    return r"\s+".join(re.escape(word) for word in line_id.split())


def _is_amount(text: str, start: int, end: int) -> bool:
    return bool(_AMOUNT_BEFORE.search(text, max(0, start - 2), start) or _AMOUNT_AFTER.match(text, end))
