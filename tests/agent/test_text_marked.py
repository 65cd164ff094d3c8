"""A pattern is searched for where one of its marks stands, and no match goes without one."""

import re

import pytest

from agent.text.marked import marked
from agent.validators import english
from tests.agent.judging import OPENING, errors, judge


def test_it_finds_what_its_marks_announce() -> None:
    assert [match[0] for match in marked(r"\w+@\w+", "@").finditer("ann@home bob@work")] == ["ann@home", "bob@work"]


def test_a_text_without_a_mark_is_not_searched() -> None:
    assert not list(marked(r"\w+@\w+", "#").finditer("ann@home"))


def test_without_marks_it_always_searches() -> None:
    assert [match[0] for match in marked(r"\d+").finditer("1 and 22")] == ["1", "22"]


def test_marks_may_stand_in_another_copy_of_the_text() -> None:
    assert [match[0] for match in marked(r"(?i:tbd)", "tbd").finditer("It is TBD.", marks_in="it is tbd.")] == ["TBD"]


def test_each_word_that_asks_for_a_click_holds_a_mark() -> None:
    words = re.sub(r"^\\b\(\?:|\)\\b$", "", english.CLICKS).split("|")
    assert all(any(mark in word for mark in english.CLICK_MARKS) for word in words), words


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("PAYMENT_DETAIL", "SWİFT: BUKBGB22."),
        ("PAYMENT_DETAIL", "swıft code bukbgb22."),
        ("PAYMENT_DETAIL", "ſwift: BUKBGB22."),
        ("PLACEHOLDER", "ınsert name."),
        ("PLACEHOLDER", "İnsert name."),
        ("PLACEHOLDER", "fıxme."),
        ("PLACEHOLDER", "inſert name."),
    ],
)
def test_a_letter_that_looks_like_an_i_or_an_s_hides_nothing(error: str, text: str) -> None:
    assert error in errors(judge(OPENING + text))
