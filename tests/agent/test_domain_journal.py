"""An entry is made of a sentence, held against chart, duties and amounts, and revised until it balances."""

import copy
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from agent.budget import limits_for
from agent.domains import open_case
from agent.facts import FactsInvalid
from agent.fixtures import fixtures
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, DraftRun, run_draft
from agent.study.truth import wrong_in
from agent.teeth import bite
from agent.validators.postings import severity_at_stake
from agent.verify import verify
from tests.agent.commanding import command

_ALL = {fixture.name: fixture for fixture in fixtures("journal")}
_CLOCK = Clock(sleep=lambda seconds: None)
_NOW = datetime(2026, 3, 31, 9, 0, tzinfo=UTC)
_FACTS: dict[str, Any] = _ALL["office_supplies"].facts
_ENTRY: dict[str, Any] = _ALL["office_supplies"].scripted[1]


def _run(name: str, **how: int) -> DraftRun:
    fixture = _ALL[name]
    case = fixture.case()
    return run_draft(case, ScriptedModel(fixture.scripted), limits=limits_for(case, **how), clock=_CLOCK)


def _errors(entry: Any, facts: Any = _FACTS) -> dict[str, str]:
    draft = entry if isinstance(entry, str) else json.dumps(entry)
    verdict = verify(draft, domain="journal", facts=facts, now=_NOW)
    return {outcome.error_type: outcome.evidence for outcome in verdict.failures}


def _changed(**fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(_ENTRY), **fields}


def _lines(*lines: tuple[str, int, int]) -> list[dict[str, Any]]:
    return [{"code": code, "debit_cents": debit, "credit_cents": credit} for code, debit, credit in lines]


@pytest.mark.parametrize("name", _ALL)
def test_it_ends_as_stated(name):
    fixture, run = _ALL[name], _run(name)
    expect = fixture.expect
    found = [(outcome.error_type, outcome.evidence) for attempt in run.attempts for outcome in attempt.failures]
    assert (str(run.state), str(run.stop.reason)) == (expect["state"], expect["stop_reason"]), found
    assert len(run.attempts) == expect["attempts"]
    assert [gap.code for gap in run.gaps] == expect.get("gaps", [])
    assert all(words in (run.findings[0].evidence or "") for words in expect.get("conflicts", []))
    if run.attempts:
        first = {outcome.error_type: outcome.severity for outcome in run.attempts[0].failures}
        assert set(expect.get("errors", [])) <= set(first)
        assert expect.get("severity", max(first.values(), default=0)) == max(first.values(), default=0)
    if expect["state"] == "AWAITING_REVIEW":
        assert wrong_in(fixture, run.best) == ()


def test_an_unknown_code_is_told_with_the_valid_range_and_mended_at_the_first_retry():
    run = _run("office_supplies")
    failure = next(one for one in run.attempts[0].failures if one.error_type == "GL_CODE_UNKNOWN")
    assert failure.evidence == "GL code 9999 does not exist; valid codes for office supplies are 5100-5199"
    assert "5100" in failure.suggested_fix
    start, end = failure.metadata["span"]
    assert run.attempts[0].text[start:end] == "9999"
    asked = run.attempts[1].prompt[-1].content
    assert "5100-5199" in asked
    assert "lines[0].code: 9999" in asked


def test_several_entities_get_five_retries():
    case = _ALL["consolidation"].case()
    assert (case.difficulty.factor, case.difficulty.reason) == (2.5, "several entities take part")
    assert limits_for(case, max_retries=2).attempts == 6


@pytest.mark.parametrize(
    ("cents", "severity"), [(100, 0.3), (500_000, 0.67), (10**9, 1.0), (10**15, 1.0), (0, 0.3), (-500_000, 0.67)]
)
def test_severity_goes_by_the_amount_at_stake(cents, severity):
    assert severity_at_stake(cents) == severity


_WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "one line": (_changed(lines=_lines(("5100", 500000, 0))), "ENTRY_UNBALANCED"),
    "a cent": (_changed(lines=_lines(("5100", 500000, 0), ("2100", 0, 499999))), "ENTRY_UNBALANCED"),
    "both sides": (_changed(lines=_lines(("5100", 500000, 500000), ("2100", 0, 0))), "LINE_SIDES"),
    "another amount": (_changed(lines=_lines(("5100", 50000, 0), ("2100", 0, 50000))), "AMOUNT_NOT_STATED"),
    "posted twice": (
        _changed(lines=_lines(*[("5100", 500000, 0), ("2100", 0, 500000)] * 2)),
        "AMOUNT_DOUBLED",
    ),
    "a pair that cancels": (
        _changed(lines=_lines(("5100", 500000, 0), ("2100", 0, 500000), ("1010", 500000, 0), ("1010", 0, 500000))),
        "AMOUNT_DOUBLED",
    ),
    "against itself": (_changed(lines=_lines(("5100", 500000, 0), ("5100", 0, 500000))), "AMOUNT_DOUBLED"),
    "another kind": (_changed(lines=_lines(("5200", 500000, 0), ("2100", 0, 500000))), "GL_CODE_OUT_OF_RANGE"),
    "turned round": (_changed(lines=_lines(("5100", 0, 500000), ("2100", 500000, 0))), "SIDE_UNUSUAL"),
    "own approval": (_changed(approved_by=" tom  BECK "), "DUTIES_NOT_SEGREGATED"),
    "a stranger": (_changed(approved_by="Olga Petrov"), "DUTY_NOT_HELD"),
    "another preparer": (_changed(prepared_by="Ines Moreau"), "DUTY_NOT_HELD"),
    "nobody approves": (_changed(approved_by=None), "DUTY_NOT_HELD"),
    "last month": (_changed(date="2026-02-28"), "PERIOD_CLOSED"),
    "an invented order": (_changed(memo="Office supplies, PO 4471"), "MEMO_FIGURE"),
    "an empty memo": (_changed(memo="  "), "MEMO_EMPTY"),
    "hidden text": (_changed(memo="Office\u200bsupplies"), "RECORD_INVALID"),
    "a float": (_changed(lines=[{"code": "5100", "debit_cents": 5000.5, "credit_cents": 0}]), "RECORD_INVALID"),
    "a date that is none": (_changed(date="March 31"), "RECORD_INVALID"),
}


def test_each_wrong_entry_is_refused_for_what_is_wrong_with_it():
    assert _errors(_ENTRY) == {}
    missed = {name: _errors(entry) for name, (entry, error) in _WRONG.items() if error not in _errors(entry)}
    assert missed == {}
    assert "RECORD_INVALID" in _errors("no JSON at all")
    assert "RECORD_INVALID" in _errors("")


def test_true_entries_of_many_kinds_pass():
    facts = {
        **_FACTS,
        "description": "Record $5,000 office supplies from Vendor X, $2,000 paid now and $3,000 on account",
    }
    split = _lines(("5100", 500000, 0), ("1010", 0, 200000), ("2100", 0, 300000))
    assert _errors(_changed(lines=split), facts) == {}
    doubled = _lines(("5100", 1000000, 0), ("1010", 0, 200000), ("2100", 0, 800000))
    assert "AMOUNT_DOUBLED" in _errors(_changed(lines=doubled), facts)
    assert _errors(_changed(memo="Office supplies for $5,000, Vendor X")) == {}
    assert _errors(_changed(memo="Supplies of March 2026", date="2026-03-02")) == {}


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@drawn(st.lists(st.integers(101, 99_999_999), min_size=1, max_size=4, unique=True), st.data())
def test_a_balanced_entry_of_the_stated_amounts_passes_and_a_spoilt_one_fails(amounts, data):
    stated = ", ".join(f"${cents // 100:,}.{cents % 100:02}" for cents in amounts)
    facts = {**_FACTS, "description": f"Record {stated} office supplies", "history": []}
    lines = _lines(*(("5100", cents, 0) for cents in amounts), ("2100", 0, sum(amounts)))
    if any(2 * cents == sum(amounts) for cents in amounts) and len(amounts) > 2:
        return  # an amount with its parts is booked otherwise
    entry = _changed(lines=lines)
    assert _errors(entry, facts) == {}
    place = data.draw(st.integers(0, len(lines) - 1))
    side = "debit_cents" if lines[place]["debit_cents"] else "credit_cents"
    entry["lines"][place][side] += data.draw(st.integers(1, 10**6))
    assert "ENTRY_UNBALANCED" in _errors(entry, facts)


def test_every_spoilt_entry_is_caught_and_no_right_one_refused():
    cases = {name: one.case() for name, one in _ALL.items() if one.truth and not one.expect.get("doubtful")}
    table = bite(cases, clock=_CLOCK)
    assert [item.id for item in table.cases if item.caught is not True] == []
    assert table.clean_rejected == 0
    assert len({item.kind for item in table.cases}) >= 12


_BAD_FACTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"note": "x"}, "note"),
    "float money": ({"history": [{"code": "5100", "amount_cents": 1.5}]}, "history.0.amount_cents"),
    "negative money": ({"history": [{"code": "5100", "amount_cents": -1}]}, "history.0.amount_cents"),
    "code twice": ({"chart": [{"code": "1", "name": "a", "type": "asset"}] * 2}, "chart.0.code"),
    "range backward": ({"ranges": [{"for": "rent", "from": "5299", "to": "5200"}]}, "ranges.0"),
    "period": ({"open_periods": ["March"]}, "open_periods.0"),
    "currency": ({"currency": "dollars"}, "currency"),
    "no description": ({"description": " "}, "description"),
    "control character": ({"description": "Rent\x00 $5"}, "description"),
}


def test_bad_facts_are_refused_with_the_field():
    missed = []
    for name, (change, path) in _BAD_FACTS.items():
        with pytest.raises(FactsInvalid) as refused:
            open_case("journal", {**_FACTS, **change})
        if path not in [problem.path for problem in refused.value.problems]:
            missed.append((name, [str(problem) for problem in refused.value.problems]))
    assert missed == []


def test_a_code_may_come_as_a_number_and_a_duty_as_one_name():
    chart = [{**account, "code": int(account["code"])} for account in _FACTS["chart"]]
    facts = {**_FACTS, "chart": chart, "duties": {"prepare": "Tom Beck", "approve": "Ruth Adeyemi"}}
    assert _errors(_ENTRY, facts) == {}


def test_from_a_shell_the_draft_is_json(tmp_path):
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(_FACTS), encoding="utf-8")
    asked = ("verify", "--domain", "journal", "--facts", str(file), "--no-model")
    assert command(*asked, given=json.dumps(_ENTRY)).returncode == 0
    refused = command(*asked, given=json.dumps(_changed(lines=[])))
    assert (refused.returncode, json.loads(refused.stdout)["verdict"]) == (1, "FAIL")
    unreadable = command(*asked, given="{")
    assert unreadable.returncode == 1
    assert json.loads(unreadable.stdout)["outcomes"][0]["error_type"] == "RECORD_INVALID"


def test_a_range_is_meant_where_a_word_begins_with_its_name():
    described = "Paid $90 software for the parents' current project"
    assert [one.for_ for one in open_case("journal", {**_FACTS, "description": described}).facts.ranges_meant] == [
        "software"
    ]
    assert _ALL["rent_paid"].case().facts.ranges_meant[0].for_ == "rent"


def test_the_model_is_offered_the_stated_amounts_and_the_open_days_alone():
    case = _ALL["part_paid"].case()
    schema = case.domain.record.schema(case)
    line = schema["properties"]["lines"]["items"]["properties"]
    assert line["debit_cents"]["enum"] == [0, 500000, 200000, 300000, 1000000]
    assert schema["properties"]["date"]["enum"] == ["2026-03-31"]
    assert schema["properties"]["approved_by"]["enum"] == ["Ruth Adeyemi", "Ines Moreau"]
