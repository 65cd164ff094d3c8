"""The verifier judges written drafts as a billing clerk with the ledger in hand would."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.body import Body
from agent.domains import open_case
from agent.outcome import Outcome
from agent.validators import verify_body

_CASES = Path(__file__).parent / "cases"
_MANY = 4
_NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
_SHEETS = {
    path.stem: open_case("billing", json.loads(path.read_text(encoding="utf-8"))).sheet
    for path in sorted((_CASES / "ledgers").glob("*.json"))
}


def _groups(name: str) -> list[Any]:
    """Group the cases of a file by kind, those of a rare kind by ledger: one test looks at a group, case by case."""
    entries = json.loads((_CASES / name).read_text(encoding="utf-8"))
    assert len({entry["id"] for entry in entries}) == len(entries)
    counts = Counter(entry["kind"] for entry in entries)
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        group = entry["kind"] if counts[entry["kind"]] >= _MANY else f"rare_kinds-{entry['ledger']}"
        groups.setdefault(group, []).append(entry)
    return [pytest.param(cases, id=group) for group, cases in groups.items()]


def _outcomes(case: dict[str, Any]) -> list[Outcome]:
    verdict = verify_body(Body.free(case["draft"]), sheet=_SHEETS[case["ledger"]], text_by=case["by"], now=_NOW)
    outcomes = list(verdict.outcomes)
    assert verdict.verdict == ("FAIL" if any(outcome.status == "FAIL" for outcome in outcomes) else "PASS")
    return outcomes


def _described(case: dict[str, Any], outcomes: list[Outcome]) -> str:
    told = (outcome for outcome in outcomes if outcome.status != "PASS")
    found = [f"{outcome.status} {outcome.error_type}: {outcome.evidence}" for outcome in told]
    return f"{case['id']} on {case['ledger']} ({case['why']}): {case['draft'][:400]!r}\n" + "\n".join(found)


def _misjudged(cases: list[dict[str, Any]], is_right: Callable[[dict[str, Any], list[Outcome]], bool]) -> str:
    """Describe every case of a group that is judged wrongly."""
    judged = [(case, _outcomes(case)) for case in cases]
    return "\n\n".join(_described(*one) for one in judged if not is_right(*one))


@pytest.mark.parametrize("cases", _groups("fail.json"))
def test_drafts_that_say_something_wrong_fail(cases: list[dict[str, Any]]) -> None:
    assert not (wrong := _misjudged(cases, _fails_for_its_reason)), wrong


@pytest.mark.parametrize("cases", _groups("pass.json"))
def test_true_drafts_pass(cases: list[dict[str, Any]]) -> None:
    assert not (wrong := _misjudged(cases, _passes)), wrong


@pytest.mark.parametrize("cases", _groups("warn.json"))
def test_doubtful_drafts_do_not_pass_clean(cases: list[dict[str, Any]]) -> None:
    assert not (wrong := _misjudged(cases, _is_doubted)), wrong


def _fails_for_its_reason(case: dict[str, Any], outcomes: list[Outcome]) -> bool:
    failed = {outcome.error_type for outcome in outcomes if outcome.status == "FAIL"}
    return bool(failed & set(case["error_type"]) if "error_type" in case else failed)


def _passes(case: dict[str, Any], outcomes: list[Outcome]) -> bool:
    # A draft that no check looked at has not passed.
    return bool(outcomes) and all(outcome.status != "FAIL" for outcome in outcomes)


def _is_doubted(case: dict[str, Any], outcomes: list[Outcome]) -> bool:
    return not {"FAIL", "WARN"}.isdisjoint(outcome.status for outcome in outcomes)
