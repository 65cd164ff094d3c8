"""Contacts and payment details stand in code blocks only, true ones too."""

import pytest

from agent.body import Body, Code, Prose
from agent.domains import open_case
from agent.validators import verify_body
from tests.agent.judging import NOW, OPENING, errors, judge, ledger, told

_CONTACTS = """
nadia@larkspur.example | theo at fernhill dot example | theo(at)fernhill.example | theo [at] fernhill [dot] com
www.fernhill.example | https://pay.fernhill.example/x | hxxp://fernhill.example | pay.fernhill.example/1
fernhill.example | [pay here](https://fernhill.example) | bit.ly/abc | paypal.me/fernhill | xn--frnhill-9za.com | ftp://fernhill.example
mailto:theo@fernhill.example | 192.168.0.1 | @fernhillpay | 555-0142 | (212) 555-0142 | 212-555-0142 | 212.555.0142
+1 212 555 0142 | +44 20 7946 0018 | 020 7946 0018 | phone: 2125550142 | call 555-0188 | ext. 12 | 1-800-555-0199
1-800-FLOWERS | fax 555-0133
"""
_PAYMENTS = """
IBAN DE89 3704 0044 0532 0130 00 | DE89370400440532013000 | GB29NWBK60161331926819 | account 12345678
account number 12345678 | Acct no. 4455667 | account ending in 1234 | sort code 12-34-56 | card 4111 1111 1111 1111
4111-1111-1111-1111 | 4111111111111111 | card ending in 4242 | BIC DEUTDEFF | SWIFT: NWBKGB2L | routing number 021000021
payment reference AC-77 | VAT GB123456789 | bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq
"""


def _each(table: str) -> list[str]:
    return [shape.strip() for row in table.strip().splitlines() for shape in row.split("|")]


@pytest.mark.parametrize("shape", _each(_CONTACTS))
def test_a_contact_in_prose_fails(shape: str) -> None:
    assert {"CONTACT", "PAYMENT_DETAIL"} & errors(judge(f"{OPENING}You can use {shape} for it."))


@pytest.mark.parametrize("shape", _each(_PAYMENTS))
def test_a_payment_detail_in_prose_fails(shape: str) -> None:
    assert "PAYMENT_DETAIL" in errors(judge(f"{OPENING}Please use {shape} for it."))


@pytest.mark.parametrize("by", ["agent", "person"])
def test_a_true_one_fails_too_whoever_wrote_it(by: str) -> None:
    pay_to = {"method": "bank transfer", "account": "Fernhill Holding 77-ALPHA"}
    facts = ledger(sender={"name": "Theo Lind", "team": "Receivables Desk", "pay_to": pay_to})
    verdict = judge(OPENING + "Pay to Fernhill Holding 77-ALPHA.", facts=facts, by=by)
    assert "PAYMENT_DETAIL" in errors(verdict)
    assert verdict.blocking


@pytest.mark.parametrize(
    "text",
    [
        "account  12345678",
        "sort\ncode 12-34-56",
        "call\n 555-0188",
        "our swift code is deutdeff",
        "OUR SWIFT CODE IS DEUTDEFF",
    ],
)
def test_white_space_and_letter_case_hide_nothing(text: str) -> None:
    assert {"CONTACT", "PAYMENT_DETAIL"} & errors(judge(f"{OPENING}Please use {text} for it."))


def test_in_a_code_block_it_stands() -> None:
    body = Body(
        (
            Prose("opening", "Hello Larkspur, here is what is open."),
            Code("table", "BX-301  $980.00\nBX-302  $750.00\nTotal due  $1,730.00"),
            Code("sign_off", "Theo Lind\nReceivables Desk\ntheo@fernhill.example\n+1 212 555 0142"),
        ),
        framed=True,
    )
    verdict = verify_body(body, sheet=open_case("billing", ledger()).sheet, now=NOW)
    assert told(verdict) == []


@pytest.mark.parametrize(
    "text",
    [
        "Please pay by bank transfer or card.",
        "Please use the usual account.",
        "Your account balance is $1,730.00.",
        "The account is overdue.",
        "Your account shows two open invoices.",
        "Please call us, or reply to this e-mail.",
        "Phone us any time.",
        "Pay electronically, e.g. by transfer, i.e. not in cash.",
        "The payment details are where you always find them.",
    ],
)
def test_words_about_paying_are_fine(text: str) -> None:
    assert told(judge(OPENING + text)) == []
