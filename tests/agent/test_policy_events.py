"""What was said on a day may be told when an event of that day holds it, and not otherwise."""

import pytest

from agent.domains import open_case
from tests.agent.judging import OPENING, judge, ledger, told
from tests.agent.policing import event, listed, refusals, shown

# True statements beside an event of 3 May 2026, by the kind of the event.
_TOLD = {
    "promise": """
        On the phone on 3 May you promised to pay.
        On the phone on May 3, 2026 you promised to pay.
        In our call on May 3, 2026 you promised to pay.
        On May 3 you promised to pay.
        You promised on May 3 to pay.
        You promised on May 3, 2026 to pay both invoices.
        In your email of May 3 you promised to pay.
        In your letter dated May 3, 2026 you promised payment.
        When we spoke on May 3, you promised to pay.
        You told us on May 3 that you would pay.
        On May 3, 2026, you told us you would pay.
        By phone on May 3, you promised to pay.
        Over the phone on 3 May 2026 you said you would pay.
        You said on May 3 that you would settle both.
        You gave us your word on May 3 that you would pay.
        As you promised on May 3, please pay.
        As promised on May 3, please pay.
        Your promise of May 3 to pay both is noted.
        You assured us on May 3 that you would pay.
        You committed on May 3 to pay.
        On 3 May, you agreed to pay.
    """,
    "call": """
        We spoke on May 3.
        We spoke on the phone on May 3, 2026.
        On May 3 we spoke by phone.
        Thank you for your call on May 3.
        Thank you for your call of 3 May 2026.
        Following our call on May 3, both are open.
        As discussed on May 3, both are open.
        As discussed in our call of May 3, 2026, both are open.
        On the phone on May 3 we discussed both invoices.
        When you called on May 3, we went through both invoices.
        You called us on May 3.
        We called you on May 3, 2026.
        It was good to speak with you on May 3.
        Our conversation on May 3 was helpful.
    """,
    "email": """
        Thank you for your email of May 3.
        Thank you for your email dated May 3, 2026.
        In your email on May 3 you told us that both were received.
        You wrote to us on May 3.
        On May 3 you wrote to us.
        We received your email on May 3.
        Your letter of May 3 reached us.
        As you wrote on May 3, both are in order.
        You emailed us on May 3, 2026.
    """,
    "agreement": """
        As agreed on May 3, please pay.
        As we agreed on May 3, 2026, please pay.
        On May 3 we agreed that you would pay both.
        We agreed on the phone on May 3 that you would pay.
        You agreed on May 3 to pay.
        Our agreement of May 3 stands.
        In our call on May 3 we agreed on payment.
        On 3 May 2026 you agreed to pay both.
        By email on May 3 you agreed to pay.
    """,
}


@pytest.mark.parametrize("kind", _TOLD)
def test_what_an_event_holds_may_be_told_in_many_wordings(kind: str) -> None:
    facts = ledger(events=[event(kind, on="2026-05-03")])
    refused = [(text, found) for text in listed(_TOLD[kind]) if (found := told(judge(OPENING + text, facts=facts)))]
    assert not refused, shown(refused)


@pytest.mark.parametrize("kind", _TOLD)
def test_an_event_of_another_day_or_none_does_not_hold_it(kind: str) -> None:
    others = {"another day": ledger(events=[event(kind, on="2026-04-28")]), "no event": ledger()}
    passed = [
        (why, text)
        for why, facts in others.items()
        for text in listed(_TOLD[kind])
        if not told(judge(OPENING + text, facts=facts))
    ]
    assert not passed, shown(passed)


def test_an_event_of_another_kind_on_that_day_does_not_hold_it() -> None:
    events = [event("promise", on="2026-04-28"), event("email", on="2026-05-03")]
    sheet = open_case("billing", ledger(events=events)).sheet
    assert refusals("You promised to pay on the phone on 28 April.", sheet) == []
    assert refusals("When we spoke on 3 May, you were in a hurry.", sheet) != []
    assert refusals("Your promise of 3 May is noted.", sheet) != []


def test_a_promise_in_writing_was_not_made_on_the_phone() -> None:
    sheet = open_case("billing", ledger(events=[event("promise", "by email: will pay both")])).sheet
    assert refusals("On the phone you promised to pay.", sheet) != []
    assert refusals("In your email you promised to pay.", sheet) == []
