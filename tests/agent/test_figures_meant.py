"""A figure that is told of a line without its id is held against the line that is meant."""

import pytest

from tests.agent.judging import errors, judge, ledger, line

_LISTED = "Hello Larkspur, BX-301 and BX-302 are open, and the total due is $1,730.00. "
_ONE = "BX-302 is open too. The total due is $1,730.00. BX-301 was due on April 10, 2026. "


@pytest.mark.parametrize(
    "text",
    [
        _LISTED + "The former is $980.00 and the latter $750.00.",
        _LISTED + "The first one is $980.00, the second one is $750.00.",
        _LISTED + "The second invoice is 16 days overdue.",
        _LISTED + "Both are overdue, the latter since May 4, 2026.",
        _ONE + "It stands at $980.00.",
        _ONE + "It is now 40 days overdue.",
        _ONE + "It would be good to have the $1,730.00 soon.",
        _LISTED + "It is $1,730.00 in all.",
        _LISTED + "The second reminder is always the friendliest.",
        _LISTED + "In the first place, thank you for your patience.",
    ],
)
def test_a_true_figure_passes(text: str) -> None:
    assert not errors(judge(text)) & {"FIGURE_ROLE", "FIGURE_UNLICENSED", "DATE_UNLICENSED", "DURATION_UNLICENSED"}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (_LISTED + "The former is $750.00 and the latter $980.00.", "FIGURE_ROLE"),
        (_LISTED + "The first one is $750.00.", "FIGURE_ROLE"),
        (_LISTED + "The second invoice is 40 days overdue.", "DURATION_UNLICENSED"),
        (_LISTED + "Both are overdue, the latter since April 10, 2026.", "DATE_UNLICENSED"),
        (_LISTED + "The latter has been paid.", "LINE_STATUS"),
        (_ONE + "It stands at $750.00.", "FIGURE_ROLE"),
        (_ONE + "It is now 16 days overdue.", "DURATION_UNLICENSED"),
        (_LISTED + "Both invoices were due on April 10, 2026.", "DATE_UNLICENSED"),
        (_LISTED + "Both are 40 days overdue.", "DURATION_UNLICENSED"),
    ],
)
def test_a_figure_of_the_other_line_fails(text: str, error: str) -> None:
    assert error in errors(judge(text))


def test_a_place_in_a_list_that_is_not_in_order_of_date_means_no_line() -> None:
    turned = ledger(
        transactions=[
            line("BX-301", "Refrigeration service", 98_000, due="2026-05-04"),
            line("BX-302", "Shelf labels", 75_000, due="2026-04-10"),
        ]
    )
    for amount in ("$980.00", "$750.00"):
        assert "FIGURE_ROLE" not in errors(judge(_LISTED + f"The first invoice is {amount}.", facts=turned))
