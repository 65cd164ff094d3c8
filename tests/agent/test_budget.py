"""What a draft may cost follows from its domain, its difficulty and what the caller asks for."""

import pytest

from agent.budget import Limits, estimated_tokens, limits_for, seconds_used, tokens_used
from agent.llm.chat import Message, Sampling
from tests.agent.drafting import attempt, case, failed_call, outcome


@pytest.mark.parametrize(
    ("retries", "difficulty", "attempts"),
    [
        (None, None, 3),  # billing: 2 retries x 1.0
        (2, 1.5, 4),
        (2, 2.5, 6),
        (1, 1.5, 2),  # rounded down
        (0, 3.0, 1),
        (4, 1.5, 7),
        (2, 3.0, 7),
        (5, 3.0, 8),  # the hard cap
        (1_000_000, 10.0, 8),
    ],
)
def test_attempts_are_one_and_the_retries_times_the_difficulty(retries, difficulty, attempts):
    assert limits_for(case(difficulty=difficulty), max_retries=retries).attempts == attempts


def test_the_other_bounds_are_the_stated_ones():
    limits = limits_for(case())
    assert (limits.tokens, limits.seconds, limits.call_seconds) == (16_000, 900.0, 240.0)
    assert (limits.confidence_threshold, limits.low_severity) == (0.6, 0.3)
    assert limits.errors == 3


def test_the_budget_counts_prompts_replies_and_failed_calls():
    history = [attempt(1, outcome()), attempt(2, error=failed_call(), seconds=240.0)]
    assert tokens_used(history) == 600
    assert seconds_used(history) == 250.0
    assert tokens_used([]) == 0


def test_the_estimate_is_above_what_english_needs():
    prompt = [Message("user", "Please settle the total of the open items on the account. " * 20)]
    words = 20 * 11
    assert estimated_tokens(prompt, Sampling(max_tokens=400)) > words + 400


@pytest.mark.parametrize(
    ("name", "factor", "reason"),
    [("client_101", 1.0, "the ledger has 3 lines"), ("gentle_reminder_many", 1.5, "the ledger has 12 lines")],
)
def test_difficulty_is_derived_from_the_lines_with_its_reason(name, factor, reason):
    difficulty = case(name).difficulty
    assert (difficulty.factor, difficulty.reason) == (factor, reason)


def test_a_difficulty_that_comes_with_the_case_wins():
    assert case("gentle_reminder_many", difficulty=2.5).difficulty.reason == "given with the case"


def test_limits_cannot_be_changed_under_a_running_draft():
    with pytest.raises(AttributeError):
        Limits(attempts=3).attempts = 9
