"""The day on which a promise was made is told in many ways, and none of them is a day to pay by."""

from typing import Any

import pytest

from agent.validators import Verdict
from tests.agent.judging import OPENING, errors, judge, ledger

_FACTS = ledger(events=[{"kind": "promise", "on": "2026-05-03", "text": "will pay both"}])
_DAYS = ("3 May", "May 3", "3 May 2026", "May 3, 2026", "Sunday, 3 May", "the 3rd of May")
_ABOUT_DATES = {"DATE_UNLICENSED", "DEADLINE_UNLICENSED", "DATE_AMBIGUOUS"}

_PROMISED = """
    On the phone on DAY you promised to pay.
    In our call on DAY you promised to pay.
    In our phone call on DAY, you promised to pay.
    By phone on DAY you promised to pay.
    Over the phone on DAY, you promised to pay.
    When we spoke on DAY you promised to pay.
    On DAY you promised to pay.
    On DAY, you promised on the phone to pay.
    You promised by phone on DAY to pay.
    You promised payment by phone on DAY.
    You promised payment over the phone on DAY.
    You promised to pay when we spoke on the phone on DAY.
    You promised to pay when we spoke on DAY.
    You promised us payment in our call on DAY.
    You told us by phone on DAY that you would pay.
    In your email on DAY you promised to pay.
    In your email of DAY you promised payment.
    By email on DAY you promised to pay.
    You promised payment by email on DAY.
    You promised payment in your letter of DAY.
    You promised payment in writing on DAY.
    In a letter dated DAY you promised to pay.
    Your promise of DAY to pay still stands.
    As promised by phone on DAY, please settle both invoices.
"""

_PROMISED_FOR = """
    The payment you promised for DAY has not come in yet.
    The payment that you promised us for DAY has not come in yet.
    You promised payment for DAY.
    You promised the transfer for the DAY.
"""

_ASKED = """
    Please pay by phone on DAY.
    As you promised, please pay by phone on DAY.
    You promised to pay by DAY.
    Please confirm by email on DAY that you will pay.
    You promised that you will pay by phone on DAY.
    We expect your payment by DAY.
"""


def _lines(table: str) -> list[str]:
    return [text.strip() for text in table.strip().splitlines()]


@pytest.mark.parametrize("day", _DAYS)
def test_the_day_of_a_promise_may_be_told(day: str) -> None:
    refused = {text for text in _lines(_PROMISED) if errors(_judged(text, day)) & _ABOUT_DATES}
    assert not refused


@pytest.mark.parametrize("day", ["6 May", "May 6", "6 May 2026", "Wednesday, 6 May"])
def test_another_day_is_not_the_promises(day: str) -> None:
    let_through = {text for text in _lines(_PROMISED) if not errors(_judged(text, day)) & _ABOUT_DATES}
    assert not let_through


@pytest.mark.parametrize("day", _DAYS)
def test_a_day_to_pay_or_answer_by_stays_a_deadline(day: str) -> None:
    let_through = {text for text in _lines(_ASKED) if not errors(_judged(text, day)) & _ABOUT_DATES}
    assert not let_through


# The day of an event is the day that it happened on: a promise FOR a day has to say so in its own words.
def test_the_day_that_a_payment_was_promised_for_is_what_the_promise_says() -> None:
    said = ledger(events=[{"kind": "promise", "on": "2026-05-03", "text": "will pay both on 6 May 2026"}])
    let_through = {text for text in _lines(_PROMISED_FOR) if not errors(_judged(text, "3 May")) & _ABOUT_DATES}
    let_through |= {text for text in _lines(_PROMISED_FOR) if not errors(_judged(text, "3 May", said)) & _ABOUT_DATES}
    refused = {text for text in _lines(_PROMISED_FOR) if errors(_judged(text, "6 May", said)) & _ABOUT_DATES}
    assert (let_through, refused) == (set(), set())


def _judged(text: str, day: str, facts: dict[str, Any] = _FACTS) -> Verdict:
    return judge(OPENING + text.replace("DAY", day), facts=facts)
