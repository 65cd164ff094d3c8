"""License counts, ordinals, durations and percentages."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from agent.facts import Fact, FactType, Line, LineStatus, Sheet
from agent.text.english_cues import (
    COLLECTION_CUES,
    FEE_CUES,
    NEGATED_PAYMENT,
    NOT_FEE_CUES,
    PAST_REMINDER,
    REMINDING,
    STATUS_ADJECTIVES,
)
from agent.text.figure import Figure, FigureKind
from agent.validators.amounts import Licence
from agent.validators.binding import Bound, Scene
from agent.validators.cues import left_of, right_of

__all__ = ["check_count", "check_duration", "check_multiple", "check_ordinal", "check_percent"]

_COLLECTION = re.compile(COLLECTION_CUES)
_NEGATED_PAYMENT = re.compile(NEGATED_PAYMENT)
_TO_COME = re.compile(r"\b(?:to|must|should|will|can|may) be\b")
_FEE = re.compile(FEE_CUES)
_NOT_FEE = re.compile(NOT_FEE_CUES)
_PAST_REMINDER = re.compile(PAST_REMINDER)
_REMINDING = re.compile(REMINDING)
_ADJECTIVES = {role: re.compile(rf"\b(?:{pattern})\b") for role, pattern in STATUS_ADJECTIVES.items()}
_THIS = re.compile(r"\bthis (?:is|being|will be|serves)\b|\bthis\s*$")
_EARLY = re.compile(r"\s*(?:too )?(?:early|ahead|in advance|to go|left)\b")
_OLDEST = re.compile(r"\b(?:oldest|earliest|longest)\b")
_NEWEST = re.compile(r"\b(?:newest|latest|most recent)\b")
_GENERAL = ("open_count", "open_invoice_count", "due_count", "overdue_count")
_LISTED = ("", "open", "overdue", "due")
_COUNT_ROLES = {
    "disputed": ("disputed_count",),
    "paid": ("paid_count",),
    "credit": ("credit_count",),
    "overdue": ("overdue_count",),
    "open": ("open_count", "open_invoice_count", "due_count"),
    "due": ("due_count",),
}


def check_count(sheet: Sheet, scene: Scene, figure: Figure, named: frozenset[tuple[str, ...]]) -> Licence:
    """License a count of lines, credits or reminders.

    A status in its phrase or predicate says which lines are counted; without one any count of open lines will do, and
    so will the number of lines that the sentence names (`named`). Lines of one month are counted when a month is said.
    Payments and instalments have no count.
    """
    values = {int(value) for value in figure.numbers}
    if figure.unit == "payment":
        return Licence("COUNT_UNLICENSED", "the sheet has no number of payments", "Leave the number out.")
    if figure.unit == "reminder":
        sent = next((fact.value for fact in sheet.by_role.get("reminders_sent", ())), 0)
        if sent in values:
            return Licence(facts=("reminders_sent",))
        return Licence(
            "COUNT_UNLICENSED", f"{sent} reminders were sent before this one", f"Write {sent}.", ("reminders_sent",)
        )
    status = "credit" if figure.unit == "credit" else _status_of(scene, figure)
    roles = _COUNT_ROLES.get(status, _GENERAL)
    if figure.unit == "invoice" and sheet.money("credit_total"):
        roles = tuple(role for role in roles if role != "open_count")  # which counts credits too
    facts = [fact for role in roles for fact in sheet.by_role.get(role, ())]
    granted = tuple(fact.id for fact in facts if fact.value in values)
    if (
        granted
        or (status in _LISTED and _counts(sheet, figure, status, named) & values)
        or _of_month(sheet, scene, figure, values)
    ):
        return Licence(facts=granted)
    known = ", ".join(dict.fromkeys(str(fact.value) for fact in facts)) or "0"
    what = f"{status} lines" if status else "open lines"
    return Licence(
        "COUNT_UNLICENSED", f"the sheet has {known} {what}", f"Write {known}.", tuple(fact.id for fact in facts)
    )


def _counts(sheet: Sheet, figure: Figure, status: str, named: frozenset[tuple[str, ...]]) -> set[int]:
    """Return how many lines the lists nearby name, where all of them are what is said; a credit is no invoice."""
    late = {line.id for line in sheet.lines if line.days_overdue}
    due = {line.id for line in sheet.lines if line.status is LineStatus.OPEN}
    credits_ = {line.id for line in sheet.lines if line.status is LineStatus.CREDIT and figure.unit == "invoice"}
    lists = [set(lines) - credits_ for lines in named]
    within = {"overdue": late, "due": due}.get(status)
    return {len(lines) for lines in lists if within is None or lines <= within}


def _status_of(scene: Scene, figure: Figure) -> str:
    """Return the status that a count's adjectives give it, or its predicate up to the next figure."""
    phrase = " ".join(figure.quality)
    for role, pattern in _ADJECTIVES.items():
        if pattern.search(phrase):
            return role
    following = right_of(scene, figure)
    for role, pattern in _ADJECTIVES.items():
        if match := pattern.search(following):
            said = following[: match.end()]
            if role != "paid" or not _NEGATED_PAYMENT.search(said):
                return role
            return "due" if _TO_COME.search(said) else "open"
    return ""


def _of_month(sheet: Sheet, scene: Scene, figure: Figure, values: set[int]) -> bool:
    """Tell whether a count is that of the open lines of the month or day that follows it in its sentence."""
    later = [item for item in scene.figures if item.kind is FigureKind.DATE and item.span.start >= figure.span.end]
    if not later:
        return False
    counts = set()
    for days in later[0].days:
        open_lines = [line for line in sheet.lines if line.is_listed]
        counts.add(sum(days.first <= date.fromisoformat(f"{line.period}-01") <= days.last for line in open_lines))
        counts.add(sum(line.due is not None and days.first <= line.due <= days.last for line in open_lines))
    return bool((counts - {0}) & values)


def check_ordinal(sheet: Sheet, scene: Scene, figure: Figure) -> Licence:
    """License an ordinal: this reminder is number reminders_sent + 1, one before it may be told as past.

    Of lines it may name a place in the list of open ones.
    """
    value = int(figure.numbers[0])
    this = next((int(str(fact.value)) for fact in sheet.by_role.get("this_reminder", ())), 0)
    if figure.unit == "reminder":
        sentence = scene.between(scene.span.start, scene.span.end)
        is_past = bool(_PAST_REMINDER.search(sentence)) and not _THIS.search(left_of(scene, figure))
        if value == this or (is_past and 0 < value < this):
            return Licence(facts=("this_reminder",))
        return Licence(
            "ORDINAL_UNLICENSED", f"this is reminder number {this}", f"Write number {this}.", ("this_reminder",)
        )
    if figure.unit in ("invoice", "item", "credit") and 0 < value <= sum(line.is_listed for line in sheet.lines):
        return Licence(facts=("open_count",))
    days = (fact for fact in sheet.of_type(FactType.DATE) if isinstance(fact.value, date) and fact.value.day == value)
    facts = tuple(fact.id for fact in days)
    if not figure.unit and facts:
        return Licence(facts=facts)
    return Licence("ORDINAL_UNLICENSED", "the sheet has nothing of this number", "Leave the number out.")


def check_duration(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Licence:
    """License a duration: lateness in days, or rounded down to whole weeks or months, of its line or of any.

    Beside a collections cue it must be the policy's days. Anything else (terms, minutes of a call, years) has no fact.
    """
    sentence = scene.between(scene.span.start, scene.span.end)
    if _COLLECTION.search(sentence) and figure.unit == "days":
        facts = tuple(fact.id for fact in sheet.by_role.get("collections_after", ()) if fact.value in figure.numbers)
        if facts:
            return Licence(facts=facts)
    lines = [line for line in sheet.lines if line.days_overdue and (not bound.lines or line.id in bound.lines)]
    near = left_of(scene, figure)
    if _EARLY.match(right_of(scene, figure)):
        return Licence("DURATION_UNLICENSED", "nothing on the sheet is early", "Leave the duration out.")
    if lines and _OLDEST.search(near):
        lines = [max(lines, key=lambda line: line.days_overdue)]
    elif lines and _NEWEST.search(near):
        lines = [min(lines, key=lambda line: line.days_overdue)]
    late = list(_lateness(sheet, figure.unit, lines))
    every = len(bound.lines) > 1
    fitting = tuple(fact.id for fact in late if fact.value in figure.numbers)
    if fitting and (not every or len(fitting) == len(bound.lines)):
        return Licence(facts=fitting)
    if not late:
        return Licence("DURATION_UNLICENSED", "the sheet has no such duration", "Leave the duration out.")
    known = ", ".join(dict.fromkeys(f"{fact.line} is {fact.value} {figure.unit} overdue" for fact in late))
    first = str(late[0].value)
    return Licence("DURATION_UNLICENSED", known, f"Write {first} {figure.unit}.", tuple(fact.id for fact in late))


def _lateness(sheet: Sheet, unit: str, lines: list[Line]) -> Iterator[Fact]:
    role = {"days": "line_days_overdue", "weeks": "line_weeks_overdue", "months": "line_months_overdue"}.get(unit)
    ids = {line.id for line in lines}
    if role:
        yield from (fact for fact in sheet.by_role.get(role, ()) if fact.line in ids)
    if unit == "fortnights":
        for line in lines:
            weeks = line.days_overdue // 7
            if weeks and weeks % 2 == 0:
                yield Fact(f"{line.id}.weeks", FactType.WEEKS, "fortnights", weeks // 2, line.id, derived=True)


def check_percent(sheet: Sheet, scene: Scene, figure: Figure) -> Licence:
    """License a percentage: only the policy's late fee, and only where a fee or interest is spoken of."""
    sentence = scene.between(scene.span.start, scene.span.end)
    fees = sheet.by_role.get("late_fee", ())
    if not fees:
        return Licence("PERCENT_UNLICENSED", "the sheet has no percentage", "Leave the percentage out.")
    rate = fees[0].value
    is_fee = bool(_FEE.search(sentence)) and not _NOT_FEE.search(left_of(scene, figure) + right_of(scene, figure))
    if rate in figure.numbers and is_fee:
        return Licence(facts=(fees[0].id,))
    what = f"the late fee is {rate}%" if isinstance(rate, Decimal) else "the sheet has no percentage"
    return Licence("PERCENT_UNLICENSED", what, f"Write {rate}%, or leave it out.", (fees[0].id,))


def check_multiple(sheet: Sheet, scene: Scene, figure: Figure) -> Licence:
    """License "twice" and "three times" as how often reminders were sent; refuse every other derived figure."""
    sentence = scene.between(scene.span.start, scene.span.end)
    sent = next((fact.value for fact in sheet.by_role.get("reminders_sent", ())), 0)
    if figure.unit in ("twice", "times") and _REMINDING.search(sentence) and sent in figure.numbers:
        return Licence(facts=("reminders_sent",))
    what = {"range": "a range", "fraction": "a fraction", "multiple": "a multiple"}.get(
        figure.fault, "a derived figure"
    )
    return Licence("FIGURE_DERIVED", f"{what} is no fact of the sheet", "Write the amount, date or count itself.")
