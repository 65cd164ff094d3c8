"""Read a ledger export: a CSV row for each transaction, the rows of one client together one case."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, BinaryIO, TypeVar

from reviewhub.importing.cells import CellInvalid, read_amount, read_day, read_flag, read_kind, read_period
from reviewhub.importing.columns import NEEDED, ColumnMap
from reviewhub.importing.faults import Faults
from reviewhub.importing.table import Row, read_table
from reviewhub.intake import CaseInvalid, NewCase, read_case
from reviewhub.models import Queue

__all__ = ["LEDGER_DOMAIN", "read_ledger"]

LEDGER_DOMAIN = "billing"
_OF_CLIENT = ("client.name", "client.contact", "client.email", "currency")
_OF_LINE = re.compile(r"facts\.transactions\.([0-9]+)\.(\w+)")
_NAMED = {"amount_cents": "amount", "paid_cents": "paid", "external_id": "client.id", "title": "client.name"}
_Value = TypeVar("_Value")


@dataclass(slots=True)
class _Client:
    """Hold the rows of one client, and what they say about the client with the line that said it first."""

    rows: list[Row] = field(default_factory=list)
    said: dict[str, tuple[str, int]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)


def read_ledger(file: BinaryIO, *, queue: Queue, as_of: date, columns: ColumnMap) -> list[tuple[int, NewCase]]:
    """Return a case for each client, with the number of the client's first line.

    Sender, policy and locale are the queue's; its currency stands in for an absent one. Raise FileInvalid that holds
    the faults of every line, up to a thousand.
    """
    reading = _Reading(queue, as_of)
    clients: dict[str, _Client] = {}
    for row in read_table(file, columns, reading.faults):
        reading.add(row, clients)
    if not clients and not reading.faults:
        fix = "Put a header first, then one row for each transaction."
        reading.faults.note(1, "file", "holds no transaction.", fix)
    read = [(client.rows[0].number, reading.case_of(client)) for client in clients.values()]
    reading.faults.check()
    return [(number, case) for number, case in read if case is not None]


class _Reading:
    """Hold one reading of a file; for a cell that is wrong something stands in, so that all other faults are found."""

    def __init__(self, queue: Queue, as_of: date) -> None:
        self._queue, self._as_of = queue, as_of
        self.faults = Faults()

    def add(self, row: Row, clients: dict[str, _Client]) -> None:
        """Add a row to its client, and note what is empty and what contradicts the client's other rows."""
        for ours in NEEDED:
            if not row.cells[ours] and ours != "due":
                self._wrong(row, ours, "is empty.", "Fill it in.")
        if not row.cells["client.id"]:
            return
        client = clients.setdefault(row.cells["client.id"], _Client())
        for ours in _OF_CLIENT:
            self._agree(row, ours, client)
        client.rows.append(row)
        own_id = row.cells["id"].casefold()
        first = client.ids.setdefault(own_id, row.number)
        if own_id and first != row.number:
            message = f"{row.cells['id']!r} stands on line {first} too, for the same client."
            self._wrong(row, "id", message, "Give every transaction of a client an id of its own.")

    def case_of(self, client: _Client) -> NewCase | None:
        """Return the case that a client's rows make; None when a fault was noted."""
        facts = self._facts(client)
        external_id = f"{facts['client']['id']}:{self._as_of.isoformat()}"
        try:
            return read_case({"external_id": external_id, "domain": LEDGER_DOMAIN, "facts": facts}, queue=self._queue)
        except CaseInvalid as error:
            for problem in error.problems:
                row, ours = _origin(problem.path, client.rows)
                self._wrong(row, ours, problem.message, problem.fix)
            return None

    def _agree(self, row: Row, ours: str, client: _Client) -> None:
        value = row.cells.get(ours) or (self._queue.currency if ours == "currency" else "")
        if not value:
            return
        said, line = client.said.setdefault(ours, (value, row.number))
        if said != value:
            message = f"{value!r} differs from {said!r} on line {line}, for the same client."
            of_money = "A ledger has one currency: give the lines of each a client.id of their own."
            self._wrong(row, ours, message, of_money if ours == "currency" else "Correct one of them.")

    def _facts(self, client: _Client) -> dict[str, Any]:
        said = {ours: value for ours, (value, _line) in client.said.items()}
        currency = said.pop("currency")
        of_client = {ours.removeprefix("client."): value for ours, value in said.items()}
        return {
            "client": {"id": client.rows[0].cells["client.id"], "name": "no name", **of_client},
            "currency": currency,
            "locale": self._queue.locale,
            "as_of": self._as_of.isoformat(),
            "transactions": [self._transaction(row, currency) for row in client.rows],
            "reminders_sent": 0,
            "events": [],
            "attachments": [],
        }

    def _transaction(self, row: Row, currency: str) -> dict[str, Any]:
        def amount(text: str) -> int:
            return read_amount(text, locale=self._queue.locale, currency=currency)

        made = {
            "id": row.cells["id"] or "no id",
            "kind": self._read(row, "kind", read_kind, "credit"),
            "description": row.cells.get("description", ""),
            "period": self._read(row, "period", read_period, "2000-01"),
            "amount_cents": self._read(row, "amount", amount, 0),
            "paid_cents": self._read(row, "paid", amount, 0),
            "disputed": self._read(row, "disputed", read_flag, False),
        }
        days = {ours: self._read(row, ours, read_day, "") for ours in ("due", "paid_on") if row.cells.get(ours)}
        # A day that is wrong is told already: without one an invoice would be told to lack it, too.
        return made | {ours: day or self._as_of.isoformat() for ours, day in days.items()}

    def _read(self, row: Row, ours: str, read: Callable[[str], _Value], stand_in: _Value) -> _Value:
        """Return what a cell says; an empty one, or one that is wrong and noted, is stood in for."""
        text = row.cells.get(ours, "")
        if not text:
            return stand_in
        try:
            return read(text)
        except CellInvalid as error:
            self._wrong(row, ours, error.message, error.fix)
            return stand_in

    def _wrong(self, row: Row, ours: str, message: str, fix: str) -> None:
        self.faults.note(row.number, row.name(ours), message, fix)


def _origin(path: str, rows: list[Row]) -> tuple[Row, str]:
    """Return the row and the column of ours that a fault of a case comes from; its first row when of the whole."""
    if found := _OF_LINE.fullmatch(path):
        return rows[int(found[1])], _NAMED.get(found[2], found[2])
    own = path.removeprefix("facts.")
    return rows[0], _NAMED.get(own, own)
