"""In a frame the model's prose speaks in slots, each where it belongs, and holds no figure of its own."""

from typing import Any

import pytest

from agent.body import Body
from agent.domains import open_case
from agent.outcome import Status
from agent.validators import Verdict, verify_body
from tests.agent.judging import NOW, errors, ledger, only, told

_PROSE = {
    "opening": "This is a friendly reminder of the open items on your account.",
    "request": "Please settle the total of [TOTAL_DUE] as soon as you can.",
    "closing": "If you have a question about any of the items, please reply to this message.",
}


def _judge(*, by: str = "agent", facts: dict[str, Any] | None = None, **prose: str) -> Verdict:
    case = open_case("billing", facts or ledger())
    body: Body = case.domain.frame(case, _PROSE | prose)
    return verify_body(body, sheet=case.sheet, slots=case.slots(), values=case.slot_values(), text_by=by, now=NOW)


def test_a_frame_with_its_slots_passes_clean() -> None:
    assert errors(_judge(), Status.FAIL, Status.WARN) == set()


@pytest.mark.parametrize(
    "opening",
    [
        "The sum is $1,730.00.",
        "There are two open items.",
        "Both items are open.",
        "It was due in April.",
        "It was due on Friday.",
        "It is forty days late.",
        "This is our second reminder.",
        "It has been late since last month.",
        "A third of it is open.",
    ],
)
def test_a_literal_figure_fails(opening: str) -> None:
    assert "LITERAL_FIGURE" in errors(_judge(opening=opening))


@pytest.mark.parametrize(
    "opening",
    ["The oldest item is now over ouch days overdue.", "It is istrue weeks late.", "It fell due the-odd months ago."],
)
def test_letters_where_a_figure_belongs_fail_with_the_slot_to_use(opening: str) -> None:
    verdict = _judge(opening=opening)
    outcome = only(verdict, "LITERAL_FIGURE")
    assert outcome.suggested_fix == "Write: the oldest item is [DAYS_OVERDUE] overdue"
    start, end = outcome.metadata["span"]
    assert verdict.text[start:end] == outcome.evidence
    assert outcome.evidence in opening


@pytest.mark.parametrize(
    "opening", ["The items are several weeks overdue.", "The oldest item is [DAYS_OVERDUE] overdue."]
)
def test_a_vague_lateness_and_a_slot_are_no_letters_for_a_figure(opening: str) -> None:
    assert "LITERAL_FIGURE" not in errors(_judge(opening=opening))


@pytest.mark.parametrize(
    "opening",
    [
        "You may have missed our note.",
        "Please take a second look at the items.",
        "If you are not the right one to ask, please pass this on.",
        "We march on together.",
        "One of us is glad to help.",
    ],
)
def test_words_that_only_look_like_figures_pass(opening: str) -> None:
    assert told(_judge(opening=opening)) == []


@pytest.mark.parametrize(
    "request_",
    [
        "We have received [TOTAL_DUE].",
        "Thank you for paying [TOTAL_DUE].",
        "We will refund [TOTAL_DUE].",
        "A fee of [TOTAL_DUE] applies.",
        "The oldest item was paid on [OLDEST_DUE].",
        "Please pay by [OLDEST_DUE].",
    ],
)
def test_a_slot_in_a_clause_of_another_role_fails_with_the_allowed_forms(request_: str) -> None:
    outcome = only(_judge(request=request_), "SLOT_ROLE")
    assert outcome.status is Status.FAIL
    assert (outcome.suggested_fix or "").startswith("Write: ")
    assert outcome.metadata["slot"] in request_


def test_the_span_of_a_slot_is_its_rendering() -> None:
    verdict = _judge(request="We have received [TOTAL_DUE].")
    start, end = only(verdict, "SLOT_ROLE").metadata["span"]
    assert verdict.text[start:end] == "$1,730.00"


@pytest.mark.parametrize("slot", ["[TOTAL]", "[AMOUNT]", "[CLIENT_NAME]", "[PAY_BY]", "[Name]", "{TOTAL_DUE}"])
def test_any_other_bracket_fails(slot: str) -> None:
    assert "PLACEHOLDER" in errors(_judge(request=f"Please settle {slot} now."))


def test_an_id_stands_as_a_slot_only() -> None:
    assert "LITERAL_ID" in errors(_judge(opening="BX-301 is open."))
    assert told(_judge(opening="[LINE_1] is open.")) == []
    assert "UNKNOWN_ID" in errors(_judge(opening="BX-999 is open."))


def test_a_person_may_write_figures_and_ids_of_the_sheet_in_a_frame() -> None:
    assert (
        told(_judge(by="person", opening="BX-301 and BX-302 are open.", request="Please pay the total of $1,730.00."))
        == []
    )
    assert errors(_judge(by="person", request="Please pay the total of $1,739.00.")) & {
        "FIGURE_UNLICENSED",
        "FIGURE_ROLE",
    }


def test_policy_holds_in_a_frame() -> None:
    assert "THREAT_UNLICENSED" in errors(_judge(closing="We will suspend your account."))
    assert "CLAIM_UNSUPPORTED" in errors(_judge(closing="You have not replied to us."))
