"""Hold the ids of a text against the lines of the sheet.

Covers whatever is shaped like an id: letters joined with digits, a word such as order or ticket with a number, a number
after a hash. Bare numbers, dates and amounts are read elsewhere, as figures.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from agent.text import Span
from agent.text.figure import FigureKind
from agent.text.marked import Marked, marked
from agent.validators import english
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Author, Reading

__all__ = ["CHECK", "check"]

_READ_ELSEWHERE = {FigureKind.MONEY, FigureKind.DATE, FigureKind.DURATION, FigureKind.PERCENT}
# An id holds a digit: most tokens are words, and are passed over.
_TOKEN = re.compile(
    r"(?<![\w$€£¥₹@.#])(?=[a-z._/#-]{0,600}[0-9])#?[a-z0-9]{1,60}(?:[._/#-]{1,2}[a-z0-9]{1,60}){0,8}(?!\w)"
)
_HASH = re.compile(r"#\s?[a-z]{0,6}[-_/]?\d[\w/-]{0,60}")
_CUED = re.compile(
    rf"\b(?P<cue>{english.ID_CUES})(?:\s{{1,3}}(?:{english.NUMBER_WORDS})(?:\s{{1,3}}is)?)?\s{{0,3}}[:=#]?\s{{0,3}}"
    r"(?P<id>(?:[a-z]{1,8}[-_/.])?\d[\w/-]{0,60})"
)
# What may not stand before the first letter is looked up behind it: so the engine skips ahead to the letter.
_NUMBERED = re.compile(
    r"(?P<cue>n(?<![\w-]n)(?:os?\.|r\.?|um\.|umber)|№(?<![\w-]№))"
    r"\s{0,3}[:#]?\s{0,3}(?P<id>(?:[a-z]{1,4}-?)?\d[\w/-]{0,60})"
)
_LETTERED = marked(
    r"\b(?:[Rr]ef|REF|[Rr]eference|[Tt]icket|[Oo]rder|P\.?O\.?)(?:\.|\s(?:no\.?|number|id))?\s?[:#]\s?"
    r"(?P<id>[A-Z][A-Z0-9]{1,40}(?:-[A-Z0-9]{1,40}){0,4})\b",
    *(":", "#"),
)
_REMINDER_BEFORE = re.compile(rf"\b(?:{english.REMINDER_WORDS})\s?$")
_FIGURE_AFTER = re.compile(rf"\s(?:{english.UNITS})\b|\s?[$€£¥₹%]|[,.:]\d")
_DATE = re.compile(
    r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}([-/.])\d{1,2}\1\d{2,4}|\d{4}([/.])\d{1,2}\2\d{1,2}|\d{1,2}/\d{1,4}"
)
_FIGURE = re.compile(
    rf"\d+(?:\.\d+)?(?:{english.FIGURE_SUFFIXES})(?:-[a-z]{{3,20}}){{0,3}}"  # 15th, 5pm, 2k, 15th-century
    rf"|\d{{1,2}}[-/. ]?(?:{english.MONTHS})[-/. ]?(?:\d{{2,4}})?"  # 31-mar-2026
    r"|\d+(?:-[a-z]{3,20}){1,4}"  # 30-minute, 2-page
    rf"|(?:{english.FIGURE_PREFIXES})[-.]?\d+(?:[./,-]\d+)*"  # usd1975, mid-2026, q1
    r"|[a-z]-?\d|[a-z]\d[a-z]"  # w-9, a4, b2b: too short to be told from a word
)
_DIGIT = re.compile(r"[0-9]")
_COUNT = re.compile(r"\d{1,3}")  # "open invoices: 2" counts
_NUMBER = re.compile(r"[\d.,]+")
_JOINED = re.compile(r"\d{3,}(?:[-/#_]\d+)+|\d+(?:[-/#_]\d{3,})+")
_HEAD = re.compile(r"[a-z]{2,}(?=[-_/ #]?\d)")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report whatever is shaped like an id and is no line of the sheet, and ids in framed prose of the model."""
    if reading.framed and reading.author is Author.AGENT:
        yield from _literal(reading)
    fix = _fix(reading)
    # What reads as an amount, a date or a duration is judged as one.
    taken = [figure.span for figure in reading.figures if figure.kind in _READ_ELSEWHERE]
    taken += [mention.span for mention in reading.mentions]
    taken += [reading.folded_span(fill.start, fill.end) for place in reading.rendered.prose for fill in place.fills]
    for span in _shaped(reading, reading.plain):
        if not any(span.meets(other) for other in taken):
            taken.append(span)
            yield Found("UNKNOWN_ID", reading.folded.quote(*span), reading.folded.span(*span), fix=fix)


def _literal(reading: Reading) -> Iterator[Found]:
    fills = [(fill.start, fill.end) for place in reading.rendered.prose for fill in place.fills]
    for mention in reading.mentions:
        span = reading.folded.span(*mention.span)
        if not reading.in_code(*span) and not any(start <= span.start and span.end <= end for start, end in fills):
            yield Found("LITERAL_ID", mention.line, span, facts=(mention.line,))


def _shaped(reading: Reading, text: str) -> Iterator[Span]:
    for pattern in (_CUED, _NUMBERED):
        yield from (Span(*match.span()) for match in _found(pattern, reading) if _is_cited(text, match))
    for match in _found(_HASH, reading):
        if not _REMINDER_BEFORE.search(text, max(0, match.start() - 20), match.start()):
            yield Span(*match.span())
    yield from (Span(*match.span()) for match in _found(_TOKEN, reading) if _is_id_token(match[0].lstrip("#")))
    yield from (Span(*match.span()) for match in _alike(reading, text))
    yield from (reading.folded_span(*match.span("id")) for match in _LETTERED.finditer(reading.bare))


def _found(pattern: re.Pattern[str], reading: Reading) -> Iterator[re.Match[str]]:
    """Yield a pattern's matches in the prose."""
    return chain.from_iterable(pattern.finditer(reading.plain, *passage) for passage in reading.passages)


def _alike(reading: Reading, text: str) -> Iterator[re.Match[str]]:
    """Find what begins as the sheet's ids do, such as "TX 99" or "TX-IOO1"."""
    heads = {head[0] for line in reading.sheet.lines if (head := _HEAD.match(line.id.casefold()))}
    return _begun(frozenset(heads)).finditer(text, within=reading.passages) if heads else iter(())


@lru_cache(maxsize=64)
def _begun(heads: frozenset[str]) -> Marked:
    any_head = "|".join(map(re.escape, sorted(heads)))
    rest = r"(?:\s{0,3}[-_/#.:]?\s{0,3}\d[\w/-]{0,40}|[-_/#][a-z0-9]{2,40})"
    return marked(rf"(?<![\w-])(?:{any_head}){rest}", *heads)


def _is_cited(text: str, match: re.Match[str]) -> bool:
    number = match["id"]
    if _REMINDER_BEFORE.search(text, max(0, match.start() - 20), match.start()):
        return False
    if _FIGURE_AFTER.match(text, match.end()) or (match["cue"].endswith("s") and _COUNT.fullmatch(number)):
        return False
    return not (_DATE.fullmatch(number) or _FIGURE.fullmatch(number))


def _is_id_token(token: str) -> bool:
    if token.isalpha() or not _DIGIT.search(token) or _DATE.fullmatch(token) or _FIGURE.fullmatch(token):
        return False
    if any(char.isalpha() for char in token):
        return True
    return bool(_JOINED.fullmatch(token)) and not _NUMBER.fullmatch(token)


def _fix(reading: Reading) -> str:
    ids = ", ".join(line.id for line in reading.sheet.lines if line.is_listed)
    return f"Cite only {ids}, or leave the reference out." if ids else "Leave the reference out."


CHECK = Check(name="ids", version="1", run=check, blocking=True, core=True)
