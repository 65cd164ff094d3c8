"""Draw billing ledgers and answer which figures are true of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.agent.renderings import MONIES, Kind, Money

__all__ = ["Ledger", "Line", "ledgers"]

_IDS: tuple[Callable[[int], str], ...] = (
    lambda n: f"INV-{2000 + n}",
    lambda n: f"TX-{1000 + n}",
    lambda n: f"2026/{n:04}",
    lambda n: f"RE-{n}",
    lambda n: f"A.{1000 + n}",
)
_DESCRIPTIONS = (
    "Consulting, 30-minute call",
    "Hosting",
    "Windows 11 licences",
    "Travel",
    "Training day",
    "Storage",
    "Translation, chapter 3",
    "Repair of the pump",
)


@dataclass(frozen=True)
class Line:
    """Hold one transaction of a ledger; amounts in minor units."""

    id: str
    status: str  # open, partial, paid, disputed or credit
    description: str
    amount: int
    paid: int
    due: date
    paid_on: date | None

    @property
    def open(self) -> int:
        return self.amount - self.paid

    def overdue(self, as_of: date) -> dict[Kind, int]:
        """Give days, whole weeks and whole months from the due date to `as_of`."""
        days = (as_of - self.due).days
        months = (as_of.year - self.due.year) * 12 + as_of.month - self.due.month - (as_of.day < self.due.day)
        return {Kind.DAYS: days, Kind.WEEKS: days // 7, Kind.MONTHS: months}


@dataclass(frozen=True)
class Ledger:
    """Hold one client's lines and answer which values of a type are true."""

    money: Money
    as_of: date
    lines: tuple[Line, ...]
    reminders_sent: int
    pay_by: date | None

    def of(self, *statuses: str) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.status in statuses)

    @property
    def total_due(self) -> int:
        return sum(line.open for line in self.of("open", "partial")) - sum(line.open for line in self.of("credit"))

    def line(self, line_id: str) -> Line:
        return next(line for line in self.lines if line.id == line_id)

    def line_values(self, line_id: str, kind: Kind) -> set[Any]:
        """Give every value of a type that is true of one line."""
        line = self.line(line_id)
        if kind is Kind.MONEY:
            return {line.amount, line.paid, line.open}
        if kind is Kind.DATE:
            return {line.due, line.paid_on}
        return {line.overdue(self.as_of)[kind]}

    def values(self, kind: Kind) -> set[Any]:
        """Give every value of a type that is true of this ledger, sums and differences of lines included."""
        each: set[Any] = set()
        if kind in {Kind.MONEY, Kind.DATE, Kind.DAYS, Kind.WEEKS, Kind.MONTHS}:
            each = {value for line in self.lines for value in self.line_values(line.id, kind)}
        if kind is Kind.MONEY:
            return each | self._sums()
        if kind is Kind.DATE:
            return each | {self.as_of, self.pay_by}
        if kind is Kind.COUNT:
            counts = {len(self.of(status)) for status in ("open", "partial", "paid", "disputed", "credit")}
            open_ones = {len(self.of("open", "partial")), len(self.of("open", "partial", "disputed"))}
            return counts | open_ones | {len(self.lines), len(self.lines) - len(self.of("paid")), self.reminders_sent}
        if kind is Kind.ORDINAL:
            return {self.reminders_sent + 1}
        return each

    def _sums(self) -> set[int]:
        groups: list[tuple[str, ...]] = [("open",), ("partial",), ("paid",), ("disputed",), ("credit",)]
        groups += [("open", "partial"), ("open", "partial", "disputed"), ("paid", "partial")]
        groups += [("open", "partial", "paid", "disputed")]
        sums = {sum(getattr(line, part) for line in self.of(*g)) for g in groups for part in ("open", "paid", "amount")}
        disputed = sum(line.open for line in self.of("disputed"))
        pairs = {(a.open, b.open) for a in self.lines for b in self.lines}
        return (
            sums
            | {self.total_due, self.total_due + disputed}
            | {a + b for a, b in pairs}
            | {abs(a - b) for a, b in pairs}
        )

    def facts(self) -> dict[str, Any]:
        """Give the ledger in the billing facts schema."""
        policy = {"pay_by": self.pay_by.isoformat()} if self.pay_by else {}
        return {
            "client": {"id": "quayside", "name": "Quayside Foods Ltd", "contact": "Nora Quinn"},
            "sender": {"name": "Felix Brandt", "team": "Accounts Receivable"},
            "currency": self.money.code,
            "locale": self.money.locale,
            "as_of": self.as_of.isoformat(),
            "transactions": [_transaction(line) for line in self.lines],
            "reminders_sent": self.reminders_sent,
            "policy": policy,
            "events": [],
            "attachments": [],
        }


def _transaction(line: Line) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": line.id,
        "kind": "credit" if line.status == "credit" else "invoice",
        "description": line.description,
        "period": (line.due - timedelta(days=30)).strftime("%Y-%m"),
        "amount_cents": line.amount,
        "paid_cents": line.paid,
        "disputed": line.status == "disputed",
    }
    if line.status != "credit":
        entry["due"] = line.due.isoformat()
    if line.paid_on:
        entry["paid_on"] = line.paid_on.isoformat()
    return entry


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """Draw a ledger whose total due is above nothing."""
    money = draw(st.sampled_from(MONIES))
    as_of = draw(st.dates(date(2026, 6, 1), date(2026, 11, 20)))
    statuses = [
        "open",
        *draw(st.lists(st.sampled_from(("open", "open", "partial", "paid", "disputed", "credit")), max_size=7)),
    ]
    numbers = draw(st.lists(st.integers(1, 900), min_size=len(statuses), max_size=len(statuses), unique=True))
    make_id = draw(st.sampled_from(_IDS))
    descriptions = draw(st.permutations(_DESCRIPTIONS))
    lines: list[Line] = []
    for number, status, description in zip(numbers, statuses, descriptions, strict=False):
        amount = draw(_amounts(money))
        if lines and draw(st.integers(0, 9)) == 0:
            amount = lines[-1].amount
        lines.append(draw(_lines(make_id(number), status, description, amount, as_of)))
    lines = [replace(lines[0], amount=_above_credits(lines)), *lines[1:]]
    pay_by = draw(st.none() | st.integers(3, 25).map(lambda days: as_of + timedelta(days=days)))
    return Ledger(money, as_of, tuple(draw(st.permutations(lines))), draw(st.integers(0, 3)), pay_by)


def _amounts(money: Money) -> st.SearchStrategy[int]:
    unit = 10**money.digits
    return st.integers(12 * unit, 9_000 * unit) | st.integers(12, 60_000).map(lambda whole: whole * unit)


def _above_credits(lines: Sequence[Line]) -> int:
    return lines[0].amount + sum(line.amount for line in lines if line.status == "credit")


@st.composite
def _lines(draw: st.DrawFn, line_id: str, status: str, description: str, amount: int, as_of: date) -> Line:
    due = as_of - timedelta(days=draw(st.integers(3, 140)))
    due = due.replace(day=min(due.day, 28))  # so that a whole month is never a matter of opinion
    paid = {"paid": amount, "partial": draw(st.integers(1, amount - 1))}.get(status, 0)
    paid_on = due - timedelta(days=draw(st.integers(1, 9))) if status == "paid" else None
    return Line(line_id, status, description, amount, paid, due, paid_on)
