"""Turn a support case into a sheet: what may be said, by whom it was said, and what code derives of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from agent.domains.support.schema import Order, SupportFacts
from agent.facts import Event, Fact, FactType, Line, LineStatus, OwnString, Sheet, facts_hash
from agent.validators.replies.refunds import Refund, refund_of

__all__ = ["derive"]


def derive(facts: SupportFacts, *, given: Mapping[str, Any] | None = None, version: int = 1) -> Sheet:
    """Freeze a case. The hash is of `given`, the facts as they came in, when passed.

    An order is a line that is paid: its id may be named, and nothing of it is ever asked for.
    """
    as_of = facts.as_of or _newest(facts)
    lines = tuple(_line(order) for order in facts.orders)
    sheet = Sheet(
        domain="support",
        locale=facts.locale,
        currency=facts.currency,
        as_of=as_of,
        hash=facts_hash(given if given is not None else facts.model_dump(mode="json", exclude_none=True)),
        facts=(Fact("as_of", FactType.DATE, "as_of", as_of), *_told(facts), *_orders(facts, as_of), *_events(facts)),
        lines=lines,
        events=tuple(Event(item.kind, item.on, item.order, item.text) for item in facts.events),
        strings=tuple(_strings(facts)),
        contacts=tuple(_contacts(facts)),
        policy={rule.rule: rule.value for rule in facts.policies},
        version=version,
    )
    return replace(sheet, situation=_situation(facts, refund_of(sheet)))


def _newest(facts: SupportFacts) -> date:
    days = [event.on for event in facts.events]
    days += [day for order in facts.orders for day in (order.ordered_on, order.delivered_on) if day]
    return max(days, default=date(1970, 1, 1))


def _line(order: Order) -> Line:
    day = order.ordered_on or order.delivered_on
    return Line(
        id=order.id,
        status=LineStatus.PAID,
        description=", ".join(item.name for item in order.items),
        period=f"{day:%Y-%m}" if day else "",
        amount_cents=order.paid_cents,
        paid_cents=order.paid_cents,
        due=None,
        paid_on=order.ordered_on,
        days_overdue=0,
    )


def _told(facts: SupportFacts) -> Iterator[Fact]:
    yield Fact("kind", FactType.TEXT, "kind", facts.kind)
    yield Fact("message", FactType.TEXT, "said_by_customer", facts.message)
    asked = facts.questions or tuple(_asked(facts.message))
    for place, question in enumerate(asked):
        yield Fact(f"questions.{place}", FactType.TEXT, "question", question)
    for article in facts.kb:
        yield Fact(article.id, FactType.TEXT, "article", article.text)
        yield Fact(f"{article.id}.uri", FactType.TEXT, "uri", article.uri, article.id)
    for rule in facts.policies:
        yield Fact(rule.id, FactType.COUNT, rule.rule, rule.value)
        yield Fact(f"{rule.id}.uri", FactType.TEXT, "uri", rule.uri, rule.id)


def _asked(message: str) -> Iterator[str]:
    for part in message.replace("\n", " ").split("?")[:-1]:
        yield part.replace("!", ".").split(". ")[-1].strip() + "?"


def _orders(facts: SupportFacts, as_of: date) -> Iterator[Fact]:
    for order in facts.orders:
        yield Fact(f"{order.id}.paid", FactType.MONEY, "order_paid", order.paid_cents, order.id)
        if order.refunded_cents:
            yield Fact(f"{order.id}.refunded", FactType.MONEY, "order_refunded", order.refunded_cents, order.id)
        for place, item in enumerate(order.items):
            if item.amount_cents is not None:
                yield Fact(f"{order.id}.items.{place}", FactType.MONEY, "item_paid", item.amount_cents, order.id)
        if order.ordered_on:
            yield Fact(f"{order.id}.ordered", FactType.DATE, "order_ordered", order.ordered_on, order.id)
        if order.delivered_on:
            since = (as_of - order.delivered_on).days
            yield Fact(f"{order.id}.delivered", FactType.DATE, "order_delivered", order.delivered_on, order.id)
            yield Fact(f"{order.id}.since", FactType.DAYS, "days_since_delivery", since, order.id, derived=True)


def _events(facts: SupportFacts) -> Iterator[Fact]:
    for place, event in enumerate(facts.events):
        yield Fact(f"events.{place}.on", FactType.DATE, f"event_{event.kind}", event.on, event.order)
        if event.amount_cents is not None:
            yield Fact(f"events.{place}.amount", FactType.MONEY, f"paid_{event.kind}", event.amount_cents, event.order)


def _strings(facts: SupportFacts) -> Iterator[OwnString]:
    yield OwnString("client_name", facts.customer.name)
    if facts.customer.address:
        yield OwnString("address", facts.customer.address)
    if facts.sender:
        yield OwnString("sender_name", facts.sender.name)
        yield OwnString("sender_team", facts.sender.team)
    for order in facts.orders:
        for item in order.items:
            yield OwnString("description", item.name)
    for article in facts.kb:
        yield from (OwnString("source", article.id), OwnString("source", article.uri))
    for rule in facts.policies:
        yield from (OwnString("source", rule.id), OwnString("source", rule.uri))


def _contacts(facts: SupportFacts) -> Iterator[str]:
    for value in (facts.customer.email, facts.customer.phone):
        if value:
            yield value
    if facts.sender:
        yield from (value for value in (facts.sender.email, facts.sender.phone) if value)


def _situation(facts: SupportFacts, refund: Refund) -> str:
    kinds: set[str] = {event.kind for event in facts.events}
    if facts.kind == "product":
        return "product_answer"
    if facts.kind == "complaint" and "escalation" in kinds:
        return "complaint_escalated"
    if facts.kind == "complaint":
        return "complaint_explained" if facts.kb else "complaint_apology"
    return _refund_situation(kinds, refund)


def _refund_situation(kinds: set[str], refund: Refund) -> str:
    if "refund" in kinds:
        return "refund_made" if refund.is_whole else "refund_partial"
    if refund.is_refused:
        return "refund_denied"
    if not refund.is_allowed:
        return "refund_open"
    return "refund_granted" if refund.percent == 100 else "refund_partial"
