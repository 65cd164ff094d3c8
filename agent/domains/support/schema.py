"""The shape of a support case's facts, as they come in."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Any, Literal

from babel.core import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, ValidationError

from agent.facts import FactsInvalid, Problem

__all__ = [
    "Article",
    "Customer",
    "CustomerEvent",
    "Item",
    "Order",
    "Rule",
    "Sender",
    "SupportFacts",
    "read_facts",
]

_FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
    "int_type": "Give a whole number; money is in minor units (cents).",
    "greater_than_equal": "Give a number that is not negative.",
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


_Text = Annotated[str, Field(max_length=4000), AfterValidator(_clean)]
_Said = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S"), AfterValidator(_clean)]
_Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S(?:.*\S)?$"), AfterValidator(_clean)]
_Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S"), AfterValidator(_clean)]
_Uri = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^\S+$"), AfterValidator(_clean)]
_Cents = Annotated[StrictInt, Field(ge=0, le=10**15)]
_Date = Annotated[date, BeforeValidator(_iso_date)]

RuleName = Literal[
    "refund_window_days",
    "exchange_window_days",
    "warranty_months",
    "refund_percent",
    "restocking_fee_percent",
    "goodwill_cents",
    "refund_takes_days",
    "answer_takes_days",
]
"""What a policy can rule; the value of each is a whole number in the unit that ends its name."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Customer(_Shape):
    """Hold who is answered."""

    id: _Id
    name: _Name
    email: _Text | None = None
    phone: _Text | None = None
    address: _Text | None = None


class Sender(_Shape):
    """Hold who signs."""

    name: _Name
    team: _Text
    email: _Text | None = None
    phone: _Text | None = None


class Article(_Shape):
    """Hold one article of the knowledge base."""

    id: _Id
    text: _Said
    uri: _Uri


class Rule(_Shape):
    """Hold one rule of the sender; a rule that is absent means that nothing of the kind may be promised."""

    id: _Id
    rule: RuleName
    value: _Cents
    uri: _Uri


class Item(_Shape):
    """Hold one thing that was ordered."""

    name: _Name
    amount_cents: _Cents | None = None


class Order(_Shape):
    """Hold one order: what it was for, what was paid, what went back, and its days."""

    id: _Id
    items: Annotated[tuple[Item, ...], Field(max_length=100)] = ()
    paid_cents: _Cents
    refunded_cents: _Cents = 0
    ordered_on: _Date | None = None
    delivered_on: _Date | None = None


EventKind = Literal[
    "call",
    "email",
    "message",
    "refund",
    "credit",
    "replacement",
    "shipment",
    "return_received",
    "cancellation",
    "escalation",
    "investigation",
    "repair",
    "agreement",
]


class CustomerEvent(_Shape):
    """Hold something that happened, with its day; `message` is the day on which the customer asked."""

    kind: EventKind
    on: _Date
    order: _Id | None = None
    text: _Text = ""
    amount_cents: _Cents | None = None


class SupportFacts(_Shape):
    """Hold a customer's case; money in minor units of one currency by ISO 4217.

    Without `as_of` the newest day of the facts is meant. Where `questions` is empty, the questions of the message are.
    """

    customer: Customer
    sender: Sender | None = None
    kind: Literal["refund", "product", "complaint"]
    message: _Said
    questions: Annotated[tuple[_Said, ...], Field(max_length=20)]
    kb: Annotated[tuple[Article, ...], Field(max_length=100)]
    policies: Annotated[tuple[Rule, ...], Field(max_length=50)]
    orders: Annotated[tuple[Order, ...], Field(max_length=50)]
    events: Annotated[tuple[CustomerEvent, ...], Field(max_length=200)]
    currency: Annotated[str, AfterValidator(_currency)] = "USD"
    locale: Annotated[str, AfterValidator(_locale)] = "en_US"
    as_of: _Date | None = None


def read_facts(given: Any) -> SupportFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    if not isinstance(given, Mapping):
        raise FactsInvalid(
            (Problem("facts", "are no JSON object.", "Give an object with the keys of the support schema."),)
        )
    try:
        facts = SupportFacts.model_validate(given)
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
    if problems := (*_repeated_ids(facts), *_unknown_orders(facts), *_out_of_range(facts)):
        raise FactsInvalid(problems)
    return facts


def _repeated_ids(facts: SupportFacts) -> Iterator[Problem]:
    seen: set[str] = set()
    ids = [(f"orders.{place}.id", order.id) for place, order in enumerate(facts.orders)]
    ids += [(f"kb.{place}.id", article.id) for place, article in enumerate(facts.kb)]
    ids += [(f"policies.{place}.id", rule.id) for place, rule in enumerate(facts.policies)]
    for path, name in ids:
        if name.casefold() in seen:
            message = f"{name} stands twice; letter case makes no difference."
            yield Problem(path, message, "Give every order, article and policy an id of its own.")
        seen.add(name.casefold())


def _unknown_orders(facts: SupportFacts) -> Iterator[Problem]:
    known = {order.id.casefold() for order in facts.orders}
    for place, event in enumerate(facts.events):
        if event.order is not None and event.order.casefold() not in known:
            yield Problem(f"events.{place}.order", f"{event.order} is no order of this customer.", "Correct the id.")


def _out_of_range(facts: SupportFacts) -> Iterator[Problem]:
    for place, rule in enumerate(facts.policies):
        if rule.rule.endswith("percent") and rule.value > 100:
            yield Problem(f"policies.{place}.value", "is above 100 percent.", "Give a percentage from 0 to 100.")


def _message(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "is no key of the support schema."
    return message.removeprefix("Value error, ").rstrip(".") + "."
