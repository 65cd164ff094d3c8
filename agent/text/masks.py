"""Hide strings that a text may repeat although they hold figures."""

import re
from collections.abc import Iterable

from agent.text.fold import Span, fold

__all__ = ["MASK", "find_strings", "mask"]

MASK = "\ufffc"  # no rule matches it: neither letter, digit, space nor punctuation
_TOO_LONG = 2000


def mask(folded_text: str, strings: Iterable[str], spans: Iterable[tuple[int, int]] = ()) -> str:
    """Return the folded text, same length, with whole-token occurrences of `strings` and the `spans` replaced by MASK.

    Strings are taken longest first, so that a name inside a description does not cut it in two.
    """
    chars = list(folded_text)
    for start, end in (*find_strings(folded_text, strings), *spans):
        chars[start:end] = MASK * (end - start)
    return "".join(chars)


def find_strings(folded_text: str, strings: Iterable[str]) -> list[Span]:
    """Return where whole-token occurrences of `strings` stand in a folded text: longest first, none inside another.

    A space of a string matches any run of white space, so that a wrapped line still shows it.
    """
    wanted = sorted({folded for string in strings if (folded := fold(string).text.strip())}, key=len, reverse=True)
    found: list[Span] = []
    taken = bytearray(len(folded_text))
    for string in wanted:
        if len(string) > _TOO_LONG:
            continue
        for match in re.finditer(_pattern(string), folded_text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Span(start, end))
    return sorted(found)


def _pattern(string: str) -> str:
    words = r"\s+".join(re.escape(word) for word in string.split())
    head = r"(?<![^\W_])(?<![^\W_][-./])" if string[0].isalnum() else ""
    tail = r"(?![^\W_])(?![-/]\w|\.\d)" if string[-1].isalnum() else ""
    return head + words + tail
