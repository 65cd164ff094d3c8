"""Support: every example reaches its stated end, true replies pass, wrong ones fail."""

import json
from collections import Counter
from pathlib import Path

import pytest

from agent.budget import limits_for
from agent.domains import open_case
from agent.facts import FactsInvalid
from agent.fixtures import fixtures
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, run_draft
from agent.outcome import Status
from agent.teeth import bite
from agent.verify import verify
from tests.agent.drafting import NOW, Steady

_ALL = {fixture.name: fixture for fixture in fixtures("support")}
_CLOCK = Clock(sleep=lambda seconds: None)


@pytest.mark.parametrize("name", _ALL)
def test_it_ends_as_stated(name):
    fixture = _ALL[name]
    case = fixture.case()
    run = run_draft(case, ScriptedModel(fixture.scripted), limits=limits_for(case), clock=_CLOCK)
    found = [(outcome.error_type, outcome.evidence) for attempt in run.attempts for outcome in attempt.failures]
    assert (str(run.state), str(run.stop.reason)) == (fixture.expect["state"], fixture.expect["stop_reason"]), found
    assert len(run.attempts) == fixture.expect["attempts"], found
    assert [gap.code for gap in run.gaps] == fixture.expect.get("gaps", [])
    failed = {outcome.error_type for outcome in run.attempts[0].failures} if run.attempts else set()
    assert set(fixture.expect.get("errors", [])) <= failed
    if words := fixture.expect.get("conflicts"):
        assert all(word in (run.findings[0].evidence or "") for word in words)


def test_there_are_eight_of_each_kind():
    kinds = Counter(fixture.facts["kind"] for fixture in _ALL.values())
    assert min(kinds[kind] for kind in ("refund", "product", "complaint")) >= 8


_SPOILT = ("refund_in_window", "refund_late", "refund_made", "product_warranty", "complaint_noise")


def _drafted():
    return {name: open_case("support", _ALL[name].facts) for name in _SPOILT}


def test_spoilt_replies_are_caught_and_true_ones_are_not_refused():
    table = bite(_drafted(), clock=Steady().clock())
    assert [(item.id, item.errors) for item in table.missed] == []
    assert table.clean_rejected == 0
    kinds = {item.kind for item in table.cases}
    assert len(kinds) >= 25


_FOLDER = Path(__file__).parent / "replies"
_CASE = json.loads((_FOLDER / "case.json").read_text())


_OTHER_CASE = json.loads((_FOLDER / "other_case.json").read_text())


def _failures(text, facts=_CASE):
    verdict = verify(text, domain="support", facts=facts, now=NOW)
    return [f"{one.error_type}: {one.evidence}" for one in verdict.outcomes if one.status is Status.FAIL]


def _wrap(sentence, name="Lena Osei"):
    return f"Dear {name},\n\n{sentence}\n\nKind regards,\nAlex Reed"


def _lines(name):
    return (_FOLDER / f"{name}.txt").read_text().splitlines()


def test_true_sentences_are_not_refused():
    refused = {line: found for line in _lines("true") if (found := _failures(_wrap(line)))}
    assert refused == {}
    assert len(_lines("true")) >= 120


def test_wrong_sentences_are_refused():
    assert [line for line in _lines("wrong") if not _failures(_wrap(line))] == []
    assert len(_lines("wrong")) >= 60


_ELECTRIC = {
    "kb": [
        *_CASE["kb"],
        {"id": "KB-4", "text": "The drill battery lasts 4 hours.", "uri": "https://help.northwind.example/kb-4"},
    ]
}
_NEW = ("other_true", "other_wrong")
_OTHER = {"id": "KB-5", "uri": "https://help.northwind.example/kb-5"}


@pytest.mark.parametrize(
    ("changes", "gaps", "conflicts"),
    [
        ({}, [], []),
        ({"questions": ["Is the lamp waterproof?"]}, ["NO_ARTICLE"], []),
        ({"questions": ["Is the lamp waterproof?"], "kb": []}, ["NO_ARTICLE"], []),
        (
            {"message": "Guten Tag, ich habe die Ware nicht bekommen und bitte um eine Antwort."},
            ["LANGUAGE_UNSUPPORTED"],
            [],
        ),
        ({"message": "Здравствуйте, где мой заказ?"}, ["LANGUAGE_UNSUPPORTED"], []),
        (
            {"kb": [*_ELECTRIC["kb"], {**_OTHER, "text": "The drill battery lasts 6 hours."}]},
            [],
            ["KNOWLEDGE_BASE_DISAGREES"],
        ),
        ({"kb": [*_ELECTRIC["kb"], {**_OTHER, "text": "The saw battery is sold alone."}]}, [], []),
        (
            {"kb": [{**_OTHER, "text": "You can get a refund within 60 days of delivery."}]},
            [],
            ["KNOWLEDGE_BASE_DISAGREES"],
        ),
        (
            {"policies": [*_CASE["policies"], {**_CASE["policies"][0], "id": "POL-9", "value": 14}]},
            [],
            ["POLICIES_DISAGREE"],
        ),
        (
            {"events": [{"kind": "refund", "on": "2026-04-20", "order": "NW-4900", "amount_cents": 9999}]},
            [],
            ["REFUND_ABOVE_PAID"],
        ),
    ],
)
def test_what_keeps_a_customer_from_being_answered(changes, gaps, conflicts):
    case = open_case("support", {**_CASE, **changes})
    assessment = case.domain.assess(case.facts, case.sheet)
    assert [gap.code for gap in assessment.gaps] == gaps
    assert [conflict.code for conflict in assessment.conflicts] == conflicts


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"orderz": []}, "orderz"),
        ({"policies": [{**_CASE["policies"][0], "rule": "free_lunch"}]}, "policies.0.rule"),
        ({"policies": [{**_CASE["policies"][0], "rule": "refund_percent", "value": 101}]}, "policies.0.value"),
        ({"events": [{"kind": "call", "on": "2026-04-20", "order": "NW-1"}]}, "events.0.order"),
        ({"orders": [*_CASE["orders"], *_CASE["orders"]]}, "orders.1.id"),
        ({"message": " "}, "message"),
        ({"locale": "de_DE"}, "locale"),
        ({"as_of": 20260430}, "as_of"),
    ],
)
def test_wrong_facts_are_refused_by_their_path(changes, path):
    with pytest.raises(FactsInvalid) as refused:
        open_case("support", {**_CASE, **changes})
    assert path in {problem.path for problem in refused.value.problems}


@pytest.mark.parametrize(
    ("delivered", "as_of", "situation"),
    [
        ("2026-04-12", "2026-05-12", "refund_granted"),
        ("2026-04-12", "2026-05-13", "refund_denied"),
        (None, "2026-05-13", "refund_open"),
    ],
)
def test_the_window_decides_on_its_last_day_and_the_day_after(delivered, as_of, situation):
    order = {**_CASE["orders"][0], "delivered_on": delivered}
    assert open_case("support", {**_CASE, "orders": [order], "as_of": as_of}).sheet.situation == situation


def test_sentences_about_another_case_are_judged_as_well():
    found = {name: {line: _failures(_wrap(line, "Marta Lis"), _OTHER_CASE) for line in _lines(name)} for name in _NEW}
    assert {line: errors for line, errors in found["other_true"].items() if errors} == {}
    assert [line for line, errors in found["other_wrong"].items() if not errors] == []


def test_firm_but_proper_replies_are_not_called_rude():
    rude = [line for line in _lines("firm") if any(found.startswith("TONE") for found in _failures(_wrap(line)))]
    assert rude == []
    assert len(_lines("firm")) == 30
