import pytest

from agent.domains import DOMAINS
from reviewhub.views.facts import show_facts


def shown(facts, **changes):
    given = {**facts, **changes}
    domain = DOMAINS["billing"]
    return show_facts(domain.derive(domain.read_facts(given), given=given), given)


@pytest.mark.parametrize(
    ("locale", "currency", "cents", "written"),
    [
        ("en_US", "USD", 123456789, "$1,234,567.89"),
        ("en_GB", "GBP", 123456789, "£1,234,567.89"),
        ("en_IN", "INR", 123456789, "₹12,34,567.89"),
        ("en_US", "JPY", 123456, "¥123,456"),
        ("en_US", "OMR", 123456, "OMR\u00a0123.456"),
        ("en_CH", "CHF", 123456789, "CHF\u00a01'234'567.89"),
    ],
)
def test_money_is_written_as_the_locale_and_currency_write_it(facts, locale, currency, cents, written):
    facts["transactions"] = [{**facts["transactions"][0], "amount_cents": cents}]
    page = shown(facts, locale=locale, currency=currency)
    assert page.totals[0].value == written
    assert page.lines[0].amount == page.totals[0].value


def test_dates_are_written_as_the_locale_writes_them(facts):
    assert shown(facts).as_of == "May 4, 2026"
    assert shown(facts, locale="en_GB").as_of == "4 May 2026"
    assert shown(facts, locale="en_AU").lines[0].due == "15 Apr 2026"


def test_a_sum_that_repeats_another_is_left_out(facts):
    assert [total.label for total in shown(facts).totals] == ["Total due", "Overdue", "Reminders sent"]
    facts["transactions"][1]["disputed"] = True
    assert [total.label for total in shown(facts).totals] == [
        "Total due",
        "Open in all",
        "Disputed",
        "Overdue",
        "Reminders sent",
    ]


def test_the_policy_says_what_may_be_said(facts):
    policy = {
        "late_fee_percent": "1.5",
        "collections_after_days": 60,
        "pay_by": "2026-05-18",
        "payment_plan": "Two halves",
    }
    assert shown(facts, policy=policy).policy == (
        ("Late fee", "1.5 %"),
        ("Payment plan", "Two halves"),
        ("Collections after", "60 days"),
        ("Pay by", "May 18, 2026"),
    )


def test_each_line_is_called_what_it_is(facts):
    first, second = facts["transactions"]
    lines = [
        first,
        {**second, "disputed": True},
        {**first, "id": "TX-1", "paid_cents": 120000, "paid_on": "2026-04-01"},
        {**first, "id": "CN-1", "kind": "credit", "due": None},
    ]
    page = shown(facts, transactions=lines)
    assert [line.status for line in page.lines] == ["open", "disputed", "paid", "credit"]
    assert [line.days_overdue for line in page.lines] == [19, 19, 0, 0]
    assert [line.due for line in page.lines] == ["Apr 15, 2026", "Apr 15, 2026", "Apr 15, 2026", ""]
