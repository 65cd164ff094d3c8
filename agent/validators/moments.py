"""License dates: each must be a date or month of the sheet in its role, and a deadline must be the policy's."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from agent.facts import Fact, FactType, LineStatus, Sheet
from agent.text import MASK, fold, nfc, sentences
from agent.text.english_cues import (
    DEADLINE_CUES,
    DUE_CUES,
    EVENT_CUES,
    PAID_DATE_CUES,
    PAST_DUE,
    PAST_VERBS,
    PERIOD_CUES,
)
from agent.text.figure import Days, Direction, Figure
from agent.text.figures import read_figures
from agent.validators.amounts import Licence
from agent.validators.binding import Bound, Scene
from agent.validators.cues import left_of, right_of
from agent.validators.manner import manner_of

__all__ = ["check_date", "date_text"]

_DEADLINE = re.compile(DEADLINE_CUES)
_DUE = re.compile(DUE_CUES)
_PAST_DUE = re.compile(PAST_DUE)
_PAST = re.compile(PAST_VERBS)
_PERIOD = re.compile(PERIOD_CUES)
_PAID = re.compile(PAID_DATE_CUES)
_EVENT = re.compile(EVENT_CUES)
_BILL = re.compile(r"\b(?:invoices?|bills?|billed|billing|services?|work|period)\b")
_PAYING = re.compile(r"\b(?:paid|paying|settled|settling|payment (?:of|for))\s+(?:(?:invoice|item|bill|the|your)\s+)*$")
_DISPUTING = re.compile(r"\b(?:raised|opened|disputed|queried|contested)\b[^.;:]{0,40}$")
_PAYMENT = ("line_paid_on", "event_payment")
_TALKED = ("event_call", "event_promise", "event_agreement", "event_fee_waived", "event_dispute_opened")
_EVENT_ROLES = (
    (re.compile(r"call|spoke|speak|talk|phone|conversation|heard"), _TALKED),
    (
        re.compile(r"mail|wrote|writ|letter|reached|note|message|reply|response|enquiry|inquiry"),
        ("event_email", *_TALKED[1:]),
    ),
    (re.compile(r"promis"), ("event_promise",)),
    (re.compile(r"agree"), ("event_agreement", "event_promise")),
    (re.compile(r"disput|quer|raised|opened"), ("event_dispute_opened",)),
    (re.compile(r"closed"), ("event_dispute_closed",)),
)
_ANY_EVENT = (*_TALKED, "event_email", "event_payment", "event_dispute_closed", "line_due", "line_period")
_AS_OF = re.compile(r"\b(?:as of|as at|today|statement|position on)\b")
_BILLED = re.compile(r"\s*(?:invoices?|bills?|period|services|work)\b")
_OLDEST = re.compile(r"\b(?:oldest|earliest|first)\b")
_NEWEST = re.compile(r"\b(?:newest|latest|most recent|youngest)\b")
_UNTIL = re.compile(
    r"\b(?:by|before|until|till|no later than|not later than|on or before|latest|at the latest)\s*(?:the)?\s*$"
)
_SPOKE = (
    r"(?:spoke|spoken|talked|called|phoned|rang|wrote|written|e-?mailed|met|discussed|told|promised|agreed|confirmed|"
    r"said|assured|informed|mentioned|let us know)"
)
_BY = (
    r"(?:(?:by|over the|on the|via) (?:tele)?phone|by (?:e-?mail|letter|post|mail|text|message)|in writing|"
    r"(?:in|on|during) (?:a|an|your|our|the) (?:(?:last|latest|phone|telephone|earlier) )?"
    r"(?:call|conversation|e-?mail|letter|message|note))"
)
_WHO = rf"(?:you|we|i|they|he|she|as|{MASK})"
# "You promised payment by phone on", "the payment you promised on", "you promised to pay when we spoke on": the day of
# the word, not of the payment.
_EXCHANGED = re.compile(
    rf"\b{_SPOKE}\b(?:(?!\b(?:please|kindly|must|should|will|would|to pay|to settle)\b)[^.;:])*\b{_BY},?"
    r"(?: (?:on|of|dated))?(?: the)?\s*$"
    rf"|\bwhen (?:we|you|i) (?:last )?{_SPOKE}(?: (?:to|with) (?:us|you|me))?(?: {_BY})?,? (?:on )?(?:the )?$"
    rf"|\b(?:{_WHO}(?: (?:had|have|has|last|already|first|kindly|all))*|payments?|transfer|settlement|"
    rf"remittance|amount|instal?lments?),? {_SPOKE}(?: (?:to|with))?(?: (?:us|you|me))?,? on(?: the)?\s*$"
    rf"|\b(?:your|our|my|the) (?:(?:last|latest|earlier|previous|first|second|kind|recent|friendly|short) )?"
    rf"(?:message|e-?mail|letter|note|reply|response|enquiry|inquiry)(?: (?:to|from) (?:us|you|me))?,? "
    rf"(?:of|dated|from|sent on|received on)(?: the)?\s*$"
    rf"|\bthank(?:s| you)(?: very much| again)? for (?:your|the) (?:(?:kind|quick|prompt|helpful) )?"
    rf"(?:message|e-?mail|letter|note|reply|response|call) on(?: the)?\s*$"
)
# "The payment you promised for": the day that was promised, not the day of the promise.
_PROMISED_FOR = re.compile(
    r"\bpromis(?:ed|e|es|ing)(?: (?:us|me|payment|settlement|the (?:payment|transfer|money|amount)))* for(?: the)?\s*$"
)
_LEFT = 90


def date_text(day: date) -> str:
    """Return a date as evidence shows it."""
    return f"{day.day} {day:%B %Y}"


def check_date(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Licence:
    """License a date.

    One that looks forward, a weekday in a clause that is not past, or any date that payment is asked by is a deadline
    and must be `policy.pay_by` (a line's own due date to come may be told as due). The rest must hold a date or, as
    whole months and more, a period of the sheet, by the cue beside it: due, period, paid, event. A date bound to a line
    must be that line's.
    """
    if figure.fault in ("date", "weekday", "format"):
        what = "is no day of the calendar" if figure.fault == "date" else "names a weekday that is not the date's"
        return Licence("DATE_UNLICENSED", what, _date_fix(sheet))
    if figure.fault == "ambiguous":
        return _ambiguous(sheet, scene, figure, bound)
    if _PROMISED_FOR.search(scene.between(max(scene.span.start, figure.span.start - _LEFT), figure.span.start)):
        return _promised(sheet, figure)
    if _is_deadline(scene, figure):
        return _deadline(sheet, scene, figure, bound)
    days = figure.days[1:] if figure.direction is Direction.WEEKDAY else figure.days
    return _told(sheet, scene, figure, bound, days)


def _ambiguous(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Licence:
    """License a date of two readings only when each of them is right."""
    is_deadline = _is_deadline(scene, figure)
    allowed = [_deadline_days(sheet, scene)] if is_deadline else [list(_allowed(sheet, scene, figure, bound))]
    found = [any(_holds(days, fact) for fact in allowed[0]) for days in figure.days]
    if all(found):
        return Licence(facts=tuple(fact.id for fact in allowed[0] if _holds(figure.days[0], fact)))
    readings = " or ".join(date_text(days.first) for days in figure.days)
    error = "DATE_AMBIGUOUS" if any(found) else "DEADLINE_UNLICENSED" if is_deadline else "DATE_UNLICENSED"
    return Licence(error, f"may be read as {readings}", _date_fix(sheet))


def _is_deadline(scene: Scene, figure: Figure) -> bool:
    if figure.direction is Direction.FORWARD:
        return True
    before = scene.between(max(scene.span.start, figure.span.start - _LEFT), figure.span.start)
    if _is_exchanged(before):
        return False
    if figure.direction is Direction.WEEKDAY:
        return not _PAST.search(scene.between(scene.span.start, scene.span.end)) or bool(_DEADLINE.search(before))
    if figure.direction is Direction.BACKWARD or _PAST_DUE.search(before):
        return False
    return bool(_DEADLINE.search(before))


@lru_cache(maxsize=2048)
def _is_exchanged(before: str) -> bool:
    return bool(_EXCHANGED.search(before))


def _deadline_days(sheet: Sheet, scene: Scene) -> list[Fact]:
    """Return the facts that a date to come may be: the pay-by date, and where due is said, due dates still to come."""
    facts = list(sheet.by_role.get("pay_by", ()))
    if _DUE.search(scene.between(scene.span.start, scene.span.end)):
        later = (fact for fact in sheet.by_role.get("line_due", ()) if isinstance(fact.value, date))
        facts += [fact for fact in later if isinstance(fact.value, date) and fact.value > sheet.as_of]
    return facts


def _deadline(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Licence:
    allowed = _deadline_days(sheet, scene)
    if bound.lines:
        allowed = [fact for fact in allowed if fact.line is None or fact.line in bound.lines]
    days = figure.days[:1] if figure.direction is Direction.WEEKDAY else figure.days
    facts = tuple(fact.id for fact in allowed if any(_holds(day, fact) for day in days))
    if facts and figure.fault != "time":
        return Licence(facts=facts)
    pay_by = next((fact.value for fact in sheet.by_role.get("pay_by", ())), None)
    if isinstance(pay_by, date):
        holds = f"the pay-by date is {date_text(pay_by)}"
        return Licence(
            "DEADLINE_UNLICENSED", holds, f"Write {date_text(pay_by)}, or leave the deadline out.", ("pay_by",)
        )
    return Licence("DEADLINE_UNLICENSED", "the sheet has no pay-by date", "Leave the deadline out.")


def _promised(sheet: Sheet, figure: Figure) -> Licence:
    """License the day that a payment was promised for: a promise has to name it, the day it was made is no proof."""
    for event in sheet.events:
        if event.kind not in ("promise", "agreement"):
            continue
        text = fold(nfc(event.text))
        named = read_figures(text, text.text, tuple(sentences(text)), manner_of(sheet))
        if any(days in figure.days for other in named for days in other.days):
            return Licence(facts=tuple(fact.id for fact in sheet.by_role.get(f"event_{event.kind}", ())))
    fix = "Say on which day it was promised, or leave the day out."
    return Licence("DATE_UNLICENSED", "no promise of the sheet names the day that it is for", fix)


def _told(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound, days: tuple[Days, ...]) -> Licence:
    allowed = list(_allowed(sheet, scene, figure, bound))
    by_line = bound.lines if len(bound.lines) > 1 else ()
    if by_line and not _holds_for_each(allowed, days, by_line):
        return _refused(sheet, allowed, bound)
    facts = tuple(fact.id for fact in allowed if any(_holds(day, fact) for day in days))
    return Licence(facts=facts) if facts else _refused(sheet, allowed, bound)


def _holds_for_each(allowed: list[Fact], days: tuple[Days, ...], lines: tuple[str, ...]) -> bool:
    """Tell whether a date told of a list of lines holds for each of them."""
    return all(
        any(_holds(day, fact) for day in days for fact in allowed if fact.line in (line, None)) for line in lines
    )


def _allowed(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Iterator[Fact]:
    left = scene.between(max(scene.span.start, figure.span.start - _LEFT), figure.span.start)
    near, right = _near(scene, figure), right_of(scene, figure)
    dates = [fact for fact in sheet.facts if fact.type in (FactType.DATE, FactType.MONTH)]
    if bound.lines:
        dates = [fact for fact in dates if fact.line in bound.lines or fact.line is None]
        own = {fact.value for fact in dates if fact.role == "line_due"}
        alone = own if len(bound.lines) == 1 else set()
        dates = [fact for fact in dates if fact.role not in ("oldest_due", "newest_due") or fact.value in alone]
    wanted = _roles(near, right, left)
    paid = {line.id for line in sheet.lines if line.status is LineStatus.PAID} - set(bound.lines)
    if wanted:
        past = () if wanted == _PAYMENT else paid
        yield from (fact for fact in dates if _plays(fact, wanted) and fact.line not in past)
        return
    yield from (fact for fact in dates if fact.line not in paid and fact.role not in ("pay_by", "event_not_duplicate"))


def _near(scene: Scene, figure: Figure) -> str:
    """Return the clause before a date, with the verb before the line that it follows: "paid TX-1 on"."""
    near = left_of(scene, figure)
    before = [mention.span for mention in scene.mentions if mention.span.end <= figure.span.start]
    if not before or near.strip() not in ("on", "", "in", "at"):
        return near
    earlier = scene.between(scene.span.start, before[-1].start)
    verb = _PAYING.search(earlier) or _DISPUTING.search(earlier)
    return f"{verb[0]} {near}" if verb else near


@lru_cache(maxsize=2048)
def _roles(near: str, right: str, left: str) -> tuple[str, ...]:
    """Return the roles that the words beside a date allow it; () when they tell none."""
    if _DUE.search(near) or _DUE.match(right):
        return _due_roles(near, left)
    if _PAID.search(near) and not _EVENT.search(near):
        return _PAYMENT
    if _EVENT.search(near) and not (_PERIOD.search(near) and _BILL.search(near)):
        return ("as_of",) if _AS_OF.search(near) else _events(near)
    return ("line_period", "line_due") if _PERIOD.search(near) or _BILLED.match(right) else ()


def _due_roles(near: str, left: str) -> tuple[str, ...]:
    if _OLDEST.search(near) or _NEWEST.search(near):
        return ("oldest_due",) if _OLDEST.search(near) else ("newest_due",)
    roles = ("line_due", "oldest_due", "newest_due")
    return roles if _PAST_DUE.search(left) else (*roles, "pay_by")


def _events(near: str) -> tuple[str, ...]:
    """Return the roles of events that the nearest word before a date names: a call, an e-mail, a promise."""
    cue = list(_EVENT.finditer(near))[-1][0]
    return next((roles for pattern, roles in _EVENT_ROLES if pattern.search(cue)), _ANY_EVENT)


def _plays(fact: Fact, wanted: tuple[str, ...]) -> bool:
    return fact.role in wanted


def _holds(days: Days, fact: Fact) -> bool:
    """Tell whether a time holds a fact's date or month; a month by itself, or a quarter or year around it."""
    if isinstance(fact.value, date):
        return days.first <= fact.value <= days.last
    year, month = (int(part) for part in str(fact.value).split("-"))
    starts = date(year, month, 1)
    return (days.month or (days.last - days.first).days > 31) and days.first <= starts <= days.last


def _refused(sheet: Sheet, allowed: list[Fact], bound: Bound) -> Licence:
    known = [fact for fact in allowed if fact.role != "as_of"]
    shown = dict.fromkeys(_fact_text(fact) for fact in known)
    if not shown:
        return Licence("DATE_UNLICENSED", "the sheet has no date in this role", _date_fix(sheet))
    of = f"{' and '.join(bound.lines)} has" if bound.lines else "the sheet has"
    listed = ", ".join(list(shown)[:4])
    ids = tuple(fact.id for fact in known)[:8]
    return Licence("DATE_UNLICENSED", f"{of} {listed}", f"Write {listed}, or leave the date out.", ids)


def _fact_text(fact: Fact) -> str:
    if isinstance(fact.value, date):
        return date_text(fact.value)
    year, month = (int(part) for part in str(fact.value).split("-"))
    return f"{date(year, month, 1):%B %Y}"


def _date_fix(sheet: Sheet) -> str:
    dues = dict.fromkeys(date_text(f.value) for f in sheet.by_role.get("line_due", ()) if isinstance(f.value, date))
    return (
        f"Write a date of the sheet with its month's name, such as {next(iter(dues))}."
        if dues
        else "Leave the date out."
    )
