"""Render the parts of a reply that hold figures, names, links and quoted words; no model writes these."""

from collections.abc import Iterator, Mapping

from agent.body import Block, Body, Code, Prose
from agent.domains.billing.wording import day, money
from agent.domains.domain import Case
from agent.domains.support.schema import Order, Sender, SupportFacts
from agent.facts import Sheet
from agent.validators.replies.questions import answering
from agent.validators.replies.sources import Source, sources_of

__all__ = ["frame", "told_to"]

_QUOTED = 400


def frame(case: Case, prose: Mapping[str, str]) -> Body:
    """Set written prose, by block name, between the blocks that code renders from the facts."""
    facts: SupportFacts = case.facts
    rendered = {
        "opening": (("quoted", _quoted(facts.message)), ("order", _orders(facts, case.sheet))),
        "answer": (("answers", "\n\n".join(_answers(case.sheet))),),
    }
    blocks: list[Block] = [Code("subject", _subject(case)), Code("greeting", f"Dear {facts.customer.name},")]
    for task in case.blocks():
        blocks.append(Prose(task.name, prose[task.name]))
        blocks += [Code(name, text) for name, text in rendered.get(task.name, ()) if text]
    blocks.append(Code("sign_off", _sign_off(facts.sender)))
    return Body(tuple(blocks), framed=True)


def told_to(sheet: Sheet) -> tuple[Source, ...]:
    """Return the articles and rules that a reply quotes: the nearest for each question, and what rules the refund."""
    found: dict[str, Source] = {}
    for fact in sheet.by_role.get("question", ()):
        near = [source for source in answering(sheet, str(fact.value)) if source.kind in ("article", "rule")]
        found |= {source.id: source for source in near[:2]}
    if sheet.situation.startswith("refund"):
        for source in sources_of(sheet):
            if source.kind == "rule" and "efund" in source.text:
                found[source.id] = source
    return tuple(found.values())


def _subject(case: Case) -> str:
    about = {"refund": "Your refund request", "product": "Your question", "complaint": "Your complaint"}
    return f"Subject: {about[case.facts.kind]}"


def _quoted(message: str) -> str:
    words = " ".join(message.split())
    shown = words if len(words) <= _QUOTED else f"{words[:_QUOTED].rsplit(' ', 1)[0]} ..."
    return f"You wrote:\n> {shown}"


def _orders(facts: SupportFacts, sheet: Sheet) -> str:
    return "\n".join(line for order in facts.orders for line in _order(order, sheet))


def _order(order: Order, sheet: Sheet) -> Iterator[str]:
    items = ", ".join(item.name for item in order.items)
    yield f"Order {order.id}{f': {items}' if items else ''}"
    yield f"  Paid: {money(order.paid_cents, sheet)}"
    if order.refunded_cents:
        yield f"  Refunded: {money(order.refunded_cents, sheet)}"
    if order.delivered_on:
        yield f"  Delivered: {day(order.delivered_on, sheet)}"


def _answers(sheet: Sheet) -> Iterator[str]:
    for source in told_to(sheet):
        yield f"{source.text}\n({source.id}: {source.uri})"


def _sign_off(sender: Sender | None) -> str:
    if sender is None:
        return "Kind regards"
    return "\n".join(part for part in ("Kind regards,", sender.name, sender.team, sender.email, sender.phone) if part)
