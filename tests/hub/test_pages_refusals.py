import pytest
from django.test import Client

from agent.validators.register import REGISTER
from reviewhub.csp import CONTENT_SECURITY_POLICY
from reviewhub.models import State
from reviewhub.views import queues
from tests.hub.written import write_attempt


def test_health_needs_no_sign_in(db):
    response = Client().get("/healthz")
    assert (response.status_code, response.text) == (200, "ok")
    assert Client().post("/healthz").status_code == 405


@pytest.mark.parametrize("path", ["/login/", "/", "/nowhere/", "/admin/login/", "/healthz", "/static/reviewhub.css"])
def test_every_answer_carries_the_policy(db, path):
    headers = Client().get(path).headers
    assert headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Permissions-Policy"]
    assert headers["Cache-Control"]


def test_no_page_holds_an_inline_script_style_or_handler(visit, make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    client = visit("operator")
    for path in ("/queues/billing-east/", f"/drafts/{draft.pk}/", f"/drafts/{draft.pk}/edit/", "/errors/", "/nowhere/"):
        page = client.get(path).text
        assert "<style" not in page
        assert "style=" not in page
        assert " on" + "click=" not in page
        assert page.count("<script") == page.count('<script src="/static/')


def test_a_page_that_is_not_there_says_where_to_go(visit, queue):
    response = visit("operator").get("/nowhere/")
    assert response.status_code == 404
    assert "Go to your queues" in response.text


def test_a_fault_of_ours_says_that_nothing_typed_is_lost(visit, queue, monkeypatch):
    monkeypatch.setattr(queues, "PAGE", None)
    client = visit("operator")
    client.raise_request_exception = False
    response = client.get("/queues/billing-east/")
    assert response.status_code == 500
    assert "Something failed on our side" in response.text


def test_a_host_that_is_not_ours_is_refused(db):
    response = Client().get("/login/", headers={"Host": "evil.example"})
    assert response.status_code == 400


@pytest.mark.parametrize(("model", "said"), [("scripted", True), ("scripted:x.json", True), ("embedded", False)])
def test_every_page_says_when_drafts_are_canned(settings, visit, queue, model, said):
    settings.REVIEWHUB_MODEL = model
    client = visit("operator")
    for path in ("/queues/billing-east/", "/errors/", "/nowhere/", "/queues/billing-east/new/"):
        assert ("Drafts are canned." in client.get(path).text) is said
    assert ("Drafts are canned." in Client().get("/login/").text) is said


def test_every_error_type_has_a_page_that_says_what_to_do(visit, queue):
    client = visit("viewer")
    index = client.get("/errors/").text
    for code, entry in REGISTER.items():
        assert f'href="/errors/{code}/"' in index
        page = client.get(entry.uri)
        assert page.status_code == 200
        assert code in page.text
    assert client.get("/errors/NO_SUCH_CODE/").status_code == 404
    assert Client().get("/errors/").status_code == 302


def test_the_admin_is_for_staff_and_changes_no_draft(visit, make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    assert visit("lead").get("/admin/").status_code == 302
    admin = visit("admin")
    for name in ("queue", "case", "draft", "capabilitygap", "auditevent", "tally"):
        assert admin.get(f"/admin/reviewhub/{name}/").status_code == 200
    page = admin.get(f"/admin/reviewhub/draft/{draft.pk}/change/").text
    assert 'name="_save"' not in page
    assert admin.post(f"/admin/reviewhub/draft/{draft.pk}/delete/", {"post": "yes"}).status_code == 403
