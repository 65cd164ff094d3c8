"""Signal wording that is rude: insults, blame, pressure, sarcasm, contempt, shouting.

A lexical guess, not a rule: it knows the wordings of `agent/words/en_tone.toml`, misses rudeness in other words, and a
person confirms or refuses what it finds. Firm and proper wording (dates, consequences, a plain "must") is none of it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain

from agent.text import Span
from agent.validators.announced import Announced
from agent.validators.check import Check, Found, Kind, NoParams
from agent.validators.reading import Reading
from agent.validators.words import word_patterns

__all__ = ["CHECK", "check"]

_FIXES: Mapping[str, str] = {
    "insult": "Say what happened, not what the reader is.",
    "blame": "Say what is missing and what to do next, without blame.",
    "pressure": "Say plainly what is asked for, and until when if the facts give a date.",
    "sarcasm": "Say it plainly.",
    "contempt": "Say what cannot be done, and what can.",
    "shouting": "Write in ordinary letters and with one mark at a sentence's end.",
}
_MARKS = re.compile(r"!{2,}|[!?]{3,}")
# What may not stand before the first letter is looked up behind it: so the engine skips ahead to the letter.
_CAPITALS = re.compile(r"[A-Z](?<!\w[A-Z])[A-Z]{2,}(?:['’]?[A-Z]*)(?:[ ,]+[A-Z]{2,}){2,}\b")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report every rude wording of the prose."""
    words = reading.plain.replace("\n", " ")
    taken: list[Span] = []
    for kind, pattern in _rude(words):
        for match in chain.from_iterable(pattern.finditer(words, *passage) for passage in reading.passages):
            span = reading.folded.span(*match.span())
            if not any(span.meets(other) for other in taken):
                taken.append(span)
                yield _found(kind, reading, span)
    for block in reading.prose:
        for match in _shouted(reading.bare, block):
            if not _is_proper(match, reading):
                yield _found("shouting", reading, Span(*match.span()))


def _shouted(text: str, block: Span) -> list[re.Match[str]]:
    """Return marks and capitals that shout, in order."""
    marks = _MARKS.finditer(text, *block) if "!" in text or "??" in text else ()
    return sorted((*marks, *_CAPITALS.finditer(text, *block)), key=re.Match.start)


def _is_proper(capitals: re.Match[str], reading: Reading) -> bool:
    """Tell whether capitals are a heading, a line of its own without an end mark, or an amount written in words."""
    text = capitals.string
    first = text.rfind("\n", 0, capitals.start()) + 1
    last = text.find("\n", capitals.end())
    line = text[first : last if last >= 0 else len(text)].strip()
    if line.upper() == line and not line.endswith((".", "!", "?")):
        return True
    return any(reading.folded.span(*figure.span).meets(capitals.span()) for figure in reading.figures)


def _found(kind: str, reading: Reading, span: Span) -> Found:
    return Found("TONE", reading.text[span.start : span.end], span, fix=_FIXES[kind], more={"tone": kind})


def _rude(words: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield each kind that can be in the words, with one pattern of its wordings that can."""
    announced, kinds = _wordings()
    by_kind: dict[str, list[re.Pattern[str]]] = {}
    for pattern in announced.within(words):
        by_kind.setdefault(kinds[pattern.pattern], []).append(pattern)
    for kind, patterns in by_kind.items():
        yield kind, _any_of(tuple(patterns))


@cache
def _wordings() -> tuple[Announced, Mapping[str, str]]:
    """Return all rude wordings, kind by kind, and the kind of each."""
    # The list writes an apostrophe by its code, since it quotes its patterns by apostrophes.
    listed = word_patterns("en_tone").items()
    kinds = {pattern.replace(r"\x27", "'"): kind for kind, patterns in listed for pattern in patterns}
    return Announced(tuple(kinds)), kinds


@lru_cache(maxsize=256)
def _any_of(patterns: tuple[re.Pattern[str], ...]) -> re.Pattern[str]:
    return re.compile("|".join(pattern.pattern for pattern in patterns))


CHECK = Check(name="tone", version="1", run=check, kind=Kind.HEURISTIC, confidence=0.65)
"""The signal of tone; its confidence is the published one, lowered for its false alarms."""
