"""The study: what it runs, what it keeps, how it judges, and what its figures are by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.domains import open_case
from agent.fixtures import FIXTURES, Fixture, draftable, fixtures
from agent.llm.scripted import ScriptedModel
from agent.study.arms import Arm, Feedback, Setting, set_up, settings_of
from agent.study.billing_truth import wrong_in_billing
from agent.study.cells import cells, differences
from agent.study.report import tables
from agent.study.running import Run, RunsUnreadable, Studied, read_runs, study
from tests.agent.commanding import command

USUAL = {feedback: Arm(Setting.USUAL, feedback) for feedback in Feedback}


def fixture(name: str) -> Fixture:
    return next(item for item in fixtures("billing") if item.name == name)


def studied(name: str) -> Studied:
    found = fixture(name)
    return Studied(found, found.case())


def scripted(item: Fixture, given: int) -> ScriptedModel:
    return ScriptedModel(item.scripted[min(given, len(item.scripted) - 1) :])


def run(number: int, feedback: Feedback, errors, *, wrong=(), stop="attempts", seconds=10.0, domain="billing") -> Run:
    let_through = not errors[-1]
    return Run(
        domain=domain,
        fixture=f"case-{number}",
        arm=USUAL[feedback],
        seed=0,
        model="m",
        prompt_version="1",
        state="AWAITING_REVIEW" if let_through else "ESCALATED",
        stop_reason="passed" if let_through else stop,
        errors=tuple(tuple(kinds) for kinds in errors),
        wrong=tuple(wrong),
        tokens=100 * len(errors),
        seconds=seconds,
        calls=len(errors),
    )


def test_every_way_of_correcting_goes_on_from_one_first_attempt():
    runs = {item.arm: item for item in study([studied("client_err_math")], model_for=scripted)}
    ours = {arm.feedback: item for arm, item in runs.items() if arm.setting is Setting.USUAL}
    assert set(ours) == set(Feedback)
    first = {item.errors[0] for item in ours.values()}
    assert len(first) == 1
    assert ours[Feedback.NONE].state == "ESCALATED"
    assert len(ours[Feedback.NONE].errors) == 1
    assert all(item.let_through and item.retries == 1 for arm, item in ours.items() if arm is not Feedback.NONE)
    # The model that criticises itself was asked once more than the others.
    assert ours[Feedback.CRITIQUE].calls == ours[Feedback.BARE].calls + 1
    assert ours[Feedback.CRITIQUE].tokens > ours[Feedback.NAMES].tokens


def test_what_is_kept_is_not_run_again_and_the_rest_goes_on_from_the_kept_first_attempt():
    asked = []

    def model_for(item, given):
        model = scripted(item, given)
        model.chat = lambda messages, chat=model.chat, **how: asked.append(given) or chat(messages, **how)
        return model

    examples = [studied("client_err_math")]
    kept = [Run.from_json(json.loads(json.dumps(item.as_json()))) for item in study(examples, model_for=scripted)]
    assert list(study(examples, model_for=model_for, kept=kept)) == []
    assert asked == []
    without = [item for item in kept if item.arm != USUAL[Feedback.STRUCTURED]]
    again = list(study(examples, model_for=model_for, kept=without))
    assert [item.arm for item in again] == [USUAL[Feedback.STRUCTURED]]
    assert asked == [1]  # its second output alone
    assert again[0].errors == next(item for item in kept if item.arm == again[0].arm).errors


def test_after_a_change_of_the_prompt_everything_is_run_again():
    examples = [studied("client_err_math")]
    kept = [replace(item, prompt_version="older") for item in study(examples, model_for=scripted)]
    assert len(list(study(examples, model_for=scripted, kept=kept))) == len(kept)


def test_the_forms_of_asking_differ_in_what_the_model_is_told():
    case = open_case("billing", fixture("client_101").facts)
    assert settings_of(case) == tuple(Setting)
    assert settings_of(fixture("client_err_math").case()) == (Setting.USUAL,)
    figures = set_up(case, Setting.FIGURES)
    told = figures.domain.circumstances(figures)
    assert "TX-" in told
    assert "$" in told
    usual = set_up(case, Setting.USUAL)
    assert "TX-" not in usual.domain.circumstances(usual)
    assert set_up(case, Setting.NO_EXEMPLARS).starters() == ()
    assert case.starters()


def test_a_true_mail_is_right_and_a_spoilt_one_is_not():
    refused = []
    for item in draftable("billing", FIXTURES).values():
        case = open_case("billing", item.facts)
        texts = [case.domain.frame(case, it.prose).render(case.slot_values()).text for it in case.starters()]
        refused += [
            (item.name, wrong)
            for text in (*texts, case.domain.true_text(case))
            if (wrong := wrong_in_billing(item.facts, text))
        ]
    assert refused == []
    item = fixture("client_101")
    case = item.case()
    true = case.domain.true_text(case)
    total = case.slot_values()["TOTAL_DUE"]
    line = case.sheet.lines[0].id
    spoilt = {
        "another total": true.replace(total, "$9,999.00"),
        "no total": true.replace(f"The total due is {total}.", ""),
        "a line left out": true.replace(line, "one item"),
        "an invented fee": f"{true} A legal fee applies.",
        "an invented call": f"{true} As we said in our call, thank you.",
        "an invented deadline": f"{true} Please pay within seven days.",
        "an invented figure": f"{true} We spent 61 minutes on it.",
        "an open placeholder": f"{true} [CLIENT_NAME]",
    }
    assert [name for name, text in spoilt.items() if text == true or not wrong_in_billing(item.facts, text)] == []


def test_a_cell_counts_what_its_runs_were():
    runs = [
        run(1, Feedback.NONE, [[]], seconds=5.0),
        run(2, Feedback.NONE, [["A", "B"]], seconds=5.0),
        run(3, Feedback.NONE, [["A"]], seconds=5.0),
        run(4, Feedback.NONE, [["A"]], seconds=5.0),
        run(1, Feedback.STRUCTURED, [[]], seconds=5.0),
        run(2, Feedback.STRUCTURED, [["A", "B"], []], seconds=11.0),
        run(3, Feedback.STRUCTURED, [["A"], ["B"], []], wrong=["it is not"], seconds=17.0),
        run(4, Feedback.STRUCTURED, [["A"], ["A"]], stop="no_improvement", seconds=11.0),
    ]
    alone, ours = cells(runs)
    assert (alone.first_pass, alone.succeeded, alone.escalated, alone.exhausted) == (0.25, 0.25, 0.75, 0.75)
    assert alone.escalated_by == (("attempts", 3),)
    assert (ours.n, ours.first_pass, ours.succeeded, ours.wrong, ours.escalated) == (4, 0.25, 0.5, 0.25, 0.25)
    assert ours.exhausted == 0.0
    assert ours.retries_per_run == 1.0  # 0, 1, 2, 1
    assert ours.retries_per_failed == pytest.approx(4 / 3)
    assert ours.fixed_at_first_retry == pytest.approx(1 / 3)
    assert ours.errors_per_failed_output == pytest.approx(6 / 5)
    assert ours.frequent == (("A", 4), ("B", 2))
    # Two escalations in four fewer: 50 in a hundred at ten minutes, less six seconds a case.
    assert ours.minutes_saved == pytest.approx(500 - 10)
    assert ours.succeeded_interval == pytest.approx((0.15, 0.85), abs=0.01)


def test_a_difference_is_taken_over_the_same_cases():
    runs = [
        *(run(number, Feedback.NONE, [["A"]]) for number in range(10)),
        *(run(number, Feedback.STRUCTURED, [["A"], [] if number < 6 else ["A"]]) for number in range(10)),
        run(99, Feedback.NONE, [[]]),  # without a partner
    ]
    (found,) = differences(runs)
    assert (found.n, found.mean) == (10, 0.6)
    assert found.interval[0] > 0.2
    assert found.interval[1] <= 1.0
    assert "usual:structured" in tables(cells(runs), [found])


def test_a_file_of_runs_survives_a_stop_and_names_a_broken_line(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    assert read_runs(file) == ()
    whole = run(1, Feedback.NONE, [[]])
    file.write_text(f'{json.dumps(whole.as_json())}\n{{"domain": "bil', encoding="utf-8")
    assert read_runs(file) == (whole,)
    file.write_text(f"{json.dumps(whole.as_json())}\nnonsense\n", encoding="utf-8")
    with pytest.raises(RunsUnreadable, match="line 2"):
        read_runs(file)


def test_the_command_keeps_its_runs_and_goes_on(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    done = command("study", "--domain", "billing", "--arm", "structured", "--runs", str(file), "--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    by_arm = {cell["arm"]: cell for cell in told["cells"]}
    assert set(by_arm) == {"usual:none", "usual:structured"}
    assert by_arm["usual:structured"]["succeeded"] > by_arm["usual:none"]["succeeded"]
    assert by_arm["usual:structured"]["wrong"] == 0
    before = file.read_text(encoding="utf-8")
    again = command("study", "--domain", "billing", "--arm", "structured", "--runs", str(file))
    assert again.returncode == 0
    assert file.read_text(encoding="utf-8") == before
    shown = command("study", "--runs", str(file), "--report")
    assert shown.stdout == again.stdout
    assert "## billing" in shown.stdout


def test_the_command_refuses_what_it_cannot_use(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text("nonsense\n", encoding="utf-8")
    refused = (
        (("--runs", str(file)), "line 1"),
        (("--model", "nobody"), "nobody"),
        (("--report",), "holds nothing"),
        (("--fixtures", str(tmp_path)), "holds nothing"),
        (("--runs", str(tmp_path)), "cannot be read or written"),
    )
    for arguments, told in refused:
        done = command("study", *arguments)
        assert (done.returncode, told in done.stderr) == (2, True), done
