"""Whatever is shaped like an id must be a line's id, whole and unaltered but for letter case."""

import pytest

from tests.agent.judging import OPENING, errors, judge, ledger, line, told

_WRONG = """
BX-999 | bx-999 | BX999 | BX 999 | BX-30l | BX-301A | ABX-301 | BX-3011 | BX-0301 | BX-301-2 | BX-301/2
BX_301 | BX.301 | BX- 301 | INV-2041 | INV2041 | #A-20931/7 | #1003 | # 88 | order 4471 | Order: 99871
order number 12 | ticket no. 88 | your ticket number is 88213 | invoice 2041 | invoices 2041 and 2042
Invoice No. 7 | ref: AB12 | Ref. 99-112 | Ref: QWERTY | our reference 2026/114 | PO 5567 | PO#5567 | P.O. 5567
purchase order 71 | case #12345 | case 17 | customer no. 771 | contract C-2024-17 | job 17B | quote Q-19
document DOC-7 | file 12/99 | voucher 8A | credit note 17 | A1B2C3 | SO1234567 | WO-1122 | ORD-77-A | no. 88
number 88 | \u2116 88 | 2024-00017 | 100/2026 | line 7 | claim 5-441 | receipt R-1
"""


@pytest.mark.parametrize("shape", [shape.strip() for row in _WRONG.strip().splitlines() for shape in row.split("|")])
def test_a_number_that_is_no_line_fails(shape: str) -> None:
    assert errors(judge(f"{OPENING}Please see {shape} too."))


@pytest.mark.parametrize(
    "shape",
    [
        "BX-999",
        "BX-301A",
        "BX-301/2",
        "BX 999",
        "INV2041",
        "order 4471",
        "#A-20931/7",
        "ref: AB12",
        "PO 5567",
        "No. 88",
    ],
)
def test_it_is_called_an_unknown_id(shape: str) -> None:
    assert "UNKNOWN_ID" in errors(judge(f"{OPENING}Please see {shape} too."))


def test_an_id_broken_over_a_line_is_no_id() -> None:
    assert {"UNKNOWN_ID", "LINE_MISSING"} <= errors(judge("BX-\n301 and BX-302 are open; the total due is $1,730.00."))


def test_a_look_alike_letter_makes_no_id() -> None:
    text = "\u0412X-301 and BX-302 are open; the total due is $1,730.00."
    assert {"FOREIGN_SCRIPT", "LINE_MISSING"} <= errors(judge(text))


@pytest.mark.parametrize(
    "text",
    [
        "BX-301 and BX-302",
        "bx-301 and Bx-302",
        "BX-301/BX-302",
        "BX-301, BX-302",
        "#BX-301 and #BX-302",
        "Invoices no. BX-301 and no. BX-302",
        "Reference: BX-301, BX-302",
        "**BX-301** and _BX-302_",
        '"BX-301" and (BX-302)',
        "BX\u2011301 and BX\u2011302",
        "BX-301's and BX-302's amounts",
        "- BX-301\n- BX-302\n\nBoth",
        "Two invoices: BX-301 & BX-302",
    ],
)
def test_a_lines_id_may_be_written_so(text: str) -> None:
    assert told(judge(f"{text} are open. The total due is $1,730.00.")) == []


@pytest.mark.parametrize(
    "ids", [("2041", "2042"), ("A 17", "A 18"), ("2026/0042", "2026/0043"), ("A.1093", "A.1110"), ("7", "9")]
)
def test_ids_of_other_shapes_are_known(ids: tuple[str, str]) -> None:
    first, second = ids
    facts = ledger(transactions=[line(first, "Audit", 98_000), line(second, "Hosting", 75_000)])
    assert told(judge(f"{first} and {second} are open; the total due is $1,730.00.", facts=facts)) == []
    assert errors(judge(f"{first} and {second}X are open; the total due is $1,730.00.", facts=facts))


def test_an_id_that_is_a_number_is_no_mention_inside_an_amount() -> None:
    facts = ledger(transactions=[line("173", "Audit", 17_300)])
    assert "LINE_MISSING" in errors(judge("The total due is $173.00.", facts=facts))


@pytest.mark.parametrize("text", ["Shelf labels, 12 rolls, are in BX-302.", "Open invoices: 2", "By the 2nd reminder"])
def test_figures_of_the_sheet_are_no_ids(text: str) -> None:
    assert "UNKNOWN_ID" not in errors(judge(OPENING + text))
