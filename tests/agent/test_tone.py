"""Rude wording is signalled, firm and proper wording is not."""

import pytest

from agent.body import Body
from agent.domains import open_case
from agent.outcome import Status
from agent.validators import Reading, is_blocking, run_checks
from agent.validators.tone import CHECK
from tests.agent.drafting import case
from tests.agent.judging import NOW, ledger

_RUDE = {
    "insult": [
        "You are completely unprofessional.",
        "That is a pathetic excuse.",
        "How dare you send us this?",
        "We do not deal with deadbeats.",
        "Spare us your endless excuses.",
    ],
    "blame": [
        "You clearly don't care about your obligations.",
        "You never bothered to answer.",
        "This is entirely your own fault.",
        "It is late because of your carelessness.",
        "You are wasting our time.",
    ],
    "pressure": [
        "Pay the balance today, or else.",
        "This is your last chance.",
        "We are sick and tired of reminding you.",
        "Our patience has run out.",
        "Stop ignoring us.",
        "You will regret this.",
        "Pay up.",
    ],
    "sarcasm": [
        "As we told you three times, the parcel is lost.",
        "How many times do we need to explain this?",
        "Any child can read an invoice.",
        "Congratulations on ignoring every letter.",
        "If you had bothered to read the manual, you would know.",
    ],
    "contempt": [
        "Your conduct is unacceptable and childish.",
        "That is not our problem.",
        "Think what you like.",
        "We have no time for your nonsense.",
    ],
    "shouting": ["PAY THE BALANCE NOW.", "Why is this still open?!?", "Answer us!!"],
}

_FIRM = """\
The balance is now more than ninety days overdue and has to be settled.
We must ask you to settle the outstanding amount in full.
Please note that the account is seriously overdue.
This is a formal notice that the items listed above remain unpaid.
We have written to you before and have not received a reply.
If we do not hear from you, the account will be reviewed by our credit team.
We cannot extend any further credit until the account is settled.
We do not accept that the goods were faulty, for the reasons below.
The charge is correct, and we are unable to refund it.
Your request falls outside our refund policy, so we cannot approve it.
We ask that you treat this matter as urgent.
Please do not ignore this letter.
Payment is required without further delay.
This matter needs your immediate attention.
We regret that we cannot agree to a lower amount.
You remain liable for the full amount.
We need your answer before we can go any further.
I must insist that the disputed items are put to us in writing.
Please stop deducting discounts that were not agreed.
Non-payment is a breach of the terms that you accepted.
We expect the account to be brought up to date.
No further orders will be released while the account is overdue.
It is your responsibility to return the device in its packaging.
Our earlier reminders have gone unanswered.
The final decision rests with our claims team.
I understand that this is frustrating, and I am sorry for the delay.
We take complaints about our staff seriously.
The warranty does not cover damage by water.
To be clear, the invoice is not in dispute.
Kindly confirm when the transfer was made.
We have no record of the call that you mention.
The delay was not caused by our warehouse.
That is not covered by your plan; here is what is.
Your patience while we looked into this is appreciated.
Please have patience with our new system.
NOTICE OF OVERDUE ACCOUNT
The balance is ONE THOUSAND NINE HUNDRED SEVENTY-FIVE DOLLARS.
Nobody could have foreseen the storm, and the fault is not yours.
""".strip().splitlines()


_CAPITALS = ("Hello ACME TRADING GROUP LLC.", "Hello ACME TRADING GROUP LTD.")


def _outcomes(text):
    return run_checks(Reading(case().sheet, Body.free(text).render({})), [CHECK], now=NOW)


@pytest.mark.parametrize("kind", _RUDE)
def test_rude_wording_is_signalled_by_its_kind(kind):
    missed = [
        text
        for text in _RUDE[kind]
        if not any(o.error_type == "TONE" and o.metadata["tone"] == kind for o in _outcomes(f"Hello. {text} Regards"))
    ]
    assert missed == []


def test_firm_and_proper_wording_is_not():
    flagged = [text for text in _FIRM if _outcomes(text)[0].status is not Status.PASS]
    assert flagged == []


def test_it_is_a_guess_that_never_blocks():
    text = "Hello. You never bothered to answer."
    (found,) = _outcomes(text)
    assert (found.status, found.validator_confidence) == (Status.FAIL, 0.65)
    assert not is_blocking(found)
    assert text[slice(*found.metadata["span"])] == "You never bothered"


def test_capitals_of_the_clients_own_name_are_no_shouting():
    given = ledger()
    given["client"] |= {"name": "ACME TRADING GROUP LLC"}
    sheet = open_case("billing", given).sheet
    said = [run_checks(Reading(sheet, Body.free(text).render({})), [CHECK], now=NOW)[0].status for text in _CAPITALS]
    assert said == [Status.PASS, Status.FAIL]
