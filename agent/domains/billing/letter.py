"""Render the parts of a payment letter that hold figures, names and payment details; no model writes these."""

from collections.abc import Iterator, Mapping

from agent.body import Block, Body, Code, Prose
from agent.domains.billing.schema import BillingFacts, Sender
from agent.domains.billing.wording import counted, day, joined, money, month, ordinal
from agent.domains.domain import Case
from agent.facts import Line, LineStatus, Sheet

__all__ = ["frame"]

_OFFERS_PLAN = ("firm_reminder", "formal_notice", "partial_payment")
_CODE_AFTER = {"opening": "table", "request": "pay"}


def frame(case: Case, prose: Mapping[str, str]) -> Body:
    """Set written prose, by block name, between the blocks that code renders from the facts."""
    facts: BillingFacts = case.facts
    rendered = {"table": _table(case.sheet), "pay": _pay(facts, case.sheet)}
    blocks: list[Block] = [Code("subject", _subject(case.sheet)), Code("greeting", _greeting(facts))]
    for block in case.blocks():
        blocks.append(Prose(block.name, prose[block.name]))
        after = rendered.get(_CODE_AFTER.get(block.name, ""))
        if after:
            blocks.append(Code(_CODE_AFTER[block.name], after))
    blocks.append(Code("sign_off", _sign_off(facts.sender)))
    return Body(tuple(blocks), framed=True)


def _subject(sheet: Sheet) -> str:
    due = money(sheet.money("total_due"), sheet)
    items = counted(sum(line.is_listed for line in sheet.lines), "open item")
    this = next((fact.value for fact in sheet.by_role.get("this_reminder", ()) if isinstance(fact.value, int)), 1)
    match sheet.situation:
        case "check_in":
            words = f"Your account: {items}"
        case "dispute_reply":
            words = "Your account: the disputed items and the rest"
        case "partial_payment":
            words = f"Your account: {due} still open"
        case "formal_notice":
            words = f"Formal notice: {due} outstanding"
        case _:
            words = f"{ordinal(this).capitalize()} reminder: {due} due" if this > 1 else f"Reminder: {due} due"
    return f"Subject: {words}"


def _greeting(facts: BillingFacts) -> str:
    return f"Dear {facts.client.contact or facts.client.name},"


def _table(sheet: Sheet) -> str:
    listed = [line for line in sheet.lines if line.is_listed]
    rows = "\n".join(_row(line, sheet) for line in listed)
    return f"Open items as of {day(sheet.as_of, sheet)}:\n\n{rows}\n\n" + "\n".join(_sum(sheet))


def _row(line: Line, sheet: Sheet) -> str:
    name = (
        f"{line.description.strip()}, {month(line.period, sheet)}"
        if line.description.strip()
        else month(line.period, sheet)
    )
    return f"- {line.id}: {name}\n  {_state(line, sheet)}"


def _state(line: Line, sheet: Sheet) -> str:
    amount = money(line.amount_cents, sheet)
    open_amount = money(line.open_cents, sheet)
    if line.status is LineStatus.CREDIT:
        used = f" ({amount}, of which {money(line.paid_cents, sheet)} is used)" if line.paid_cents else ""
        return f"Credit of {open_amount}{used}"
    paid = f" ({amount}, of which {money(line.paid_cents, sheet)} is paid)" if line.paid_cents else ""
    if line.status is LineStatus.DISPUTED:
        return f"{open_amount}{paid}, disputed, not part of the total due"
    return f"{open_amount}{paid}{_due(line, sheet)}"


def _due(line: Line, sheet: Sheet) -> str:
    if line.due is None:
        return ""
    unit = "day" if line.days_overdue == 1 else "days"
    late = f", {line.days_overdue} {unit} overdue" if line.days_overdue else ""
    return f", due {day(line.due, sheet)}{late}"


def _sum(sheet: Sheet) -> Iterator[str]:
    credited, disputed = sheet.money("credit_total"), sheet.money("disputed_total")
    if credited or disputed:
        yield f"Open invoices: {money(sheet.money('invoice_total'), sheet)}"
    if credited:
        yield f"Less credits: {money(credited, sheet)}"
    if disputed:
        yield f"Less disputed items: {money(disputed, sheet)}"
    yield f"Total due: {money(sheet.money('total_due'), sheet)}"


def _pay(facts: BillingFacts, sheet: Sheet) -> str:
    return "\n".join(_pay_lines(facts, sheet))


def _pay_lines(facts: BillingFacts, sheet: Sheet) -> Iterator[str]:
    pay_to = facts.sender.pay_to if facts.sender else None
    if pay_to:
        yield f"How to pay: {pay_to.method}"
        if pay_to.account:
            yield f"Account: {pay_to.account}"
        if pay_to.link:
            yield f"Link: {pay_to.link}"
    asked = [line.id for line in sheet.lines if line.status is LineStatus.OPEN]
    if pay_to and len(asked) <= 10:
        yield f"Please quote: {', '.join(asked)}"
    if facts.policy.pay_by:
        yield f"Please pay by: {day(facts.policy.pay_by, sheet)}"
    if facts.policy.payment_plan and sheet.situation in _OFFERS_PLAN:
        yield f"Payment plan: {facts.policy.payment_plan}"
    if facts.attachments:
        yield f"Attached: {joined([item.name for item in facts.attachments])}"


def _sign_off(sender: Sender | None) -> str:
    if sender is None:
        return "Kind regards"
    parts = ("Kind regards,", sender.name, sender.team, sender.email, sender.phone)
    return "\n".join(part for part in parts if part)
