"""Matching runs on a folded copy whose offsets lead back to the text as shown."""

import pytest

from agent.text import MASK, clauses, find_strings, fold, mask, nfc, sentences


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Balance **$1,975.00**", "balance $1,975.00"),
        ("`TX-1` and _open_ and TX_1", "tx-1 and open and tx_1"),
        ("“Quoted” and ‘this’", "\"quoted\" and 'this'"),
        ("R14\u00a0650,75 and\u2009thin", "r14 650,75 and thin"),
        ("non‑breaking – dash −5", "non-breaking – dash -5"),
        ("1–5", "1-5"),
        ("3 * 5, 3*5", "3 * 5, 3*5"),
        ("two  spaces\tand tab \n next", "two spaces and tab\nnext"),
        ("zero\u200bwidth", "zerowidth"),
        ("STRASSE Straße", "strasse strasse"),
    ],
)
def test_it_folds(text: str, folded: str) -> None:
    assert fold(text).text == folded


def test_offsets_lead_back_to_the_shown_text() -> None:
    text = "Die Straße:  **$1,975.00**!"
    copy = fold(text)
    at = copy.text.index("$1,975.00")
    assert copy.quote(at, at + 9) == "$1,975.00"
    at = copy.text.index("strasse")
    assert copy.quote(at, at + 7) == "Straße"


def test_nfc_composes_and_unifies_line_ends() -> None:
    assert nfc("e\u0301\r\nx\ry") == "é\nx\ny"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Pay Acme Ltd. now. See no. 88.", ["pay acme ltd. now.", "see no. 88."]),
        ("It is $1,200.00. A.1 is open.", ["it is $1,200.00.", "a.1 is open."]),
        ("A is open\nB is paid", ["a is open", "b is paid"]),
        ("a wrapped line that\ngoes on", ["a wrapped line that\ngoes on"]),
        ("due on 31\nMarch", ["due on 31\nmarch"]),
        ("- one\n- two", ["- one", "- two"]),
        ("| a | 1 |\n| b | 2 |", ["| a | 1 |", "| b | 2 |"]),
        ("first\n\nsecond", ["first", "second"]),
        ("Is it? Yes!", ["is it?", "yes!"]),
    ],
)
def test_it_parts_sentences(text: str, parts: list[str]) -> None:
    copy = fold(text)
    assert [copy.text[start:end] for start, end in sentences(copy)] == parts


def test_what_goes_on_without_end_is_read_in_pieces() -> None:
    copy = fold("word " * 2000)
    assert max(end - start for start, end in sentences(copy)) <= 1500


def test_it_parts_clauses() -> None:
    text = "a is open (really); b was paid, but c is not"
    assert [text[start:end] for start, end in clauses(text, (0, len(text)))] == [
        "a is open",
        "really",
        "b was paid,",
        "but c is not",
    ]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("our 30-minute call", "our " + MASK * 14),
        ("our 130-minute call", "our 130-minute call"),
        ("our 30-minute\ncalls", "our 30-minute\ncalls"),
        ("our 30-minute\ncall", "our " + MASK * 14),
    ],
)
def test_it_hides_whole_strings_only(text: str, hidden: str) -> None:
    assert mask(text, ["30-minute call"]) == hidden


def test_longer_strings_hide_first() -> None:
    assert find_strings("acme ltd and acme", ["Acme", "Acme Ltd"]) == [(0, 8), (13, 17)]
