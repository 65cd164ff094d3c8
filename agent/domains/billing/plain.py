"""Write a true payment mail as plain text, without a frame and without a model."""

from agent.domains.billing.schema import BillingFacts
from agent.domains.billing.wording import day, money
from agent.domains.domain import Case
from agent.facts import Line, LineStatus, Sheet

__all__ = ["true_text"]

_DESCRIBED = 8  # beyond so many lines descriptions make a letter longer than one may be


def true_text(case: Case) -> str:
    """Return a mail that names every listed line and the total due, and says nothing else."""
    facts: BillingFacts = case.facts
    sender = facts.sender
    paragraphs = [
        f"Dear {facts.client.contact or facts.client.name},",
        "These items are open on your account:",
        "\n".join(_sentence(line, case.sheet) for line in case.sheet.lines if line.is_listed),
        f"The total due is {money(case.sheet.money('total_due'), case.sheet)}.",
        "If you have a question about any of the items, please reply to this message.",
        f"Kind regards,\n{sender.name}\n{sender.team}" if sender else "Kind regards",
    ]
    return "\n\n".join(paragraphs)


def _sentence(line: Line, sheet: Sheet) -> str:
    amount = money(line.open_cents, sheet)
    if line.status is LineStatus.CREDIT:
        return f"{line.id} is a credit of {amount}."
    if line.status is LineStatus.DISPUTED:
        return f"{line.id} is disputed, with {amount}, and is not part of the total due."
    what = f" ({line.description})" if line.description and len(sheet.lines) <= _DESCRIBED else ""
    due = f", due {day(line.due, sheet)}" if line.days_overdue and line.due else ""
    return f"{line.id}{what} is open with {amount}{due}."
