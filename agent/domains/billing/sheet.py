"""Turn a billing ledger into a sheet: stated facts, and the totals, counts and lateness that code derives."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from agent.domains.billing.schema import BillingFacts, Transaction
from agent.facts import Event, Fact, FactType, Line, LineStatus, OwnString, Sheet, facts_hash

__all__ = ["derive", "situation_of", "whole_months"]


def derive(facts: BillingFacts, *, given: Mapping[str, Any] | None = None, version: int = 1) -> Sheet:
    """Freeze a ledger: open = amount - paid, open total = open invoices - credits, total due = open total - disputed.

    Lateness is as of `as_of`, never today. The hash is of `given`, the facts as they came in, when passed.
    """
    lines = tuple(_line(item, facts.as_of) for item in facts.transactions)
    return Sheet(
        domain="billing",
        locale=facts.locale,
        currency=facts.currency,
        as_of=facts.as_of,
        hash=facts_hash(given if given is not None else facts.model_dump(mode="json", exclude_none=True)),
        facts=(*_totals(lines), *_counts(lines), *_line_facts(lines), *_dates(facts, lines), *_policy_facts(facts)),
        lines=lines,
        events=tuple(Event(item.kind, item.on, item.line, item.text) for item in facts.events),
        attachments=tuple(item.name for item in facts.attachments),
        attached_lines=tuple(item.line for item in facts.attachments if item.line),
        strings=tuple(_strings(facts)),
        contacts=_present(
            facts.client.email,
            facts.client.phone,
            *((facts.sender.email, facts.sender.phone) if facts.sender else ()),
        ),
        payment=_payment(facts),
        policy=facts.policy.model_dump(),
        situation=situation_of(lines, facts.reminders_sent),
        version=version,
    )


def situation_of(lines: tuple[Line, ...], reminders_sent: int) -> str:
    """Return the situation that a ledger is in when the case does not name one."""
    listed = [line for line in lines if line.is_listed]
    if any(line.status is LineStatus.CREDIT or line.paid_cents for line in listed):
        return "partial_payment"
    if any(line.status is LineStatus.DISPUTED for line in listed):
        return "dispute_reply"
    if max((line.days_overdue for line in listed), default=0) >= 90:
        return "formal_notice"
    return ("check_in", "gentle_reminder")[reminders_sent] if reminders_sent < 2 else "firm_reminder"


def whole_months(start: date, end: date) -> int:
    """Return the whole calendar months from start to end, rounded down, never below 0."""
    months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
    return max(months, 0)


def _line(item: Transaction, as_of: date) -> Line:
    open_cents = item.amount_cents - item.paid_cents
    if item.kind == "credit":
        status = LineStatus.CREDIT
    elif open_cents <= 0:
        status = LineStatus.PAID
    else:
        status = LineStatus.DISPUTED if item.disputed else LineStatus.OPEN
    late = item.kind == "invoice" and item.due is not None and open_cents > 0
    return Line(
        id=item.id,
        status=status,
        description=item.description,
        period=item.period,
        amount_cents=item.amount_cents,
        paid_cents=item.paid_cents,
        due=item.due,
        paid_on=item.paid_on,
        days_overdue=max((as_of - item.due).days, 0) if late and item.due else 0,
    )


def _totals(lines: tuple[Line, ...]) -> Iterator[Fact]:
    listed = [line for line in lines if line.is_listed]
    invoices = sum(line.open_cents for line in listed if line.status is not LineStatus.CREDIT)
    credited = sum(line.open_cents for line in listed if line.status is LineStatus.CREDIT)
    disputed = sum(line.open_cents for line in listed if line.status is LineStatus.DISPUTED)
    overdue = sum(line.open_cents for line in listed if line.status is LineStatus.OPEN and line.days_overdue)
    paid = sum(line.paid_cents for line in listed if line.status is not LineStatus.CREDIT)
    totals = {
        "total_due": invoices - credited - disputed,
        "open_total": invoices - credited,
        "invoice_total": invoices,
        "credit_total": credited,
        "disputed_total": disputed,
        "overdue_total": overdue,
        "paid_to_date": paid,
    }
    for role, cents in totals.items():
        # A part that is not there is no fact: "your credit of $0.00" would say that there is one.
        if cents or role in ("total_due", "open_total"):
            yield Fact(role, FactType.MONEY, role, cents, derived=True)


def _counts(lines: tuple[Line, ...]) -> Iterator[Fact]:
    listed = [line for line in lines if line.is_listed]
    counts = {
        "open_count": len(listed),
        "open_invoice_count": sum(line.status is not LineStatus.CREDIT for line in listed),
        "due_count": sum(line.status is LineStatus.OPEN for line in listed),
        "credit_count": sum(line.status is LineStatus.CREDIT for line in listed),
        "disputed_count": sum(line.status is LineStatus.DISPUTED for line in listed),
        "overdue_count": sum(bool(line.days_overdue) for line in listed),
        "paid_count": sum(line.status is LineStatus.PAID for line in lines),
    }
    for role, count in counts.items():
        if count:
            yield Fact(role, FactType.COUNT, role, count, derived=True)


def _line_facts(lines: tuple[Line, ...]) -> Iterator[Fact]:
    for line in lines:
        yield Fact(f"{line.id}.amount", FactType.MONEY, "line_amount", line.amount_cents, line.id)
        if line.paid_cents:
            yield Fact(f"{line.id}.paid", FactType.MONEY, "line_paid", line.paid_cents, line.id)
        if line.is_listed:
            yield Fact(f"{line.id}.open", FactType.MONEY, "line_open", line.open_cents, line.id, derived=True)
        yield Fact(f"{line.id}.period", FactType.MONTH, "line_period", line.period, line.id)
        if line.due:
            yield Fact(f"{line.id}.due", FactType.DATE, "line_due", line.due, line.id)
        if line.paid_on:
            yield Fact(f"{line.id}.paid_on", FactType.DATE, "line_paid_on", line.paid_on, line.id)
        if line.days_overdue:
            yield Fact(f"{line.id}.days", FactType.DAYS, "line_days_overdue", line.days_overdue, line.id, derived=True)


def _dates(facts: BillingFacts, lines: tuple[Line, ...]) -> Iterator[Fact]:
    yield Fact("as_of", FactType.DATE, "as_of", facts.as_of)
    late = [line for line in lines if line.days_overdue and line.due]
    dues = [line.due for line in lines if line.is_listed and line.due]
    if dues:
        yield Fact("oldest_due", FactType.DATE, "oldest_due", min(dues), derived=True)
        yield Fact("newest_due", FactType.DATE, "newest_due", max(dues), derived=True)
    for line in late:
        if line.due and line.days_overdue >= 7:
            yield Fact(f"{line.id}.weeks", FactType.WEEKS, "line_weeks_overdue", line.days_overdue // 7, line.id, True)
        if line.due and (months := whole_months(line.due, facts.as_of)):
            yield Fact(f"{line.id}.months", FactType.MONTHS, "line_months_overdue", months, line.id, True)
    if late:
        yield Fact("days_overdue", FactType.DAYS, "days_overdue", max(line.days_overdue for line in late), derived=True)
    for index, event in enumerate(facts.events):
        yield Fact(f"events.{index}.on", FactType.DATE, f"event_{event.kind}", event.on, event.line)


def _policy_facts(facts: BillingFacts) -> Iterator[Fact]:
    yield Fact("reminders_sent", FactType.COUNT, "reminders_sent", facts.reminders_sent)
    yield Fact("this_reminder", FactType.ORDINAL, "this_reminder", facts.reminders_sent + 1, derived=True)
    policy = facts.policy
    if policy.late_fee_percent:
        percent = Decimal(policy.late_fee_percent.removesuffix("%").strip())
        yield Fact("late_fee_percent", FactType.PERCENT, "late_fee", percent)
    if policy.collections_after_days is not None:
        yield Fact("collections_after", FactType.DAYS, "collections_after", policy.collections_after_days)
    if policy.pay_by:
        yield Fact("pay_by", FactType.DATE, "pay_by", policy.pay_by)


def _strings(facts: BillingFacts) -> Iterator[OwnString]:
    client = facts.client
    for kind, value in (("client_name", client.name), ("client_contact", client.contact), ("address", client.address)):
        if value:
            yield OwnString(kind, value)
    if facts.sender:
        yield OwnString("sender_name", facts.sender.name)
        yield OwnString("sender_team", facts.sender.team)
    for item in facts.transactions:
        if item.description:
            yield OwnString("description", item.description)
    for attachment in facts.attachments:
        yield OwnString("attachment", attachment.name)
    if facts.policy.payment_plan:
        yield OwnString("payment_plan", facts.policy.payment_plan)


def _payment(facts: BillingFacts) -> tuple[str, ...]:
    pay_to = facts.sender.pay_to if facts.sender else None
    return _present(facts.client.account, facts.client.vat, *((pay_to.account, pay_to.link) if pay_to else ()))


def _present(*values: str | None) -> tuple[str, ...]:
    return tuple(value for value in values if value)
