"""The JSON Schemas under docs/schemas hold for what the hub keeps, and refuse what it refuses."""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from agent.domains import open_case
from agent.facts import FactsInvalid
from agent.verify import verify

SCHEMAS = Path("docs/schemas")
LEDGERS = sorted(Path("fixtures/billing").glob("*/facts.json"))


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker())


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.schema.json")), ids=lambda path: path.name)
def test_every_schema_is_one(path):
    Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.parent.name)
def test_every_ledger_of_the_fixtures_has_the_shape_of_the_schema(path):
    assert list(validator("facts-billing").iter_errors(json.loads(path.read_text()))) == []


def changed(facts, path, value):
    changed = copy.deepcopy(facts)
    *parents, last = path
    place = changed
    for name in parents:
        place = place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("colour",), "red"),
        (("client", "nmae"), "Acme"),
        (("client", "id"), ...),
        (("transactions", 0, "amount_cents"), "1200"),
        (("transactions", 0, "amount_cents"), 12.5),
        (("transactions", 0, "amount_cents"), -1),
        (("transactions", 0, "kind"), "gift"),
        (("transactions", 0, "period"), "March"),
        (("transactions", 0, "currency"), "USD"),
        (("reminders_sent",), -1),
        (("events",), [{"kind": "wish", "on": "2026-05-01", "text": "x"}]),
    ],
)
def test_what_the_schema_refuses_the_hub_refuses(facts, path, value):
    faulty = changed(facts, path, value)
    assert validator("facts-billing").is_valid(facts)
    assert not validator("facts-billing").is_valid(faulty)
    with pytest.raises(FactsInvalid):
        open_case("billing", faulty)


def test_every_outcome_of_a_verification_has_the_shape_of_the_schema(facts, now):
    verdict = verify("The total due is $1.00 \u2014 pay by Friday, [NAME].", domain="billing", facts=facts, now=now)
    assert {outcome.status for outcome in verdict.outcomes} >= {"FAIL"}
    schema = validator("outcome")
    for outcome in verdict.outcomes:
        assert list(schema.iter_errors(outcome.model_dump(mode="json"))) == []
