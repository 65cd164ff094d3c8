"""A task is read, drafted without a frame, judged by hard checks and scores, and refined without the answer."""

import json

import pytest

from agent.budget import limits_for
from agent.domains import open_case
from agent.facts import FactsInvalid
from agent.fixtures import Fixture, fixtures
from agent.judge import Judge
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, DraftRun, Gate, run_draft
from agent.teeth import bite
from tests.agent.grading import DISCOUNT, SPLIT, judge_outputs, task

_ALL = {fixture.name: fixture for fixture in fixtures("tasks")}
_CLOCK = Clock(sleep=lambda seconds: None)


def _run(fixture: Fixture) -> DraftRun:
    case = fixture.case()
    judge = Judge(ScriptedModel(judge_outputs(fixture.name)))
    model = ScriptedModel(fixture.scripted)
    return run_draft(case, model, limits=limits_for(case), clock=_CLOCK, gate=Gate(advisers=(judge,)))


@pytest.mark.parametrize("name", _ALL)
def test_it_ends_as_stated_with_both_trails(name):
    fixture = _ALL[name]
    run = _run(fixture)
    found = [(one.error_type, one.evidence) for attempt in run.attempts for one in attempt.failures]
    assert (str(run.state), str(run.stop.reason)) == (fixture.expect["state"], fixture.expect["stop_reason"]), found
    assert len(run.attempts) == fixture.expect["attempts"]
    assert set(fixture.expect.get("errors", [])) <= {one.error_type for one in run.attempts[0].failures}
    for attempt, grade in zip(run.attempts, fixture.expect["grades"], strict=True):
        if grade:
            assert attempt.grade is not None
            assert attempt.grade.overall == pytest.approx(grade["overall"], abs=5e-5)
            assert (attempt.grade.passed, attempt.grade.reason) == (grade["passed"], grade["reason"])
            assert dict(attempt.grade.checks) == grade["checks"]
        else:
            assert attempt.grade is None  # a text that code refutes is not shown to a judge


def _trails(name: str) -> list[tuple[float, int, int]]:
    grades = [attempt.grade for attempt in _run(_ALL[name]).attempts]
    return [(round(one.overall, 2), sum(one.checks.values()), len(one.checks)) for one in grades if one]


def test_the_docstring_goes_from_three_of_four_checks_to_all_in_one_refinement():
    assert _trails("docstring") == [(0.56, 3, 4), (1.0, 4, 4)]


def test_the_discount_passes_by_a_hard_check_alone_at_equal_scores():
    (before, held, _), (after, held_after, of) = _trails("discount")
    assert (held, held_after, of) == (2, 3, 3)
    assert after - before == 0.0


def test_each_of_both_known_tasks_takes_two_drafts_and_two_judgements():
    for name in ("docstring", "discount"):
        run = _run(_ALL[name])
        assert run.as_json()["calls"] == 4
        assert sum(attempt.calls for attempt in run.attempts) == 4


@pytest.mark.parametrize("name", _ALL)
def test_the_refiner_is_never_told_the_answer(name):
    """Nothing of the last prompt, apart from the task, the code and its own draft, holds what hard checks look for."""
    fixture = _ALL[name]
    run = _run(fixture)
    told = run.attempts[-1].prompt[-1].content
    for own in (fixture.facts["prompt"], *(attempt.text for attempt in run.attempts)):
        told = told.replace(own, "")
    told = "\n".join(line for line in told.splitlines() if "leave out" not in line)
    hard = fixture.case().rubric.hard_checks
    values = [str(check.check.params.model_dump().get("value", "")) for check in hard]
    assert not [value for value in values if value and value in told], told
    exceptions = ("ZeroDivisionError", "ValueError")
    assert not [error for error in exceptions if error in told.split("It must pass:")[-1]], told


def test_it_is_drafted_without_a_frame():
    case = task()
    assert not case.framed
    assert not case.blocks()
    assert case.domain.base_retries == 3
    assert limits_for(case).attempts == 4
    assert case.rubric.threshold == 0.80


def test_the_code_of_a_shipped_function_is_shown_and_what_comes_with_a_case_is_not_run(tmp_path):
    marker = tmp_path / "ran"
    prompt = f"Explain this: open({str(marker)!r}, 'w')\n```python\nopen({str(marker)!r}, 'w').write('x')\n```"
    case = task({**SPLIT, "prompt": prompt})
    run = run_draft(
        case, ScriptedModel([f">>> open({str(marker)!r}, 'w')\n'x'"]), limits=limits_for(case), clock=_CLOCK
    )
    assert not marker.exists()
    assert "def split_payment" in run.attempts[0].prompt[-1].content


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ([], "facts: are no JSON object"),
        ({**SPLIT, "prompt": " "}, "prompt: "),
        ({"prompt": "Write."}, "rubric: Field required"),
        ({**SPLIT, "rubric": "poetry"}, "rubric: 'poetry' is no rubric that comes with the product. There are: "),
        ({**SPLIT, "rubric": "../rubrics/docstring"}, "is no rubric that comes with the product"),
        ({**SPLIT, "rubric": 7}, "rubric: is no name of a rubric and no rubric"),
        ({**SPLIT, "rubric": {"name": "mine"}}, "rubric.criteria: Field required"),
        ({**SPLIT, "function": "os.system"}, "function: 'os.system' is no function that comes with the product"),
        ({**SPLIT, "function": "../../setup"}, "is no function that comes with the product"),
        ({**SPLIT, "code": "def f(): pass"}, "code: is no key of a task"),
    ],
)
def test_facts_of_another_shape_are_refused_with_the_field_that_is_wrong(facts, said):
    with pytest.raises(FactsInvalid) as refused:
        open_case("tasks", facts)
    assert said in str(refused.value)


def test_a_rubric_of_another_domain_is_refused():
    rubric = {**json.loads(json.dumps(task().rubric.as_json())), "domain": "billing"}
    with pytest.raises(FactsInvalid, match="is not the domain of tasks"):
        open_case("tasks", {**SPLIT, "rubric": rubric})


def test_a_rubric_may_come_with_the_facts():
    inline = task().rubric.as_json()
    assert task({**SPLIT, "rubric": inline}).rubric == task().rubric


def test_every_spoilt_text_is_caught_and_no_true_one_refused():
    table = bite({name: fixture.case() for name, fixture in _ALL.items()}, clock=_CLOCK)
    assert not [item.id for item in table.missed]
    assert table.clean_rejected == 0
    assert len({item.kind for item in table.cases}) >= 10
    assert all(item.caught for item in table.cases)
    assert {item.state for item in table.cases} == {"ESCALATED"}


def test_the_answer_is_in_no_advice_of_a_hard_check():
    run = run_draft(
        task(DISCOUNT), ScriptedModel(["It is thirty percent."]), limits=limits_for(task(DISCOUNT)), clock=_CLOCK
    )
    advice = " ".join(f"{one.critique} {one.suggested_fix}" for one in run.attempts[0].failures)
    assert "28" not in advice
    assert "0.72" not in advice
