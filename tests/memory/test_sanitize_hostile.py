"""No text hangs, crashes or leaks: long ones, binary ones, ones made to slow a pattern down.

A pattern whose cost grows with the square of the length would need hours for one of the hostile texts.
"""

import re
import sys
import unicodedata

import pytest

from memory.sanitize import addresses, contacts, figures, matching, names, numbers, read_record
from memory.sanitize.figures import Figures
from memory.sanitize.known import index_of
from memory.sanitize.plain import plain
from tests.memory import sanitize_cases as cases
from tests.memory.leaks import sanitizer

KNOWN = read_record(cases.RECORD)
LONG = 100_000

HOSTILE = {
    "letters": "a",
    "digits": "1",
    "digits and spaces": "1 ",
    "digits and dots": "1.",
    "digits and dashes": "12-",
    "digits and commas": "1,",
    "letters and digits": "a1",
    "letters, digits and dashes": "a1-",
    "dots": ".",
    "at signs": "@",
    "local parts": "a.",
    "addresses without an end": "a@",
    "words at words": "a at b dot ",
    "brackets": "(at) ",
    "open brackets": "[",
    "slots": "[A]",
    "slots without an end": "[A",
    "links": "http://",
    "sites": "a.com/",
    "plus signs": "+",
    "phones": "+44 20 ",
    "IBANs": "GB82 WEST ",
    "IBAN starts": "gb82",
    "cues": "ref no. ",
    "tax cues": "vat number id ",
    "stars": "account ****",
    "streets": "1 High ",
    "capitals": "Aa ",
    "units": "Flat 1, ",
    "boxes": "p o box ",
    "towns": "Upper-Lower ",
    "postcodes": "AB1 ",
    "names": "Ingrid ",
    "name starts": "Solheim-",
    "initials": "I.",
    "currencies": "$",
    "amounts": "$1,975.00 ",
    "number words": "one hundred and ",
    "months": "3 March ",
    "apostrophes": "a'",
    "line breaks": "\n",
    "paragraphs": "a\n\n",
    "combining marks": "a\u0301",
    "format characters": "\u200b",
    "masks": "\ufffc",
    "underscores": "a_",
    "ands": "Tamsworth and ",
    "legal forms": "Ltd ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_every_pattern_is_done_with_a_hostile_text(piece):
    page = plain((piece * LONG)[:LONG])
    index = index_of(KNOWN)
    for found in (
        contacts.find(page),
        numbers.find(page),
        addresses.find(page),
        matching.find(page, index, lambda _: True),
    ):
        assert all(0 <= one.start < one.end <= len(page.text) for one in found)


@pytest.mark.parametrize("piece", ["1 ", "$1,975.00 ", "one hundred and ", "3 March ", "a "])
def test_figures_of_a_long_text_are_read(piece):
    page = plain((piece * LONG)[:20_000])
    assert all(one.end <= len(page.text) for one in figures.find(page, Figures()))


def test_names_need_no_words_to_be_looked_for():
    assert list(names.find(plain("Ingrid"), ())) == []


@pytest.mark.parametrize(
    "gap", [chr(code) for code in [*range(0x20), 0x7F, *range(0x80, 0xA0), 0xAD, 0x200B, 0x202E, 0xFEFF]]
)
def test_a_control_or_format_character_hides_no_name(gap):
    text = sanitizer().sanitize(f"Dear Ing{gap}rid, INV-{gap}7301", known=KNOWN).text
    if gap.isspace():  # parts words: what is left of a name is nobody's
        text = sanitizer().sanitize(f"Dear {gap}Ingrid, INV-{gap}7301", known=KNOWN).text
    assert "Ingrid" not in re.sub(r"[^A-Za-z]", "", text)
    assert "7301" not in text


@pytest.mark.parametrize("code", range(0x20))
def test_every_control_character_is_read(code):
    text = f"Thank you.{chr(code)}Please reply."
    assert sanitizer().sanitize(text, known=KNOWN).text == text.replace("\r", "\n")


def test_binary_read_as_text_gives_a_result():
    text = bytes(range(256)).decode("latin-1") * 20
    assert not re.search(r"[0-9]", re.sub(r"\[[A-Z_0-9]+\]", "", sanitizer().sanitize(text, known=KNOWN).text))


def test_a_lone_surrogate_is_no_crash():
    assert (
        sanitizer().sanitize("Dear Ingrid \ud800 7", known=KNOWN).text == "Dear [CLIENT_FIRST_NAME] \ud800 [NUMBER_1]"
    )


@pytest.mark.parametrize(
    "digit",
    [
        chr(code)
        for code in range(sys.maxunicode)
        if unicodedata.category(chr(code)) == "Nd"
        and chr(code).endswith(chr(code))
        and unicodedata.decimal(chr(code)) == 7
    ],
)
def test_digits_of_every_script_are_swept(digit):
    assert digit not in sanitizer().sanitize(f"box {digit}{digit}", known={}).text
