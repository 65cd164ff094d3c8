"""Words that look like a date, a deadline or a count of paid lines, and the ones that are."""

from typing import Any

from tests.agent.judging import OPENING, errors, judge, ledger, line

_FIGURES = {"DATE_UNLICENSED", "DEADLINE_UNLICENSED", "DATE_AMBIGUOUS", "COUNT_UNLICENSED"}


def _with(kind: str, on: str = "2026-05-03") -> dict[str, Any]:
    return ledger(events=[{"kind": kind, "on": on, "text": "as noted"}])


def _refused(texts: list[str], facts: dict[str, Any] | None = None, opening: str = OPENING) -> list[str]:
    return [text for text in texts if errors(judge(opening + text, facts=facts)) & _FIGURES]


def test_a_side_an_own_act_and_a_verb_are_no_dates() -> None:
    assert not _refused(
        [
            "It seems that someone at your end may have overlooked it.",
            "Something at our end may have gone wrong.",
            "An error at either end may be the reason.",
            "What you sent in may have crossed with our letter.",
            "The note that came in may not have reached the right desk.",
            "We can see nothing new at our end.",
            "We would like to clear this up before we close the month.",
            "Could you let us know before we close the month?",
            "It would help us to close the quarter.",
            "We need your payment to close the month.",
            "Settling these would let us close the month.",
        ]
    )


def test_ends_of_months_and_times_to_pay_by_are_dates() -> None:
    texts = [
        "Please pay by end May.",
        "Please pay by end may.",
        "Please pay by the end of May.",
        "Please pay in early may.",
        "Please pay at the end of June 2026.",
        "It was billed in June.",
        "The bill sent in June may have been lost.",
        "Please pay by the end of this month.",
        "Please pay before the close of the month.",
        "Please settle it by close of business.",
        "Please pay before we close the month.",
        "You must settle both before we close the quarter.",
        "Please pay by month end.",
    ]
    assert _refused(texts) == texts


def test_the_day_of_a_promise_is_no_deadline() -> None:
    assert not _refused(
        [
            "The payment you promised on May 3, 2026 has not arrived.",
            "The payment that you promised us on 3 May 2026 has not reached us.",
            "The payment you had promised on 3 May 2026 has not come in.",
            "The transfer promised on 3 May 2026 has not come in.",
            "You promised on 3 May 2026 to pay.",
            "As promised on May 3, 2026, we look forward to your payment.",
        ],
        _with("promise"),
    )
    assert not _refused(["The payment we agreed on 3 May 2026 is still awaited."], _with("agreement"))


def test_a_day_to_pay_by_and_another_day_than_the_promise_fail() -> None:
    texts = [
        "The payment you promised on May 4, 2026 has not arrived.",
        "The transfer promised on 10 April 2026 has not come in.",
        "Please make the payment on May 3, 2026.",
        "Please send the payment promised by 3 May 2026.",
        "Please pay on 3 May 2026, as promised.",
        "You promised to pay by 3 May 2026.",
    ]
    assert _refused(texts, _with("promise")) == texts
    unknown = ["The payment you promised on May 3, 2026 has not arrived.", "As promised on 3 May 2026, both are open."]
    assert _refused(unknown) == unknown


def test_the_day_of_a_message_is_that_of_an_email() -> None:
    assert not _refused(
        [
            "In reply to your message of 3 May 2026, both are open.",
            "With reference to your enquiry of 3 May 2026, both are open.",
            "Thank you for your reply of 3 May 2026.",
            "Thank you for your email on 3 May 2026.",
            "Please see our letter of 3 May 2026.",
            "Your kind note of 3 May 2026 is with our team.",
        ],
        _with("email"),
    )


def test_a_day_without_a_message_and_one_to_answer_by_fail() -> None:
    texts = [
        "In reply to your message of 4 May 2026, both are open.",
        "Thank you for your reply of 10 April 2026.",
        "Please see our letter of 2 May 2026.",
        "Please reply to our message by 3 May 2026.",
        "Please settle both on 3 May 2026.",
    ]
    assert _refused(texts, _with("email")) == texts
    assert _refused(["In reply to your message of 3 May 2026, both are open."])


def test_lines_to_be_paid_are_counted_as_due() -> None:
    assert not _refused(
        [
            "Both are to be paid.",
            "Both still need to be paid.",
            "Both should be settled.",
            "Both are yet to be settled.",
            "Both have not yet been paid.",
            "BX-301 and BX-302 are both to be paid.",
        ]
    )


def test_lines_called_paid_and_wrong_counts_to_be_paid_fail() -> None:
    texts = [
        "Both are paid.",
        "Both have been paid.",
        "Both have been settled already.",
        "All three are to be paid.",
        "Three are to be paid.",
    ]
    assert _refused(texts) == texts
    lines = [*ledger()["transactions"], line("BX-303", "Ice", 1_000, due="2026-05-04", disputed=True)]
    disputed = ledger(transactions=lines)
    opening = "BX-301 and BX-302 are open, BX-303 is disputed, and the total due is $1,730.00. "
    assert not _refused(["Two are to be paid."], disputed, opening)
    assert _refused(["All three are to be paid."], disputed, opening)
