"""Greeting and sign-off names are the client's and the sender's; another name warns."""

import pytest

from agent.outcome import Status
from tests.agent.judging import errors, judge

_BODY = "\n\nBX-301 and BX-302 are open, and the total due is $1,730.00.\n\n"


@pytest.mark.parametrize(
    "greeting",
    [
        "Hello Larkspur,",
        "Dear Larkspur Foods Inc,",
        "Dear Nadia,",
        "Dear Ms Brandt,",
        "Hi Nadia Brandt,",
        "Good morning Nadia!",
        "Dear Larkspur team,",
        "Dear Sir or Madam,",
        "To whom it may concern,",
        "Hi there,",
        "Hello,",
        "Dear customer,",
        "Dear accounts payable team,",
    ],
)
@pytest.mark.parametrize(
    "sign_off",
    [
        "",
        "Best regards,\nTheo Lind",
        "Kind regards,\nTheo\nReceivables Desk",
        "Thanks, Theo",
        "Yours sincerely,\n\nTheo Lind",
    ],
)
def test_names_of_the_sheet_pass_clean(greeting: str, sign_off: str) -> None:
    assert errors(judge(greeting + _BODY + sign_off), Status.FAIL, Status.WARN) == set()


@pytest.mark.parametrize(
    ("greeting", "sign_off"),
    [
        ("Dear Bob,", ""),
        ("Hello Globex,", ""),
        ("Dear Mr Smith,", ""),
        ("Hello Nadia,", "Best regards,\nGregor Pohl"),
        ("Hello Nadia,", "Thanks,\nJohn"),
        ("Hello Nadia,", "Cheers, Bob"),
        ("Hello Nadia,", "Our colleague Tom Baker can help."),
        ("Hello Nadia,", "Please ask Dr Watson."),
        ("Hello Nadia,", "Please contact Peter Miller."),
    ],
)
def test_another_name_warns(greeting: str, sign_off: str) -> None:
    verdict = judge(greeting + _BODY + sign_off)
    assert errors(verdict, Status.WARN) == {"UNKNOWN_NAME"}
    assert verdict.verdict == "PASS"
