"""The past edit that is most like the new case is chosen, and the reasons say so truly."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.recall import Candidate, choose

_NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
_ONE = Candidate("1", "formal_notice", "We require payment in full.", 20, 0.8, False, _NOON, 0, 0)
TEXTS = (
    "We require payment of the balance in full, or your reasons in writing.",
    "This letter is a formal notice; kindly attend to it at once and confirm receipt.",
    "Please set out when the outstanding sum will reach us and by which means.",
)


def edit(number: int, **changes: object) -> Candidate:
    given = {"id": str(number), "text": TEXTS[number % 3], **changes}
    return replace(_ONE, **given)


def chosen(*candidates: Candidate, budget_tokens: int = 400, most: int = 2) -> list[str]:
    return [one.id for one in choose(candidates, situation="formal_notice", budget_tokens=budget_tokens, most=most)]


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([], []),
        ([edit(1, similarity=0.6), edit(2, similarity=0.8)], ["2", "1"]),
        # the newest, and of the same client, yet less similar
        ([edit(1, similarity=0.6, same_subject=True, approved_at=_NOON + timedelta(9)), edit(2)], ["2", "1"]),
        # another situation, however similar, new and of the client's own
        ([edit(1, situation="check_in", similarity=0.99, same_subject=True), edit(2, similarity=0.5)], ["2"]),
        ([edit(1, situation="check_in")], []),
        # ties: the client first, then the newest, then the greater number
        ([edit(1), edit(2, same_subject=True, approved_at=_NOON - timedelta(9))], ["2", "1"]),
        ([edit(1), edit(2, approved_at=_NOON + timedelta(1))], ["2", "1"]),
        ([edit(1, similarity=0.809), edit(2, approved_at=_NOON + timedelta(1))], ["2", "1"]),
        ([edit(1, similarity=0.811), edit(2, approved_at=_NOON + timedelta(1))], ["1", "2"]),
        ([edit(9), edit(10)], ["10", "9"]),
        # how it fared: one mark in one draft costs more than one in twenty
        ([edit(1, used=1, bad=1), edit(2, similarity=0.75)], ["2", "1"]),
        ([edit(1, used=20, bad=1), edit(2, similarity=0.75)], ["1", "2"]),
        ([edit(1, used=3, bad=2), edit(2, similarity=0.1)], ["2"]),
        ([edit(1, used=4, bad=2)], []),
        ([edit(1, used=5, bad=2)], ["1"]),
    ],
)
def test_the_order_is_that_of_similarity_and_how_they_fared(candidates: list[Candidate], expected: list[str]):
    assert chosen(*candidates) == expected
    assert chosen(*reversed(candidates)) == expected


def test_no_more_are_chosen_than_asked_for():
    assert chosen(edit(1, similarity=0.9), edit(2), edit(3, similarity=0.7), most=1) == ["1"]
    assert chosen(edit(1, similarity=0.9), edit(2), edit(3, similarity=0.7), most=0) == []


@pytest.mark.parametrize(
    ("copy", "is_shown"),
    [
        (TEXTS[1], False),
        ("This letter is a formal notice, kindly attend to it at once and confirm receipt!", False),
        ("This letter is a formal notice; please attend to it at once and confirm receipt.", False),
        ("Kindly confirm receipt of this formal notice, and tell us when the sum will be paid.", True),
    ],
)
def test_what_says_nearly_the_same_gives_way_to_something_else(copy: str, is_shown: bool):
    first, second, third = edit(1, similarity=0.9), edit(4, similarity=0.85, text=copy), edit(3, similarity=0.5)
    assert chosen(first, second, third) == (["1", "4"] if is_shown else ["1", "3"])


def test_all_of_them_fit_the_budget_and_a_smaller_one_takes_the_place_of_one_that_does_not():
    big, small, tiny = edit(1, similarity=0.9, tokens=90), edit(2, tokens=60), edit(3, similarity=0.7, tokens=10)
    assert chosen(big, small, tiny, budget_tokens=100) == ["1", "3"]
    assert chosen(big, small, tiny, budget_tokens=89) == ["2", "3"]
    assert chosen(big, small, tiny, budget_tokens=9) == []
    assert chosen(big, small, tiny, budget_tokens=150) == ["1", "2"]


def reasons(*candidates: Candidate) -> list[tuple[str, ...]]:
    return [one.reasons for one in choose(candidates, situation="formal_notice", budget_tokens=400)]


def test_the_reasons_of_an_only_edit_say_that_it_is_the_only_one():
    assert reasons(edit(1)) == [
        (
            "It was written for the same situation: formal notice.",
            "It is the only past edit for this situation; its similarity is 0.80 of 1.",
        )
    ]


def test_the_reasons_name_similarity_ties_and_how_it_fared():
    first, second = reasons(
        edit(1, similarity=0.71, used=4, bad=1),
        edit(2, similarity=0.90, same_subject=True, used=3),
        edit(3, similarity=0.905),
        edit(5, similarity=0.95, situation="check_in"),
    )
    assert first[1:] == (
        "Its similarity is 0.90 of 1, number 2 of 3 past edits for this situation.",
        "It was shown 3 times before and never marked bad.",
        "Of 2 that are equally near it is the one for the same client.",
    )
    assert second[1:] == ("Its similarity is 0.91 of 1, number 1 of 3 past edits for this situation.",)


def test_what_was_passed_over_is_told():
    first, second = reasons(
        edit(1, similarity=0.95, tokens=900),
        edit(2, similarity=0.90),
        edit(5, similarity=0.88),  # the words of the second
        edit(3, similarity=0.85, used=4, bad=1),
        edit(4, similarity=0.83),
    )
    assert first[2:] == ("Passed over before it: 1 that does not fit into the prompt.",)
    assert second[1:] == (
        "Its similarity is 0.83 of 1, number 5 of 5 past edits for this situation.",
        "A more similar one comes after it, because it was marked bad.",
        "Passed over before it: 1 that says nearly the same as one above.",
    )


def test_a_mark_against_it_is_told():
    [only] = reasons(edit(1, used=6, bad=1))
    assert only[2] == "It was marked bad once in 6 drafts, which counts against it."


def test_the_newest_of_equals_is_called_so():
    first, _ = reasons(edit(1), edit(2, approved_at=_NOON + timedelta(1)))
    assert first[2] == "Of 2 that are equally near it is the newest."
    first, _ = reasons(edit(1, same_subject=True), edit(2, same_subject=True, approved_at=_NOON + timedelta(1)))
    assert first[2] == "Of 2 that are equally near it is the newest for the same client."
