"""The shape of a billing case's facts, as they come in."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from babel.core import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from agent.facts import FactsInvalid, Problem

__all__ = ["Attachment", "BillingFacts", "Client", "LedgerEvent", "Policy", "Sender", "Transaction", "read_facts"]

_FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
    "int_type": "Give a whole number; money is in minor units (cents).",
    "greater_than_equal": "Give a number that is not negative.",
    "date_from_datetime_parsing": "Give a date as YYYY-MM-DD.",
    "date_from_datetime_inexact": "Give a date as YYYY-MM-DD.",
}


def _clean(value: str) -> str:
    text = unicodedata.normalize("NFC", value)
    bad = next((char for char in text if unicodedata.category(char) in _FORBIDDEN and char not in "\n\t"), None)
    if bad is not None:
        raise ValueError(f"holds U+{ord(bad):04X}, a control or format character. Remove it.")
    if "\ufffd" in text:
        raise ValueError("holds U+FFFD: a character was lost on the way. Give the text anew, as UTF-8.")
    return text


def _iso_date(value: Any) -> Any:
    # Pydantic would take a number as a Unix time; a calendar date has one form here.
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError("is no date. Give a date as YYYY-MM-DD.")
    return value


def _percent(value: str) -> str:
    try:
        number = Decimal(value.removesuffix("%").strip())
    except InvalidOperation:
        raise ValueError('is no percentage. Give it as a string such as "1.5".') from None
    if not number.is_finite() or not 0 <= number <= 100:
        raise ValueError("is no percentage between 0 and 100.")
    return value


def _currency(value: str) -> str:
    if value not in list_currencies():
        raise ValueError(f"{value!r} is no ISO 4217 code such as USD.")
    return value


def _locale(value: str) -> str:
    try:
        parsed = Locale.parse(value)
    except (UnknownLocaleError, ValueError):
        raise ValueError(f"{value!r} is no known locale. Give one such as en_US.") from None
    if parsed.language != "en":
        raise ValueError(f"LANGUAGE_UNSUPPORTED: {value} is not English. Use an en_* locale.")
    return value


_Text = Annotated[str, Field(max_length=2000), AfterValidator(_clean)]
_Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S(?:.*\S)?$"), AfterValidator(_clean)]
_Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S"), AfterValidator(_clean)]
_Cents = Annotated[StrictInt, Field(ge=0, le=10**15)]
_Count = Annotated[StrictInt, Field(ge=0, le=10_000)]
_Date = Annotated[date, BeforeValidator(_iso_date)]
_Period = Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Client(_Shape):
    """Hold who is billed."""

    id: _Id
    name: _Name
    contact: _Name | None = None
    email: _Text | None = None
    phone: _Text | None = None
    address: _Text | None = None
    account: _Text | None = None
    vat: _Text | None = None


class PayTo(_Shape):
    """Hold how the client pays."""

    method: _Text
    account: _Text | None = None
    link: _Text | None = None


class Sender(_Shape):
    """Hold who signs."""

    name: _Name
    team: _Text
    email: _Text | None = None
    phone: _Text | None = None
    pay_to: PayTo | None = None


class Transaction(_Shape):
    """Hold one ledger line; an invoice needs a due date, a credit may lack it."""

    id: _Id
    kind: Literal["invoice", "credit"]
    description: _Text
    period: _Period
    amount_cents: _Cents
    paid_cents: _Cents
    due: Annotated[_Date | None, Field(validate_default=True)] = None
    paid_on: _Date | None = None
    disputed: bool

    @field_validator("due")
    @classmethod
    def _invoice_is_due(cls, value: date | None, info: ValidationInfo) -> date | None:
        if value is None and info.data.get("kind") == "invoice":
            raise ValueError("is missing: an invoice needs a due date. Add it as YYYY-MM-DD.")
        return value


class Policy(_Shape):
    """Hold what the sender may say; an absent rule means that nothing of the kind may be said."""

    late_fee_percent: Annotated[str, AfterValidator(_percent)] | None = None
    payment_plan: _Text | None = None
    collections_after_days: _Count | None = None
    pay_by: _Date | None = None


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


class LedgerEvent(_Shape):
    """Hold something that happened, with its day."""

    kind: EventKind
    on: _Date
    line: _Id | None = None
    text: _Text


class Attachment(_Shape):
    """Hold a file that goes out with the mail."""

    name: _Name
    line: _Id | None = None


class BillingFacts(_Shape):
    """Hold a client's ledger in one currency; money in minor units by ISO 4217."""

    client: Client
    sender: Sender | None = None
    currency: Annotated[str, AfterValidator(_currency)]
    locale: Annotated[str, AfterValidator(_locale)]
    as_of: _Date
    transactions: Annotated[tuple[Transaction, ...], Field(max_length=500)]
    reminders_sent: _Count
    policy: Policy
    events: Annotated[tuple[LedgerEvent, ...], Field(max_length=500)]
    attachments: Annotated[tuple[Attachment, ...], Field(max_length=100)]
    stated_total_cents: Annotated[StrictInt, Field(ge=-(10**15), le=10**15)] | None = None


def read_facts(given: Any) -> BillingFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    if not isinstance(given, Mapping):
        raise FactsInvalid(
            (Problem("facts", "are no JSON object.", "Give an object with the keys of the billing schema."),)
        )
    try:
        facts = BillingFacts.model_validate(given)
    except ValidationError as error:
        wrong = (
            Problem(
                ".".join(str(part) for part in item["loc"]) or "facts",
                _message(item["type"], item["msg"]),
                _FIXES.get(item["type"], ""),
            )
            for item in error.errors(include_url=False, include_input=False)
        )
        raise FactsInvalid(tuple(wrong)) from None
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


def _message(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "is no key of the billing schema."
    return message.removeprefix("Value error, ").rstrip(".") + "."
