"""Spoilt drafts are caught, true ones are not refused, and what only a model could tell is said to be undecided."""

import json
import shutil

import pytest

from agent.__main__ import main
from agent.body import Body
from agent.domains import DOMAINS
from agent.fixtures import FIXTURES
from agent.support.check import SupportCheck
from agent.teeth import bite
from agent.validators.verify import verify_body
from tests.agent.drafting import NOW, Steady, case

_LEDGERS = ("client_101", "partial_payment_mixed", "firm_reminder")
_SOURCES = {"wrong_total", "missing_line", "invalid_id", "ungrounded_month", "legal_fee", "longer_call"}


@pytest.fixture(scope="module")
def table():
    return bite({name: case(name) for name in _LEDGERS}, clock=Steady().clock())


def test_nothing_that_code_can_tell_gets_through(table):
    assert [(item.id, item.state) for item in table.missed] == []
    assert all(item.state == "ESCALATED" for item in table.cases if item.caught)


def test_no_true_draft_is_refused(table):
    assert table.clean >= 2 * len(_LEDGERS)
    assert table.clean_rejected == 0


def test_a_true_draft_that_lists_thirty_lines_is_not_refused():
    long = case("ledger_of_forty")
    text = Body.free(long.domain.true_text(long))
    verdict = verify_body(text, sheet=long.sheet, now=NOW, checks=long.checks())
    assert [outcome.evidence for outcome in verdict.failures] == []


def test_the_kinds_of_the_sources_and_more_are_tried(table):
    kinds = {item.kind for item in table.cases}
    assert kinds >= _SOURCES
    assert len(kinds) >= 25


def test_the_semantic_kinds_of_the_source_are_caught_by_code(table):
    semantic = [item for item in table.cases if item.kind in ("legal_fee", "longer_call")]
    assert semantic
    assert all(item.semantic and item.caught for item in semantic)


def test_every_kind_applies_to_some_ledger(table):
    tried = {item.kind for item in table.cases}
    assert [corruption.kind for corruption in DOMAINS["billing"].corruptions if corruption.kind not in tried] == []


def test_an_adviser_is_asked_about_what_only_a_model_can_tell():
    only = {"client_101": case("client_101")}
    alone, advised = (
        bite(only, clock=Steady().clock()),
        bite(only, clock=Steady().clock(), advisers=(SupportCheck(None),)),
    )
    undecided = {item.id for item in alone.cases if item.caught is None}
    assert undecided
    assert alone.clean_doubted is None
    assert not [item.id for item in advised.cases if item.caught is None]
    assert {item.id for item in advised.cases if item.caught is not True} <= undecided
    assert advised.missed == ()  # what only a model could tell is never held against code
    assert advised.clean_doubted in (0, 1)


@pytest.fixture
def few(tmp_path):
    for name in ("client_101", "client_err_math", "client_empty"):
        shutil.copytree(FIXTURES / "billing" / name, tmp_path / "billing" / name)
    return str(tmp_path)


def test_the_command_prints_its_table_as_json(capsys, few):
    code = main(["teeth", "--domain", "billing", "--json", "--fixtures", few])
    data = json.loads(capsys.readouterr().out)
    assert code == 0
    assert data["clean_rejected"] == 0
    # The second ledger is the first one's under another name, and nothing is open on the third.
    assert {item["id"].split("/")[1] for item in data["cases"]} == {"client_101"}
    assert {"id", "domain", "kind", "semantic", "caught", "state"} <= data["cases"][0].keys()


def test_the_command_prints_a_line_for_each_kind(capsys, few):
    assert main(["teeth", "--fixtures", few]) == 0
    out = capsys.readouterr().out
    assert "wrong_total" in out
    assert "true drafts refused: 0 of" in out


@pytest.mark.parametrize("model", ["nobody", "ollama:smollm:135m"])
def test_a_model_that_cannot_be_asked_is_refused(capsys, few, model):
    assert main(["teeth", "--fixtures", few, "--model", model]) == 2
    assert model.removeprefix("ollama:") in capsys.readouterr().err


def test_without_examples_it_says_so(capsys, tmp_path):
    assert main(["teeth", "--fixtures", str(tmp_path)]) == 2
    assert "holds no example cases" in capsys.readouterr().err
