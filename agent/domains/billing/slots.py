"""Give a ledger its slots: only what the sheet holds has one, so that nothing else can be spoken of."""

from collections.abc import Iterator, Mapping
from datetime import date

from agent.domains.billing import clauses
from agent.domains.billing.wording import counted, day, joined, money
from agent.facts import Line, LineStatus, Sheet
from agent.slots import Slot

__all__ = ["slot_values", "slots"]

_Filled = tuple[Slot, str]
_MONEY = {
    "paid_to_date": clauses.paid_to_date,
    "credit_total": clauses.credit_total,
    "disputed_total": clauses.disputed_total,
}


def slots(sheet: Sheet) -> Mapping[str, Slot]:
    """Return the slots that a ledger can fill, by name."""
    return {slot.name: slot for slot, _ in _filled(sheet)}


def slot_values(sheet: Sheet) -> Mapping[str, str]:
    """Return what each slot stands for, written as the sheet's locale writes it."""
    return {slot.name: value for slot, value in _filled(sheet)}


def _filled(sheet: Sheet) -> Iterator[_Filled]:
    due = sheet.money("total_due")
    yield clauses.total_due(all_late=sheet.money("overdue_total") == due), money(due, sheet)
    yield clauses.open_items(), counted(sum(line.is_listed for line in sheet.lines), "open item")
    yield from _dates(sheet)
    for role, slot in _MONEY.items():
        if cents := sheet.money(role):
            yield slot(), money(cents, sheet)
    yield from _past(sheet)
    yield from _lines(sheet)


def _dates(sheet: Sheet) -> Iterator[_Filled]:
    # Of lines that are asked for: a disputed line has no lateness that may be held against anyone.
    asked = [line for line in sheet.lines if line.status is LineStatus.OPEN]
    late = [line for line in asked if line.days_overdue]
    dues = [line.due for line in asked if line.due]
    if late:
        oldest = max(late, key=lambda line: line.days_overdue)
        alone = len({line.due for line in asked}) == 1
        days = f"{oldest.days_overdue} {'day' if oldest.days_overdue == 1 else 'days'}"
        yield clauses.oldest_due(alone=alone), day(min(dues), sheet)
        yield clauses.days_overdue(alone=alone), days
    elif dues:
        yield clauses.next_due(), day(min(dues), sheet)
    for fact in sheet.by_role.get("pay_by", ()):
        if isinstance(fact.value, date):
            yield clauses.pay_by(), day(fact.value, sheet)


def _past(sheet: Sheet) -> Iterator[_Filled]:
    sent = next((fact.value for fact in sheet.by_role.get("reminders_sent", ()) if isinstance(fact.value, int)), 0)
    if sent:
        yield (
            clauses.earlier_reminders(),
            "our earlier reminder" if sent == 1 else f"our {counted(sent, 'earlier reminder')}",
        )
    for kind in clauses.EVENT_SLOTS:
        dates = [event.on for event in sheet.events if event.kind == kind]
        if dates:
            yield clauses.event_date(kind), day(max(dates), sheet)


def _lines(sheet: Sheet) -> Iterator[_Filled]:
    listed = [line for line in sheet.lines if line.is_listed]
    for number, line in enumerate(listed, start=1):
        yield clauses.line(f"LINE_{number}", line.status, late=line.days_overdue > 0), line.id
    groups: dict[str, list[Line]] = {
        "DUE_LINES": [line for line in listed if line.status is LineStatus.OPEN],
        "PART_PAID_LINES": [line for line in listed if line.status is LineStatus.OPEN and line.paid_cents],
        "DISPUTED_LINES": [line for line in listed if line.status is LineStatus.DISPUTED],
        "CREDIT_LINES": [line for line in listed if line.status is LineStatus.CREDIT],
    }
    for name, lines in groups.items():
        if lines:
            late = all(line.days_overdue > 0 for line in lines)
            yield clauses.line(name, lines[0].status, late=late), joined([line.id for line in lines])
