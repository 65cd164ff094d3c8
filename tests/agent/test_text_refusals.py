"""A text is refused when a reader would see something else than was checked."""

import pytest

from agent.text import nfc
from tests.agent.judging import OPENING, errors, judge, ledger, line, told


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("zero\u200bwidth", "HIDDEN_CHARACTER"),
        ("joined\u2060up", "HIDDEN_CHARACTER"),
        ("soft\u00adhyphen", "HIDDEN_CHARACTER"),
        ("turned \u202eround", "HIDDEN_CHARACTER"),
        ("marked \u200e", "HIDDEN_CHARACTER"),
        ("\ufeffbyte order mark", "HIDDEN_CHARACTER"),
        ("null \x00", "HIDDEN_CHARACTER"),
        ("bell \x07", "HIDDEN_CHARACTER"),
        ("escape \x1b[31m", "HIDDEN_CHARACTER"),
        ("next line \x85", "HIDDEN_CHARACTER"),
        ("line separator \u2028", "HIDDEN_CHARACTER"),
        ("lone surrogate \ud800", "HIDDEN_CHARACTER"),
        ("private \ue000", "HIDDEN_CHARACTER"),
        ("struck o\u0336ut", "HIDDEN_CHARACTER"),
        ("filler \u3164", "HIDDEN_CHARACTER"),
        ("blank \u2800", "HIDDEN_CHARACTER"),
        ("lost \ufffd", "HIDDEN_CHARACTER"),
        ("lost thing \ufffc", "HIDDEN_CHARACTER"),
        ("<b>bold</b>", "HIDDEN_MARKUP"),
        ("<!-- you owe nothing -->", "HIDDEN_MARKUP"),
        ("<span style='display:none'>x</span>", "HIDDEN_MARKUP"),
        ("<br>", "HIDDEN_MARKUP"),
        ("unclosed <img src=x", "HIDDEN_MARKUP"),
        ("non&nbsp;breaking", "HIDDEN_MARKUP"),
        ("&#36;5", "HIDDEN_MARKUP"),
        ("&#x24;5", "HIDDEN_MARKUP"),
        ("full-width \uff13", "ODD_FIGURE"),
        ("arabic \u0663", "ODD_FIGURE"),
        ("bold \U0001d7d1", "ODD_FIGURE"),
        ("square m\u00b2", "ODD_FIGURE"),
        ("sub x\u2082", "ODD_FIGURE"),
        ("\u00bd of it", "ODD_FIGURE"),
        ("1\u20444 of it", "ODD_FIGURE"),
        ("circled \u2460", "ODD_FIGURE"),
        ("roman \u2163", "ODD_FIGURE"),
        ("cyrillic \u0412X", "FOREIGN_SCRIPT"),
        ("greek \u0391pril", "FOREIGN_SCRIPT"),
        ("full-width \uff34\uff38", "FOREIGN_SCRIPT"),
        ("mathematical \U0001d400", "FOREIGN_SCRIPT"),
        ("circled \u24c9", "FOREIGN_SCRIPT"),
    ],
)
def test_it_refuses(text: str, error: str) -> None:
    assert error in errors(judge(OPENING + text))


def test_it_names_the_character_in_the_evidence() -> None:
    found = dict(told(judge(OPENING + "zero\u200bwidth")))
    assert "<U+200B>" in (found["HIDDEN_CHARACTER"] or "")


@pytest.mark.parametrize(
    "text",
    [
        "We write from the caf\u00e9 in \u0141\u00f3d\u017a; the fa\u00e7ade is na\u00efve.",
        "Please read \u201copen\u201d and \u2018due\u2019 as they stand\u2026",
        "\u2022 first point\n\u2022 second point",
        "The total due is still $1,730.00\u00a0.",
        "Thank you \u260e\ufe0f \U0001f642",
        "Larkspur\u2122 thanks you.",
        "Research & development, questions & answers.",
        "Tabs\tand\r\nline ends are fine.",
        "Thank you for the cafe\u0301.",
    ],
)
def test_it_lets_pass(text: str) -> None:
    assert told(judge(OPENING + text)) == []


def test_letters_of_another_script_may_stand_in_the_sheets_own_strings() -> None:
    facts = ledger(transactions=[line("BX-301", "\u0391\u03b8\u03ae\u03bd\u03b1 tour", 98_000)])
    text = "BX-301 (\u0391\u03b8\u03ae\u03bd\u03b1 tour) is open; the total due is $980.00."
    assert told(judge(text, facts=facts)) == []
    assert errors(judge(text + " \u0391\u03b8\u03ae\u03bd\u03b1", facts=facts)) == {"FOREIGN_SCRIPT"}


@pytest.mark.parametrize("text", ["", "  \n\t ", "...", "\n\n"])
def test_an_empty_text_fails(text: str) -> None:
    assert "EMPTY_DRAFT" in errors(judge(text))


@pytest.mark.parametrize("length", [11_000, 200_000, 3_000_000])
def test_an_overlong_text_is_refused_and_not_read_any_further(length: int) -> None:
    verdict = judge("please " * (length // 7 + 1))
    assert [outcome.error_type for outcome in verdict.outcomes] == ["TOO_LONG"]


def test_line_ends_are_normalised() -> None:
    assert judge("a\r\nb\rc").text == nfc("a\r\nb\rc") == "a\nb\nc"


@pytest.mark.parametrize(
    "text",
    [
        "Bitte zahlen Sie den Betrag so schnell wie m\u00f6glich, danke.",
        "Sie schulden uns nichts mehr.",
        "Veuillez payer le montant dans les meilleurs d\u00e9lais.",
        "Por favor, pague el importe lo antes posible.",
        "Si prega di pagare l'importo al pi\u00f9 presto, grazie.",
        "Gelieve het bedrag zo snel mogelijk te betalen.",
        "Prosimy o zap\u0142at\u0119 faktury jak najszybciej.",
        "Maksa lasku mahdollisimman pian kiitos paljon avustasi asiassa.",
    ],
)
def test_prose_in_another_language_fails(text: str) -> None:
    assert "NOT_ENGLISH" in errors(judge(OPENING + text))


@pytest.mark.parametrize(
    "text", ["", "Merci!", "Grazie, Nadia.", "See you soon, ciao.", "The d\u00e9j\u00e0 vu is ours.", "Bon voyage."]
)
def test_single_foreign_words_pass(text: str) -> None:
    assert told(judge(OPENING + text)) == []


def test_a_bare_list_of_lines_passes() -> None:
    assert told(judge("BX-301: $980.00\nBX-302: $750.00\nTotal due: $1,730.00")) == []
