"""The shape of a billing case's facts, as they come in."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictInt, ValidationInfo, field_validator

from agent.domains.fields import Cents, Count, CurrencyCode, Date, Id, LocaleCode, Name, Period, Shape, Text, read_shape
from agent.facts import FactsInvalid, Problem

__all__ = ["Attachment", "BillingFacts", "Client", "LedgerEvent", "Policy", "Sender", "Transaction", "read_facts"]


def _percent(value: str) -> str:
    try:
        number = Decimal(value.removesuffix("%").strip())
    except InvalidOperation:
        raise ValueError('is no percentage. Give it as a string such as "1.5".') from None
    if not number.is_finite() or not 0 <= number <= 100:
        raise ValueError("is no percentage between 0 and 100.")
    return value


class Client(Shape):
    """Hold who is billed."""

    id: Id
    name: Name
    contact: Name | None = None
    email: Text | None = None
    phone: Text | None = None
    address: Text | None = None
    account: Text | None = None
    vat: Text | None = None


class PayTo(Shape):
    """Hold how the client pays."""

    method: Text
    account: Text | None = None
    link: Text | None = None


class Sender(Shape):
    """Hold who signs."""

    name: Name
    team: Text
    email: Text | None = None
    phone: Text | None = None
    pay_to: PayTo | None = None


class Transaction(Shape):
    """Hold one ledger line; an invoice needs a due date, a credit may lack it."""

    id: Id
    kind: Literal["invoice", "credit"]
    description: Text
    period: Period
    amount_cents: Cents
    paid_cents: Cents
    due: Annotated[Date | None, Field(validate_default=True)] = None
    paid_on: Date | None = None
    disputed: bool

    @field_validator("due")
    @classmethod
    def _invoice_is_due(cls, value: date | None, info: ValidationInfo) -> date | None:
        if value is None and info.data.get("kind") == "invoice":
            raise ValueError("is missing: an invoice needs a due date. Add it as YYYY-MM-DD.")
        return value


class Policy(Shape):
    """Hold what the sender may say; an absent rule means that nothing of the kind may be said."""

    late_fee_percent: Annotated[str, AfterValidator(_percent)] | None = None
    payment_plan: Text | None = None
    collections_after_days: Count | None = None
    pay_by: Date | None = None


EventKind = Literal[
    "call",
    "email",
    "promise",
    "agreement",
    "payment",
    "dispute_opened",
    "dispute_closed",
    "not_duplicate",
    "fee_waived",
]


class LedgerEvent(Shape):
    """Hold something that happened, with its day."""

    kind: EventKind
    on: Date
    line: Id | None = None
    text: Text


class Attachment(Shape):
    """Hold a file that goes out with the mail."""

    name: Name
    line: Id | None = None


class BillingFacts(Shape):
    """Hold a client's ledger in one currency; money in minor units by ISO 4217."""

    client: Client
    sender: Sender | None = None
    currency: CurrencyCode
    locale: LocaleCode
    as_of: Date
    transactions: Annotated[tuple[Transaction, ...], Field(max_length=500)]
    reminders_sent: Count
    policy: Policy
    events: Annotated[tuple[LedgerEvent, ...], Field(max_length=500)]
    attachments: Annotated[tuple[Attachment, ...], Field(max_length=100)]
    stated_total_cents: Annotated[StrictInt, Field(ge=-(10**15), le=10**15)] | None = None


def read_facts(given: Any) -> BillingFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    facts = read_shape(BillingFacts, given, schema="billing")
    if problems := (*_repeated_ids(facts.transactions), *_unknown_lines(facts)):
        raise FactsInvalid(problems)
    return facts


def _repeated_ids(lines: Sequence[Transaction]) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, line in enumerate(lines):
        if line.id.casefold() in seen:
            message = f"{line.id} stands twice; letter case makes no difference."
            yield Problem(f"transactions.{place}.id", message, "Give every line an id of its own.")
        seen.add(line.id.casefold())


def _unknown_lines(facts: BillingFacts) -> Iterator[Problem]:
    known = {line.id.casefold() for line in facts.transactions}
    named = [(f"events.{place}.line", event.line) for place, event in enumerate(facts.events)] + [
        (f"attachments.{place}.line", item.line) for place, item in enumerate(facts.attachments)
    ]
    for path, line_id in named:
        if line_id is not None and line_id.casefold() not in known:
            yield Problem(path, f"{line_id} is no transaction of this ledger.", "Correct the id.")
