"""Several lines in one text: lists, tables, pairs, sums, comparisons, and lines that are not yet due."""

import pytest

from tests.agent.brook import BROOK, errors, found, shown

_LINES = [
    ("K-1", "January hosting", "2026-01", 10000, 0, "2026-02-15"),
    ("K-2", "Two-day workshop", "2026-02", 25000, 5000, "2026-03-20"),
    ("K-3", "Licences", "2026-04", 30000, 0, "2026-05-10"),
]
_KEYS = ("id", "description", "period", "amount_cents", "paid_cents", "due")
FACTS = BROOK | {
    "transactions": [dict(zip(_KEYS, line, strict=True), kind="invoice", disputed=False) for line in _LINES],
    "reminders_sent": 0,
    "policy": {"pay_by": "2026-05-08"},
}
OPENING = "K-1 ($100.00), K-2 ($200.00 of $250.00) and K-3 ($300.00) are open, $600.00 in total. "

_TRUE = [
    OPENING,
    OPENING + "K-3 is not yet due.",
    OPENING + "K-1 and K-2 are overdue.",
    OPENING + "Two of them are overdue.",
    OPENING + "The overdue total is $300.00.",
    OPENING + "$300.00 of this is overdue.",
    OPENING + "K-3 falls due on May 10.",
    OPENING + "K-3 falls due in ten days.",
    OPENING + "Please pay by May 8.",
    OPENING + "Please pay by Friday, May 8.",
    OPENING + "Please pay within 8 days.",
    OPENING + "This is our first reminder.",
    OPENING + "This is a first, friendly note.",
    OPENING + "You have already been reminded once.",
    OPENING + "K-1 is for January and K-2 for February.",
    OPENING + "The oldest, K-1, was due in February.",
    OPENING + "K-1 is the oldest.",
    OPENING + "K-3 is the largest.",
    OPENING + "The two-day workshop is $200.00.",
    OPENING + "January hosting is $100.00.",
    OPENING + "For K-2, $50.00 has been paid and $200.00 remains.",
    OPENING + "We thank you for the $50.00 on K-2.",
    OPENING + "K-2 was $250.00 originally.",
    OPENING + "K-1 is 74 days late, K-2 41 days.",
    OPENING + "K-1 has been late for ten weeks, K-2 for five.",
    OPENING + "K-1 and K-2 come to $300.00.",
    OPENING + "K-1 and K-2 come to $350.00.",
    OPENING + "K-1 plus K-3 is $400.00.",
    "K-1 $100.00\nK-2 $200.00\nK-3 $300.00\n-----\nTotal $600.00",
    (
        "| Line | Invoiced | Paid | Open | Due |\n|---|---:|---:|---:|---|\n| K-1 | $100.00 | $0.00 | "
        "$100.00 | 15 Feb 2026 |\n| K-2 | $250.00 | $50.00 | $200.00 | 20 Mar 2026 |\n| K-3 | $300.00 | "
        "$0.00 | $300.00 | 10 May 2026 |\n| Total | | | $600.00 | |"
    ),
    "- K-1: $100.00, due 15 Feb\n- K-2: $200.00, due 20 Mar\n- K-3: $300.00, due 10 May\nTotal: $600.00",
    (
        "K-1, K-2 and K-3 (due 15 February, 20 March and 10 May 2026) are open at $100.00, $200.00 and "
        "$300.00. Total: $600.00."
    ),
    "1. K-1 is open ($100.00).\n2. K-2 is open ($200.00).\n3. K-3 is open ($300.00).",
    "1. K-1 is open. 2. K-2 is open. 3. K-3 is not yet due. In all, $600.00 is due.",
    "(1) K-1 and K-2 are overdue.\n(2) K-3 is not yet due.\nThe total is $600.00.",
    "You owe $600.00: $300.00 overdue (K-1 and K-2) and $300.00 not yet due (K-3).",
    "K-1, K-2, K-3: $600.00. Of that, K-1 and K-2 ($300.00) are overdue; K-3 is due on 10 May.",
    "Total due: $600.00\nK-1: $100.00 (74 days overdue)\nK-2: $200.00 (41 days overdue)\nK-3: $300.00 (due May 10)",
]

_FALSE = [
    OPENING + "K-1 is not yet due.",
    OPENING + "K-3 is overdue.",
    "1. K-1 is open. 3. K-2 is open. 4. K-3 is not yet due. In all, $600.00 is due.",
    OPENING + "2. K-3 is not yet due.",
    OPENING + "Open items: 1. K-3 is not yet due.",
    OPENING + "K-1, K-2 and K-3 are overdue.",
    OPENING + "Three of them are overdue.",
    OPENING + "All three are overdue.",
    OPENING + "The overdue total is $600.00.",
    OPENING + "K-3 falls due in two weeks.",
    OPENING + "Please pay by May 10.",
    OPENING + "Please pay K-3 by May 10.",
    OPENING + "Please pay by Thursday, May 8.",
    OPENING + "Please pay within a week.",
    OPENING + "K-1 is for February and K-2 for January.",
    OPENING + "The oldest, K-2, was due in March.",
    OPENING + "K-2 is the largest.",
    OPENING + "The three-day workshop is $200.00.",
    OPENING + "January hosting is $200.00.",
    OPENING + "For K-2, $200.00 has been paid and $50.00 remains.",
    OPENING + "We thank you for the $50.00 on K-1.",
    OPENING + "K-2 was $200.00 originally.",
    OPENING + "K-1 is 41 days late, K-2 74 days.",
    OPENING + "K-1 has been late for ten weeks, K-2 for six.",
    OPENING + "K-1 and K-2 come to $600.00.",
    OPENING + "K-1 plus K-3 is $500.00.",
    "K-1 $100.00\nK-2 $300.00\nK-3 $200.00\n-----\nTotal $600.00",
    (
        "| Line | Invoiced | Paid | Open | Due |\n|---|---:|---:|---:|---|\n| K-1 | $100.00 | $0.00 | "
        "$100.00 | 15 Feb 2026 |\n| K-2 | $250.00 | $200.00 | $50.00 | 20 Mar 2026 |\n| K-3 | $300.00 | "
        "$0.00 | $300.00 | 10 May 2026 |\n| Total | | | $600.00 | |"
    ),
    (
        "| Line | Invoiced | Paid | Open | Due |\n|---|---:|---:|---:|---|\n| K-1 | $100.00 | $0.00 | "
        "$100.00 | 15 Feb 2026 |\n| K-2 | $250.00 | $50.00 | $200.00 | 15 Feb 2026 |\n| K-3 | $300.00 | "
        "$0.00 | $300.00 | 10 May 2026 |\n| Total | | | $600.00 | |"
    ),
    "- K-1: $100.00, due 20 Mar\n- K-2: $200.00, due 15 Feb\n- K-3: $300.00, due 10 May\nTotal: $600.00",
    (
        "K-1, K-2 and K-3 (due 15 February, 10 May and 20 March 2026) are open at $100.00, $200.00 and "
        "$300.00. Total: $600.00."
    ),
    "Total due: $600.00\nK-1: $100.00 (41 days overdue)\nK-2: $200.00 (74 days overdue)\nK-3: $300.00 (due May 10)",
]


@pytest.mark.parametrize("text", _TRUE)
def test_what_is_true_of_several_lines_passes(text: str) -> None:
    assert not errors(text, FACTS), shown(found(text, FACTS))


@pytest.mark.parametrize("text", _FALSE)
def test_what_is_false_of_one_of_them_fails(text: str) -> None:
    assert errors(text, FACTS)
