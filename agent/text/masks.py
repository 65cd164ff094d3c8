"""Hide strings that a text may repeat although they hold figures."""

import re
from collections.abc import Iterable
from functools import lru_cache

from agent.text.fold import Span, fold

__all__ = ["MASK", "find_strings", "mask"]

MASK = "\ufffc"  # no rule matches it: neither letter, digit, space nor punctuation
_TOO_LONG = 2000


def mask(folded_text: str, strings: Iterable[str], spans: Iterable[tuple[int, int]] = ()) -> str:
    """Return the folded text, same length, with whole-token occurrences of `strings` and the `spans` replaced by MASK.

    Strings are taken longest first, so that a name inside a description does not cut it in two.
    """
    pieces: list[str] = []
    at = 0
    for start, end in sorted((*find_strings(folded_text, strings), *spans)):
        if end > at:
            pieces += (folded_text[at:start], MASK * (end - max(at, start)))
            at = end
    return "".join((*pieces, folded_text[at:]))


def find_strings(folded_text: str, strings: Iterable[str]) -> list[Span]:
    """Return where whole-token occurrences of `strings` stand in a folded text: longest first, none inside another.

    A space of a string matches any run of white space, so that a wrapped line still shows it.
    """
    wanted = {one for string in strings if (one := _single_spaced(string))}
    if not wanted:
        return []
    plain = " ".join(folded_text.split())
    # Most strings are not in the text at all, and a look is cheaper than a pattern.
    patterns = _patterns(frozenset(one for one in wanted if one in plain))
    spans = sorted(
        (match.span() for pattern in patterns for match in pattern.finditer(folded_text)), key=_longest_first
    )
    taken = bytearray(len(folded_text))
    found: list[Span] = []
    for start, end in spans:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            found.append(Span(start, end))
    return sorted(found)


@lru_cache(maxsize=4096)
def _single_spaced(string: str) -> str:
    """Return a string folded, its runs of white space as single spaces; "" when it is too long to be looked for."""
    folded = fold(string).text.strip()
    return " ".join(folded.split()) if len(folded) <= _TOO_LONG else ""


def _longest_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0] - span[1], span[0]


@lru_cache(maxsize=64)
def _patterns(strings: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """Return one pattern for each way a string may begin and end; where two begin alike, the longer one matches."""
    groups: dict[tuple[str, str], list[str]] = {}
    for string in sorted(strings, key=lambda one: (-len(one), one)):
        head = r"(?<![^\W_])(?<![^\W_][-./])" if string[0].isalnum() else ""
        tail = r"(?![^\W_])(?![-/]\w|\.\d)" if string[-1].isalnum() else ""
        groups.setdefault((head, tail), []).append(r"\s+".join(map(re.escape, string.split())))
    return tuple(re.compile(f"{head}(?:{'|'.join(words)}){tail}") for (head, tail), words in groups.items())
