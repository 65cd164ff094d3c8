"""`python -m agent draft` prints the whole run as JSON, and refuses bad input in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import main
from agent.fixtures import FIXTURES
from tests.agent.drafting import GOOD, given

_BILLING = FIXTURES / "billing"


def _draft(capsys, *arguments: str) -> dict:
    assert main(["draft", "--domain", "billing", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def _facts(name: str) -> str:
    return str(_BILLING / name / "facts.json")


def test_a_fixture_is_drafted_with_its_own_outputs(capsys):
    run = _draft(capsys, "--facts", _facts("client_err_math"), "--model", "scripted")
    assert (run["state"], run["stop_reason"], len(run["attempts"])) == ("AWAITING_REVIEW", "passed", 2)
    assert run["framed"] is False
    assert "$1,990.00" in run["attempts"][0]["text"]
    assert run["attempts"][0]["outcomes"]
    assert "$1,975.00" in run["text"]


def test_a_script_of_ones_own_is_used(capsys, tmp_path):
    (tmp_path / "facts.json").write_text(json.dumps(given()))
    (tmp_path / "outputs.json").write_text(json.dumps([GOOD]))
    run = _draft(capsys, "--facts", str(tmp_path / "facts.json"), "--model", f"scripted:{tmp_path / 'outputs.json'}")
    assert (run["state"], run["framed"]) == ("AWAITING_REVIEW", True)
    assert "$1,975.00" in run["text"]


def test_plain_scripted_writes_a_canned_draft_for_any_facts(capsys, tmp_path):
    (tmp_path / "ledger.json").write_text(json.dumps(given("formal_notice")))
    run = _draft(capsys, "--facts", str(tmp_path / "ledger.json"), "--model", "scripted")
    assert (run["state"], run["stop_reason"]) == ("AWAITING_REVIEW", "passed")
    assert "formal notice" in run["text"]


@pytest.mark.parametrize("option", ["--judge", "--support"])
@pytest.mark.parametrize("model", ["nobody", "ollama:"])
def test_an_adviser_without_a_usable_name_is_refused(capsys, option, model):
    assert main(["draft", "--domain", "billing", "--facts", _facts("client_101"), option, model]) == 2
    assert model in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "attempts"),
    [
        ((), 3),
        (("--max-retries", "0"), 1),
        (("--max-retries", "1", "--difficulty", "2.5"), 3),
        (("--max-retries", "2", "--difficulty", "2.5"), 6),
    ],
)
def test_max_retries_is_the_base_before_difficulty(capsys, tmp_path, options, attempts):
    (tmp_path / "facts.json").write_text(json.dumps(given()))
    months = ("January", "March", "April", "June", "July", "August", "October")
    # Each draft has one wrong month less than the one before: none of them gives a reason to stop.
    outputs = [{**GOOD, "opening": f"It was due in {', in '.join(months[number:])}."} for number in range(6)]
    (tmp_path / "outputs.json").write_text(json.dumps(outputs))
    script = f"scripted:{tmp_path / 'outputs.json'}"
    run = _draft(capsys, "--facts", str(tmp_path / "facts.json"), "--model", script, *options)
    assert (len(run["attempts"]), run["limits"]["attempts"], run["stop_reason"]) == (attempts, attempts, "attempts")
    assert run["state"] == "ESCALATED"


def test_a_situation_can_be_given(capsys, tmp_path):
    (tmp_path / "facts.json").write_text(json.dumps(given()))
    facts = str(tmp_path / "facts.json")
    run = _draft(capsys, "--facts", facts, "--model", "scripted", "--situation", "formal_notice")
    assert run["situation"] == "formal_notice"
    assert run["text"].startswith("Subject: Formal notice: $1,975.00")


@pytest.mark.parametrize(
    ("change", "arguments", "says"),
    [
        ({}, ("--model", "gpt"), "scripted"),
        ({}, ("--model", "scripted:/nowhere.json"), "/nowhere.json"),
        ({}, ("--model", "scripted", "--situation", "poem"), "check_in"),
        ({}, ("--model", "scripted", "--domain", "poetry"), "billing"),
        ({"colour": "red"}, ("--model", "scripted"), "colour"),
        ({"reminders_sent": -1}, ("--model", "scripted"), "reminders_sent"),
        ({"locale": "de_DE"}, ("--model", "scripted"), "LANGUAGE_UNSUPPORTED"),
    ],
)
def test_bad_input_is_refused_with_what_to_do(capsys, tmp_path, change, arguments, says):
    (tmp_path / "facts.json").write_text(json.dumps(given() | change))
    code = main(["draft", "--domain", "billing", "--facts", str(tmp_path / "facts.json"), *arguments])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "option", [("--max-retries", "-1"), ("--difficulty", "0"), ("--difficulty", "nan"), ("--seed", "x")]
)
def test_a_number_that_means_nothing_is_refused(capsys, option):
    with pytest.raises(SystemExit) as stopped:
        main(["draft", "--domain", "billing", "--facts", _facts("client_101"), *option])
    assert stopped.value.code == 2
    assert option[0] in capsys.readouterr().err


def test_it_runs_as_a_module_from_the_checkout():
    command = [sys.executable, "-m", "agent", "draft", "--domain", "billing", "--model", "scripted"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [*command, "--facts", _facts("client_irreconcilable")], capture_output=True, text=True, cwd=root, check=True
    )
    run = json.loads(done.stdout)
    assert (run["state"], run["stop_reason"], run["attempts"]) == ("ESCALATED", "irreconcilable", [])
    assert "£514.50" in run["findings"][0]["evidence"]


def test_a_judge_scores_each_attempt_beside_its_hard_checks_and_cannot_pass_what_they_refuse(capsys):
    folder = FIXTURES / "tasks" / "discount"
    judge = f"scripted:{folder / 'judge.json'}"
    facts = str(folder / "facts.json")
    assert main(["draft", "--domain", "tasks", "--facts", facts, "--model", "scripted", "--judge", judge]) == 0
    first, second = json.loads(capsys.readouterr().out)["attempts"]
    assert first["grade"]["scores"] == {"result": 5, "working": 5, "trap": 5}
    assert (first["grade"]["passed"], first["grade"]["checks"]["addresses_trap"]) == (False, False)
    assert (second["grade"]["passed"], second["grade"]["judge"], second["grade"]["gates"]) == (True, judge, False)


def test_the_support_check_is_asked_only_when_it_is_named(capsys, tmp_path):
    (tmp_path / "facts.json").write_text(json.dumps(given()))
    told = "These items stand out among the others on your account."
    opening = f"{GOOD['opening']} {told}"
    (tmp_path / "outputs.json").write_text(json.dumps([{**GOOD, "opening": opening}]))
    script = f"scripted:{tmp_path / 'outputs.json'}"
    arguments = ("--facts", str(tmp_path / "facts.json"), "--model", script, "--max-retries", "0")
    for mode, expected in (("off", []), ("words", [("READ_FIRST", "WARN", told)])):
        run = _draft(capsys, *arguments, "--support", mode)
        (attempt,) = run["attempts"]
        found = [
            (outcome["error_type"], outcome["status"], outcome["evidence"])
            for outcome in attempt["outcomes"]
            if outcome["validator_source"] == "support@1"
        ]
        assert (run["state"], found) == ("AWAITING_REVIEW", expected), mode


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--judge", "embedded"), "name no rubric"),
        (("--support", "ollama:tinyllama"), "too small"),
        (("--support", "gpt"), "embedded"),
        (("--support", "scripted"), "give"),
    ],
)
def test_advisers_that_cannot_be_asked_are_refused_before_anything_is_drafted(capsys, arguments, says):
    whole = ["draft", "--domain", "billing", "--facts", _facts("client_101"), "--model", "scripted", *arguments]
    assert main(whole) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert told.err.count("\n") == 1
