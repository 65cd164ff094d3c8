"""Read what a sentence says of the status of the lines that it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agent.text import MASK, Span
from agent.text.english_cues import (
    ATTRIBUTED_NOUNS,
    CONDITIONS,
    DEMAND_CUES,
    EXCEPTIONS,
    LATE_WORDS,
    MODALS,
    NEGATIONS,
    STATUS_CUES,
    UNREAL,
)
from agent.text.figure import FigureKind
from agent.validators.binding import Scene, is_listed_with
from agent.validators.mentions import Mention

__all__ = ["Claim", "claims", "heading_claim"]

_CLAIM = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in STATUS_CUES.items())
    + rf"|please (?:(?!not|do|let)\w+ )?(?P<demand>{DEMAND_CUES})"
    + r")\b"
)
_LATE = re.compile(LATE_WORDS)
_BILL = re.compile(r"\s+(?:invoices?|bills?|charges?|debts?)\b")
_OWED = re.compile(r"unpaid|owing|owed|payable|due|unsettled|awaiting \w+")
_CONDITION = re.compile(CONDITIONS)
_YET = re.compile(r"\b(?:yet|remains?|still|left) to be\s*$")
_WHOLE_CONDITION = re.compile(r"\b(?:has|have|is|are|was|were|had|been)\b|\b(?:you|we|they|it|payment)\s+\w+")
_NOT_YET = re.compile(r"\b(?:not|n't) (?:yet|quite)\s*$")
_MODAL = re.compile(MODALS)
_MONEY = re.compile(r"\b(?:payments?|remittance|transfer|money|funds|sum|amount)\b")
_OF = re.compile(r"\b(?:of|for|on)\b")
_OWN_SUBJECT = re.compile(r"\b(?:one|another|other|others|rest|some)\s+(?:is|are|was|were|remains?)\s+$")
_NEGATED = {
    "paid": "open",
    "partial": "open",
    "received": "open",
    "open": "unopen",
    "disputed": "undisputed",
}
_PAUSE = re.compile(r"[,:;()]")
_SINGULAR = re.compile(
    r"\s+(?:[a-z-]+\s+)?(?:invoice|item|line|bill|transaction|entry|charge|credit note|amount|balance)\b"
)
_UNREAL = re.compile(UNREAL)
_NOUN = re.compile(ATTRIBUTED_NOUNS)
_NEGATION = re.compile(NEGATIONS)
_EXCEPTION = re.compile(EXCEPTIONS)
_BREAK = re.compile(
    r"[;.!?]|[—–―]|,\s+(?:and|but|while|whereas|so|yet|although|though)\b|"
    r",\s+(?=(?:your|the|we|you|our|this|nothing|no|there|please|i|it|they|that|all|both|everything|thank)\b)|"
    r"\b(?:but|while|whereas|although)\b"
)
_AHEAD = re.compile(
    r"(?:\s+(?:[a-z-]+\s+){0,2}?(?:invoices?|items?|lines?|bills?|amounts?|balances?|transactions?|charges?|credits?|"
    r"notes?|payments?|sums?))?\s*(?:is|are|:|,|-|namely|for|of|on|about|under|with|against|\(|no\.?|number|#|the|your|"
    rf"our|both|invoices?|items?|bills?|credit|notes?|sum|amount|{MASK}|\s)*"
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|been|remains?|still|now|also|both)\s+(?:(?:an?|the|our|your|and|only|one|of|\w+est|\w+er)\s+)*$"
)
_AMOUNT_BEFORE = re.compile(
    r"\s*(?:has|have|had|was|were|is|are|been|already|so far|as|marked|booked|of (?:it|this|that|which)|now|,|\s)*$"
)
_IS_BILL = re.compile(
    rf"\b(?:is|are|was|were)\s+(?:an?|the|our|your)\s+(?:\w+\s+)?$|{MASK}\s?[,(]\s*(?:(?:an?|the|our|your)\s+)?$"
)
_IS = re.compile(r"\s+(?:is|was|remains|has been)\s+")
_SAME_SUBJECT = re.compile(
    r"(?:it|they|this|these|both|which|that)?\s*(?:is|are|was|were|has|have|been|\s|still|now|also)*"
)
_FAR = 160


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold a status word: what it says (negation taken in), where it stands, whether it says late, or names a bill."""

    name: str
    span: Span
    late: bool = False
    bill: bool = False


def claims(scene: Scene) -> Iterator[tuple[Claim, tuple[str, ...]]]:
    """Yield each status that a sentence claims with the lines that it is said of; a question claims nothing."""
    if not scene.mentions or scene.between(scene.span.end - 1, scene.span.end) == "?":
        return
    for claim in _real(scene):
        ids = _billed(scene, claim.span) if claim.name == "invoice" else _subject(scene, claim.span)
        if ids:
            yield claim, ids


def heading_claim(scene: Scene) -> Claim | None:
    """Return what a heading without lines ("The following are paid:") says of the lines of the list under it."""
    if scene.mentions or not scene.between(*scene.span).endswith(":"):
        return None
    found = [claim for claim in _real(scene) if claim.name not in ("invoice", "demand")]
    return found[-1] if found else None


def _real(scene: Scene) -> Iterator[Claim]:
    for said, place in _words_of(scene.passage, scene.span.start - scene.before):
        span = Span(scene.before + place.start, scene.before + place.end)
        name = _real_name(scene, said, span)
        if name:
            word = scene.between(*span)
            is_bill = bool(_BILL.match(scene.plain, span.end, scene.span.end)) or bool(_OWED.fullmatch(word))
            not_yet = (
                name == "unopen"
                and word == "due"
                and bool(_NOT_YET.search(scene.between(scene.span.start, span.start)))
            )
            yield Claim(name, span, not_yet or bool(_LATE.fullmatch(word)), is_bill)


@lru_cache(maxsize=2048)
def _words_of(text: str, start: int) -> tuple[tuple[str, Span], ...]:
    """Return the status words of a sentence, each with what it says by itself."""
    return tuple((match.lastgroup or "", Span(*match.span())) for match in _CLAIM.finditer(text, start))


def _real_name(scene: Scene, name: str, span: Span) -> str:
    """Return what a status word claims with its negation taken in: "not paid" is open; "" when it claims nothing."""
    start = _clause_start(scene, span.start)
    before = scene.between(start, span.start)
    if name == "demand":
        return "" if _CONDITION.search(before) else name
    if name == "paid" and _YET.search(before):
        return "open"
    if _is_unreal(scene, start, span):
        return "demand" if name == "paid" and _MODAL.search(before) and not _CONDITION.search(before) else ""
    if name == "arrived":
        name = "paid" if _MONEY.search(before) else ""
    if any(_reaches(before, item) for item in _NEGATION.finditer(before)):
        return _NEGATED.get(name, "")
    return "received" if name == "paid" and _is_of_amount(scene, span) else name


def _is_unreal(scene: Scene, start: int, span: Span) -> bool:
    """Tell whether a status is a condition or a time to come; a modal reaches to the next line, a condition further."""
    before = scene.between(start, span.start)
    unreal = list(_UNREAL.finditer(before))
    if not unreal:
        return False
    return bool(_CONDITION.search(before)) or not any(
        start + unreal[-1].end() <= mention.span.start < span.start for mention in scene.mentions
    )


def _reaches(before: str, negation: re.Match[str]) -> bool:
    """Tell whether a negation reaches the word after a passage: nothing pauses, and nothing but "of" goes far."""
    between = before[negation.end() :]
    return not _PAUSE.search(between) and len(between) < (70 if _OF.search(between) else 30)


def _is_of_amount(scene: Scene, span: Span) -> bool:
    """Tell whether an amount, not a line, is what was paid: "$300.00 paid", "received $300.00 for"."""
    for figure in scene.figures:
        if figure.kind in (FigureKind.MONEY, FigureKind.NUMBER):
            between = scene.between(figure.span.end, span.start)
            if figure.span.end <= span.start and _AMOUNT_BEFORE.fullmatch(between):
                return True
            if figure.span.start >= span.end and not scene.between(span.end, figure.span.start).strip(" :"):
                return True
    return False


def _clause_start(scene: Scene, at: int) -> int:
    return scene.before + _clause_within(scene.between(scene.before, at), scene.span.start - scene.before)


@lru_cache(maxsize=2048)
def _clause_within(text: str, start: int) -> int:
    for match in _BREAK.finditer(text, start):
        start = match.end()
    if _CONDITION.match(text[start:].lstrip()):
        comma = text.find(",", start)
        if comma >= 0 and _WHOLE_CONDITION.search(text[start:comma]):
            return comma + 1  # "Unless it has crossed with this letter, TX-1 is": the condition is over
    return start


def _billed(scene: Scene, span: Span) -> tuple[str, ...]:
    """Return the line that is called an invoice: the one right after the word, or "TX-1 is an invoice"."""
    following = next((item for item in scene.mentions if item.span.start >= span.end), None)
    between = scene.between(span.end, following.span.start) if following else ""
    if following and _AHEAD.fullmatch(between) and not re.search(r"credit|:|,", between):
        return (following.line,)
    if not _IS_BILL.search(scene.between(scene.span.start, span.start)):
        return ()
    before = [item for item in scene.mentions if item.span.end <= span.start]
    return (before[-1].line,) if before and span.start - before[-1].span.end < 30 else ()


def _subject(scene: Scene, span: Span) -> tuple[str, ...]:
    """Return the lines that a status word is said of: right after it ("open invoice TX-1"), else before it."""
    if _has_own_subject(scene, span):
        return ()
    ahead = _lines_ahead(scene, span)
    if ahead:
        return ahead
    if _NOUN.match(scene.plain, span.end, scene.span.end) and not _is_predicate(scene, span):
        return ()
    start = _clause_start(scene, span.start)
    before = [item for item in scene.mentions if item.span.end <= span.start]
    if not before or (before[-1].span.start < start and not _continues(scene, before[-1], start, span)):
        return ()
    return _list_from(scene, len(before) - 1, -1)


def _has_own_subject(scene: Scene, span: Span) -> bool:
    """Tell whether a status is said of "one", "another" or the like, so that no line is its subject."""
    if _OWN_SUBJECT.search(scene.between(scene.span.start, span.start)):
        return True
    ones = (item for item in scene.figures if item.kind is FigureKind.COUNT and 1 in item.numbers)
    return any(_IS.fullmatch(scene.plain, item.span.end, span.start) for item in ones if item.span.end < span.start)


def _lines_ahead(scene: Scene, span: Span) -> tuple[str, ...]:
    following = next((item for item in scene.mentions if item.span.start >= span.end), None)
    if following is None or not _AHEAD.fullmatch(scene.between(span.end, following.span.start)):
        return ()
    at = scene.mentions.index(following)
    if _is_predicate(scene, span) and at and not scene.between(span.end, following.span.start).strip(" ,"):
        return ()
    alone = _SINGULAR.match(scene.plain, span.end, scene.span.end)
    return (following.line,) if alone else _list_from(scene, at, 1)


def _is_predicate(scene: Scene, span: Span) -> bool:
    return bool(_PREDICATE.search(scene.between(max(scene.span.start, span.start - 40), span.start)))


def _continues(scene: Scene, mention: Mention, start: int, span: Span) -> bool:
    """Tell whether the clause of a status word goes on about the line before it: it names no subject of its own."""
    text = scene.between(start, span.start).strip()
    return bool(_SAME_SUBJECT.fullmatch(text)) and span.start - mention.span.end < _FAR


def _list_from(scene: Scene, at: int, step: int) -> tuple[str, ...]:
    """Return the lines that are named as one list with the one at an index, going on in one direction."""
    group = [scene.mentions[at]]
    index = at + step
    while 0 <= index < len(scene.mentions):
        first, second = sorted((group[-1], scene.mentions[index]), key=lambda item: item.span)
        if not is_listed_with(scene, first, second):
            break
        group.append(scene.mentions[index])
        index += step
    kept = (item for item in group if not _EXCEPTION.search(scene.between(scene.span.start, item.span.start)[-40:]))
    return tuple(dict.fromkeys(item.line for item in kept))
