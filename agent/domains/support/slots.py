"""Give a case its slots, and say in which clauses each may stand."""

from collections.abc import Iterator, Mapping
from datetime import date

from agent.domains.billing.wording import day, joined, money
from agent.facts import FactType, Sheet
from agent.slots import Slot
from agent.validators.replies.refunds import refund_of

__all__ = ["slot_values", "slots"]

_GAP = r"[^\[\]]*?"
_BACK = r"(?:refund\w*|reimburs\w*|money back|goes? back|returned)"
_Filled = tuple[Slot, str]


def slots(sheet: Sheet) -> Mapping[str, Slot]:
    """Return the slots that a case can fill, by name."""
    return {slot.name: slot for slot, _ in _filled(sheet)}


def slot_values(sheet: Sheet) -> Mapping[str, str]:
    """Return what each slot stands for, written as the sheet's locale writes it."""
    return {slot.name: value for slot, value in _filled(sheet)}


def _filled(sheet: Sheet) -> Iterator[_Filled]:
    yield from _order(sheet)
    yield from _refund(sheet)
    for name, role, cue in (
        ("REFUND_DATE", "event_refund", "refund"),
        ("ESCALATED_ON", "event_escalation", "escalat|passed on|forwarded"),
    ):
        days = [fact.value for fact in sheet.by_role.get(role, ()) if isinstance(fact.value, date)]
        if days:
            yield _dated(name, role, cue), day(max(days), sheet)
    articles = [fact.id for fact in sheet.by_role.get("article", ())]
    for number, article in enumerate(articles, start=1):
        yield _named(f"ARTICLE_{number}", "article"), article
    if articles:
        yield _named("ARTICLES", "articles"), joined(articles)


def _order(sheet: Sheet) -> Iterator[_Filled]:
    refund = refund_of(sheet)
    if refund.order is None:
        return
    yield _named("ORDER", "order"), refund.order
    cue = r"\b(?:price|paid|payment|cost|charged)\b"
    paid = Slot(
        "PAID_TOTAL",
        FactType.MONEY,
        "order_paid",
        clauses=("the price of [PAID_TOTAL]", "you paid [PAID_TOTAL]"),
        patterns=(rf"{cue}{_GAP}\[PAID_TOTAL\]",),
        never=(rf"\b{_BACK}\b{_GAP}\[PAID_TOTAL\]",),
    )
    yield paid, money(refund.paid_cents, sheet)
    for fact in sheet.by_role.get("order_delivered", ()):
        if fact.line == refund.order and isinstance(fact.value, date):
            yield _dated("DELIVERED_ON", "order_delivered", "deliver|arriv"), day(fact.value, sheet)


def _refund(sheet: Sheet) -> Iterator[_Filled]:
    refund = refund_of(sheet)
    made = any(event.kind == "refund" for event in sheet.events)
    cents = refund.made_cents if made else refund.open_cents if refund.is_allowed else 0
    if cents:
        slot = Slot(
            "REFUND_AMOUNT",
            FactType.MONEY,
            "refund",
            clauses=("a refund of [REFUND_AMOUNT]",),
            patterns=(rf"\b{_BACK}\b{_GAP}\[REFUND_AMOUNT\]", rf"\[REFUND_AMOUNT\]{_GAP}\b{_BACK}\b"),
            never=(r"\b(?:fee|discount|voucher|goodwill|per|each|not|no|extra)\b",),
            aliases=("REFUND", "AMOUNT", "REFUND_TOTAL"),
        )
        yield slot, money(cents, sheet)
    if refund.window is not None:
        window = Slot(
            "REFUND_WINDOW",
            FactType.DAYS,
            "refund_window_days",
            clauses=("the window of [REFUND_WINDOW] has ended", "within [REFUND_WINDOW] of delivery"),
            patterns=(
                rf"\b(?:window|period|policy|within)\b{_GAP}\[REFUND_WINDOW\]",
                r"\[REFUND_WINDOW\] (?:window|period|of delivery)",
            ),
            never=(rf"\b(?:warranty|exchange|next)\b{_GAP}\[REFUND_WINDOW\]",),
            aliases=("WINDOW", "WINDOW_DAYS"),
            echo="days?",
        )
        yield window, f"{refund.window} {'day' if refund.window == 1 else 'days'}"


def _dated(name: str, role: str, cue: str) -> Slot:
    return Slot(
        name,
        FactType.DATE,
        role,
        clauses=(f"{cue.split('|', maxsplit=1)[0]}ed on [{name}]",),
        patterns=(rf"\b(?:{cue})\w*\b{_GAP}\[{name}\]", rf"\[{name}\]{_GAP}\b(?:{cue})\w*\b"),
        never=(rf"\b(?:by|before|until|within|will|due)\b[^\[\]]{{0,15}}\[{name}\]",),
        tail="",
    )


def _named(name: str, noun: str) -> Slot:
    return Slot(
        name,
        FactType.TEXT,
        "line_id" if noun == "order" else "article",
        clauses=(f"{noun} [{name}]",),
        patterns=(rf"\b{noun.removesuffix('s')}s?\b{_GAP}\[{name}\]",),
        aliases=("ORDER_ID", "ORDER_NUMBER") if noun == "order" else (),
    )
