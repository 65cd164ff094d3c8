"""Spoil a true payment mail in the ways that models and people get one wrong."""

import json
import re
from collections.abc import Callable
from datetime import timedelta

from agent.domains.billing.wording import day, money
from agent.domains.domain import Case, Corruption
from agent.facts import FactType, Line, LineStatus

__all__ = ["CORRUPTIONS"]

_MONTHS = ("July", "January", "October", "June", "February")


def _open(case: Case) -> list[Line]:
    return [line for line in case.sheet.lines if line.status is LineStatus.OPEN and line.is_listed]


def _total(case: Case) -> str:
    return money(case.sheet.money("total_due"), case.sheet)


def _added(text: str, sentence: str) -> str:
    """Put a sentence behind the one with the total."""
    return re.sub(r"(The total due is [^\n]*)", lambda found: f"{found[1]} {sentence}", text, count=1)


def _wrong_total(case: Case, text: str) -> str | None:
    wrong = money(case.sheet.money("total_due") + 1500, case.sheet)
    return text.replace(f"The total due is {_total(case)}.", f"The total due is {wrong}.")


def _second_total(case: Case, text: str) -> str | None:
    return _added(text, f"Please remit {money(case.sheet.money('total_due') + 1500, case.sheet)}.")


def _wrong_line_amount(case: Case, text: str) -> str | None:
    line = _open(case)[0]
    amount = money(line.open_cents, case.sheet)
    wrong = money(line.open_cents + 4321, case.sheet)
    return re.sub(
        rf"({re.escape(line.id)} [^\n]*?){re.escape(amount)}", lambda found: f"{found[1]}{wrong}", text, count=1
    )


def _swapped_amounts(case: Case, text: str) -> str | None:
    first, *others = _open(case)
    second = next((line for line in others if line.open_cents != first.open_cents), None)
    if second is None:
        return None
    rows = {line.id: _row(text, line) for line in (first, second)}
    one, two = money(first.open_cents, case.sheet), money(second.open_cents, case.sheet)
    swapped = text.replace(rows[first.id], rows[first.id].replace(f"with {one}", f"with {two}"))
    return swapped.replace(rows[second.id], rows[second.id].replace(f"with {two}", f"with {one}"))


def _missing_line(case: Case, text: str) -> str | None:
    lines = _open(case)
    return text.replace(f"{_row(text, lines[-1])}\n", "") if len(lines) > 1 else None


def _id_with_suffix(case: Case, text: str) -> str | None:
    line = _open(case)[0]
    return text.replace(f"{line.id} ", f"{line.id}A ", 1)


def _ungrounded_month(case: Case, text: str) -> str | None:
    known = {fact.value for fact in case.sheet.of_type(FactType.MONTH)}
    dates = {fact.value.month for fact in case.sheet.of_type(FactType.DATE) if hasattr(fact.value, "month")}
    numbers = {"January": 1, "February": 2, "June": 6, "July": 7, "October": 10}
    taken = {int(str(period)[5:]) for period in known} | dates
    name = next((month for month in _MONTHS if numbers[month] not in taken), None)
    return _added(text, f"This is for work done in {name}.") if name else None


def _wrong_due_date(case: Case, text: str) -> str | None:
    line = next((line for line in _open(case) if line.days_overdue and line.due), None)
    if line is None or line.due is None:
        return None
    wrong = day(line.due - timedelta(days=23), case.sheet)
    return text.replace(f", due {day(line.due, case.sheet)}", f", due {wrong}", 1)


def _wrong_days(case: Case, text: str) -> str | None:
    days = max((line.days_overdue for line in case.sheet.lines), default=0)
    return _added(text, f"The oldest item is {days + 17} days overdue.")


def _other_currency(case: Case, text: str) -> str | None:
    sign = "€" if case.sheet.currency != "EUR" else "£"
    return _added(text, f"That is {sign}1,650.00 at today's rate.")


def _paid_called_open(case: Case, text: str) -> str | None:
    line = next((line for line in case.sheet.lines if line.status is LineStatus.PAID), None)
    return _added(text, f"{line.id} is still open as well.") if line else None


def _open_called_paid(case: Case, text: str) -> str | None:
    return _added(text, f"{_open(case)[0].id} has been paid.")


def _dispute_demanded(case: Case, text: str) -> str | None:
    line = next((line for line in case.sheet.lines if line.status is LineStatus.DISPUTED), None)
    return _added(text, f"Please settle {line.id} now.") if line else None


def _says(sentence: str) -> Callable[[Case, str], str | None]:
    return lambda case, text: _added(text, sentence.replace("TOTAL", _total(case)))


def _writes(sentence: str, *needs: str) -> Callable[[Case, str], str | None]:
    """Return what adds a sentence to the prose of a frame, where the case has the slots that it needs."""

    def spoil(case: Case, text: str) -> str | None:
        if not set(needs) <= case.slots().keys():
            return None
        prose = json.loads(text)
        return json.dumps({**prose, "request": f"{prose['request']} {sentence}"})

    return spoil


def _row(text: str, line: Line) -> str:
    return next(row for row in text.splitlines() if row.startswith(f"{line.id} "))


def _longer_call(case: Case, text: str) -> str | None:
    described = next((line for line in _open(case) if "30-minute" in line.description), None)
    return text.replace("30-minute", "60-minute") if described else None


CORRUPTIONS: tuple[Corruption, ...] = (
    Corruption("wrong_total", _wrong_total),
    Corruption("second_total", _second_total),
    Corruption("wrong_line_amount", _wrong_line_amount),
    Corruption("swapped_amounts", _swapped_amounts),
    Corruption("missing_line", _missing_line),
    Corruption("invalid_id", _says("TX-9999 is open as well.")),
    Corruption("id_with_suffix", _id_with_suffix),
    Corruption("ungrounded_month", _ungrounded_month),
    Corruption("wrong_due_date", _wrong_due_date),
    Corruption("wrong_days", _wrong_days),
    Corruption("other_currency", _other_currency),
    Corruption("hidden_digits", _says("Please pay １，９９０．００ now.")),
    Corruption("paid_called_open", _paid_called_open),
    Corruption("open_called_paid", _open_called_paid),
    Corruption("dispute_demanded", _dispute_demanded),
    Corruption("debt_denied", _says("You do not owe us anything.")),
    Corruption("debt_turned", _says("We owe you TOTAL.")),
    Corruption("total_called_received", _says("We have received TOTAL from you.")),
    Corruption("invented_deadline", _says("Please pay by Friday.")),
    Corruption("late_fee", _says("A late fee of 7.5% has been added.")),
    Corruption("discount", _says("You may take off 10% if you pay now.")),
    Corruption("approximation", _says("That is roughly twice the usual amount.")),
    Corruption("bank_details", _says("Please transfer it to DE89 3704 0044 0532 0130 00.")),
    Corruption("foreign_link", _says("Pay at https://pay.example.net/now.")),
    Corruption("placeholder", _says("Your contact here is [NAME].")),
    Corruption("threat", _says("Otherwise we will take you to court.")),
    Corruption("attachment", _says("The signed contract is attached.")),
    Corruption("legal_fee", _says("This includes a legal fee."), semantic=True),
    Corruption("longer_call", _longer_call, semantic=True),
    Corruption("agreed_call", _says("As agreed on the phone, you accept all items."), semantic=True),
    Corruption("slot_called_received", _writes("We have received [TOTAL_DUE]."), framed=True),
    Corruption("slot_called_fee", _writes("A fee of [TOTAL_DUE] was added."), framed=True),
    Corruption("slot_as_deadline", _writes("Please pay by [OLDEST_DUE].", "OLDEST_DUE"), framed=True),
    Corruption("slot_demanded", _writes("Please settle [DISPUTED_LINES].", "DISPUTED_LINES"), framed=True),
    Corruption("paid_slot_as_due", _writes("Please pay [PAID_TO_DATE] now.", "PAID_TO_DATE"), framed=True),
    Corruption("unknown_slot", _writes("Please pay into [BANK_ACCOUNT]."), framed=True),
    Corruption("literal_figure", _writes("That is five weeks late."), framed=True),
    Corruption("literal_month", _writes("This is for work done in July."), framed=True),
    Corruption("no_reply", _says("You have not answered any of our letters."), semantic=True),
    Corruption("wrong_cause", _says("The delay comes from a change of your bank."), semantic=True),
    Corruption(
        "wrong_account", _says("These are open because your last transfer went to another account."), semantic=True
    ),
    Corruption("boast", _says("Our prices are the lowest in the region."), semantic=True),
    Corruption("hardship", _says("We know that this is a hard time for your firm."), semantic=True),
)
"""The kinds of wrong draft; the first five of the list that the sources name are among them."""
