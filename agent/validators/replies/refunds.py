"""Work out from orders, policies and events which refund may be promised.

Covers one window in days since delivery, asked for on the day of the customer's newest message, the share that goes
back and what went back already. Does not know of damaged goods or of laws: a person decides beyond the policy.
"""

from dataclasses import dataclass
from datetime import date

from agent.facts import Sheet

__all__ = ["Refund", "refund_of"]


@dataclass(frozen=True, slots=True)
class Refund:
    """Hold what may be refunded of the newest order, in minor units.

    `is_allowed`: inside the window of the policy. `is_refused`: outside it. Neither: the facts do not tell. `made` is
    what refund events say went back; `is_whole` when that is all that was paid.
    """

    order: str | None = None
    paid_cents: int = 0
    open_cents: int = 0
    percent: int = 100
    days: int | None = None
    window: int | None = None
    made_cents: int = 0

    @property
    def is_allowed(self) -> bool:
        """Tell whether the policy allows a refund."""
        return self.days is not None and self.window is not None and self.days <= self.window and self.open_cents > 0

    @property
    def is_refused(self) -> bool:
        """Tell whether the policy refuses a refund."""
        return self.days is not None and self.window is not None and self.days > self.window

    @property
    def is_whole(self) -> bool:
        """Tell whether what was refunded is all that was paid."""
        return self.made_cents >= self.paid_cents


def refund_of(sheet: Sheet) -> Refund:
    """Return what may be refunded of the order that was delivered last."""
    line = max(sheet.lines, key=lambda line: _delivered(sheet, line.id) or date.min, default=None)
    if line is None:
        return Refund()
    back = sum(_cents(sheet, "order_refunded", line.id))
    made = sum(_cents(sheet, "paid_refund", line.id, None)) or back
    fee = _rule(sheet, "restocking_fee_percent") or 0
    share = _rule(sheet, "refund_percent")
    percent = max((100 if share is None else share) - fee, 0)
    delivered = _delivered(sheet, line.id)
    return Refund(
        order=line.id,
        paid_cents=line.paid_cents,
        open_cents=max(line.paid_cents * percent // 100 - max(back, made), 0),
        percent=percent,
        days=(_asked_on(sheet) - delivered).days if delivered else None,
        window=_rule(sheet, "refund_window_days"),
        made_cents=made,
    )


def _delivered(sheet: Sheet, order: str) -> date | None:
    facts = sheet.by_role.get("order_delivered", ())
    return next((fact.value for fact in facts if fact.line == order and isinstance(fact.value, date)), None)


def _asked_on(sheet: Sheet) -> date:
    return max((event.on for event in sheet.events if event.kind == "message"), default=sheet.as_of)


def _cents(sheet: Sheet, role: str, *orders: str | None) -> list[int]:
    facts = sheet.by_role.get(role, ())
    return [fact.value for fact in facts if fact.line in orders and isinstance(fact.value, int)]


def _rule(sheet: Sheet, rule: str) -> int | None:
    return next((fact.value for fact in sheet.by_role.get(rule, ()) if isinstance(fact.value, int)), None)
