"""A line is described by its own description."""

import pytest

from agent.outcome import Status
from tests.agent.judging import OPENING, errors, judge


@pytest.mark.parametrize(
    "text",
    [
        "BX-301 (Shelf labels) is late.",
        "BX-302: Refrigeration service.",
        "BX-301 and BX-302 were both for refrigeration service.",
        "BX-301 and BX-302 are for shelf labels and refrigeration service.",
        "Shelf labels (BX-301) is late.",
        "BX-302 covers the refrigeration service.",
    ],
)
def test_another_lines_description_fails(text: str) -> None:
    assert "LINE_DETAIL" in errors(judge(OPENING + text))


@pytest.mark.parametrize(
    "text",
    [
        "BX-301 (Refrigeration service) is late.",
        "BX-302 is for shelf labels.",
        "BX-302 (Shelf labels, 12 rolls) is late.",
        "BX-301 and BX-302 are for refrigeration service and shelf labels.",
        "Refrigeration service (BX-301) and shelf labels (BX-302) are open.",
        "BX-301 is for the refrigeration service.",
    ],
)
def test_its_own_description_passes_clean(text: str) -> None:
    assert errors(judge(OPENING + text), Status.FAIL, Status.WARN) == set()


@pytest.mark.parametrize(
    "text",
    [
        "The refrigeration service was for your warehouse in Dayton.",
        "BX-302 covers barcode printing.",
        "BX-301 relates to compressors.",
    ],
)
def test_a_detail_that_no_description_holds_warns(text: str) -> None:
    assert errors(judge(OPENING + text), Status.WARN) == {"DETAIL_UNSUPPORTED"}
