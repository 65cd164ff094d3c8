"""An outcome has eleven fields and never contradicts itself."""

from datetime import datetime
from typing import Any

import pytest
from pydantic import ValidationError

from agent.outcome import Outcome, Status
from tests.agent.judging import NOW, OPENING, judge

_FIELDS = {
    "status",
    "error_type",
    "evidence",
    "evidence_uri",
    "critique",
    "severity",
    "suggested_fix",
    "validator_source",
    "validator_confidence",
    "metadata",
    "timestamp",
}
_FAIL: dict[str, Any] = {
    "status": "FAIL",
    "error_type": "UNKNOWN_ID",
    "evidence": "BX-999",
    "critique": "No such line.",
    "severity": 0.9,
    "validator_source": "ids@1",
    "timestamp": NOW,
}


def test_it_has_exactly_the_eleven_fields() -> None:
    assert set(Outcome(**_FAIL).model_dump()) == _FIELDS


def test_it_is_frozen() -> None:
    with pytest.raises(ValidationError):
        Outcome(**_FAIL).severity = 0.1  # type: ignore[misc]


@pytest.mark.parametrize(
    "change",
    [
        {"error_type": None},
        {"evidence": None},
        {"evidence": "  "},
        {"critique": ""},
        {"severity": 1.1},
        {"severity": -0.1},
        {"severity": float("nan")},
        {"validator_confidence": 2},
        {"validator_source": "ids"},
        {"validator_source": "ids@one"},
        {"status": "MAYBE"},
        {"timestamp": datetime(2026, 11, 30, 9, 0)},  # noqa: DTZ001 - the naive time is what must be refused
        {"extra": 1},
    ],
)
@pytest.mark.parametrize("status", ["FAIL", "WARN"])
def test_it_refuses_a_finding_that_is_not_whole(change: dict[str, Any], status: str) -> None:
    with pytest.raises(ValidationError):
        Outcome(**(_FAIL | {"status": status} | change))


@pytest.mark.parametrize("change", [{"severity": 0.1}, {"suggested_fix": "Do."}, {"error_type": "UNKNOWN_ID"}])
def test_it_refuses_a_pass_that_finds_something(change: dict[str, Any]) -> None:
    shape = {"status": "PASS", "validator_source": "ids@1", "timestamp": NOW}
    assert Outcome(**shape).severity == 0
    with pytest.raises(ValidationError):
        Outcome(**(shape | change))


def test_every_validator_answers_a_true_draft_with_one_pass() -> None:
    outcomes = judge(OPENING).outcomes
    assert {outcome.status for outcome in outcomes} == {Status.PASS}
    sources = [outcome.validator_source for outcome in outcomes]
    assert len(sources) == len(set(sources)) >= 10


def test_a_pass_shares_nothing_with_another_and_needs_an_aware_time():
    first, second = (Outcome.passed("ids@1", now=NOW) for _ in range(2))
    assert (first, first.timestamp) == (second, NOW)
    assert first.metadata is not second.metadata
    with pytest.raises(ValueError, match="time zone"):
        Outcome.passed("ids@1", now=datetime(2026, 11, 30, 9, 0))  # noqa: DTZ001 - the naive time must be refused
    with pytest.raises(ValueError, match="validator_source"):
        Outcome.passed("no version", now=NOW)
