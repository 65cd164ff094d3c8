"""Write a sheet's facts as a person of the queue reads them: money, dates and statuses in the sheet's locale."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from babel.dates import format_date

from agent.domains.billing.wording import money
from agent.facts import Line, LineStatus, Sheet
from reviewhub.models import AddedFact, AddedKind

__all__ = ["AddedShown", "EventShown", "FactsShown", "LineShown", "TotalShown", "show_added", "show_facts"]

_TOTALS = {
    "total_due": "Total due",
    "open_total": "Open in all",
    "invoice_total": "Open invoices",
    "credit_total": "Credits",
    "disputed_total": "Disputed",
    "overdue_total": "Overdue",
    "paid_to_date": "Paid to date",
}
_SAME_AS = {"open_total": "total_due", "invoice_total": "open_total"}
_POLICY = {
    "late_fee_percent": "Late fee",
    "payment_plan": "Payment plan",
    "collections_after_days": "Collections after",
    "pay_by": "Pay by",
}
_BADGES = {LineStatus.OPEN: "", LineStatus.PAID: "pass", LineStatus.CREDIT: "credit", LineStatus.DISPUTED: "warn"}


@dataclass(frozen=True, slots=True)
class TotalShown:
    """Hold one amount that code derived."""

    label: str
    value: str
    leads: bool = False


@dataclass(frozen=True, slots=True)
class LineShown:
    """Hold one ledger line in words."""

    id: str
    description: str
    status: str
    badge: str
    amount: str
    paid: str
    open: str
    due: str
    days_overdue: int


@dataclass(frozen=True, slots=True)
class EventShown:
    """Hold what happened and when."""

    on: str
    kind: str
    line: str
    text: str


@dataclass(frozen=True, slots=True)
class FactsShown:
    """Hold everything that the facts panel shows."""

    as_of: str
    situation: str
    totals: tuple[TotalShown, ...]
    lines: tuple[LineShown, ...]
    events: tuple[EventShown, ...]
    policy: tuple[tuple[str, str], ...]
    parties: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    attachments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddedShown:
    """Hold a fact that a person added: what it says, where they know it from, and why it no longer stands, if so."""

    row: AddedFact
    says: str


def show_added(added: Iterable[AddedFact], locale: str) -> tuple[AddedShown, ...]:
    """Write added facts that stand, and those that new facts dropped without holding them."""
    return tuple(AddedShown(row, _says(row, locale)) for row in added if row.ended_at is None or row.was_dropped)


def show_facts(sheet: Sheet, given: Mapping[str, Any]) -> FactsShown:
    """Write the facts of a sheet; `given` holds who is billed and who signs, as they came in."""
    return FactsShown(
        as_of=_day(sheet.as_of, sheet.locale),
        situation=sheet.situation.replace("_", " "),
        totals=tuple(_totals(sheet)),
        lines=tuple(_line(line, sheet) for line in sheet.lines),
        events=tuple(
            EventShown(_day(event.on, sheet.locale), event.kind.replace("_", " "), event.line or "", event.text)
            for event in sheet.events
        ),
        policy=tuple(_policy(sheet)),
        parties=tuple(_parties(given)),
        attachments=sheet.attachments,
    )


def _totals(sheet: Sheet) -> Iterator[TotalShown]:
    for role, label in _TOTALS.items():
        # A sum that says the same as the one it is part of would only be one more figure to read.
        if sheet.by_role.get(role) and sheet.money(role) != sheet.money(_SAME_AS.get(role, "")):
            yield TotalShown(label, money(sheet.money(role), sheet), leads=role == "total_due")
    for fact in sheet.by_role.get("reminders_sent", ()):
        yield TotalShown("Reminders sent", str(fact.value))


def _line(line: Line, sheet: Sheet) -> LineShown:
    return LineShown(
        id=line.id,
        description=line.description,
        status=line.status.value,
        badge=_BADGES[line.status],
        amount=money(line.amount_cents, sheet),
        paid=money(line.paid_cents, sheet) if line.paid_cents else "",
        open=money(line.open_cents, sheet),
        due=_day(line.due, sheet.locale) if line.due else "",
        days_overdue=line.days_overdue,
    )


def _policy(sheet: Sheet) -> Iterator[tuple[str, str]]:
    for name, label in _POLICY.items():
        value = sheet.policy.get(name)
        if value is None:
            continue
        if isinstance(value, date):
            yield label, _day(value, sheet.locale)
        elif name == "collections_after_days":
            yield label, f"{value} days"
        elif name == "late_fee_percent":
            yield label, f"{str(value).removesuffix('%').strip()} %"
        else:
            yield label, str(value)


def _parties(given: Mapping[str, Any]) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    for key, title in (("client", "Client"), ("sender", "Sender")):
        party = given.get(key)
        if isinstance(party, Mapping):
            yield title, tuple((name.replace("_", " "), str(value)) for name, value in _flat(party))


def _flat(party: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in party.items():
        if isinstance(value, Mapping):
            yield from ((f"{name} {inner}", part) for inner, part in _flat(value))
        elif value is not None:
            yield name, value


def _says(row: AddedFact, locale: str) -> str:
    about = f" ({line})" if (line := row.value.get("line")) else ""
    match row.kind:
        case AddedKind.PAY_BY:
            return _day(date.fromisoformat(row.value["pay_by"]), locale)
        case AddedKind.PROMISE:
            return f"{_day(date.fromisoformat(row.value['on']), locale)}{about}: {row.value['text']}"
        case _:
            return f"{row.value['name']}{about}"


def _day(day: date, locale: str) -> str:
    return str(format_date(day, "medium", locale=locale))
