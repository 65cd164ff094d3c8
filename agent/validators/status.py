"""Hold what is said of a line's status, and of the debt as a whole, against the ledger.

Covers lines named by id, and sentences that deny the debt or turn its direction. Does not cover lines that are only
meant ("it", "the second one").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.facts import Line, LineStatus, Sheet
from agent.text import MASK, Span
from agent.text.english_cues import (
    ATTRIBUTED_NOUNS,
    DEMAND_CUES,
    EXCEPTIONS,
    LATE_WORDS,
    NEGATIONS,
    STATUS_CUES,
    UNREAL,
)
from agent.text.figure import FigureKind
from agent.validators.binding import Scene, is_listed_with
from agent.validators.check import Check, Found, NoParams
from agent.validators.denial import denials
from agent.validators.mentions import Mention
from agent.validators.reading import Reading
from agent.validators.scenes import scenes_of

__all__ = ["CHECK", "check"]

_CLAIM = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in STATUS_CUES.items())
    + rf"|(?<=please )(?P<demand>{DEMAND_CUES})"
    + r")\b"
)
_LATE = re.compile(LATE_WORDS)
_BILL = re.compile(r"\s+(?:invoices?|bills?|charges?|debts?)\b")
_OWED = re.compile(r"unpaid|owing|owed|payable|due|unsettled|awaiting \w+")
_NOUN = re.compile(ATTRIBUTED_NOUNS)
_NEGATION = re.compile(NEGATIONS)
_PAUSE = re.compile(r"[,:;()]")
_SINGULAR = re.compile(
    r"\s+(?:[a-z-]+\s+)?(?:invoice|item|line|bill|transaction|entry|charge|credit note|amount|balance)\b"
)
_UNREAL = re.compile(UNREAL)
_EXCEPTION = re.compile(EXCEPTIONS)
_BREAK = re.compile(
    r"[;.!?]|[—–―]|,\s+(?:and|but|while|whereas|so|yet|although|though)\b|\b(?:but|while|whereas|although)\b"
)
_AHEAD = re.compile(
    r"(?:\s+(?:[a-z-]+\s+){0,2}?(?:invoices?|items?|lines?|bills?|amounts?|balances?|transactions?|charges?|credits?|notes?|"
    r"payments?|sums?))?\s*(?:is|are|:|,|-|namely|for|of|on|under|with|against|\(|no\.?|number|#|the|your|our|both|"
    rf"invoices?|items?|bills?|credit|notes?|sum|amount|{MASK}|\s)*"
)
_AMOUNT_BEFORE = re.compile(
    r"\s*(?:has|have|had|was|were|is|are|been|already|so far|of (?:it|this|that|which)|now|,|\s)*$"
)
_SAID = {
    "open": "open",
    "paid": "paid",
    "partial": "partly paid",
    "credit": "a credit",
    "disputed": "disputed",
    "demand": "to be paid",
    "not open": "not open",
    "not disputed": "not disputed",
}
_IS = {LineStatus.OPEN: "open", LineStatus.PAID: "paid", LineStatus.CREDIT: "a credit", LineStatus.DISPUTED: "disputed"}


@dataclass(frozen=True, slots=True)
class _Claim:
    name: str
    span: Span
    late: bool
    bill: bool = False


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report lines called what they are not, paid and disputed lines never called so, and a debt denied or turned."""
    told: set[tuple[str, str]] = set()
    scenes = list(scenes_of(reading))
    for scene in scenes:
        for claim, lines in _claims(scene):
            told |= {(line, claim.name) for line in lines}
            yield from _judge(reading, claim, lines)
    yield from _untold(reading, scenes, told)
    yield from denials(reading, scenes)


def _claims(scene: Scene) -> Iterator[tuple[_Claim, tuple[str, ...]]]:
    """Yield each status word of a sentence with the lines that it is said of."""
    if not scene.mentions or scene.between(scene.span.end - 1, scene.span.end) == "?":
        return
    for match in _CLAIM.finditer(scene.plain, *scene.span):
        name = match.lastgroup or ""
        span = Span(*match.span())
        name = _real_name(scene, name, span)
        if not name:
            continue
        ids = _subject(scene, span)
        if ids:
            is_bill = bool(_BILL.match(scene.plain, span.end, scene.span.end)) or bool(_OWED.fullmatch(match[0]))
            yield _Claim(name, span, bool(_LATE.fullmatch(match[0])), is_bill), ids


def _real_name(scene: Scene, name: str, span: Span) -> str:
    """Return what a status word claims with its negation taken in: "not paid" is open; "" when it claims nothing."""
    start = _clause_start(scene, span.start)
    before = scene.between(start, span.start)
    if name == "demand":
        return "" if re.search(r"\b(?:if|unless|once|whether|when)\b", before) else name
    unreal = list(_UNREAL.finditer(before))
    if unreal and not _contains_figure_or_line(scene, start + unreal[-1].end(), span.start):
        return ""
    negated = any(
        not _PAUSE.search(before, item.end()) and len(before) - item.end() < 30 for item in _NEGATION.finditer(before)
    )
    if negated:
        return {"paid": "open", "partial": "open", "open": "not open", "disputed": "not disputed"}.get(name, "")
    if name == "paid" and _is_of_amount(scene, span):
        return "partial"
    return name


def _contains_figure_or_line(scene: Scene, start: int, end: int) -> bool:
    return any(start <= mention.span.start < end for mention in scene.mentions)


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
    start = scene.span.start
    for match in _BREAK.finditer(scene.plain, scene.span.start, at):
        start = match.end()
    return start


def _subject(scene: Scene, span: Span) -> tuple[str, ...]:
    """Return the lines that a status word is said of: right after it ("open invoice TX-1"), else before it."""
    following = next((item for item in scene.mentions if item.span.start >= span.end), None)
    if following and _AHEAD.fullmatch(scene.between(span.end, following.span.start)):
        at = scene.mentions.index(following)
        if not (_is_predicate(scene, span) and at and scene.between(span.end, following.span.start).strip(" ,") == ""):
            alone = _SINGULAR.match(scene.plain, span.end, scene.span.end)
            return (following.line,) if alone else _list_from(scene, at, 1)
    if _NOUN.match(scene.plain, span.end, scene.span.end) and not _is_predicate(scene, span):
        return ()
    start = _clause_start(scene, span.start)
    before = [item for item in scene.mentions if item.span.end <= span.start]
    if not before or (before[-1].span.start < start and not _continues(scene, before[-1], start, span)):
        return ()
    return _list_from(scene, len(before) - 1, -1)


def _is_predicate(scene: Scene, span: Span) -> bool:
    before = scene.between(max(scene.span.start, span.start - 24), span.start)
    return bool(re.search(r"\b(?:is|are|was|were|been|remains?|still|now|also|both)\s+(?:an?\s+)?$", before))


def _continues(scene: Scene, mention: Mention, start: int, span: Span) -> bool:
    """Tell whether the clause of a status word goes on about the line before it: it names no subject of its own."""
    text = scene.between(start, span.start).strip()
    return bool(
        re.fullmatch(
            r"(?:it|they|this|these|both|which|that)?\s*(?:is|are|was|were|has|have|been|\s|still|now|also)*", text
        )
    ) and (span.start - mention.span.end < 160)


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
    kept = (
        item
        for item in group
        if not _EXCEPTION.search(scene.between(max(scene.span.start, item.span.start - 40), item.span.start))
    )
    return tuple(dict.fromkeys(item.line for item in kept))


def _judge(reading: Reading, claim: _Claim, ids: tuple[str, ...]) -> Iterator[Found]:
    for line_id in ids:
        line = reading.sheet.line(line_id)
        if line is None or _is_true(line, claim):
            continue
        said = "overdue" if claim.late else _SAID[claim.name]
        holds = _IS[line.status] + (
            " and not yet due" if claim.late and line.status is LineStatus.OPEN and not line.days_overdue else ""
        )
        evidence = f'"{reading.folded.quote(*claim.span)}": {line.id} is {holds}; the text says {said}'
        yield Found(
            "LINE_STATUS",
            evidence,
            reading.folded.span(*claim.span),
            facts=(line.id,),
            fix=f"Say that {line.id} is {holds}.",
        )


def _is_true(line: Line, claim: _Claim) -> bool:
    """Tell whether a line is what it is said to be.

    A disputed line is open too, and so is a credit, but no credit is an open bill. Late is only what is past its date.
    """
    is_paid, is_credit = line.status is LineStatus.PAID, line.status is LineStatus.CREDIT
    is_late = line.days_overdue > 0
    return {
        "open": is_late if claim.late else not is_paid and not (claim.bill and is_credit),
        "not open": not is_late if claim.late else is_paid or is_credit,
        "paid": is_paid,
        "partial": line.paid_cents > 0,
        "credit": is_credit,
        "disputed": line.status is LineStatus.DISPUTED,
        "not disputed": line.status is not LineStatus.DISPUTED,
        "demand": line.status is LineStatus.OPEN,
    }[claim.name]


def _untold(reading: Reading, scenes: list[Scene], told: set[tuple[str, str]]) -> Iterator[Found]:
    """Report paid and disputed lines that are named and nowhere called so."""
    words = {LineStatus.PAID: ("paid", "partial"), LineStatus.DISPUTED: ("disputed",)}
    seen: set[str] = set()
    for scene in scenes:
        for mention in scene.mentions:
            line = reading.sheet.line(mention.line)
            if line is None or line.status not in words or line.id in seen:
                continue
            seen.add(line.id)
            if any((line.id, word) in told for word in words[line.status]) or _nearby(reading.sheet, scenes, line):
                continue
            status = _IS[line.status]
            evidence = f"{line.id} is {status}, and the text does not say so"
            span = reading.folded.span(*mention.span)
            yield Found("LINE_STATUS", evidence, span, facts=(line.id,), fix=f"Say that {line.id} is {status}.")


def _nearby(sheet: Sheet, scenes: list[Scene], line: Line) -> bool:
    """Tell whether the sentence of a line, or the one after it, speaks of a status that only that line has."""
    word = {
        LineStatus.PAID: r"\b(?:paid|settled|cleared|received)\b",
        LineStatus.DISPUTED: r"\bdisput|\bquer|\bcontest",
    }
    pattern = re.compile(word[line.status])
    alike = [item for item in sheet.lines if item.status is line.status]
    for index, scene in enumerate(scenes):
        if any(mention.line == line.id for mention in scene.mentions):
            texts = [item.between(*item.span) for item in scenes[max(0, index - 1) : index + 2]]
            if any(pattern.search(text) for text in texts) and len(alike) >= 1:
                return True
    return False


CHECK = Check(name="status", version="1", run=check, params=NoParams(), blocking=True, core=True)
