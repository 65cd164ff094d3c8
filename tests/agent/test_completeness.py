"""A complete text names every open line, credits and disputed ones included, and gives the total due."""

import pytest

from agent.body import Body, Code, Prose
from agent.domains import open_case
from agent.validators import verify_body
from tests.agent.judging import NOW, errors, judge, ledger, line, told


def test_every_missing_line_is_named() -> None:
    found = dict(told(judge("Your account is overdue. The total due is $1,730.00.")))
    assert found == {"LINE_MISSING": "BX-302 is not named"}
    assert [evidence for error, evidence in told(judge("The total due is $1,730.00.")) if error == "LINE_MISSING"] == [
        "BX-301 is not named",
        "BX-302 is not named",
    ]


def test_a_missing_total_is_reported() -> None:
    assert errors(judge("BX-301 and BX-302 are open.")) == {"TOTAL_MISSING"}
    assert errors(judge("BX-301 ($980.00) and BX-302 ($750.00) are open.")) == {"TOTAL_MISSING"}


@pytest.mark.parametrize(
    "total",
    [
        "The total due is $1,730.00.",
        "The balance is $1730.",
        "You owe USD 1,730.00.",
        "In all, that is one thousand seven hundred thirty dollars.",
        "Please pay 1,730 dollars.",
    ],
)
def test_the_total_may_be_written_in_many_ways(total: str) -> None:
    assert told(judge(f"BX-301 and BX-302 are open. {total}")) == []


def test_amounts_of_lines_may_be_left_out() -> None:
    assert told(judge("BX-301 and BX-302 are open; the total due is $1,730.00.")) == []


def test_a_single_lines_amount_may_be_the_total() -> None:
    facts = ledger(transactions=[line("BX-301", "Refrigeration service", 98_000)])
    assert told(judge("BX-301 ($980.00) is open.", facts=facts)) == []


def test_credits_and_disputed_lines_count_and_paid_ones_do_not() -> None:
    lines = [
        line("BX-301", "Refrigeration service", 98_000),
        line("BX-302", "Shelf labels", 75_000, disputed=True),
        line("CR-9", "Returned crates", 8_000, kind="credit", due=None),
        line("BX-290", "Setup", 20_000, paid_cents=20_000),
    ]
    facts = ledger(transactions=lines)
    text = "BX-301 is open, BX-302 is disputed and CR-9 is a credit, so the total due is $900.00."
    assert told(judge(text, facts=facts)) == []
    short = judge("BX-301 is open; the total due is $900.00.", facts=facts)
    assert [evidence for error, evidence in told(short) if error == "LINE_MISSING"] == [
        "BX-302 is not named",
        "CR-9 is not named",
    ]


def test_code_blocks_count() -> None:
    body = Body(
        (
            Prose("opening", "Here is what is open."),
            Code("table", "BX-301 $980.00\nBX-302 $750.00\nTotal due $1,730.00"),
        ),
        framed=True,
    )
    sheet = open_case("billing", ledger()).sheet
    assert told(verify_body(body, sheet=sheet, now=NOW)) == []
    bare = Body((Prose("opening", "Here is what is open."), Code("table", "BX-301 $980.00")), framed=True)
    assert errors(verify_body(bare, sheet=sheet, now=NOW)) == {"LINE_MISSING", "TOTAL_MISSING"}


@pytest.mark.parametrize("by", ["agent", "person"])
def test_it_blocks_for_a_person_too(by: str) -> None:
    assert judge("BX-301 and BX-302 are open.", by=by).blocking
