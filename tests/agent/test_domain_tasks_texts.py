"""Hard checks go by what a text says, not by the words that it holds.

Answers count by their stance (asserted, refused, mentioned, asked); docstrings by what the function does when it runs.
"""

import json
from pathlib import Path

import pytest

from tests.agent.grading import DISCOUNT, SPLIT, failed

_FOLDER = Path(__file__).parent / "tasks"


def _cases(name: str) -> list[tuple[str, set[str]]]:
    cases = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [(case["text"], set(case["fails"])) for case in cases]


@pytest.mark.parametrize(("text", "fails"), _cases("answers"))
def test_an_answer_fails_the_checks_that_it_does_not_meet_and_no_other(text, fails):
    assert failed(text, DISCOUNT) == fails


@pytest.mark.parametrize(("text", "fails"), _cases("docstrings"))
def test_a_docstring_fails_the_checks_that_it_does_not_meet_and_no_other(text, fails):
    assert failed(text, SPLIT) == fails


def test_texts_written_to_mislead_are_refused_and_true_ones_that_look_like_them_are_not():
    cases = json.loads((_FOLDER / "adversarial.json").read_text(encoding="utf-8"))
    for name, task in (("discount", DISCOUNT), ("docstring", SPLIT)):
        for case in cases[name]:
            assert (not failed(case["text"], task)) is case["right"], case["text"]
