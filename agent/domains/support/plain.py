"""Write a true reply as plain text without a model, and tell a case as plain sentences."""

from collections.abc import Iterator

from agent.domains.billing.wording import day, money
from agent.domains.domain import Case
from agent.domains.support.letter import told_to
from agent.domains.support.schema import SupportFacts
from agent.validators.replies.refunds import refund_of
from agent.validators.replies.sources import sources_of

__all__ = ["sentences", "true_text"]


def true_text(case: Case) -> str:
    """Return a reply that quotes what answers each question, names the article, and says nothing else."""
    facts: SupportFacts = case.facts
    sender = facts.sender
    answers = [f"{source.text.rstrip('.')} ({source.id})." for source in told_to(case.sheet)]
    paragraphs = [
        f"Dear {facts.customer.name},",
        "Thank you for your message.",
        *_order(case),
        *answers,
        "If anything is unclear, please reply to this message.",
        f"Kind regards,\n{sender.name}\n{sender.team}" if sender else "Kind regards",
    ]
    return "\n\n".join(paragraphs)


def _order(case: Case) -> Iterator[str]:
    refund = refund_of(case.sheet)
    if refund.order is None:
        return
    yield f"This is about order {refund.order}, for which you paid {money(refund.paid_cents, case.sheet)}."
    made = [event for event in case.sheet.events if event.kind == "refund"]
    if made and refund.made_cents:
        amount, on = money(refund.made_cents, case.sheet), day(made[-1].on, case.sheet)
        yield f"Your refund of {amount} has been issued on {on}."
    elif case.sheet.situation in ("refund_granted", "refund_partial"):
        yield f"Your order is eligible for a refund of {money(refund.open_cents, case.sheet)}."
    elif case.sheet.situation == "refund_denied":
        yield f"We cannot refund this order, because the refund window of {refund.window} days has ended."


def sentences(case: Case) -> tuple[str, ...]:
    """Return the facts of a case as sentences; the first says who writes to whom."""
    facts: SupportFacts = case.facts
    sender = f"{facts.sender.name} of {facts.sender.team}" if facts.sender else "The sender's support team"
    told = [f"{sender} writes to {facts.customer.name}, the customer."]
    told.append(f"Today is {day(case.sheet.as_of, case.sheet)}.")
    told += [source.text for source in sources_of(case.sheet) if source.kind != "customer"]
    told.append(f"The customer wrote: {' '.join(facts.message.split())}")
    return tuple(told)
