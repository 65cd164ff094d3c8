import uuid

import pytest
from django.test import Client

from reviewhub.models import Decision, Draft, Queue, State
from tests.hub.pages import form
from tests.hub.written import write_attempt


@pytest.fixture
def draft(make_draft, queue):
    Queue.objects.update(is_demo=True)  # its facts never count as old
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def approve(client, draft, **fields):
    return client.post(f"/drafts/{draft.pk}/approve/", form(draft, **fields), follow=True)


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


def test_it_approves_the_text_as_it_is_and_says_who_and_when(visit, draft):
    page = approve(visit("operator"), draft).text
    decision = Decision.objects.get()
    assert (state_of(draft), decision.verdict, decision.text) == ("approved", "approved_as_is", draft.shown.text)
    assert "Approved as is by operator" in page
    assert "Copy the text" in page
    assert "Undo" in page


def test_a_decision_leads_to_the_draft_that_has_waited_longest(visit, draft, make_draft, now):
    make_draft(State.AWAITING_REVIEW, state_since=now.replace(hour=8))
    oldest = make_draft(State.AWAITING_REVIEW, state_since=now.replace(hour=7))
    make_draft(State.QUEUED, state_since=now.replace(hour=6))
    assert f'href="/drafts/{oldest.pk}/">Next: Acme Ltd' in approve(visit("operator"), draft).text


@pytest.mark.parametrize("name", ["operator", "lead", "admin"])
def test_operators_leads_and_administrators_may(visit, draft, name):
    assert approve(visit(name), draft).status_code == 200
    assert Decision.objects.get().decided_by.username == name


def test_a_viewer_may_not_and_is_told_what_it_needs(visit, draft):
    response = approve(visit("viewer"), draft)
    assert response.status_code == 403
    assert "This needs the role operator in Billing East" in response.text
    assert state_of(draft) == "awaiting_review"


def test_a_stranger_finds_no_such_draft(visit, draft):
    assert approve(visit("stranger"), draft).status_code == 404
    assert state_of(draft) == "awaiting_review"


def test_a_link_cannot_approve(visit, draft):
    assert visit("operator").get(f"/drafts/{draft.pk}/approve/").status_code == 405


def test_a_page_of_another_site_cannot_approve(people, draft):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["operator"])
    response = client.post(
        f"/drafts/{draft.pk}/approve/",
        form(draft),
        headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert response.status_code == 403
    assert "did not come from a page of this site" in response.text
    assert state_of(draft) == "awaiting_review"


def test_pressing_twice_is_one_decision(visit, draft):
    client, key = visit("operator"), uuid.uuid4().hex
    first, second = approve(client, draft, key=key), approve(client, draft, key=key)
    assert (first.status_code, second.status_code) == (200, 200)
    assert Decision.objects.count() == 1


def test_the_second_of_two_people_is_told_who_was_first(visit, draft):
    approve(visit("lead"), draft)
    response = approve(visit("operator"), draft)
    assert response.status_code == 409
    assert "lead was first" in response.text
    assert "Approved as is" in response.text
    assert Decision.objects.get().decided_by.username == "lead"


def test_a_draft_that_moved_on_meanwhile_is_not_approved_unseen(visit, draft):
    Draft.objects.filter(pk=draft.pk).update(version=draft.version + 1, state=State.ESCALATED)
    response = approve(visit("operator"), draft)
    assert response.status_code == 409
    assert "This draft changed while you looked at it" in response.text
    assert "escalated" in response.text


@pytest.mark.parametrize(
    "fields", [{"version": ""}, {"version": "x"}, {"key": ""}, {"key": "short"}, {"version": "-1"}]
)
def test_a_form_without_its_parts_does_nothing_and_shows_the_draft(visit, draft, fields):
    response = approve(visit("operator"), draft, **fields)
    assert response.status_code == 422
    assert "nothing was done" in response.text
    assert state_of(draft) == "awaiting_review"


def test_old_facts_must_be_confirmed(visit, draft):
    Queue.objects.update(is_demo=False)
    refused = approve(visit("operator"), draft)
    assert refused.status_code == 409
    assert "older than this queue allows" in refused.text
    assert state_of(draft) == "awaiting_review"
    assert approve(visit("operator"), draft, facts_confirmed="on").status_code == 200
    assert Decision.objects.get().facts_confirmed


def test_a_draft_that_another_holds_is_not_approved(visit, draft, people, now):
    Draft.objects.filter(pk=draft.pk).update(claimed_by=people["lead"], claimed_until=now.replace(year=2100))
    response = approve(visit("operator"), draft)
    assert response.status_code == 409
    assert "lead is working on this draft until" in response.text
    assert state_of(draft) == "awaiting_review"


def test_an_escalated_draft_needs_a_lead(visit, make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.ESCALATED)
    write_attempt(draft)
    assert approve(visit("operator"), draft).status_code == 403
    assert approve(visit("lead"), draft).status_code == 200


def test_not_even_a_lead_approves_over_a_check_that_must_pass(visit, make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.ESCALATED)
    write_attempt(draft, opening="The total due is $9,999.00, and we will waive it.")
    response = approve(visit("lead"), draft)
    assert response.status_code == 409
    assert "A check that must pass has failed" in response.text
