"""Find sentences that deny the debt, or turn its direction, while something is due."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.facts import LineStatus, Sheet
from agent.text import Span, clauses
from agent.text.english_cues import CONDITIONALS, DENIAL_IDIOMS, DENIALS, SETTLED, TURNED
from agent.validators.amounts import money_text
from agent.validators.announced import Announced
from agent.validators.binding import Scene
from agent.validators.check import Found
from agent.validators.reading import Reading

__all__ = ["denials"]

_CUES = Announced((*DENIALS, *TURNED, DENIAL_IDIOMS))
_DENYING, _TURNING = frozenset(DENIALS), frozenset(TURNED)
_CONDITIONAL = re.compile(CONDITIONALS)
_PAYING = re.compile(
    r"\b(?:paid|pay|payment|settled|sent|transferred|made|cleared|arranged|crossed|remitted|receiv\w*|receipt|reach\w*)\b"
)
_SETTLED = re.compile(SETTLED)
_IN_THAT_CASE = re.compile(r"(?:in (?:that|which|this) case|if so|otherwise|then)\b")
_CREDIT = re.compile(r"\bcredit\b(?! balance)(?<!in credit)")
_NOT_YET_DUE = re.compile(r"\bnot (?:yet |due )?(?:due|overdue|late|past due)\b|\bnot yet (?:\w+ )?due\b")


def denials(reading: Reading, scenes: Sequence[Scene]) -> Iterator[Found]:
    """Report clauses that deny the debt ("you owe nothing") or turn it ("we owe you") while total due is above 0.

    "Not paid" and "not received" deny nothing. A sentence on the condition of payment ("if you have already paid") is
    exempt. A clause about a credit of the sheet may say that it is in the client's favour.
    """
    total = reading.sheet.money("total_due")
    if total <= 0:
        return
    for before, scene in zip([None, *scenes], scenes, strict=False):
        found = _denied(reading.sheet, scene) or _settled(reading.sheet, before, scene)
        if found is not None:
            said = reading.folded.quote(*found)
            evidence = f'"{said}": {money_text(reading.sheet, total)} is due'
            fix = f"Say that {money_text(reading.sheet, total)} is due, or leave the sentence out."
            yield Found("DEBT_DENIED", evidence, reading.folded.span(*found), facts=("total_due",), fix=fix)


def _denied(sheet: Sheet, scene: Scene) -> Span | None:
    for place, passage, cues in _suspected(scene.passage, scene.span.start - scene.before):
        clause = Span(scene.before + place.start, scene.before + place.end)
        if _speaks_of_others(sheet, scene, clause):
            continue
        denying = [pattern for pattern in cues if pattern.pattern in _DENYING]
        turning = [pattern for pattern in cues if pattern.pattern in _TURNING]
        plain = _without_idioms(sheet, passage, cues)
        match = _first(denying, plain)
        if match is None and not _is_about_credit(sheet, scene, plain):
            match = _first(turning, plain)
        if match:
            return Span(clause.start + match.start(), clause.start + match.end())
    return None


@lru_cache(maxsize=2048)  # a draft is read again after each edit, and the sentences of most drafts are alike
def _suspected(text: str, start: int) -> tuple[tuple[Span, str, tuple[re.Pattern[str], ...]], ...]:
    """Return the clauses of a sentence that hold a cue, each with its words without a condition and its cues."""
    sentence = text[start:]
    conditional = _CONDITIONAL.search(sentence)
    if conditional and _PAYING.search(sentence, conditional.start()):
        return ()
    if _IN_THAT_CASE.match(sentence):
        return ()
    found = []
    for clause in clauses(text, Span(start, len(text))):
        passage = _unconditional(text[clause.start : clause.end])
        cues = _CUES.within(passage)
        if any(pattern.pattern in _DENYING or pattern.pattern in _TURNING for pattern in cues):
            found.append((clause, passage, tuple(cues)))
    return tuple(found)


def _first(patterns: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    """Return the match of the first pattern that has one."""
    return next((found for pattern in patterns if (found := pattern.search(text))), None)


def _without_idioms(sheet: Sheet, passage: str, cues: Sequence[re.Pattern[str]]) -> str:
    """Blank negations that deny no debt; "not yet due" is one where a line is not."""
    idioms = [pattern for pattern in cues if pattern.pattern == DENIAL_IDIOMS]
    if any(not line.days_overdue for line in sheet.lines if line.status is LineStatus.OPEN):
        idioms.append(_NOT_YET_DUE)
    for pattern in idioms:
        passage = pattern.sub(lambda match: " " * len(match[0]), passage)
    return passage


def _settled(sheet: Sheet, before: Scene | None, scene: Scene) -> Span | None:
    """Return where "it has been paid" calls the debt paid: no line is named there, and no paid one right before."""
    match = _SETTLED.match(scene.plain, *scene.span)
    named = [sheet.line(mention.line) for mention in (before.mentions if before else ())]
    if match is None or scene.mentions or any(line and line.status is LineStatus.PAID for line in named):
        return None
    return Span(*match.span())


def _unconditional(clause: str) -> str:
    """Blank the condition that a clause begins with, up to its comma."""
    if not _CONDITIONAL.match(clause):
        return clause
    cut = clause.find(",") + 1 or len(clause)
    return " " * cut + clause[cut:]


def _speaks_of_others(sheet: Sheet, scene: Scene, clause: Span) -> bool:
    """Tell whether a clause names lines, and only such as are not due: paid, disputed or credits."""
    lines = [sheet.line(mention.line) for mention in scene.mentions if clause.holds(mention.span)]
    return bool(lines) and all(line is not None and line.status is not LineStatus.OPEN for line in lines)


def _is_about_credit(sheet: Sheet, scene: Scene, text: str) -> bool:
    """Tell whether a clause speaks of a credit that the sheet holds."""
    credit_ids = {line.id for line in sheet.lines if line.status is LineStatus.CREDIT and line.open_cents > 0}
    if not credit_ids:
        return False
    named = any(mention.line in credit_ids for mention in scene.mentions)
    return named or bool(_CREDIT.search(text))
