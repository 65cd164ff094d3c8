"""Hold every figure of the prose against the sheet.

Covers amounts, dates, deadlines, counts, ordinals, durations and percentages, in digits and words. Does not cover ids,
contacts and payment details (their own checks), figures inside the sheet's own strings, and whether a right figure is
told of the right thing beyond the line and the role that it is bound to.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from agent.facts import Sheet
from agent.outcome import Status
from agent.text.figure import Figure, FigureKind
from agent.validators.amounts import Licence, check_amount
from agent.validators.binding import Bound, Scene, bind, named_lists
from agent.validators.check import Check, Found, NoParams
from agent.validators.comparisons import comparisons
from agent.validators.cues import lines_of_every
from agent.validators.moments import check_date
from agent.validators.reading import Reading
from agent.validators.tallies import check_count, check_duration, check_multiple, check_ordinal, check_percent

__all__ = ["CHECK", "check"]

_MONEY = (FigureKind.MONEY, FigureKind.NUMBER)
_REMINDER_NUMBER = re.compile(r"\b(?:reminder|notice|letter)\s*(?:no\.?|number|nr\.?|#)?\s*[:#]?\s*$")
_UNBOUND = Bound()
_MOST = 100  # a draft with more wrong figures than this needs no longer list
_LABEL_REACH = 60
_LABEL = re.compile(
    r"(?P<unit>days|weeks|months)\b[a-z ]{0,24}[:=]\s*$"
    r"|[a-z ]{0,30}\b(?P<noun>invoices|items|lines|bills|transactions|credits|reminders(?: sent)?)\s*[:=]\s*$"
)
_UNREADABLE = {
    "currency": ("CURRENCY_UNKNOWN", "the sheet is in {currency}"),
    "format": ("FIGURE_UNREADABLE", "is not written as {locale} writes a number of {currency}"),
}


@dataclass(frozen=True, slots=True)
class _Case:
    sheet: Sheet
    scene: Scene
    figure: Figure
    bound: Bound
    named: frozenset[tuple[str, ...]]


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each figure that no fact licenses where it stands, and warn of licensed ones that a hedge makes vague."""
    yield from islice(_problems(reading), _MOST)


def _problems(reading: Reading) -> Iterator[Found]:
    named: frozenset[tuple[str, ...]] = frozenset()
    for scene in reading.scenes:
        here = named_lists(scene)
        for figure, bound in _bound(reading.sheet, scene):
            yield from _judge(reading, _Case(reading.sheet, scene, figure, bound, here | named))
        yield from comparisons(reading, scene)
        named = here


def _bound(sheet: Sheet, scene: Scene) -> Iterator[tuple[Figure, Bound]]:
    """Bind money, dates and durations to lines, each by its own type."""
    if not scene.figures:
        return
    money = [figure for figure in scene.figures if figure.kind in _MONEY]
    dates = [figure for figure in scene.figures if figure.kind is FigureKind.DATE]
    spans = [figure for figure in scene.figures if figure.kind is FigureKind.DURATION]
    bound = bind(scene, money, totals=True) | bind(scene, dates, totals=False) | bind(scene, spans, totals=False)
    if scene.heads and len(scene.mentions) == 1:
        bound = dict.fromkeys(scene.figures, Bound((scene.mentions[0].line,), pair=True))
    for figure in scene.figures:
        own = bound.get(figure, _UNBOUND)
        if not own.lines and figure.kind in (FigureKind.DATE, FigureKind.DURATION):
            own = Bound(lines_of_every(sheet, scene, figure))
        yield figure, own


def _judge(reading: Reading, case: _Case) -> Iterator[Found]:
    licence, figure = _license(case), case.figure
    if licence.granted and not figure.hedge:
        return
    said = reading.folded.quote(*figure.span)
    span = reading.folded.span(*figure.span)
    if not licence.granted:
        evidence = f'"{said}": {licence.evidence}'
        yield Found(licence.error, evidence, span, facts=licence.facts, fix=licence.fix or None)
    else:
        evidence = f'"{figure.hedge}" makes "{said}" vague'
        fix = f'Leave out "{figure.hedge}".'
        yield Found("FIGURE_HEDGED", evidence, span, facts=licence.facts, fix=fix, status=Status.WARN)


def _license(case: _Case) -> Licence:
    figure = case.figure
    unreadable = _UNREADABLE.get(figure.fault)
    if unreadable and figure.kind is not FigureKind.DATE:
        error, evidence = unreadable
        said = evidence.format(currency=case.sheet.currency, locale=case.sheet.locale)
        return Licence(error, said, "Write it as the sheet does.")
    return _BY_KIND[figure.kind](case)


def _number(case: _Case) -> Licence:
    """License a bare number: by a label such as "Days overdue:" or "Reminder", else as an amount of money."""
    sheet, scene, figure = case.sheet, case.scene, case.figure
    before = scene.between(max(scene.span.start, figure.span.start - _LABEL_REACH), figure.span.start)
    if _REMINDER_NUMBER.search(before):
        return check_ordinal(sheet, scene, replace(figure, unit="reminder"))
    label = _LABEL.search(before)
    if label and label["unit"]:
        return check_duration(sheet, scene, replace(figure, unit=label["unit"]), case.bound)
    if label:
        unit = {"r": "reminder", "c": "credit"}.get(label["noun"][0], "invoice")
        return check_count(sheet, scene, replace(figure, unit=unit, quality=tuple(label[0].split())), case.named)
    if not figure.cents:
        return Licence(
            "FIGURE_UNREADABLE", "is no amount with the currency's digits, and has no unit", "Give it a unit."
        )
    return check_amount(sheet, scene, figure, case.bound)


_BY_KIND: dict[FigureKind, Callable[[_Case], Licence]] = {
    FigureKind.MONEY: lambda case: check_amount(case.sheet, case.scene, case.figure, case.bound),
    FigureKind.DATE: lambda case: check_date(case.sheet, case.scene, case.figure, case.bound),
    FigureKind.COUNT: lambda case: check_count(case.sheet, case.scene, case.figure, case.named),
    FigureKind.ORDINAL: lambda case: check_ordinal(case.sheet, case.scene, case.figure),
    FigureKind.DURATION: lambda case: check_duration(case.sheet, case.scene, case.figure, case.bound),
    FigureKind.PERCENT: lambda case: check_percent(case.sheet, case.scene, case.figure),
    FigureKind.DERIVED: lambda case: check_multiple(case.sheet, case.scene, case.figure),
    FigureKind.NUMBER: _number,
    FigureKind.UNREADABLE: lambda _: Licence(
        "FIGURE_UNREADABLE", "cannot be read as a figure", "Write the figure in digits."
    ),
}

CHECK = Check(name="figures", version="1", run=check, params=NoParams(), blocking=True, core=True)
