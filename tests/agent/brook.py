"""A small ledger of its own, and how a text is held against it."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agent.body import Body
from agent.domains.billing.schema import read_facts
from agent.domains.billing.sheet import derive
from agent.text import nfc
from agent.validators import figures, status
from agent.validators.check import Found, NoParams
from agent.validators.reading import Reading

_LEDGERS = Path(__file__).parent / "cases" / "ledgers"

BROOK: dict[str, Any] = {
    "client": {"id": "brook", "name": "Brook Mills", "contact": "Iris Lane"},
    "sender": {"name": "Otto Berg", "team": "Billing"},
    "currency": "USD",
    "locale": "en_US",
    "as_of": "2026-04-30",
    "transactions": [
        {"id": "BR-31", "kind": "invoice", "description": "Survey, 20-minute call", "period": "2026-03",
         "amount_cents": 130000, "paid_cents": 0, "due": "2026-04-15", "disputed": False},
        {"id": "BR-32", "kind": "invoice", "description": "Drafting", "period": "2026-03",
         "amount_cents": 64000, "paid_cents": 0, "due": "2026-04-15", "disputed": False},
        {"id": "BR-20", "kind": "invoice", "description": "Site visit", "period": "2026-02",
         "amount_cents": 41000, "paid_cents": 41000, "due": "2026-03-01", "disputed": False},
    ],
    "reminders_sent": 1,
    "policy": {},
    "events": [],
    "attachments": [],
}  # fmt: skip
"""Two open lines of 1,300.00 and 640.00 dollars, due 15 April 2026, and a paid one; as of 30 April, one reminder."""

OPENING = "Hello Iris, BR-31 (Survey, $1,300.00) and BR-32 (Drafting, $640.00) are open. Balance $1,940.00. "


def ledger(name: str) -> dict[str, Any]:
    """Return a ledger of the cases by name, or the one above."""
    return BROOK if name == "brook" else json.loads((_LEDGERS / f"{name}.json").read_text(encoding="utf-8"))


def reading(text: str, facts: dict[str, Any] = BROOK) -> Reading:
    """Read a text as one free block against facts."""
    return Reading(derive(read_facts(facts), given=facts), Body.free(nfc(text)).render({}))


def found(text: str, facts: dict[str, Any] = BROOK) -> list[Found]:
    """Return what the checks of figures and statuses find in a text."""
    read = reading(text, facts)
    return [*figures.check(read, NoParams()), *status.check(read, NoParams())]


def errors(text: str, facts: dict[str, Any] = BROOK) -> set[str]:
    """Return the codes of what fails in a text."""
    return {item.error for item in found(text, facts) if item.status == "FAIL"}


def shown(items: Iterable[Found]) -> str:
    """Return findings for a failing test's message."""
    return "; ".join(f"{item.error} {item.evidence}" for item in items)
