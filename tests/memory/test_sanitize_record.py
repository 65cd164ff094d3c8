"""A client's record is read by kind or by slot, and a wrong one is refused with its key."""

import pytest

from memory.sanitize import RecordInvalid, read_record


def test_kinds_become_slots_and_the_first_of_each_is_the_client():
    known = read_record(
        {
            "persons": ["Ada Example", "Bo Example", "Cy Example"],
            "organisations": ["Example Ltd", "Sample Ltd"],
            "emails": ["ada@firm.example", "bo@firm.example"],
            "addresses": ["1 Some Street", "2 Some Street"],
            "invoices": ["INV-1"],
            "amounts_cents": [5, 197500],
            "dates": ["2026-03-03"],
        }
    )
    assert known == {
        "CLIENT_NAME": ("Ada Example",),
        "CONTACT_NAME": ("Bo Example",),
        "CONTACT_NAME_2": ("Cy Example",),
        "CLIENT_ORG": ("Example Ltd",),
        "OTHER_ORG": ("Sample Ltd",),
        "CLIENT_EMAIL_1": ("ada@firm.example",),
        "CLIENT_EMAIL_2": ("bo@firm.example",),
        "CLIENT_ADDRESS": ("1 Some Street",),
        "CLIENT_ADDRESS_2": ("2 Some Street",),
        "INVOICE_1": ("INV-1",),
        "AMOUNT_1": ("0.05",),
        "AMOUNT_2": ("1975.00",),
        "DATE_1": ("2026-03-03",),
    }


def test_slots_are_taken_as_they_are():
    assert read_record({"TOTAL_DUE": ["$5.00"], "LINE_1": []}) == {"TOTAL_DUE": ("$5.00",), "LINE_1": ()}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "the record must be a JSON object"),
        ("x", "the record must be a JSON object"),
        ({"persons": "Ada"}, "persons: must be a list"),
        ({"persons": [""]}, r"persons\[0\]: must be a text that is not empty"),
        ({"persons": [None]}, r"persons\[0\]: must be a text"),
        ({"persons": ["Ada", 5]}, r"persons\[1\]: must be a text"),
        ({"persons": ["x" * 501]}, r"persons\[0\]: is longer than 500 characters"),
        ({"people": ["Ada"]}, "people: is neither a kind"),
        ({"total due": ["5"]}, "total due: is neither a kind"),
        ({"": ["5"]}, ": is neither a kind"),
        ({"_": ["5"]}, "_: is neither a kind"),
        ({"amounts_cents": ["5"]}, r"amounts_cents\[0\]: must be a whole number of cents"),
        ({"amounts_cents": [True]}, r"amounts_cents\[0\]: must be a whole number of cents"),
        ({"amounts_cents": [1.5]}, r"amounts_cents\[0\]: must be a whole number of cents"),
        ({"amounts_cents": [10**30]}, r"amounts_cents\[0\]: must be a whole number of cents"),
        ({"dates": ["03/03/2026"]}, r"dates\[0\]: must be a date such as"),
        ({"dates": [5]}, r"dates\[0\]: must be a date such as"),
        ({"persons": ["Ada"] * 10_001}, "persons: holds more than 10,000 values"),
    ],
)
def test_a_wrong_record_names_its_key(given, message):
    with pytest.raises(RecordInvalid, match=message):
        read_record(given)
