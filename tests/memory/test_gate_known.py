"""Known values are found however they are written, and found quickly among thousands."""

import pytest

from memory.sanitize.gate_known import KnownValues

KNOWN = KnownValues.of(
    [
        "Marguerite Okonkwo-Lindqvist", "Zoë Łukasik", "Brightwater Joinery Ltd", "INV-2031", "Theresa", "Bo Li",
        "Rent", "Bill Rent Ltd", "14 Cooper's Yard", "Jörg Weiß", "",
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("we wrote to marguerite okonkwo lindqvist", ["marguerite okonkwo lindqvist"]),
        ("MARGUERITE\nOKONKWO-LINDQVIST called", ["MARGUERITE\nOKONKWO-LINDQVIST"]),
        ("see www.brightwaterjoineryltd.example", ["brightwaterjoineryltd"]),
        ("zoe lukasik", ["zoe lukasik"]),
        ("ZOË ŁUKASIK's order", ["ZOË ŁUKASIK"]),
        ("line inv 2031 and INV2031 and inv_2031", ["inv 2031", "INV2031", "inv_2031"]),
        ("paid by brightwater joinery today", ["brightwater joinery"]),
        ("the bill rent is open", ["bill rent", "rent"]),
        ("at 14 Coopers Yard", ["14 Coopers Yard"]),
        ("Joerg Weiss", ["Joerg Weiss"]),
        ("jorg weiss", ["jorg weiss"]),
        ("Bo Li's share", ["Bo Li"]),
        ("the rent is due", ["rent"]),
        ("we are currently checking", []),
        ("there sat nobody", []),
        ("the [THERESA] slot and [INV_2031]", []),
        ("t-h-e-r-e-s-a", ["t-h-e-r-e-s-a"]),
        ("Thérèsa", ["Thérèsa"]),
    ],
)
def test_a_value_is_found_folded_joined_and_parted(text, found):
    assert [text[start:end] for start, end in KNOWN.find(text)] == found


@pytest.mark.parametrize(
    ("word", "is_part"),
    [
        ("okonkwo", True),
        ("Lindqvists", True),
        ("BRIGHTWATER", True),
        ("ŁUKASIK", True),
        ("lukasik", True),
        ("weiss", True),
        ("bo", False),
        ("water", False),
    ],
)
def test_a_part_of_a_value_is_three_letters_or_longer(word, is_part):
    assert KNOWN.has_part(word) is is_part


def test_one_of_ten_thousand_values_that_begin_alike_is_found():
    known = KnownValues.of(f"Client Number-{number} Westerveld" for number in range(10_000))
    text = "Please settle this soon. " * 400 + "client number 7342 westerveld"
    assert [text[start:end] for start, end in known.find(text)] == ["client number 7342 westerveld"]
