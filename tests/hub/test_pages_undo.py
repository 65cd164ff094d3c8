from datetime import timedelta

import pytest
from django.utils import timezone

from reviewhub.models import Decision, Draft, Queue, State
from tests.hub.pages import form
from tests.hub.written import write_attempt


@pytest.fixture
def draft(make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


@pytest.fixture
def approved(visit, draft):
    visit("operator").post(f"/drafts/{draft.pk}/approve/", form(draft))
    draft.refresh_from_db()
    return draft


def undo(client, draft, **fields):
    decision = Decision.objects.latest("id")
    fields = {"decision": decision.pk, **fields}
    return client.post(f"/drafts/{draft.pk}/undo/", form(draft, **fields), follow=True)


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


def test_the_decision_offers_it_to_the_person_who_decided(visit, approved):
    assert f'action="/drafts/{approved.pk}/undo/"' in visit("operator").get(f"/drafts/{approved.pk}/").text
    assert f'action="/drafts/{approved.pk}/undo/"' not in visit("lead").get(f"/drafts/{approved.pk}/").text


def test_it_takes_the_decision_back(visit, approved):
    response = undo(visit("operator"), approved)
    assert response.status_code == 200
    assert "The decision is taken back." in response.text
    assert "Approve as it is" in response.text
    assert state_of(approved) == "awaiting_review"


def test_twice_changes_nothing_more(visit, approved):
    client = visit("operator")
    undo(client, approved)
    assert undo(client, approved).status_code == 200
    assert (state_of(approved), Decision.objects.filter(undone_at=None).count()) == ("awaiting_review", 0)


def test_after_the_time_is_over_it_says_so(visit, approved):
    past = timezone.now() - timedelta(minutes=1)
    Decision.objects.update(decided_at=past, effects_at=past + timedelta(seconds=15))
    assert "/undo/" not in visit("operator").get(f"/drafts/{approved.pk}/").text
    response = undo(visit("operator"), approved)
    assert response.status_code == 409
    assert "The 15 seconds to take a decision back are over." in response.text
    assert state_of(approved) == "approved"


def test_after_the_text_has_left_it_says_so(visit, approved):
    client = visit("operator")
    client.post(f"/drafts/{approved.pk}/copy/", form(approved, decision=Decision.objects.get().pk))
    response = undo(client, approved)
    assert response.status_code == 409
    assert "The text was already copied" in response.text
    assert state_of(approved) == "approved"


@pytest.mark.parametrize(("name", "status"), [("lead", 403), ("viewer", 403), ("stranger", 404)])
def test_nobody_else_may(visit, approved, name, status):
    assert undo(visit(name), approved).status_code == status
    assert state_of(approved) == "approved"


def test_a_decision_of_another_draft_is_not_found(visit, approved, make_draft):
    other = make_draft(State.AWAITING_REVIEW)
    assert undo(visit("operator"), other).status_code == 404
    assert state_of(approved) == "approved"


def test_a_form_without_the_decision_does_nothing(visit, approved):
    assert undo(visit("operator"), approved, decision="").status_code == 422
    assert state_of(approved) == "approved"


def test_a_link_cannot_undo(visit, approved):
    assert visit("operator").get(f"/drafts/{approved.pk}/undo/").status_code == 405
