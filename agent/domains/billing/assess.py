"""Decide before any model call whether a ledger can be written about.

Covers: a stated total that differs, payments above an amount, a payment on file beside a line without one; nothing
open, nothing due, lines that may be one. Of an event's words it only understands plain statements that something
was paid.
"""

import re
from collections.abc import Iterator

from agent.domains.billing.schema import BillingFacts
from agent.domains.billing.wording import joined, money
from agent.domains.domain import Assessment, Conflict, Difficulty, Gap
from agent.facts import Event, Line, LineStatus, Sheet

__all__ = ["assess", "difficulty"]

_SAYS_PAID = re.compile(
    r"\b(?:(?:has|have|had|was|were|is|been|already|they|client|we)\s+(?:\w+\s+)?paid"
    r"|paid\s+(?:on|in\s+full|it|this|via|by)|payment\s+(?:was\s+|is\s+)?(?:sent|made|received|arrived))\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:not|never|no|will|would|if|when|once|until|unless|to\s+be|promis\w+|should|plans?|hopes?)\b|n't\b",
    re.IGNORECASE,
)
_IN_FULL = re.compile(r"\b(?:in\s+full|fully|settled|cleared)\b", re.IGNORECASE)


def assess(facts: BillingFacts, sheet: Sheet) -> Assessment:
    """Return what keeps a ledger from being written about; conflicts are looked for first."""
    conflicts = (*_wrong_total(facts, sheet), *_overpaid(sheet), *_paid_but_open(sheet))
    if conflicts:
        return Assessment(conflicts=conflicts)
    return Assessment(gaps=(*_nothing_due(sheet), *_twins(sheet)))


def difficulty(sheet: Sheet) -> Difficulty:
    """Derive how hard a ledger is to write about from its number of lines."""
    lines = len(sheet.lines)
    factor = 1.0 if lines <= 10 else 1.5 if lines <= 30 else 2.5 if lines <= 100 else 3.0
    return Difficulty(factor, f"the ledger has {lines} {'line' if lines == 1 else 'lines'}")


def _wrong_total(facts: BillingFacts, sheet: Sheet) -> Iterator[Conflict]:
    stated = facts.stated_total_cents
    open_total = sheet.money("open_total")
    if stated is not None and stated != open_total:
        yield Conflict(
            "STATED_TOTAL_DIFFERS",
            f"the stated total is {money(stated, sheet)}, but the open lines come to {money(open_total, sheet)}",
            "Correct stated_total_cents or the lines, and send the facts again.",
            ("open_total",),
        )


def _overpaid(sheet: Sheet) -> Iterator[Conflict]:
    for line in sheet.lines:
        if line.paid_cents > line.amount_cents:
            yield Conflict(
                "PAID_ABOVE_AMOUNT",
                f"{line.id}: {money(line.paid_cents, sheet)} is paid on an amount of {money(line.amount_cents, sheet)}",
                "Correct paid_cents, or enter the excess as a credit.",
                (line.id,),
            )


def _paid_but_open(sheet: Sheet) -> Iterator[Conflict]:
    for event in sheet.events:
        line = sheet.line(event.line) if event.line else None
        if _contradicts(event, line, sheet):
            about = f"{event.line} has been paid" if event.line else "a payment was made"
            state = (
                f"the ledger shows {money(line.open_cents, sheet)} open on it" if line else "no line shows a payment"
            )
            yield Conflict(
                "PAID_BUT_OPEN",
                f"the {event.kind.replace('_', ' ')} of {event.on.isoformat()} says that {about}, but {state}",
                "Book the payment, or correct the event.",
                (line.id,) if line else (),
            )


def _contradicts(event: Event, line: Line | None, sheet: Sheet) -> bool:
    says_paid = event.kind == "payment" or (
        event.kind in ("call", "email") and bool(_SAYS_PAID.search(event.text)) and not _NOT_YET.search(event.text)
    )
    if not says_paid:
        return False
    if line is None:
        # Without a line it contradicts only a ledger on which nothing at all was paid.
        return event.kind == "payment" and not any(item.paid_cents for item in sheet.lines)
    # A payment beside a line that is paid in part is that part, unless it speaks of the whole.
    return line.is_listed and (not line.paid_cents or bool(_IN_FULL.search(event.text)))


def _nothing_due(sheet: Sheet) -> Iterator[Gap]:
    looked_for = f"{len(sheet.lines)} transactions as of {sheet.as_of.isoformat()}"
    if not any(line.is_listed for line in sheet.lines):
        yield Gap(
            "NOTHING_OPEN", "an open invoice", looked_for, "facts with at least one open line, or closing the case"
        )
    elif sheet.money("total_due") <= 0:
        yield Gap(
            "NOTHING_DUE",
            "an amount that may be asked for: after credits and disputed lines nothing is due",
            looked_for,
            "settling the dispute, allotting the credit, or closing the case",
        )


def _twins(sheet: Sheet) -> Iterator[Gap]:
    told_apart = {
        event.line.casefold() if event.line else "" for event in sheet.events if event.kind == "not_duplicate"
    }
    groups: dict[tuple[object, ...], list[Line]] = {}
    for line in sheet.lines:
        if line.is_listed and line.id.casefold() not in told_apart and "" not in told_apart:
            words = " ".join(line.description.casefold().split())
            key = (line.status is LineStatus.CREDIT, words, line.period, line.amount_cents)
            groups.setdefault(key, []).append(line)
    for twins in groups.values():
        if len(twins) > 1:
            names = joined([line.id for line in twins])
            yield Gap(
                "AMBIGUOUS_LINES",
                f"whether {names} are one charge or several: description, period and amount are equal",
                "transactions, and events of kind not_duplicate",
                "an event of kind not_duplicate that names one of them, or removing the copy",
            )
