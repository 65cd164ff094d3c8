"""A rubric is data; a text passes it by its weighted scores and by every hard check."""

import copy
import math
from typing import Any

import pytest

from agent.body import Body
from agent.facts import Problem
from agent.outcome import Status
from agent.rubric import Grade, Rubric, RubricInvalid, ScoreInvalid, aggregate, gate
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading
from agent.validators.runner import is_blocking, run_checks
from tests.agent.drafting import case
from tests.agent.judging import NOW

WEIGHTS = {"summary": 1.0, "args_returns": 1.2, "edge_cases": 1.5, "raises": 1.0, "precision": 1.0}


def form(**changes: Any) -> dict[str, Any]:
    """A rubric as it is written down."""
    criteria = [
        {"id": name, "title": name, "description": "How good it is.", "weight": weight, "low": "bad", "high": "good"}
        for name, weight in WEIGHTS.items()
    ]
    checks = [
        {"id": name, "description": "Few words.", "validator": "wording", "params": {"max_words": 5}}
        for name in ("is_short", "stays_short")
    ]
    whole = {"name": "docstring", "version": "1", "domain": "tasks", "threshold": 0.8}
    return {**whole, "criteria": criteria, "hard_checks": checks, **changes}


RUBRIC = Rubric.from_json(form())
HELD = {"is_short": True, "stays_short": True}


@pytest.mark.parametrize(
    ("scores", "overall"),
    [
        ({"summary": 5, "args_returns": 5, "edge_cases": 1, "raises": 1, "precision": 5}, 3.2 / 5.7),
        (dict.fromkeys(WEIGHTS, 5), 1.0),
        (dict.fromkeys(WEIGHTS, 1), 0.0),
        (dict.fromkeys(WEIGHTS, 3), 0.5),
        ({"edge_cases": 5}, 1.5 / 5.7),  # an omitted criterion counts as 1
        ({}, 0.0),
        ({**dict.fromkeys(WEIGHTS, 5), "charm": 1}, 1.0),  # an unknown id is ignored
    ],
)
def test_the_overall_score_is_the_weighted_share_of_what_can_be_reached(scores, overall):
    assert aggregate(RUBRIC, scores) == pytest.approx(overall, abs=1e-9)


def test_the_published_example_comes_to_what_was_published():
    scores = {"summary": 5, "args_returns": 5, "edge_cases": 1, "raises": 1, "precision": 5}
    assert f"{aggregate(RUBRIC, scores):.4f}" == "0.5614"


def test_scores_that_reach_the_threshold_exactly_are_not_lost_to_floating_sums():
    rubric = Rubric.from_json(form(threshold=0.75))
    assert gate(rubric, aggregate(rubric, dict.fromkeys(WEIGHTS, 4)), HELD).passed


@pytest.mark.parametrize("score", [0, 6, -1, 4.0, "5", True, None, math.nan])
def test_a_score_that_is_no_whole_number_from_one_to_five_is_refused(score):
    with pytest.raises(ScoreInvalid, match=r"summary: .* is no score"):
        aggregate(RUBRIC, {"summary": score})


@pytest.mark.parametrize(
    ("overall", "checks", "passed", "reason"),
    [
        (0.5614, HELD, False, "score below threshold (0.56 < 0.80)"),
        (0.5614, {**HELD, "is_short": False}, False, "score below threshold (0.56 < 0.80)"),
        (0.7996, HELD, False, "score below threshold (0.7996 < 0.80)"),
        (1.0, {**HELD, "is_short": False}, False, "score OK but hard checks failed: is_short"),
        (0.8, dict.fromkeys(HELD, False), False, "score OK but hard checks failed: is_short, stays_short"),
        (1.0, {"is_short": True}, False, "score OK but hard checks failed: stays_short"),
        (1.0, {}, False, "score OK but hard checks failed: is_short, stays_short"),
        (0.8, HELD, True, "passed"),
        (1.0, {**HELD, "no_check_of_ours": False}, True, "passed"),
        (math.nan, HELD, False, "score below threshold (nan < 0.80)"),
    ],
)
def test_the_gate_says_which_of_three_reasons_it_has(overall, checks, passed, reason):
    verdict = gate(RUBRIC, overall, checks)
    assert (verdict.passed, verdict.reason) == (passed, reason)


def test_a_rubric_survives_being_written_and_read():
    assert Rubric.from_json(RUBRIC.as_json()) == RUBRIC
    assert RUBRIC.id == "docstring@1"


def _without(data: dict[str, Any], *path: Any) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return changed


def _with(data: dict[str, Any], value: Any, *path: Any) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "rubric: is no JSON object"),
        (None, "rubric: is no JSON object"),
        (_without(form(), "name"), "name: Field required"),
        (_with(form(), "1", "treshold"), "treshold: is no key here. Remove it"),
        (_with(form(), "Docstring", "name"), "name: "),
        (_with(form(), "draft", "version"), "version: "),
        (_with(form(), 1.2, "threshold"), "threshold: "),
        (_with(form(), "0.8", "threshold"), "threshold"),
        (_with(form(), [], "criteria"), "criteria: "),
        (_with(form(), 0, "criteria", 1, "weight"), "criteria.1.weight"),
        (_with(form(), -1.0, "criteria", 1, "weight"), "criteria.1.weight"),
        (_with(form(), math.nan, "criteria", 1, "weight"), "criteria.1.weight"),
        (_with(form(), math.inf, "criteria", 1, "weight"), "criteria.1.weight"),
        (_with(form(), True, "criteria", 1, "weight"), "criteria.1.weight"),
        (_with(form(), "  ", "criteria", 0, "high"), "criteria.0.high"),
        (_without(form(), "criteria", 2, "low"), "criteria.2.low: Field required"),
        (_with(form(), "summary", "criteria", 4, "id"), "criteria: summary stands 2 times"),
        (_with(form(), "is_short", "hard_checks", 1, "id"), "hard_checks: is_short stands 2 times"),
        (_with(form(), "eval", "hard_checks", 0, "validator"), "hard_checks.0.validator: 'eval' is no validator. Give"),
        (_with(form(), {"max_words": 0}, "hard_checks", 0, "params"), "hard_checks.0.params.max_words"),
        (_with(form(), {"code": "1"}, "hard_checks", 0, "params"), "hard_checks.0.params.code: is no key here"),
        (_with(form(), "charm", "hard_checks", 1, "criterion"), "hard_checks.1.criterion: 'charm' is no criterion"),
        (_with(form(), "lambda text: True", "hard_checks", 0, "check"), "hard_checks.0.check: is no key here"),
    ],
)
def test_a_rubric_of_another_form_is_refused_with_the_field_that_is_wrong(data, said):
    with pytest.raises(RubricInvalid) as refused:
        Rubric.from_json(data)
    assert said in str(refused.value)
    assert all(isinstance(problem, Problem) for problem in refused.value.problems)


def test_every_wrong_field_is_named_at_once():
    data = _with(_with(form(), 0, "criteria", 1, "weight"), 7, "threshold")
    with pytest.raises(RubricInvalid) as refused:
        Rubric.from_json(data)
    assert {problem.path.split(".")[0] for problem in refused.value.problems} == {"criteria", "threshold"}


def test_a_grade_survives_being_written_and_read():
    grade = Grade(
        "docstring@1", {"summary": 5}, {"summary": "Split"}, 1.0, {"is_short": True}, True, "passed", "m", True
    )
    assert Grade.from_json(grade.as_json()) == grade


def _explodes(reading: Any, params: Any) -> Any:
    raise RuntimeError("broken")


def _fails(reading: Any, params: Any) -> Any:
    yield Found("CHECK_FAILED", "these words", critique="They are wrong.")


def _warns(reading: Any, params: Any) -> Any:
    yield Found("CHECK_FAILED", "these words", status=Status.WARN)


@pytest.mark.parametrize(
    ("run", "held", "error"),
    [(_explodes, False, "VALIDATOR_ERROR"), (_fails, False, "HARD_CHECK_FAILED"), (_warns, True, None)],
)
def test_a_hard_check_that_fails_or_breaks_does_not_hold(run, held, error):
    catalogue = {"invented": Check("invented", "1", run, NoParams())}
    check = {"id": "invented_check", "description": "Is as it should be.", "validator": "invented"}
    rubric = Rubric.from_json(form(hard_checks=[check]), catalogue=catalogue)
    reading = Reading(case().sheet, Body.free("Some words.").render({}))
    outcomes = run_checks(reading, rubric.validators, now=NOW)
    assert rubric.checks_held(outcomes) == {"invented_check": held}
    assert [o.error_type for o in outcomes if o.status is Status.FAIL] == ([error] if error else [])
    assert all(is_blocking(o) for o in outcomes if o.status is Status.FAIL)


def test_a_hard_check_that_never_ran_did_not_hold():
    assert RUBRIC.checks_held(()) == {"is_short": False, "stays_short": False}
