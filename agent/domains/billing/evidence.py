"""Tell a billing case as plain sentences, for the check of a draft's statements against them."""

from collections.abc import Iterator

from agent.domains.billing.schema import Attachment, BillingFacts, LedgerEvent, Transaction
from agent.domains.billing.wording import counted, day, money, month
from agent.domains.domain import Case
from agent.facts import Line, LineStatus, Sheet

__all__ = ["sentences"]

_EVENTS = {
    "call": "There was a call",
    "email": "There was an email",
    "promise": "The client made a promise",
    "agreement": "Both sides made an agreement",
    "payment": "A payment came in",
    "dispute_opened": "The client opened a dispute",
    "dispute_closed": "The dispute was closed",
    "not_duplicate": "It was confirmed that the lines are no duplicates",
    "fee_waived": "A fee was waived",
}


def sentences(case: Case) -> tuple[str, ...]:
    """Return the facts of a case as sentences; the first says who writes to whom."""
    facts: BillingFacts = case.facts
    sheet = case.sheet
    told = [_parties(facts), f"Today is {day(facts.as_of, sheet)}."]
    for given, line in zip(facts.transactions, sheet.lines, strict=True):
        told.extend(_line(given, line, sheet))
    told.append(f"The total due is {money(sheet.money('total_due'), sheet)}.")
    told.extend(_dealings(facts, sheet))
    told.extend(_policy(facts, sheet))
    told.append(_attachments(facts.attachments))
    if case.message:
        told.append(f"The client wrote: {' '.join(case.message.split())}")
    return tuple(told)


def _parties(facts: BillingFacts) -> str:
    client = f"{facts.client.contact} of {facts.client.name}" if facts.client.contact else facts.client.name
    sender = f"{facts.sender.name} of {facts.sender.team}" if facts.sender else "The sender's accounts team"
    return f"{sender} writes to {client}, the client."


def _line(given: Transaction, line: Line, sheet: Sheet) -> Iterator[str]:
    what = "credit" if line.status is LineStatus.CREDIT else "invoice"
    described = f", {line.description}" if line.description else ""
    yield f"The {what} {line.id}{described}, for {month(line.period, sheet)} is {money(line.amount_cents, sheet)}."
    if line.status is LineStatus.CREDIT:
        return
    yield f"{line.id} {_due(line, sheet)}{_state(given, line, sheet)}."


def _due(line: Line, sheet: Sheet) -> str:
    if line.due is None:
        return ""
    if line.days_overdue:
        return f"was due on {day(line.due, sheet)}, is {counted(line.days_overdue, 'day')} late and "
    return f"{'was' if line.due < sheet.as_of else 'is'} due on {day(line.due, sheet)} and "


def _state(given: Transaction, line: Line, sheet: Sheet) -> str:
    if line.status is LineStatus.PAID:
        return "is paid" + (f" since {day(given.paid_on, sheet)}" if given.paid_on else "")
    partly = f"; {money(line.paid_cents, sheet)} is paid and {money(line.open_cents, sheet)} is open"
    state = "is disputed by the client" if line.status is LineStatus.DISPUTED else "is unpaid"
    return state + (partly if line.paid_cents else "")


def _dealings(facts: BillingFacts, sheet: Sheet) -> Iterator[str]:
    if facts.reminders_sent:
        yield f"{counted(facts.reminders_sent, 'reminder').capitalize()} went out before."
    else:
        yield "No reminder went out before."
    for event in facts.events:
        yield _event(event, sheet)
    if not facts.events:
        yield "No call, meeting, promise or agreement is recorded."


def _event(event: LedgerEvent, sheet: Sheet) -> str:
    about = f" about {event.line}" if event.line else ""
    text = f": {' '.join(event.text.split())}" if event.text.strip() else ""
    return f"{_EVENTS[event.kind]} on {day(event.on, sheet)}{about}{text.rstrip('.')}."


def _policy(facts: BillingFacts, sheet: Sheet) -> Iterator[str]:
    policy, sender = facts.policy, facts.sender
    yield (
        f"The late fee is {policy.late_fee_percent.removesuffix('%')}%."
        if policy.late_fee_percent
        else "No late fee, interest or other charge applies."
    )
    if policy.payment_plan:
        yield f"A payment plan is possible: {policy.payment_plan.rstrip('.')}."
    if policy.collections_after_days is not None:
        yield f"Collection may follow {counted(policy.collections_after_days, 'day')} after the due date."
    if policy.pay_by:
        yield f"Payment is asked for by {day(policy.pay_by, sheet)}."
    if sender and sender.pay_to:
        yield f"Payment is by {sender.pay_to.method}."


def _attachments(attachments: tuple[Attachment, ...]) -> str:
    if not attachments:
        return "Nothing is attached."
    return f"Attached: {', '.join(item.name for item in attachments)}."
