"""License amounts of money: each must be a fact of the sheet and play that fact's role."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.facts import Fact, FactType, Line, LineStatus, Sheet
from agent.text.figure import Figure
from agent.text.writing import write_money
from agent.validators.binding import Bound, Scene
from agent.validators.cues import left_of, roles_of

__all__ = ["Licence", "candidates", "check_amount", "money_text"]

_EACH = re.compile(r"\s*(?:each|apiece|per invoice)\b")
_LABEL = re.compile(r"[^\d\n]{0,40}\b(?:total|balance|due|sum|amount)[\w\s]{0,20}[:=]?\s*\($")
_CREDIT_MARK = re.compile(r"^\s*(?:cr|dr)\b")
_OPEN_ONLY = frozenset(["pay"])
_INVOICES = re.compile(r"\binvoices\b")
_RATE = re.compile(
    r"\s*(?:/|per|a|an|each|every)\s*(?:day|week|month|quarter|year|annum|hour)\b|\s*(?:monthly|weekly|yearly|daily)\b"
)
_REMAINING = re.compile(r"\b(?:remain\w*|left|still|balance|outstanding)\b")
_DUE = frozenset(["pay"])


@dataclass(frozen=True, slots=True)
class Licence:
    """Hold what became of a figure: the facts that license it, or why none does and what would be right."""

    error: str = ""
    evidence: str = ""
    fix: str = ""
    facts: tuple[str, ...] = ()

    @property
    def granted(self) -> bool:
        """Tell whether the figure may stand."""
        return not self.error


def money_text(sheet: Sheet, cents: int) -> str:
    """Return an amount as the sheet's locale writes it."""
    return write_money(cents, sheet.currency, sheet.locale).replace("\xa0", " ")


def check_amount(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Licence:
    """License an amount that has at least one reading.

    Bound to a line it must be that line's amount or open part, with a paid cue what was paid on it, with pay, remaining
    or balance its open part; a list of lines may have their sum. With a total cue it must be the total due or the open
    total, with overdue, disputed, credit, paid or invoiced beside it that total. Without line or cue any open fact
    will do; a fee, discount, refund or the like has no fact. Only credits and payments may stand with a minus.
    """
    if _RATE.match(scene.between(figure.span.end, figure.span.end + 24)):
        said = money_text(sheet, figure.cents[0])
        return Licence("FIGURE_DERIVED", f"the sheet has no amount of {said} that recurs", "Leave the rate out.")
    if _in_brackets_as_negative(scene, figure):
        said = money_text(sheet, figure.cents[0])
        fix = f"Write {said} without brackets."
        return Licence("FIGURE_UNREADABLE", f"({said}) in brackets may be read as negative", fix)
    allowed = list(candidates(sheet, scene, figure, bound))
    facts = tuple(fact.id for fact in allowed if _matches(sheet, fact, figure))
    if facts:
        return Licence(facts=facts)
    return _refusal(sheet, figure, bound, allowed)


def candidates(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound) -> Iterator[Fact]:
    """Yield the facts whose role a figure may play where it stands."""
    roles = roles_of(scene, figure)
    if bound.lines and not bound.total:
        yield from _of_lines(sheet, scene, figure, bound, roles)
    else:
        if _EACH.match(scene.between(figure.span.end, figure.span.end + 14)):
            yield from _shared(sheet)
            return
        yield from _unbound(sheet, roles | ({"total"} if bound.total else frozenset()))
        if _INVOICES.search(left_of(scene, figure)) and not roles & {"pay", "other"}:
            yield from _facts(sheet, "invoice_total")


def _of_lines(sheet: Sheet, scene: Scene, figure: Figure, bound: Bound, roles: frozenset[str]) -> Iterator[Fact]:
    if "other" in roles:
        return
    lines = [line for line in sheet.lines if line.id in bound.lines]
    each = bool(_EACH.match(scene.between(figure.span.end, figure.span.end + 14)))
    if "paid" in roles:
        yield from _paid_on(lines)
        return
    if len(lines) > 1:
        yield from _sum_of(lines)
        if "total" in roles and not _REMAINING.search(left_of(scene, figure)):
            return  # "TX-1 and TX-2 come to": their sum and no other
        yield from _facts(sheet, "total_due", "open_total")
    remaining = bool(roles & _OPEN_ONLY) or bool(_REMAINING.search(left_of(scene, figure)))
    for line in lines if each else lines[-1:]:
        yield from _line_facts(line, roles, remaining=remaining)
    if bound.after:
        # A further figure after a line is that line's or a total, but never another line's.
        yield from _facts(sheet, "total_due", "open_total")


def _paid_on(lines: list[Line]) -> Iterator[Fact]:
    """Yield what was paid on lines, on each and in all; 0 when nothing was."""
    for line in lines:
        yield Fact(f"{line.id}.paid", FactType.MONEY, "line_paid", line.paid_cents, line.id)
    if len(lines) > 1:
        ids = "+".join(line.id for line in lines)
        yield Fact(f"{ids}.paid", FactType.MONEY, "sum_paid", sum(line.paid_cents for line in lines), derived=True)


def _line_facts(line: Line, roles: frozenset[str], *, remaining: bool) -> Iterator[Fact]:
    amount = Fact(f"{line.id}.amount", FactType.MONEY, "line_amount", line.amount_cents, line.id)
    left = Fact(f"{line.id}.open", FactType.MONEY, "line_open", line.open_cents, line.id, derived=True)
    if roles == frozenset(["invoiced"]):
        yield amount
        return
    yield left
    if line.status is LineStatus.PAID:
        yield from () if roles & {"open", "pay"} else (amount,)
    elif not remaining:
        yield amount


def _sum_of(lines: list[Line]) -> Iterator[Fact]:
    """Yield the sums of lines that are named as one list; credits count against the rest."""
    sign = {line.id: -1 if line.status is LineStatus.CREDIT else 1 for line in lines}
    ids = "+".join(line.id for line in lines)
    total = sum(sign[line.id] * line.open_cents for line in lines)
    yield Fact(f"{ids}.open", FactType.MONEY, "sum_open", total, derived=True)
    yield Fact(
        f"{ids}.amount", FactType.MONEY, "sum_amount", sum(sign[i.id] * i.amount_cents for i in lines), derived=True
    )


def _shared(sheet: Sheet) -> Iterator[Fact]:
    """Yield what each open invoice has, when it is the same: "$450.00 each"."""
    for role in ("line_open", "line_amount"):
        facts = list(_of_status(sheet, (role,), LineStatus.OPEN, LineStatus.DISPUTED))
        values = {fact.value for fact in facts}
        alike = {fact.value for fact in facts if sum(other.value == fact.value for other in facts) > 1}
        yield from (fact for fact in facts if fact.value in alike or len(values) == 1)


def _unbound(sheet: Sheet, roles: frozenset[str]) -> Iterator[Fact]:
    if "other" in roles:
        return
    for role in ("disputed", "credit", "paid", "invoiced", "overdue"):
        if role in roles:
            yield from _BY_ROLE[role](sheet)
            return
    if "total" in roles:
        yield from _facts(sheet, "total_due", *(() if roles & _DUE else ("open_total",)))
        return
    yield from _facts(sheet, "total_due")
    if "pay" in roles:
        yield from _of_status(sheet, ("line_open",), LineStatus.OPEN)
        return
    yield from _facts(sheet, "open_total", "disputed_total", "overdue_total")
    yield from _of_status(sheet, ("line_open",), LineStatus.OPEN, LineStatus.DISPUTED)
    if "open" not in roles:
        yield from _facts(sheet, "invoice_total")
        yield from _of_status(sheet, ("line_amount",), LineStatus.OPEN, LineStatus.DISPUTED)


def _overdue(sheet: Sheet) -> Iterator[Fact]:
    yield from _facts(sheet, "overdue_total")
    late = {line.id for line in sheet.lines if line.days_overdue}
    yield from (fact for fact in _of_status(sheet, ("line_open",), LineStatus.OPEN) if fact.line in late)
    if all(line.days_overdue for line in sheet.lines if line.status is LineStatus.OPEN):
        yield from _facts(sheet, "total_due")


def _disputed(sheet: Sheet) -> Iterator[Fact]:
    yield from _facts(sheet, "disputed_total")
    yield from _of_status(sheet, ("line_open", "line_amount"), LineStatus.DISPUTED)


def _credit(sheet: Sheet) -> Iterator[Fact]:
    yield from _facts(sheet, "credit_total")
    yield from _of_status(sheet, ("line_open", "line_amount"), LineStatus.CREDIT)


def _paid(sheet: Sheet) -> Iterator[Fact]:
    yield from _facts(sheet, "paid_to_date")
    yield from (fact for fact in sheet.by_role.get("line_paid", ()))


def _invoiced(sheet: Sheet) -> Iterator[Fact]:
    yield from _facts(sheet, "invoice_total")
    yield from _of_status(sheet, ("line_amount",), LineStatus.OPEN, LineStatus.DISPUTED, LineStatus.PAID)


_BY_ROLE = {"disputed": _disputed, "credit": _credit, "paid": _paid, "invoiced": _invoiced, "overdue": _overdue}


def _facts(sheet: Sheet, *roles: str) -> Iterator[Fact]:
    for role in roles:
        yield from sheet.by_role.get(role, ())


def _of_status(sheet: Sheet, roles: Iterable[str], *statuses: LineStatus) -> Iterator[Fact]:
    wanted = {line.id for line in sheet.lines if line.status in statuses}
    for role in roles:
        yield from (fact for fact in sheet.by_role.get(role, ()) if fact.line in wanted)


def _matches(sheet: Sheet, fact: Fact, figure: Figure) -> bool:
    if fact.value in figure.cents:
        return True
    line = sheet.line(fact.line) if fact.line else None
    may_be_negative = fact.role in ("credit_total", "line_paid", "paid_to_date") or (
        line is not None and line.status is LineStatus.CREDIT
    )
    return may_be_negative and isinstance(fact.value, int) and -fact.value in figure.cents


def _in_brackets_as_negative(scene: Scene, figure: Figure) -> bool:
    """Tell whether an amount stands alone in brackets, or behind a label only, as accountants write a negative one."""
    if scene.mentions or scene.between(figure.span.end, figure.span.end + 1) != ")":
        return False
    before = scene.between(max(scene.span.start, figure.span.start - 80), figure.span.start)
    after = _CREDIT_MARK.sub("", scene.between(figure.span.end + 1, scene.span.end)).strip(" .!|")
    return not after and (before.strip() == "(" or bool(_LABEL.match(before)))


def _refusal(sheet: Sheet, figure: Figure, bound: Bound, allowed: list[Fact]) -> Licence:
    said = money_text(sheet, figure.cents[0])
    known = any(fact.value in figure.cents for fact in sheet.of_type(FactType.MONEY))
    right = list(dict.fromkeys(money_text(sheet, fact.value) for fact in allowed if isinstance(fact.value, int)))[:4]
    fix = f"Write {' or '.join(right)}, or leave the amount out." if right else "Leave the amount out."
    facts = tuple(dict.fromkeys(fact.id for fact in allowed))[:8]
    if bound.lines and not bound.total and right:
        line = bound.lines[-1]
        holds = (
            f"{line} is {right[0]}" if len(bound.lines) == 1 else f"{' and '.join(bound.lines)} are {right[0]} in sum"
        )
        return Licence("FIGURE_ROLE" if known else "FIGURE_UNLICENSED", f"{holds}; the text says {said}", fix, facts)
    if bound.total and right:
        return Licence(
            "FIGURE_ROLE" if known else "FIGURE_UNLICENSED",
            f"the total is {right[0]}; the text says {said}",
            fix,
            facts,
        )
    if not right:
        return Licence("FIGURE_ROLE", f"{said} stands for something that the sheet has no amount for", fix)
    error = "FIGURE_ROLE" if known else "FIGURE_UNLICENSED"
    return Licence(error, f"the sheet holds no amount of {said} in this role", fix, facts)
