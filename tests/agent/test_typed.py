"""What a person types becomes a slot again where it can only be that one."""

import pytest

from agent.body import Body, Prose
from agent.typed import with_slots
from tests.agent.drafting import case

VALUES = {
    "TOTAL_DUE": "$1,975.00",
    "OPEN_ITEMS": "two open items",
    "DAYS_OVERDUE": "19 days",
    "OLDEST_DUE": "April 15, 2026",
    "LINE_1": "TX-1001",
    "LINE_2": "TX-1002",
    "DUE_LINES": "TX-1001 and TX-1002",
    "DISPUTED_LINES": "TX-1009",
    "LINE_9": "TX-1009",
    "EMPTY": "",
}


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("The total due is $1,975.00.", "The total due is [TOTAL_DUE]."),
        ("($1,975.00)", "([TOTAL_DUE])"),
        ("$1,975.00, please; $1,975.00!", "[TOTAL_DUE], please; [TOTAL_DUE]!"),
        ("It was due on April 15, 2026, 19 days ago.", "It was due on [OLDEST_DUE], [DAYS_OVERDUE] ago."),
        ("We list two open items.", "We list [OPEN_ITEMS]."),
        ("Please look at TX-1001.", "Please look at [LINE_1]."),
        ("TX-1001 and TX-1002 are open.", "[DUE_LINES] are open."),
        ("TX-1002 and TX-1001 are open.", "[LINE_2] and [LINE_1] are open."),
        ("Total due:\n$1,975.00\n", "Total due:\n[TOTAL_DUE]\n"),
    ],
)
def test_a_value_of_one_slot_becomes_that_slot(typed, folded):
    assert with_slots(typed, VALUES) == folded


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "Nothing is figured here.",
        "TX-1009 is disputed.",  # two slots stand for it
        "$1975.00 or $1,975 or 1,975.00",
        "$1,975.001 or $1,975.00.5 or $1,975.00-2",
        "-$1,975.00 or \u2212$1,975.00 or US$1,975.00 or $$1,975.00",
        "21,975.00 and 2$1,975.00",
        "$1,975.00% of it",
        "119 days or 2.19 days or 19 daysaver",
        "TX-10011 or TX-1001-B or TX-1001.2 or XTX-1001 or A-TX-1001 or #TX-1001",
        "Two open items.",
        "twenty-two open items",
        "[TOTAL_DUE] and [LINE_1] and [TX-1001]ish",
    ],
)
def test_anything_else_stays_as_it_was_typed(typed):
    assert with_slots(typed, VALUES) == typed


def test_what_stands_inside_a_slot_is_left_alone():
    assert with_slots("[DUE] is DUE", {"TOTAL": "DUE"}) == "[DUE] is [TOTAL]"


@pytest.mark.parametrize(
    "typed", ["The total due is $1,975.00.", "TX-1001 and TX-1002, $1,975.00.", "[TOTAL_DUE]", "x"]
)
def test_the_text_that_goes_out_is_the_same(typed):
    values = case().slot_values()

    def rendered(text):
        return Body((Prose("request", text),)).render(values).text

    assert rendered(with_slots(typed, values)) == rendered(typed)
