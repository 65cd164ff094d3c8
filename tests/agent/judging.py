"""A ledger for the tests of the validators, and short ways to ask what they say about a text."""

from datetime import UTC, datetime
from typing import Any

from agent.outcome import Outcome, Status
from agent.validators import Verdict
from agent.verify import verify

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

OPENING = "Hello Larkspur, BX-301 and BX-302 are open, and the total due is $1,730.00. "
"""A complete and true text on `ledger()`, to which a sentence can be added."""


def ledger(**changes: Any) -> dict[str, Any]:
    """Two open invoices and a paid one, 40 days late at most, one reminder sent; `changes` replace top keys."""
    facts: dict[str, Any] = {
        "client": {
            "id": "larkspur",
            "name": "Larkspur Foods Inc",
            "contact": "Nadia Brandt",
            "email": "nadia@larkspur.example",
        },
        "sender": {
            "name": "Theo Lind",
            "team": "Receivables Desk",
            "email": "theo@fernhill.example",
            "phone": "+1 212 555 0142",
        },
        "currency": "USD",
        "locale": "en_US",
        "as_of": "2026-05-20",
        "transactions": [
            line("BX-301", "Refrigeration service", 98_000, due="2026-04-10"),
            line("BX-302", "Shelf labels, 12 rolls", 75_000, due="2026-05-04"),
        ],
        "reminders_sent": 1,
        "policy": {},
        "events": [],
        "attachments": [],
    }
    return facts | changes


def line(line_id: str, description: str, cents: int, **changes: Any) -> dict[str, Any]:
    """An open invoice of the ledger."""
    shape = {"kind": "invoice", "period": "2026-03", "paid_cents": 0, "due": "2026-04-10", "disputed": False}
    return {"id": line_id, "description": description, "amount_cents": cents} | shape | changes


def judge(text: str, *, facts: dict[str, Any] | None = None, by: str = "agent") -> Verdict:
    """Verify a text as one free block."""
    return verify(text, domain="billing", facts=facts or ledger(), text_by=by, now=NOW)


def told(verdict: Verdict, *statuses: Status) -> list[tuple[str | None, str | None]]:
    """What was found, as error types with their evidence."""
    wanted = statuses or (Status.FAIL,)
    return [(outcome.error_type, outcome.evidence) for outcome in verdict.outcomes if outcome.status in wanted]


def errors(verdict: Verdict, *statuses: Status) -> set[str | None]:
    """The error types of what was found."""
    return {error for error, _ in told(verdict, *statuses)}


def only(verdict: Verdict, error: str) -> Outcome:
    """The one outcome of an error type."""
    (outcome,) = (outcome for outcome in verdict.outcomes if outcome.error_type == error)
    return outcome
