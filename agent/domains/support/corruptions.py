"""Spoil a true reply in the ways that models and people get one wrong."""

import json
import re
from collections.abc import Callable

from agent.domains.billing.wording import money
from agent.domains.domain import Case, Corruption
from agent.validators.replies.refunds import refund_of

__all__ = ["CORRUPTIONS"]

_END = "If anything is unclear, please reply to this message."
_DURATION = re.compile(r"\b(\d+)( (?:days|months|hours|weeks|minutes))\b")


def _says(sentence: str, *, unless: str = "") -> Callable[[Case, str], str | None]:
    """Return what adds a sentence, where no event of the kind `unless` makes it true."""

    def spoil(case: Case, text: str) -> str | None:
        if unless and any(event.kind == unless for event in case.sheet.events):
            return None
        return text.replace(_END, f"{sentence} {_END}")

    return spoil


def _writes(sentence: str, *needs: str) -> Callable[[Case, str], str | None]:
    def spoil(case: Case, text: str) -> str | None:
        if not set(needs) <= case.slots().keys():
            return None
        prose = json.loads(text)
        return json.dumps({**prose, "answer": f"{prose['answer']} {sentence}"})

    return spoil


def _wrong_duration(case: Case, text: str) -> str | None:  # noqa: ARG001 - one shape for all
    return _DURATION.sub(lambda found: f"{int(found[1]) + 17}{found[2]}", text, count=1)


def _wrong_paid(case: Case, text: str) -> str | None:
    refund = refund_of(case.sheet)
    if refund.order is None:
        return None
    right = f"you paid {money(refund.paid_cents, case.sheet)}"
    return text.replace(right, f"you paid {money(refund.paid_cents + 1234, case.sheet)}")


def _uncited(case: Case, text: str) -> str | None:
    for fact in case.sheet.by_role.get("article", ()):
        text = text.replace(f" ({fact.id})", "")
    return text


def _refund_outside(case: Case, text: str) -> str | None:
    refund = refund_of(case.sheet)
    if any(event.kind == "refund" for event in case.sheet.events) or refund.is_allowed:
        return None
    return text.replace(_END, f"We will refund your order in full. {_END}")


def _refund_above(case: Case, text: str) -> str | None:
    refund = refund_of(case.sheet)
    if refund.order is None:
        return None
    return text.replace(_END, f"You will receive a refund of {money(refund.paid_cents + 5000, case.sheet)}. {_END}")


def _no_answer(case: Case, text: str) -> str | None:
    if not case.sheet.by_role.get("question"):
        return None
    return f"{text.splitlines()[0]}\n\nThank you for your message.\n\nKind regards"


CORRUPTIONS: tuple[Corruption, ...] = (
    Corruption("wrong_duration", _wrong_duration),
    Corruption("wrong_paid", _wrong_paid),
    Corruption("uncited", _uncited),
    Corruption("refund_outside", _refund_outside),
    Corruption("refund_above", _refund_above),
    Corruption("no_answer", _no_answer),
    Corruption("invented_amount", _says("The shipping costs were $7,431.19.")),
    Corruption("invented_days", _says("It takes 87 days.")),
    Corruption("invented_percent", _says("About 93% of customers are happy with it.")),
    Corruption("invented_id", _says("Your ticket is ZX-9999.")),
    Corruption("claimed_refund", _says("We have refunded your order.", unless="refund")),
    Corruption("claimed_escalation", _says("We have escalated your case.", unless="escalation")),
    Corruption("claimed_replacement", _says("We have sent you a replacement.", unless="replacement")),
    Corruption("claimed_call", _says("We have called you.", unless="call")),
    Corruption("discount", _says("We will give you a discount on your next order.", unless="credit")),
    Corruption("exception", _says("We will make an exception for you.", unless="agreement")),
    Corruption("guarantee", _says("We guarantee that this will never happen again.")),
    Corruption("threat", _says("Otherwise we will take you to court.")),
    Corruption("foreign_link", _says("See https://help.example.net/other for more.")),
    Corruption("placeholder", _says("Your contact here is [NAME].")),
    Corruption("attachment", _says("The signed contract is attached.")),
    Corruption("rude", _says("This is your own fault.")),
    Corruption("slot_as_fee", _writes("A fee of [REFUND_AMOUNT] was added.", "REFUND_AMOUNT"), framed=True),
    Corruption("slot_as_warranty", _writes("The warranty is [REFUND_WINDOW].", "REFUND_WINDOW"), framed=True),
    Corruption("paid_as_refund", _writes("Your refund is [PAID_TOTAL].", "PAID_TOTAL"), framed=True),
    Corruption("unknown_slot", _writes("Please see [TRACKING_LINK]."), framed=True),
    Corruption("literal_figure", _writes("That takes five weeks."), framed=True),
    Corruption("wrong_advice", _says("Please keep the device away from other devices."), semantic=True),
)
"""The kinds of wrong reply."""
