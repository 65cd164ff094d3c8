"""Which claims need a ground in the facts, told by their wording."""

import pytest

from agent.support.lexicon import read_sentence
from agent.support.rules import breaches

FACTS = [
    "Rosa Bell of Fern Books writes to Adam Cole, the client.",
    "Invoice FB-12 for $310.00, a set of atlases, was due on 2 June 2026 and is unpaid.",
    "The client complained on 9 June that one atlas was torn.",
    "A new atlas will be sent on 20 June 2026.",
    "No late fee applies.",
    "The cause of the damage is not known.",
]


def kinds(sentence: str, facts: list[str] = FACTS) -> dict[str, bool]:
    found = breaches(read_sentence(sentence), [read_sentence(fact) for fact in facts])
    return {breach.kind: breach.is_denied for breach in found}


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("A legal fee has been added to the invoice.", "fee"),
        ("We have to bill an administration charge of $20.00.", "fee"),
        ("Your money will be returned to you this week.", "refund"),
        ("We will refund the atlas.", "refund"),
        ("You get ten per cent discount on the next order.", "reduction"),
        ("As agreed last week, you will pay on Friday.", "agreement"),
        ("You promised to settle the invoice.", "agreement"),
        ("Otherwise our solicitors will take the matter to court.", "threat"),
        ("We may suspend your account.", "threat"),
        ("You will find the receipt attached.", "attachment"),
        ("You are welcome to keep the torn atlas.", "permission"),
        ("I will visit you on Monday to look at it.", "promise"),
        ("We have asked the printer for a statement.", "action"),
        ("It was torn because the parcel had been dropped.", "cause"),
    ],
)
def test_a_claim_without_ground_is_found(sentence: str, kind: str) -> None:
    assert kind in kinds(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Invoice FB-12 has been unpaid since 2 June.",
        "You told us on 9 June that one atlas was torn.",
        "There is no late fee.",
        "A new atlas will be sent on 20 June.",
        "Please pay the $310.00 for the atlases.",
        "I will keep you posted.",
    ],
)
def test_what_the_facts_hold_is_no_breach(sentence: str) -> None:
    assert kinds(sentence) == {}


def test_a_fee_that_the_facts_deny_is_told_from_one_that_they_leave_out() -> None:
    assert kinds("A late fee applies from today.")["fee"] is True
    assert kinds("A late fee applies from today.", FACTS[:4])["fee"] is False


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("We will refund the atlas.", "A refund for the atlas was approved."),
        ("As agreed on the phone, you will pay on Friday.", "In a call on 3 June the client agreed to pay on Friday."),
        ("You will find the receipt attached.", "The receipt is attached."),
        ("The matter will go to court.", "The case is before the court."),
    ],
)
def test_a_fact_of_the_kind_grounds_the_claim(sentence: str, fact: str) -> None:
    assert not {"refund", "agreement", "attachment", "threat"} & kinds(sentence, [*FACTS, fact]).keys()
