"""Phrases, allowed values and JSON schemas: what whoever owns a queue or a rubric may set without writing code."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from agent.body import Body, Code, Prose
from agent.outcome import Status
from agent.validators import Author, Reading, run_checks
from agent.validators.json_schema import CHECK as JSON_SCHEMA
from agent.validators.json_schema import JsonSchemaParams
from agent.validators.listed_phrases import CHECK as PHRASES
from agent.validators.listed_phrases import PhrasesParams
from agent.validators.values import CHECK as VALUES
from agent.validators.values import ValuesParams
from tests.agent.drafting import case
from tests.agent.judging import NOW


def _found(check, params, body, by=Author.AGENT):
    body = Body.free(body) if isinstance(body, str) else body
    reading = Reading(case().sheet, body.render({}), by, body.framed)
    outcomes = run_checks(reading, [replace(check, params=params)], now=NOW)
    return [outcome for outcome in outcomes if outcome.status is not Status.PASS]


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("We guarantee delivery.", []),
        ("This is GUARANTEED\n  delivery.", ["GUARANTEED\n  delivery"]),
        ("It is as is.", []),
        ("It is sold “As Is”.", ["“As Is”"]),
        ("Guaranteed delivery, guaranteed  delivery", ["Guaranteed delivery", "guaranteed  delivery"]),
        ("unguaranteed delivery and guaranteed deliveryman", []),
    ],
)
def test_a_forbidden_phrase_is_found_as_whole_words_however_it_is_written(text, evidence):
    params = PhrasesParams(forbidden=("guaranteed delivery", '"as is"'))
    found = _found(PHRASES, params, text)
    assert [outcome.evidence for outcome in found] == evidence
    assert all(text[slice(*outcome.metadata["span"])] == outcome.evidence for outcome in found)


def test_a_required_phrase_that_is_missing_is_told_with_its_wording():
    params = PhrasesParams(required=("subject to contract",), severity=0.9)
    assert _found(PHRASES, params, "This offer is Subject  to contract.") == []
    (found,) = _found(PHRASES, params, "This offer stands.")
    assert (found.error_type, found.severity) == ("PHRASE_MISSING", 0.9)
    assert "subject to contract" in found.suggested_fix


def test_phrases_are_looked_for_in_prose_and_only_told_to_a_person():
    params = PhrasesParams(forbidden=("final",), required=("thank you",))
    body = Body((Code("subject", "final"), Prose("opening", "Thank you.")), framed=True)
    assert _found(PHRASES, params, body) == []
    assert {outcome.status for outcome in _found(PHRASES, params, "A final word.", Author.PERSON)} == {Status.WARN}


@pytest.mark.parametrize("params", [{"forbidden": [" "]}, {"required": ["x" * 201]}, {"severity": 2}, {"banned": []}])
def test_phrases_that_cannot_be_looked_for_are_refused(params):
    with pytest.raises(ValidationError):
        PhrasesParams.model_validate(params)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Payment method: Card", []),
        ("* **payment method**: bank transfer.", []),
        ("Payment method: cash", ["Payment method: cash"]),
        ("Payment method:", ["Payment method: nothing"]),
        ("Terms: none\nPayment method = cheque\nPriority: 9", ["Payment method: cheque"]),
        ("Our payment method is cash.", []),
        (json.dumps({"payment method": "cash", "other": 1}), ["payment method: cash"]),
        (json.dumps({"payment": {"terms": [30, 45]}}), ["payment.terms: 45"]),
        (json.dumps([1, 2]), []),
        ("[" * 5000, []),
    ],
)
def test_a_labelled_value_has_to_be_among_the_allowed_ones(text, evidence):
    params = ValuesParams(allowed={"Payment method": ("card", "bank transfer"), "payment.terms": ("30",)})
    assert [outcome.evidence for outcome in _found(VALUES, params, text)] == evidence


_SCHEMA = {
    "type": "object",
    "required": ["date"],
    "properties": {"date": {"type": "string"}, "pattern": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ('{"date": "2026-05-01"}', []),
        ('{"date": 3}', ["date: 3 is not of type 'string'"]),
        ("{}", ["the record: 'date' is a required property"]),
        ("Dear all", ["the draft is no JSON at line 1"]),
        ('{"date": "a", "date": "b"}', ["the draft is no JSON"]),
        ("[" * 100_00, ["the draft is no JSON"]),
        ('```json\n{"date": "a"}\n```', ["the draft is no JSON at line 1"]),
    ],
)
def test_a_draft_has_to_fit_its_schema(text, evidence):
    found = _found(JSON_SCHEMA, JsonSchemaParams(json_schema=_SCHEMA), text)
    assert [outcome.evidence for outcome in found] == evidence
    assert {outcome.error_type for outcome in found} <= {"SCHEMA_INVALID"}


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "objekt"}, "no JSON Schema"),
        ({"type": "string", "pattern": "(a+)+$"}, "'pattern'"),
        ({"patternProperties": {"a": {}}}, "'patternProperties'"),
    ],
)
def test_a_schema_that_is_none_or_could_hang_is_refused(schema, says):
    with pytest.raises(ValidationError, match=says):
        JsonSchemaParams(json_schema=schema)


def test_a_reference_out_of_the_schema_fails_the_draft_and_fetches_nothing():
    params = JsonSchemaParams(json_schema={"$ref": "http://127.0.0.1:9/schema.json"})
    assert [outcome.error_type for outcome in _found(JSON_SCHEMA, params, "{}")] == ["VALIDATOR_ERROR"]
