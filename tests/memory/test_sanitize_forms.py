"""Rarer forms of personal details become the slots of their roles too."""

import pytest

from memory.sanitize import read_record
from tests.memory import sanitize_forms as forms
from tests.memory.leaks import sanitizer

KNOWN = read_record(forms.RECORD)
CASES = {**forms.NAMES, **forms.FIRMS, **forms.CONTACTS, **forms.IDS, **forms.ADDRESSES, **forms.FIGURES}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_a_detail_is_found_however_it_is_written(text, expected):
    once = sanitizer().sanitize(text, known=KNOWN).text
    assert once == expected
    assert sanitizer().sanitize(once, known=KNOWN).text == once
