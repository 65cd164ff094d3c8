"""Every example case, with its scripted outputs, reaches the end that it states."""

from collections import Counter

import pytest

from agent.body import SLOT, Body
from agent.budget import limits_for
from agent.fixtures import FIXTURES, Fixture, PastEdit, fixtures, past_edits
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, DraftRun, run_draft
from agent.outcome import Status
from agent.validators.reading import Author
from agent.validators.verify import verify_body

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
    assert len({sheet.hash for sheet in sheets}) >= 25
    assert {sheet.situation for sheet in sheets} == set(_ALL["client_101"].case().domain.situations)
    assert len({sheet.currency for sheet in sheets}) >= 8
    assert {"en_US", "en_GB", "en_IE", "en_IN", "en_AU"} <= {sheet.locale for sheet in sheets}
    assert {"JPY", "KWD", "EUR"} <= {sheet.currency for sheet in sheets}  # no, three and two minor digits
    assert {0, 1, 40} <= {len(sheet.lines) for sheet in sheets}
    assert [sheet.money("total_due") for sheet in sheets if sheet.money("total_due") < 0], "a credit balance"
    statuses = Counter(str(line.status) for sheet in sheets for line in sheet.lines)
    assert min(statuses[name] for name in ("open", "paid", "credit", "disputed")) >= 5, statuses


def test_each_client_has_an_id_and_a_name_of_its_own():
    clients = [fixture.facts["client"] for fixture in _ALL.values()]
    for key in ("id", "name", "contact"):
        given = [client[key] for client in clients if key in client]
        assert len(given) == len(set(given)), key


def test_nothing_in_an_example_reaches_a_person_or_a_firm():
    for fixture in _ALL.values():
        for facts in (fixture.facts, *(edit.facts for edit in _edits(fixture.name))):
            for holder in (facts["client"], facts.get("sender") or {}):
                assert holder.get("email", "@x.example").endswith(".example")
                assert any(range_ in holder.get("phone", "555 01") for range_ in ("555 01", "20 7946 0"))


def _edits(name: str) -> tuple[PastEdit, ...]:
    return past_edits(FIXTURES / "billing" / name, "billing")


_WITH_EDITS = {name: _edits(name) for name in _ALL if _edits(name)}
_EDITS = [(name, edit) for name, edits in _WITH_EDITS.items() for edit in edits]


@pytest.mark.parametrize(("name", "edit"), _EDITS, ids=[f"{name}, {edit.name}" for name, edit in _EDITS])
def test_a_past_edit_was_a_draft_that_passed_and_a_text_that_a_person_could_approve(name, edit):
    case = edit.case()
    assert case.sheet.as_of <= edit.decided_at.date() < _ALL[name].case().sheet.as_of
    assert edit.facts["client"] == _ALL[name].facts["client"]
    slots, values = case.slots(), case.slot_values()
    typed = {block: Body.free(text).render(values).text for block, text in edit.person.items()}
    assert list(typed) == list(edit.draft) == [block.name for block in case.blocks()]
    for prose, by in ((edit.draft, Author.AGENT), (typed, Author.PERSON)):
        body = case.domain.frame(case, prose)
        checked = verify_body(body, sheet=case.sheet, slots=slots, values=values, now=edit.decided_at, text_by=by)
        failures = [(item.error_type, item.evidence) for item in checked.outcomes if item.status is Status.FAIL]
        assert not failures
    assert edit.draft != edit.person
    assert set(SLOT.findall(" ".join(edit.person.values()))) <= set(case.offered()), (
        "or no later draft could be shown it"
    )


def test_client_101_has_five_past_edits_in_one_manner():
    edits = _WITH_EDITS["client_101"]
    assert len(edits) == len({edit.name for edit in edits}) == 5
    assert all("we will look into it" in edit.person["closing"] for edit in edits)
    assert all("we will look into it" not in " ".join(edit.draft.values()) for edit in edits)


@pytest.mark.parametrize(
    ("name", "asked", "newest"),
    [("client_a", "formal_notice", "check_in"), ("client_b", "dispute_reply", "gentle_reminder")],
)
def test_recency_alone_would_recall_the_wrong_manner(name, asked, newest):
    edits = {edit.name: edit.case().sheet.situation for edit in _WITH_EDITS[name]}
    assert _ALL[name].case().sheet.situation == asked == edits[_ALL[name].expect["recalls"]]
    assert list(edits)[-1] == _ALL[name].expect["recency_recalls"]
    assert list(edits.values())[-1] == newest
    assert list(edits.values()).count(asked) == 1
