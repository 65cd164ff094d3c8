"""Every kind of personal detail becomes the slot of its role, and clean text stays as it is."""

import pytest

from memory.sanitize import read_record
from tests.memory import sanitize_cases as cases
from tests.memory.leaks import sanitizer

KNOWN = read_record(cases.RECORD)


def sanitized(text):
    return sanitizer().sanitize(text, known=KNOWN).text


@pytest.mark.parametrize(("text", "expected"), cases.PERSONS.items())
def test_a_person_of_the_record_is_found_in_every_form(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.STRANGERS.items())
def test_a_person_nobody_knows_is_found(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.FIRMS.items())
def test_a_firm_is_found_with_and_without_its_legal_form(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.CONTACTS.items())
def test_a_contact_is_found_however_it_is_written(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.NUMBERS.items())
def test_an_official_number_is_found(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.IDS.items())
def test_an_id_is_found_with_and_without_its_prefix(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.ADDRESSES.items())
def test_an_address_is_found_whole_and_in_parts(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases.FIGURES.items())
def test_a_figure_is_found_in_every_form(text, expected):
    assert sanitized(text) == expected


@pytest.mark.parametrize("text", cases.UNCHANGED)
def test_a_clean_text_stays_as_it_is(text):
    assert sanitized(text) == text


@pytest.mark.parametrize(
    "text",
    [
        text
        for table in (
            cases.PERSONS, cases.STRANGERS, cases.FIRMS, cases.CONTACTS, cases.NUMBERS, cases.IDS, cases.ADDRESSES,
            cases.FIGURES,
        )
        for text in table
    ],
)  # fmt: skip
def test_a_sanitised_text_is_left_alone(text):
    once = sanitized(text)
    assert sanitized(once) == once
