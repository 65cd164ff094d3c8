"""A line is called what it is, and a debt is neither denied nor turned round."""

import pytest

from tests.agent.brook import OPENING, errors, found, ledger, shown

_HARBOUR = "RE-7 (£3,120.00) and RE-9 (£1,000.00 of £1,450.20) are open, £4,120.00 in total. "
_CELTIC = "2026/0042 (€1,500.00) and 2026/0043 (€730.50) are open; credit CN-0007 of €200.00 leaves €2,030.50 due. "
_CAPE = "A.1093 and A.1110 are open, A.1101 is disputed. The total due is R14 650,75. "
_LAKH = "SH-118 and SH-119 are open. The balance is ₹2,07,750.50. "

_TRUE = [
    OPENING + "BR-31 has not been paid.",
    OPENING + "We have not received payment for BR-31.",
    OPENING + "BR-20 was paid, thank you.",
    OPENING + "BR-20 of $410.00 has been settled.",
    OPENING + "Thank you for the $410.00 for BR-20.",
    OPENING + "If you have already paid, please ignore this note.",
    OPENING + "If you have paid already, nothing further is due.",
    OPENING + "We have not heard from you.",
    OPENING + "Please do not hesitate to pay.",
    OPENING + "We have no record of payment.",
    OPENING + "It is not that we doubt you will pay.",
]

_FALSE = [
    (OPENING + "BR-31 is paid.", "LINE_STATUS"),
    (OPENING + "BR-31 has been settled, thank you.", "LINE_STATUS"),
    (OPENING + "BR-32 is disputed.", "LINE_STATUS"),
    (OPENING + "BR-31 is a credit note.", "LINE_STATUS"),
    (OPENING + "BR-20 is overdue.", "LINE_STATUS"),
    (OPENING + "Please also pay BR-20.", "LINE_STATUS"),
    (OPENING + "We received $410.00 for BR-31.", "LINE_STATUS"),
    (OPENING + "You owe us nothing.", "DEBT_DENIED"),
    (OPENING + "No payment is required.", "DEBT_DENIED"),
    (OPENING + "We owe you $1,940.00.", "DEBT_DENIED"),
    (OPENING + "Your account is in credit.", "DEBT_DENIED"),
    (OPENING + "There is no balance outstanding.", "DEBT_DENIED"),
    (OPENING + "Nothing is due.", "DEBT_DENIED"),
    (OPENING + "The account is settled.", "DEBT_DENIED"),
    (OPENING + "You don't have to pay anything.", "DEBT_DENIED"),
    (OPENING + "There's no need to pay.", "DEBT_DENIED"),
    (OPENING + "Neither invoice is outstanding.", "DEBT_DENIED"),
    (OPENING + "You are all square.", "DEBT_DENIED"),
    (OPENING + "None of this is payable.", "DEBT_DENIED"),
]

_TRUE_ELSEWHERE = [
    ("harbour", _HARBOUR + "RE-9: £1,450.20 invoiced, £450.20 paid, £1,000.00 open."),
    ("harbour", _HARBOUR + "RE-9 is partly paid."),
    ("harbour", _HARBOUR + "RE-5 has been paid in full."),
    ("harbour", _HARBOUR + "RE-5 is not open."),
    ("harbour", _HARBOUR + "RE-5 is no longer outstanding."),
]

_FALSE_ELSEWHERE = [
    ("harbour", _HARBOUR + "RE-7 is partly paid.", "LINE_STATUS"),
    ("harbour", _HARBOUR + "RE-5 is still open.", "LINE_STATUS"),
    ("harbour", _HARBOUR + "RE-7 is no longer outstanding.", "DEBT_DENIED"),
    ("celtic", _CELTIC + "We owe you €2,030.50.", "DEBT_DENIED"),
    ("celtic", _CELTIC + "Please pay CN-0007.", "LINE_STATUS"),
    ("celtic", _CELTIC + "CN-0007 is overdue.", "LINE_STATUS"),
    ("cape", _CAPE + "Please pay A.1101.", "LINE_STATUS"),
    ("cape", _CAPE + "A.1093 is disputed.", "LINE_STATUS"),
]


@pytest.mark.parametrize("text", _TRUE)
def test_a_true_status_passes(text: str) -> None:
    assert not errors(text), shown(found(text))


@pytest.mark.parametrize(("text", "code"), _FALSE)
def test_a_false_status_or_a_denied_debt_fails(text: str, code: str) -> None:
    assert code in errors(text), shown(found(text))


@pytest.mark.parametrize(("name", "text"), _TRUE_ELSEWHERE)
def test_true_statuses_of_other_ledgers_pass(name: str, text: str) -> None:
    facts = ledger(name)
    assert not errors(text, facts), shown(found(text, facts))


@pytest.mark.parametrize(("name", "text", "code"), _FALSE_ELSEWHERE)
def test_false_statuses_of_other_ledgers_fail(name: str, text: str, code: str) -> None:
    facts = ledger(name)
    assert code in errors(text, facts), shown(found(text, facts))


def test_the_evidence_says_what_the_line_is() -> None:
    items = found(OPENING + "BR-31 is paid.")
    assert [item.error for item in items] == ["LINE_STATUS"]
    assert "BR-31 is open; the text says paid" in items[0].evidence
    assert items[0].fix == "Say that BR-31 is open."
