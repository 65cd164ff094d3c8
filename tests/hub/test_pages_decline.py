import re
import uuid

import pytest

from reviewhub.models import Decision, Draft, Review, State
from tests.hub.pages import form
from tests.hub.written import write_attempt


@pytest.fixture
def draft(make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def decline(client, draft, **fields):
    return client.post(f"/drafts/{draft.pk}/decline/", form(draft, **fields), follow=True)


def escalate(client, draft, **fields):
    return client.post(f"/drafts/{draft.pk}/escalate/", form(draft, **fields), follow=True)


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


def test_the_form_offers_the_list_of_reasons(visit, draft):
    page = visit("operator").get(f"/drafts/{draft.pk}/decline/").text
    assert re.findall(r'name="reason" value="(\w+)"', page) == [
        "wrong_facts",
        "wrong_tone",
        "not_needed",
        "answered_elsewhere",
        "unusable",
        "other",
    ]


@pytest.mark.parametrize("state", [State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED])
def test_it_declines_with_a_reason(visit, make_draft, state):
    draft = make_draft(state)
    page = decline(visit("operator"), draft, reason="wrong_tone", note="Too stiff for them.").text
    decision = Decision.objects.get()
    assert (state_of(draft), decision.verdict) == ("declined", "declined")
    assert (decision.review.reason, decision.review.note) == ("wrong_tone", "Too stiff for them.")
    assert "Declined by operator" in page
    assert "Too stiff for them." in page
    assert "Copy the text" not in page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose a reason."),
        ({"reason": "because"}, "because is not one of the available choices"),
        ({"reason": "other", "note": ""}, "Say in a few words why"),
        ({"reason": "other", "note": "   "}, "Say in a few words why"),
        ({"reason": "other", "note": "x" * 2001}, "at most 2000 characters"),
    ],
)
def test_without_a_good_reason_it_asks_again_and_keeps_the_words(visit, draft, fields, said):
    response = decline(visit("operator"), draft, **{"note": "kept words", **fields})
    assert response.status_code == 422
    assert said in response.text
    assert fields.get("note", "kept words").strip() in response.text
    assert state_of(draft) == "awaiting_review"


def test_a_viewer_may_not_and_a_stranger_finds_nothing(visit, draft):
    for name, status in (("viewer", 403), ("stranger", 404)):
        assert visit(name).get(f"/drafts/{draft.pk}/decline/").status_code == status
        assert decline(visit(name), draft, reason="wrong_tone").status_code == status
    assert state_of(draft) == "awaiting_review"


def test_pressing_twice_is_one_decision(visit, draft):
    client, key = visit("operator"), uuid.uuid4().hex
    decline(client, draft, reason="wrong_tone", key=key)
    assert decline(client, draft, reason="wrong_tone", key=key).status_code == 200
    assert Decision.objects.count() == 1


def test_the_second_of_two_people_gets_their_words_back(visit, draft):
    decline(visit("lead"), draft, reason="not_needed")
    response = decline(visit("operator"), draft, reason="wrong_tone", note="I rang them.")
    assert response.status_code == 409
    assert "lead was first" in response.text
    assert "nothing needs to be sent" in response.text
    assert "I rang them." in response.text


def test_the_form_of_a_decided_draft_says_who_decided(visit, draft):
    decline(visit("lead"), draft, reason="not_needed")
    assert visit("operator").get(f"/drafts/{draft.pk}/decline/").status_code == 409


def test_it_hands_a_draft_to_a_lead_with_a_note(visit, draft):
    assert escalate(visit("operator"), draft, note="Is this credit real?").status_code == 200
    assert state_of(draft) == "escalated"
    assert Review.objects.get().note == "Is this credit real?"
    assert "Is this credit real?" in visit("lead").get(f"/drafts/{draft.pk}/").text


@pytest.mark.parametrize("note", ["", "   "])
def test_handing_on_needs_a_note(visit, draft, note):
    response = escalate(visit("operator"), draft, note=note)
    assert response.status_code == 422
    assert "Say what the lead should look at." in response.text
    assert state_of(draft) == "awaiting_review"


def test_a_viewer_may_not_hand_on_and_a_stranger_finds_nothing(visit, draft):
    assert escalate(visit("viewer"), draft, note="x").status_code == 403
    assert escalate(visit("stranger"), draft, note="x").status_code == 404
    assert state_of(draft) == "awaiting_review"


def test_a_draft_of_an_old_page_is_not_handed_on(visit, draft):
    response = escalate(visit("operator"), draft, note="look", version=draft.version + 1)
    assert response.status_code == 409
    assert "look" in response.text
