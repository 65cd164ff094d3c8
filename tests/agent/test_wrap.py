"""Functions and schema errors become findings with a reason; a bare verdict is refused."""

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from agent.body import Body
from agent.domains import open_case
from agent.outcome import Outcome
from agent.validators import CHECKS, Found, Reading, run_checks
from agent.validators.wrap import from_callable, from_schema_errors, from_validation_error
from tests.agent.judging import NOW, ledger


def _run(answer: Any) -> tuple[Outcome, ...]:
    reading = Reading(open_case("billing", ledger()).sheet, Body.free("Hello.").render({}))
    return run_checks(reading, [from_callable(lambda _: answer, name="house", version="2")], now=NOW)


def test_a_function_that_says_nothing_passes() -> None:
    (outcome,) = _run(None)
    assert (outcome.status, outcome.validator_source) == ("PASS", "house@2")


def test_a_reason_fails_with_that_reason() -> None:
    (outcome,) = _run("Name the client.")
    assert (outcome.status, outcome.error_type, outcome.critique) == ("FAIL", "CHECK_FAILED", "Name the client.")


def test_each_of_several_reasons_is_an_outcome() -> None:
    outcomes = _run(["Name the client.", Found("TOO_WORDY", "long", (0, 5))])
    assert [outcome.error_type for outcome in outcomes] == ["CHECK_FAILED", "TOO_WORDY"]
    assert outcomes[1].metadata["span"] == [0, 5]


@pytest.mark.parametrize("answer", [True, False, 0, 1.5, b"no", "", {"ok": False}, [True], ["a", None]])
def test_a_bare_verdict_is_refused_and_fails_the_draft(answer: Any) -> None:
    outcomes = _run(answer)
    assert outcomes[-1].status == "FAIL"
    assert outcomes[-1].error_type == "VALIDATOR_ERROR"
    assert "BareVerdict" in (outcomes[-1].evidence or "")


def test_a_pydantic_error_becomes_a_finding_for_each_field() -> None:
    class Entry(BaseModel):
        code: int
        memo: str

    with pytest.raises(ValidationError) as caught:
        Entry.model_validate({"code": "secret"})
    findings = from_validation_error(caught.value)
    assert [(found.error, found.more["path"]) for found in findings] == [
        ("SCHEMA_INVALID", ["code"]),
        ("SCHEMA_INVALID", ["memo"]),
    ]
    assert "secret" not in findings[0].evidence


def test_a_json_schema_error_becomes_a_finding_with_its_path() -> None:
    error = SimpleNamespace(message="'x' is not of type 'integer'", absolute_path=["lines", 0, "debit_cents"])
    (found,) = from_schema_errors([error])
    assert found.evidence == "lines.0.debit_cents: 'x' is not of type 'integer'"


def test_a_wrapped_function_runs_beside_the_others() -> None:
    reading = Reading(open_case("billing", ledger()).sheet, Body.free("Hello.").render({}))
    outcomes = run_checks(reading, [*CHECKS, from_callable(lambda _: None, name="house")], now=NOW)
    assert outcomes[-1].validator_source == "house@1"
