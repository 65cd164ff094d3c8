"""A queue's patterns are searched for in prose alone, and a set of checks has a fingerprint."""

import re
from dataclasses import replace

import pytest

from agent.body import Body, Code, Prose
from agent.validators import CHECKS, Check, verify_body
from agent.validators.check import fingerprint
from agent.validators.describe import described
from agent.validators.patterns import PatternParams, pattern_check
from agent.validators.wording import WordingParams
from tests.agent.drafting import NOW, case

_BODY = Body((Code("subject", "Promise"), Prose("opening", "We promise to promise."), Prose("end", "A promise.")), True)


def _pattern(pattern: str, **more) -> Check:
    params = PatternParams(pattern=pattern, critique="It promises.", **more)
    return pattern_check("promises", lambda text: (found.span() for found in re.finditer(pattern, text)), params)


def _said(check: Check, body: Body = _BODY):
    return verify_body(body, sheet=case().sheet, now=NOW, checks=(check,))


def test_it_reports_each_place_in_the_words_of_whoever_wrote_it():
    verdict = _said(_pattern("promise", fix="Say what is known.", severity=0.4))
    assert verdict.verdict == "FAIL"
    assert [verdict.text[slice(*outcome.metadata["span"])] for outcome in verdict.failures] == ["promise"] * 3
    first = verdict.failures[0]
    assert (first.error_type, first.critique, first.suggested_fix) == (
        "PATTERN_FOUND",
        "It promises.",
        "Say what is known.",
    )
    assert (first.severity, first.validator_source) == (0.4, "pattern.promises@1")
    assert "promise" in first.evidence


def test_what_code_renders_is_not_searched():
    assert _said(_pattern("Promise")).verdict == "PASS"


def test_one_that_warns_fails_nothing():
    verdict = _said(_pattern("promise", fails=False))
    assert (verdict.verdict, len(verdict.warnings)) == ("PASS", 3)


@pytest.mark.parametrize("pattern", [r"\b", "x*", r"\s*$"])
def test_one_that_finds_places_without_a_character_still_has_evidence(pattern):
    outcomes = _said(_pattern(pattern)).outcomes
    assert {outcome.error_type for outcome in outcomes} == {"PATTERN_FOUND"}
    assert all(outcome.evidence for outcome in outcomes)


def test_what_it_finds_is_quoted_briefly():
    body = Body((Prose("opening", "so " * 2000),), True)
    assert max(len(outcome.evidence or "") for outcome in _said(_pattern("(?s).+"), body).outcomes) <= 300


def test_a_severity_that_is_set_stands_for_every_other():
    check = replace(_pattern("promise", severity=0.4), severity=0.9)
    assert {outcome.severity for outcome in _said(check).failures} == {0.9}


def test_a_check_that_breaks_keeps_its_own_severity():
    def broken(_reading, _params):
        raise RuntimeError("no")

    verdict = _said(Check(name="broken", version="1", run=broken, severity=0.1))
    assert [(outcome.error_type, outcome.severity) for outcome in verdict.failures] == [("VALIDATOR_ERROR", 1.0)]


@pytest.mark.parametrize(
    "change",
    [
        lambda checks: checks[:-1],
        lambda checks: checks[::-1],
        lambda checks: (replace(checks[0], version="2"), *checks[1:]),
        lambda checks: (replace(checks[0], severity=0.5), *checks[1:]),
        lambda checks: (replace(checks[0], confidence=0.5), *checks[1:]),
        lambda checks: tuple(
            replace(check, params=WordingParams(max_words=9)) if check.name == "wording" else check for check in checks
        ),
        lambda checks: (*checks, _pattern("promise")),
    ],
)
def test_the_fingerprint_changes_with_any_rule(change):
    assert fingerprint(change(CHECKS)) != fingerprint(CHECKS)


def test_the_fingerprint_is_the_same_for_the_same_rules():
    assert fingerprint(tuple(replace(check) for check in CHECKS)) == fingerprint(CHECKS)
    assert len(fingerprint(CHECKS)) == 16


def test_parameters_are_told_in_words():
    lines = list(described(WordingParams()))
    assert lines[2] == "max_words: The most words of prose. A whole number of 1 or more; 150 unless it is set."
    assert lines[0].startswith("banned: Marks that prose may not hold. A list, each item a text; ")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_parameter_says_what_it_sets(check):
    fields = type(check.params).model_fields
    assert all(field.description for field in fields.values())
    assert len(list(described(check.params))) == len(fields)
