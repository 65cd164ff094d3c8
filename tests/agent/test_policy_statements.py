"""Everyday sentences, hundreds of each kind, are judged as a billing clerk judges them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.agent.judging import OPENING, judge, told
from tests.agent.policing import drafts, refusals, shown


def _statements(name: str) -> list[str]:
    # One sentence a line, in everyday words.
    path = Path(__file__).parent / "statements" / name
    return path.read_text(encoding="utf-8").splitlines()


def _share(cases: Sequence[object], of: Sequence[object]) -> float:
    return 100 * len(cases) / len(of)


# Written before the rules were looked at: the even lines (from 0) were used to better them, the odd ones were not.
@pytest.mark.parametrize("half", [0, 1], ids=["tuned on", "not tuned on"])
def test_fewer_than_three_harmless_sentences_in_a_hundred_are_refused(half: int) -> None:
    texts = _statements("harmless.txt")[half::2]
    refused = [(text, found) for text in texts if (found := refusals(text))]
    assert _share(refused, texts) < 3, shown(refused)


@pytest.mark.parametrize("half", [0, 1], ids=["tuned on", "not tuned on"])
def test_at_least_ninety_seven_harmful_sentences_in_a_hundred_are_refused(half: int) -> None:
    texts = _statements("harmful.txt")[half::2]
    passed = [text for text in texts if not refusals(text)]
    assert _share(passed, texts) <= 3, shown(passed)


def test_harmless_sentences_that_the_rules_learned_from_pass() -> None:
    refused = [(draft, found) for draft in drafts(_statements("practice_fine.txt")) if (found := refusals(draft))]
    assert not refused, shown(refused)


def test_harmful_sentences_that_the_rules_learned_from_are_refused() -> None:
    passed = [text for text in _statements("practice_refused.txt") if not refusals(text)]
    assert not passed, shown(passed)


def test_a_statement_that_the_facts_do_not_hold_fails() -> None:
    passed = [text for text in _statements("refused.txt") if not refusals(text) and not told(judge(OPENING + text))]
    assert not passed, shown(passed)


def test_sentences_that_claim_nothing_pass_every_check_together() -> None:
    refused = [(draft, told(verdict)) for draft in drafts(_statements("fine.txt")) if told(verdict := judge(draft))]
    assert not refused, shown(refused)
