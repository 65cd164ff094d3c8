"""Every example case, with its scripted outputs, reaches the end that it states."""

import pytest

from agent.budget import limits_for
from agent.fixtures import Fixture, fixtures
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, DraftRun, run_draft
from agent.outcome import Status

_ALL = {fixture.name: fixture for fixture in fixtures("billing")}
_CLOCK = Clock(sleep=lambda seconds: None)


def _run(fixture: Fixture) -> DraftRun:
    case = fixture.case()
    return run_draft(case, ScriptedModel(fixture.scripted), limits=limits_for(case), clock=_CLOCK)


@pytest.mark.parametrize("name", _ALL)
def test_it_ends_as_stated(name):
    fixture = _ALL[name]
    run = _run(fixture)
    found = [(outcome.error_type, outcome.evidence) for attempt in run.attempts for outcome in attempt.failures]
    assert (str(run.state), str(run.stop.reason)) == (fixture.expect["state"], fixture.expect["stop_reason"]), found
    assert len(run.attempts) == fixture.expect["attempts"] == fixture.expect["calls"]
    assert [gap.code for gap in run.gaps] == fixture.expect.get("gaps", [])
    if "difficulty" in fixture.expect:
        assert run.case.difficulty.factor == fixture.expect["difficulty"]


@pytest.mark.parametrize("name", [name for name, fixture in _ALL.items() if "errors" in fixture.expect])
def test_the_stated_error_is_what_failed_it(name):
    run = _run(_ALL[name])
    found = {outcome.error_type for outcome in run.attempts[0].failures}
    assert set(_ALL[name].expect["errors"]) <= found


@pytest.mark.parametrize("name", [name for name, fixture in _ALL.items() if "conflicts" in fixture.expect])
def test_an_irreconcilable_ledger_escalates_with_its_evidence(name):
    run = _run(_ALL[name])
    assert run.attempts == ()
    assert all(outcome.status is Status.FAIL for outcome in run.findings)
    assert all(words in (run.findings[0].evidence or "") for words in _ALL[name].expect["conflicts"])


@pytest.mark.parametrize("output", range(3))
def test_no_output_of_the_semantic_fixture_passes_clean(output):
    fixture = _ALL["client_err_semantic"]
    case = fixture.case()
    run = run_draft(case, ScriptedModel([fixture.scripted[output]]), limits=limits_for(case), clock=_CLOCK)
    outcomes = run.attempts[0].outcomes
    assert any(outcome.status is not Status.PASS for outcome in outcomes), run.attempts[0].text
    assert str(run.state) == "ESCALATED"


def test_the_examples_hold_ledgers_of_many_shapes():
    sheets = [fixture.case().sheet for fixture in _ALL.values()]
    assert len({sheet.hash for sheet in sheets}) >= 15
    assert {sheet.situation for sheet in sheets} == set(_ALL["client_101"].case().domain.situations)
    assert len({sheet.currency for sheet in sheets}) >= 8
