"""The page of validators is what the code says, its examples run, and every family does what its parameters say."""

import re
from pathlib import Path

import pytest

from agent.body import Body
from agent.validators import CHECKS, Reading, run_checks
from agent.validators.catalogue import CATALOGUE, catalogue_page
from tests.agent.drafting import case
from tests.agent.judging import NOW

_PAGE = (Path(__file__).parents[2] / "docs" / "validators.md").read_text(encoding="utf-8")


def _errors(check, text):
    reading = Reading(case().sheet, Body.free(text).render({}))
    return [outcome.error_type for outcome in run_checks(reading, [check], now=NOW) if outcome.error_type]


def test_the_page_ends_with_the_catalogue_as_it_is():
    assert _PAGE.endswith(catalogue_page()), "Run `python -m agent validators` and put its output at the page's end."


def test_the_page_names_every_validator():
    assert {check.name for check in CHECKS} <= CATALOGUE.keys()
    assert re.findall(r"^### (\S+)$", _PAGE, re.MULTILINE) == list(CATALOGUE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_validator_says_what_it_covers_and_what_it_reports(name):
    section = catalogue_page().split(f"\n### {name}\n")[1].split("\n### ")[0]
    said = section.strip().split("\n\n")
    assert len(said) >= 3, "Say in the second paragraph of the module what the validator covers."
    assert re.search(r"^- Reports: \[", section, re.MULTILINE)


def test_the_examples_of_the_page_run():
    first, second = re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)
    made: dict = {}
    exec(first + second, made)  # noqa: S102 - the page's own examples
    assert _errors(made["CHECK"], "Dear all, hello.") == []
    assert _errors(made["CHECK"], "Hello.") == ["CHECK_FAILED"]
    assert _errors(made["no_questions"], "Why?") == ["CHECK_FAILED"]
