"""The shape of a support case's facts, as they come in."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agent.domains.fields import Cents, CurrencyCode, Date, Id, LocaleCode, Name, Shape, clean, read_shape
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

_LongText = Annotated[str, Field(max_length=4000), AfterValidator(clean)]
_Said = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S"), AfterValidator(clean)]
_Uri = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^\S+$"), AfterValidator(clean)]

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


class Customer(Shape):
    """Hold who is answered."""

    id: Id
    name: Name
    email: _LongText | None = None
    phone: _LongText | None = None
    address: _LongText | None = None


class Sender(Shape):
    """Hold who signs."""

    name: Name
    team: _LongText
    email: _LongText | None = None
    phone: _LongText | None = None


class Article(Shape):
    """Hold one article of the knowledge base."""

    id: Id
    text: _Said
    uri: _Uri


class Rule(Shape):
    """Hold one rule of the sender; a rule that is absent means that nothing of the kind may be promised."""

    id: Id
    rule: RuleName
    value: Cents
    uri: _Uri


class Item(Shape):
    """Hold one thing that was ordered."""

    name: Name
    amount_cents: Cents | None = None


class Order(Shape):
    """Hold one order: what it was for, what was paid, what went back, and its days."""

    id: Id
    items: Annotated[tuple[Item, ...], Field(max_length=100)] = ()
    paid_cents: Cents
    refunded_cents: Cents = 0
    ordered_on: Date | None = None
    delivered_on: Date | None = None


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


class CustomerEvent(Shape):
    """Hold something that happened, with its day; `message` is the day on which the customer asked."""

    kind: EventKind
    on: Date
    order: Id | None = None
    text: _LongText = ""
    amount_cents: Cents | None = None


class SupportFacts(Shape):
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
    currency: CurrencyCode = "USD"
    locale: LocaleCode = "en_US"
    as_of: Date | None = None


def read_facts(given: Any) -> SupportFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    facts = read_shape(SupportFacts, given, schema="support")
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
