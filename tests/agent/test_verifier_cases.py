"""The verifier judges written drafts as a billing clerk with the ledger in hand would."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.body import Body
from agent.domains import open_case
from agent.outcome import Outcome
from agent.validators import verify_body

_CASES = Path(__file__).parent / "cases"
_NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
_SHEETS = {
    path.stem: open_case("billing", json.loads(path.read_text(encoding="utf-8"))).sheet
    for path in sorted((_CASES / "ledgers").glob("*.json"))
}


def _cases(name: str) -> list[Any]:
    entries = json.loads((_CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(entry, id=entry["id"]) for entry in entries]


def _outcomes(case: dict[str, Any]) -> list[Outcome]:
    verdict = verify_body(Body.free(case["draft"]), sheet=_SHEETS[case["ledger"]], text_by=case["by"], now=_NOW)
    outcomes = list(verdict.outcomes)
    assert verdict.verdict == ("FAIL" if any(outcome.status == "FAIL" for outcome in outcomes) else "PASS")
    return outcomes


def _described(case: dict[str, Any], outcomes: list[Outcome]) -> str:
    found = [f"{outcome.status} {outcome.error_type}: {outcome.evidence}" for outcome in outcomes]
    return f"{case['ledger']} ({case['why']}): {case['draft'][:400]!r}\n" + "\n".join(found)


@pytest.mark.parametrize("case", _cases("fail.json"))
def test_a_draft_that_says_something_wrong_fails(case: dict[str, Any]) -> None:
    outcomes = _outcomes(case)
    failed = {outcome.error_type for outcome in outcomes if outcome.status == "FAIL"}
    assert failed, _described(case, outcomes)
    if "error_type" in case:
        assert failed & set(case["error_type"]), _described(case, outcomes)


@pytest.mark.parametrize("case", _cases("pass.json"))
def test_a_true_draft_passes(case: dict[str, Any]) -> None:
    outcomes = _outcomes(case)
    assert outcomes, "a draft that no check looked at has not passed"
    assert not [outcome for outcome in outcomes if outcome.status == "FAIL"], _described(case, outcomes)


@pytest.mark.parametrize("case", _cases("warn.json"))
def test_a_doubtful_draft_does_not_pass_clean(case: dict[str, Any]) -> None:
    outcomes = _outcomes(case)
    assert {"FAIL", "WARN"} & {outcome.status for outcome in outcomes}, _described(case, outcomes)
