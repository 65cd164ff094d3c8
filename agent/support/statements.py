"""Part a draft into the sentences that state, ask or promise something.

Leaves out code blocks, rows of a table, greeting, sign-off and what is only polite. A sentence is kept when in doubt:
what is left out is never checked.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from agent.text import Span, fold, nfc
from agent.text.segments import clauses, sentences

__all__ = ["Statement", "statements"]

_WORDS = tomllib.loads(files("agent").joinpath("words", "en_support.toml").read_text(encoding="utf-8"))
_LEFT_OUT = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$|^[ \t]*(?:```|~~~).*\Z", re.MULTILINE | re.DOTALL)
_STARS = re.compile(r"\*{2,}|__")
_ROW = re.compile(r"\S(?: {2,}|\t)\S|^\s*\|.*\|\s*$")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MARK = re.compile(r"^(?:[-*•·>#]+|\(?\d{1,2}[.)]|[a-z][.)])\s+")
_LEAST_WORDS = 3  # of a clause that can be right or wrong by itself


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for form in _WORDS["statements"][name]))


_GREETING = _pattern("greeting")
_CLOSING = _pattern("closing")
_HEADING = _pattern("heading")
_SOCIAL = _pattern("social")
_JOINT = _pattern("joint")


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold one sentence: its `[start, end)` in the NFC text, how it reads, folded, and its clauses in the same text.

    `clauses` are at least two, or none where the sentence is one.
    """

    span: Span
    text: str
    folded: str
    clauses: tuple[Span, ...] = ()


def statements(text: str) -> tuple[Statement, ...]:
    """Return the sentences of an NFC text that are worth checking, in order."""
    return tuple(_statements(nfc(text)))


def _statements(text: str) -> Iterator[Statement]:
    ended = _signature(text)
    folded = fold(_LEFT_OUT.sub(_blank, text))
    for sentence in sentences(folded):
        mark = _MARK.match(folded.text[sentence.start : sentence.end])
        start = sentence.start + (mark.end() if mark else 0)
        reads = folded.text[start : sentence.end]
        span = folded.span(start, sentence.end)
        shown = text[span.start : span.end]
        if _is_checked(reads, shown, closed=span.start >= ended):
            parts = _parts(folded.text, start, sentence.end)
            yield Statement(
                span,
                " ".join(_STARS.sub("", shown).split()),
                reads.replace("\n", " "),
                tuple(folded.span(*part) for part in parts),
            )


def _signature(text: str) -> int:
    """Return where the sign-off begins, or the end of the text."""
    at = 0
    for line in text.splitlines(keepends=True):
        if _CLOSING.fullmatch(" ".join(line.casefold().split())):
            return at
        at += len(line)
    return len(text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _is_checked(reads: str, shown: str, *, closed: bool) -> bool:
    words = len(_WORD.findall(reads))
    if words < _LEAST_WORDS or _ROW.search(shown) or _HEADING.match(reads):
        return False
    # Below the sign-off stand names and addresses; a sentence there ends like one.
    if closed and not (words > _LEAST_WORDS and reads.endswith((".", "!", "?"))):
        return False
    return not any(pattern.fullmatch(reads) for pattern in (_GREETING, _CLOSING, _SOCIAL))


def _parts(text: str, start: int, end: int) -> list[Span]:
    """Return the clauses of a sentence that can each be right or wrong, if there are several."""
    cuts = sorted({clause.start for clause in clauses(text, (start, end))} | set(_joints(text, start, end)))
    parts: list[Span] = []
    for at, following in zip(cuts, [*cuts[1:], end], strict=True):
        part = Span(at, at + len(text[at:following].rstrip(" ,;:\n")))
        if parts and (_is_short(text, part) or _is_short(text, parts[-1])):
            parts[-1] = Span(parts[-1].start, part.end)
        else:
            parts.append(part)
    return parts if len(parts) > 1 else []


def _joints(text: str, start: int, end: int) -> Iterator[int]:
    return (match.start() for match in _JOINT.finditer(text, start, end) if match.start() > start)


def _is_short(text: str, part: Span) -> bool:
    return len(_WORD.findall(text[part.start : part.end])) < _LEAST_WORDS
