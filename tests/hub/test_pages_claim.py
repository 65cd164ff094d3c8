import pytest

from reviewhub.models import Draft, State
from tests.hub.pages import form


@pytest.fixture
def draft(make_draft):
    return make_draft(State.AWAITING_REVIEW)


def send(client, draft, act, **fields):
    return client.post(f"/drafts/{draft.pk}/{act}/", form(draft, **fields), follow=True)


def holder(draft):
    held_by = Draft.objects.get(pk=draft.pk).claimed_by
    return held_by.username if held_by else None


def test_a_person_holds_a_draft_and_lets_it_go(visit, draft):
    client = visit("operator")
    assert "held for you until" in send(client, draft, "claim").text
    assert holder(draft) == "operator"
    assert "Hold for me" in send(client, draft, "release").text
    assert holder(draft) is None


def test_holding_twice_is_holding(visit, draft):
    client = visit("operator")
    send(client, draft, "claim")
    assert send(client, draft, "claim").status_code == 200
    assert holder(draft) == "operator"


def test_what_another_holds_is_refused(visit, draft):
    send(visit("lead"), draft, "claim")
    response = send(visit("operator"), draft, "claim")
    assert response.status_code == 409
    assert "lead is working on this draft" in response.text
    assert holder(draft) == "lead"


def test_only_a_lead_takes_over(visit, draft):
    send(visit("operator"), draft, "claim")
    assert "Take over" in visit("lead").get(f"/drafts/{draft.pk}/").text
    assert send(visit("lead"), draft, "claim", take_over="1").status_code == 200
    assert holder(draft) == "lead"
    assert send(visit("operator"), draft, "claim", take_over="1").status_code == 403
    assert holder(draft) == "lead"


def test_letting_go_of_what_another_holds_changes_nothing(visit, draft):
    send(visit("lead"), draft, "claim")
    send(visit("operator"), draft, "release")
    assert holder(draft) == "lead"


@pytest.mark.parametrize("act", ["claim", "release", "redraft"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may(visit, draft, act, name, status):
    assert send(visit(name), draft, act).status_code == status
    assert holder(draft) is None


@pytest.mark.parametrize("act", ["claim", "release", "redraft"])
def test_a_link_cannot(visit, draft, act):
    assert visit("operator").get(f"/drafts/{draft.pk}/{act}/").status_code == 405


def test_a_decided_draft_cannot_be_held(visit, make_draft):
    assert send(visit("operator"), make_draft(State.DECLINED), "claim").status_code == 409


def test_a_new_draft_supersedes_the_old_one_and_is_shown(visit, draft):
    response = send(visit("operator"), draft, "redraft")
    new = Draft.objects.latest("id")
    assert response.redirect_chain[-1][0] == f"/drafts/{new.pk}/"
    assert (Draft.objects.get(pk=draft.pk).state, new.state) == ("superseded", "queued")


def test_asking_for_a_new_draft_twice_makes_one(visit, draft):
    client = visit("operator")
    send(client, draft, "redraft")
    assert send(client, draft, "redraft").status_code == 409
    assert Draft.objects.count() == 2
