"""What only the sender's policy or an event could allow is refused without it, and plain words are not."""

from typing import Any

import pytest

from tests.agent.judging import OPENING, errors, judge, ledger, line, told
from tests.agent.policing import drafts, event, listed, refusals, shown

_REFUSED = {
    "PROMISE_UNLICENSED": """
        We will waive the balance on the second item.
        We can offer you a discount.
        If you pay now, we will take a bit off.
        We are happy to set up a payment plan.
        Let us know if you would like to discuss a payment plan.
        Would you like to pay in instalments?
        You can split the balance into two payments.
        You can spread the payments.
        Monthly payments are possible.
        We can extend the deadline.
        We can give you more time to pay.
        There is no rush.
        You can pay later.
        We are willing to wait.
        We will refund the difference.
        We will issue a credit note.
        As a goodwill gesture we accept less.
        We would accept a partial payment.
        We can reduce the balance.
        We will write off the rest.
        You need not pay the second item.
        We will cancel BX-302.
        Your next month is free of charge.
    """,
    "FEE_UNLICENSED": """
        A late fee applies.
        A late fee may be charged.
        Interest will accrue on the balance.
        We charge interest on late payments.
        Late payments incur a penalty.
        Additional charges will apply.
        A legal fee has been added.
        Pay today and we waive the late fee.
        Please pay, to avoid late fees.
        The balance is before tax.
        Costs of collection will be added.
    """,
    "THREAT_UNLICENSED": """
        We will pass this to a collection agency.
        We may refer the account to collections.
        Debt collectors will visit.
        Your account will be suspended.
        We will stop all services.
        Services may be paused until payment is made.
        Your access will be revoked.
        The next service can only go ahead once this has been paid.
        No further deliveries will be made.
        We will report this to the credit bureau.
        This could affect your credit rating.
        This is your final notice.
        We will have no choice but to act.
        We will take further action.
        Failure to pay will have consequences.
        Please pay to avoid disruption of service.
        We will escalate this.
        You will be blacklisted.
        We will be forced to act.
    """,
    "LEGAL_CLAIM": """
        We will take legal action.
        Our lawyers will be in touch.
        We will sue.
        Court proceedings will follow.
        You are in breach of contract.
        You are in default.
        We reserve all rights.
        You will be liable.
        We are entitled to the money by law.
        The matter is with our solicitors.
    """,
    "CITATION_UNSUPPORTED": """
        Under clause 7.2, payment is late.
        See section 4 of the contract.
        Per our contract, payment is late.
        Under our terms and conditions, payment is late.
        Under the Late Payment of Commercial Debts Act we may ask for more.
        Article IV says so.
    """,
    "CLAIM_UNSUPPORTED": """
        As agreed, please pay.
        As agreed on the phone, you will pay.
        As you promised, please pay.
        You promised to pay.
        The payment you promised has not arrived.
        We called you about this.
        We spoke about this.
        Following our call, both are open.
        Our conversation was helpful.
        It was nice speaking with you.
        We met to discuss this.
        Our colleague visited your office.
        We sent you a registered letter.
        We emailed you a copy.
        You confirmed that you would pay.
        You acknowledged the debt.
        You signed for the work.
        Your manager approved the invoices.
        You have not replied.
        We have not heard from you.
        There was no response to our reminder.
        Despite repeated attempts to reach you, nothing came.
        Thank you for your email.
        In response to your message, both are open.
        As you requested, here is what is open.
        Thank you for your payment.
        We have received a part of the payment.
        Your payment bounced.
        Your card was declined.
        We have investigated the matter.
        We have corrected the error.
        Our bank confirmed that nothing arrived.
        Our head office has been asking about this.
        You disputed BX-301.
        Your dispute is under review.
        Despite several reminders, both are open.
    """,
    "ATTACHMENT_UNSUPPORTED": """
        Attached are both invoices.
        Please find the invoices attached.
        I have enclosed a copy.
        See the attached statement.
        Please see the attachment.
        Enc.: statement of account
        The file BX-301.pdf has it all.
    """,
}


@pytest.mark.parametrize("error", _REFUSED)
def test_it_refuses(error: str) -> None:
    found = {text: refusals(text) for text in listed(_REFUSED[error])}
    passed = [(text, some) for text, some in found.items() if error not in {kind for kind, _ in some}]
    assert not passed, shown(passed)


def test_the_verifier_refuses_with_the_reason_of_the_policy_check() -> None:
    assert all(error in errors(judge(OPENING + listed(table)[0])) for error, table in _REFUSED.items())


_FINE = """
    Thank you for your business; please tell us if anything looks wrong.
    If you have already paid, please ignore this message.
    If you have already sent your payment, thank you.
    Thank you in advance for your prompt payment.
    Thank you for your understanding.
    Please arrange payment at your earliest convenience.
    Could you let us know when we can expect payment?
    Please call us if you would like to go through the details.
    If you believe that this is an error, please contact us.
    Let us know if you dispute either of them.
    According to our records, both are unpaid.
    We have not received payment for either invoice.
    We have no record of a payment.
    We cannot find a payment for these invoices.
    No reply is needed if you have paid.
    No further action is needed if payment has been sent.
    Apologies if this has crossed with your payment.
    Once we have received your payment, nothing more is needed from you.
    As mentioned in our previous reminder, both invoices are open.
    We wrote to you about this before.
    Our last reminder may have been missed.
    We can send copies of the invoices if that helps.
    If you need a copy of either invoice, just let us know.
    Please quote the invoice number with your payment.
    You may pay by card or bank transfer.
    Is there anything holding up payment?
    There is no late fee on either invoice.
    We cannot offer a discount.
    We look forward to receiving your payment.
    Please do not hesitate to contact us.
    We trust that this is in order.
    Perhaps it slipped through the cracks.
    This is a friendly reminder.
    Kindly settle the amount due.
    We would like to resolve this together.
    In case you are not the right person, please pass this on.
"""


@pytest.mark.parametrize("by", ["agent", "person"])
def test_it_lets_pass(by: str) -> None:
    refused = [(draft, told(verdict)) for draft in drafts(listed(_FINE)) if told(verdict := judge(draft, by=by))]
    assert not refused, shown(refused)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("We can offer a payment plan.", {"policy": {"payment_plan": "three monthly instalments"}}),
        ("You may pay in three monthly instalments.", {"policy": {"payment_plan": "three monthly instalments"}}),
        ("A late fee of 2% may apply.", {"policy": {"late_fee_percent": "2"}}),
        ("We may refer the account to a collection agency.", {"policy": {"collections_after_days": 40}}),
        ("The late fee was waived.", {"events": [event("fee_waived")]}),
        ("Thank you for your call.", {"events": [event("call")]}),
        ("As discussed on the phone, both are open.", {"events": [event("call")]}),
        ("Thank you for your email.", {"events": [event("email")]}),
        ("You promised to pay.", {"events": [event("promise")]}),
        ("As agreed, please pay BX-301 first.", {"events": [event("agreement", line="BX-301")]}),
        ("As agreed, you have an extension.", {"events": [event("agreement", "an extension for BX-301")]}),
        ("The invoices are attached.", {"attachments": [{"name": "BX-301.pdf"}, {"name": "BX-302.pdf"}]}),
        ("Both invoices are attached.", {"attachments": [{"name": "BX-301.pdf"}, {"name": "BX-302.pdf"}]}),
        ("A copy of BX-301 is attached.", {"attachments": [{"name": "copy.pdf", "line": "BX-301"}]}),
        ("Despite several reminders, both are open.", {"reminders_sent": 2}),
    ],
)
def test_policy_and_events_license(text: str, changes: dict[str, Any]) -> None:
    assert told(judge(OPENING + text, facts=ledger(**changes))) == []
    assert told(judge(OPENING + text, facts=ledger(reminders_sent=1))) != []


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("We may refer the account to a collection agency.", {"policy": {"collections_after_days": 41}}),
        ("We have handed the account to a collection agency.", {"policy": {"collections_after_days": 100}}),
        ("A new late fee has been charged.", {"policy": {"late_fee_percent": "2"}}),
        ("A legal fee may apply.", {"policy": {"late_fee_percent": "2"}}),
        ("Pay now and we waive the late fee.", {"policy": {"late_fee_percent": "2"}}),
        ("You promised to pay BX-302.", {"events": [event("promise", line="BX-301")]}),
        ("We have not heard from you.", {"events": [event("email")]}),
        ("Both invoices are attached.", {"attachments": [{"name": "BX-301.pdf"}]}),
        ("A copy of BX-302 is attached.", {"attachments": [{"name": "copy.pdf", "line": "BX-301"}]}),
        ("The signed contract is attached.", {"attachments": [{"name": "BX-301.pdf"}]}),
        ("As mentioned in our previous reminder, both are open.", {"reminders_sent": 0}),
        ("We wrote to you about this before.", {"reminders_sent": 0}),
    ],
)
def test_another_policy_or_event_does_not(text: str, changes: dict[str, Any]) -> None:
    assert told(judge(OPENING + text, facts=ledger(**changes))) != []


def test_a_disputed_line_supports_talk_of_the_dispute() -> None:
    lines = [line("BX-301", "Refrigeration service", 98_000, disputed=True), line("BX-302", "Shelf labels", 75_000)]
    facts = ledger(transactions=lines)
    text = "BX-302 is open and BX-301 is disputed, so the total due is $750.00. Your dispute of BX-301 is under review."
    assert told(judge(text, facts=facts)) == []


def test_a_statement_wrapped_over_lines_is_found() -> None:
    assert "THREAT_UNLICENSED" in errors(judge(OPENING + "We will pass this\nto a collection\nagency."))


def test_a_description_is_no_statement() -> None:
    facts = ledger(transactions=[line("BX-301", "Late fee waiver course", 98_000), line("BX-302", "Interest", 75_000)])
    text = "BX-301 (Late fee waiver course) and BX-302 (Interest) are open; the total due is $1,730.00."
    assert told(judge(text, facts=facts)) == []
    assert "FEE_UNLICENSED" in errors(judge(text + " Interest will be charged.", facts=facts))


@pytest.mark.parametrize(
    ("text", "is_open", "is_closed"),
    [
        ("Your dispute of BX-301 has been settled.", "FAIL", "PASS"),
        ("The dispute is now closed.", "FAIL", "PASS"),
        ("We have resolved your complaint.", "FAIL", "PASS"),
        ("Your objection was rejected.", "FAIL", "PASS"),
        ("We will write again once your dispute has been resolved.", "PASS", "PASS"),
        ("The dispute has not been resolved yet.", "PASS", "PASS"),
    ],
)
def test_a_dispute_is_over_only_when_the_sheet_says_so(text: str, is_open: str, is_closed: str) -> None:
    lines = [line("BX-301", "Refrigeration service", 98_000, disputed=True), line("BX-302", "Shelf labels", 75_000)]
    draft = f"BX-302 is open and BX-301 is disputed, so the total due is $750.00. {text}"
    facts = ledger(transactions=lines)
    assert judge(draft, facts=facts).verdict == is_open
    assert judge(draft, facts=facts | {"events": [event("dispute_closed", line="BX-301")]}).verdict == is_closed


def test_what_a_payment_is_made_the_condition_of_is_withheld() -> None:
    assert "THREAT_UNLICENSED" in errors(judge(OPENING + "The next visit can only go ahead once this has been paid."))
    assert "THREAT_UNLICENSED" in errors(judge(OPENING + "It may not be delivered before that."))
