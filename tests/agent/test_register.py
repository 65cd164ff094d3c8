"""Every error type is described once, and the docs page is what the register says."""

import re
from pathlib import Path

import pytest

from agent.validators.catalogue import CATALOGUE
from agent.validators.register import REGISTER, UnknownErrorType, error_type, register_page

_ROOT = Path(__file__).parents[2]


def test_the_docs_page_is_the_register() -> None:
    assert (_ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == register_page()


@pytest.mark.parametrize("entry", REGISTER.values(), ids=lambda entry: entry.code)
def test_each_entry_says_what_it_means_and_what_to_do(entry) -> None:
    for words in (entry.critique, entry.meaning, entry.remedy):
        assert words[0].isupper(), words
        assert words.endswith("."), words
    assert entry.uri == f"/errors/{entry.code}/"
    assert set(entry.domains) <= {"billing", "contracts", "journal", "support", "tasks"}


def test_severities_follow_the_scale() -> None:
    assert error_type("PUNCTUATION").severity == 0.3
    assert error_type("UNKNOWN_ID").severity == 0.9
    assert error_type("FIGURE_UNLICENSED").severity == 1.0


def test_every_code_in_the_validators_is_in_the_register() -> None:
    sources = [path for path in (_ROOT / "agent" / "validators").glob("*.py") if path.name != "english.py"]
    codes = {
        code for path in sources for code in re.findall(r'"([A-Z]{2,}(?:_[A-Z]+)+)"', path.read_text(encoding="utf-8"))
    }
    assert codes
    assert codes <= set(REGISTER), codes - set(REGISTER)


def test_every_entry_names_a_validator_that_exists() -> None:
    known = set(CATALOGUE) | {"any", "frame", "facts", "judge", "pattern", "record", "rubric", "support"}
    assert {entry.validator for entry in REGISTER.values()} <= known


def test_it_refuses_an_unknown_code() -> None:
    with pytest.raises(UnknownErrorType, match="NO_SUCH"):
        error_type("NO_SUCH")
