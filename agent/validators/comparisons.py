"""Hold comparisons of lines against the ledger: the larger, the oldest, "older than TX-1"."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from agent.facts import Line, LineStatus, Sheet
from agent.text import Span
from agent.text.english_cues import COMPARED
from agent.validators.binding import Scene
from agent.validators.check import Found
from agent.validators.reading import Reading

__all__ = ["comparisons"]

_COMPARED = re.compile(r"\b(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in COMPARED.items()) + r")\b")
_SUBJECT_BEFORE = re.compile(
    r"[^.;]{0,30}\b(?:is|was|being|has|,)\s*(?:(?:by far|clearly|also|still|now|the|our|your|an?|and|\w+est)\s+)*$"
)
_SUBJECT_AFTER = re.compile(
    r"\s*(?:of (?:the|your|these) \S+|of them)?\s*(?:open|overdue|unpaid|outstanding)?\s*"
    r"(?:invoices?|items?|lines?|bills?|one|amount|balance|debt)?\s*(?:of (?:the|your|these) \S+)?\s*(?:,|:|\(|"
    r"is|was|=|being)*\s*"
)
_THAN = re.compile(r"\s*(?:\w+\s+){0,2}than\s+(?:the\s+)?(?:invoice|item|line|bill)?\s*")
_KEYS: dict[str, tuple[Callable[[Line], int], int]] = {
    "older": (lambda line: line.due.toordinal() if line.due else 0, -1),
    "newer": (lambda line: line.due.toordinal() if line.due else 0, 1),
    "larger": (lambda line: line.open_cents, 1),
    "smaller": (lambda line: line.open_cents, -1),
}

_SAME_WORDS = ("same", "equal", "identical")
_SAME = re.compile(
    r"\b(?:(?:the |of |for )?(?:exact |very )?(?:same|equal|identical) (?:(?P<amount>amounts?|sums?|size|value|price)|"
    r"(?P<day>due dates?|days?|dates?)|(?P<month>months?|periods?)))\b"
)
_SAME_KEYS: dict[str, tuple[Callable[[Line], object], ...]] = {
    "amount": (lambda line: line.open_cents, lambda line: line.amount_cents),
    "day": (lambda line: line.due,),
    "month": (lambda line: line.period, lambda line: line.due.strftime("%Y-%m") if line.due else ""),
}


def comparisons(reading: Reading, scene: Scene) -> Iterator[Found]:
    """Report a line that is called larger, smaller, older or newer than the rest, or than another, and is not.

    Lines are compared by what is open on them or by their full amount, and by due date; among the open invoices.
    """
    if any(word in scene.passage for word in _SAME_WORDS):
        yield from _alike(reading, scene)
    for name, place in _cues(scene.passage, scene.span.start - scene.before):
        span = Span(scene.before + place.start, scene.before + place.end)
        first, second = _compared(reading.sheet, scene, span)
        if first is None or _holds(reading.sheet, name, first, second):
            continue
        said = reading.folded.quote(*span)
        than = f"than {second.id}" if second else "of the open lines"
        evidence = f'"{said}": {first.id} is not the {name} {than}'
        yield Found(
            "FIGURE_ROLE", evidence, reading.folded.span(*span), facts=(first.id,), fix="Leave the comparison out."
        )


@lru_cache(maxsize=2048)
def _cues(text: str, start: int) -> tuple[tuple[str, Span], ...]:
    """Return the words of a sentence that compare, each with what it says."""
    return tuple((match.lastgroup or "", Span(*match.span())) for match in _COMPARED.finditer(text, start))


def _alike(reading: Reading, scene: Scene) -> Iterator[Found]:
    """Report lines that are told to have the same amount, due date or month, and have not."""
    for match in _SAME.finditer(scene.plain, *scene.span):
        named = [reading.sheet.line(mention.line) for mention in scene.mentions]
        lines = [line for line in named if line] if len(named) > 1 else _invoices(reading.sheet)
        keys = _SAME_KEYS["amount" if match["amount"] else "day" if match["day"] else "month"]
        if len(lines) > 1 and not any(len({key(line) for line in lines}) == 1 for key in keys):
            span, ids = Span(*match.span()), tuple(line.id for line in lines)
            evidence = f'"{reading.folded.quote(*span)}": {" and ".join(ids)} differ'
            yield Found("FIGURE_ROLE", evidence, reading.folded.span(*span), facts=ids, fix="Leave the comparison out.")


def _invoices(sheet: Sheet) -> list[Line]:
    return [line for line in sheet.lines if line.is_listed and line.status is not LineStatus.CREDIT]


def _compared(sheet: Sheet, scene: Scene, span: Span) -> tuple[Line | None, Line | None]:
    before = [item for item in scene.mentions if item.span.end <= span.start]
    after = [item for item in scene.mentions if item.span.start >= span.end]
    follows = scene.between(span.end, after[0].span.start) if after else ""
    is_subject = bool(before) and bool(_SUBJECT_BEFORE.fullmatch(scene.between(before[-1].span.end, span.start)))
    if after and _THAN.fullmatch(follows) and is_subject:
        return sheet.line(before[-1].line), sheet.line(after[0].line)
    if is_subject:
        return sheet.line(before[-1].line), None
    if after and _SUBJECT_AFTER.fullmatch(follows):
        return sheet.line(after[0].line), None
    return None, None


def _holds(sheet: Sheet, name: str, first: Line, second: Line | None) -> bool:
    key, sign = _KEYS[name]
    keys = [key] if name in ("older", "newer") else [key, lambda line: line.amount_cents]
    if second is not None:
        return any(sign * by(first) > sign * by(second) for by in keys)
    return any(all(sign * by(first) >= sign * by(other) for other in _invoices(sheet)) for by in keys)
