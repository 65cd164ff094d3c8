import re

import pytest
from django.test import Client

from reviewhub.models import Decision, Draft, State
from tests.hub.pages import form
from tests.hub.written import write_attempt

WORDS = "A long answer that took me\na quarter of an hour to write."


@pytest.fixture
def browser(people):
    """A browser that sends cookies and tokens as a real one does."""
    return Client(enforce_csrf_checks=True, headers={"Sec-Fetch-Site": "same-origin"})


def token(page):
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]


def fields_of(page):
    """Return what the form on the page would send."""
    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    areas = re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    sent = {}
    for name, value in (*inputs, *areas):
        sent.setdefault(name, []).append(value)
    return sent


def sign_in(browser, **more):
    page = browser.get("/login/").text
    fields = {"csrfmiddlewaretoken": token(page), "username": "operator", "password": "a long pass phrase", **more}
    return browser.post("/login/", fields)


def test_name_and_password_lead_to_where_the_person_was_going(browser, queue):
    response = sign_in(browser, next="/queues/billing-east/?state=done")
    assert (response.status_code, response.url) == (302, "/queues/billing-east/?state=done")


def test_a_wrong_password_says_so_and_keeps_the_name(browser):
    response = sign_in(browser, password="wrong")
    assert response.status_code == 422
    assert "Please enter a correct username and password" in response.text
    assert 'value="operator"' in response.text
    assert "wrong" not in response.text.replace("wrong one", "")


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_sign_in_never_leads_away_from_the_site(browser, target):
    assert sign_in(browser, next=target).url == "/"


def test_signing_out_needs_a_press_and_forgets_kept_pages(visit, people):
    client = visit("operator")
    assert client.get("/logout/").status_code == 405
    response = client.post("/logout/")
    assert (response.status_code, response.url) == (302, "/login/")
    assert response.headers["Clear-Site-Data"] == '"cache"'
    assert client.get("/").url.startswith("/login/")


@pytest.fixture
def draft(make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def test_what_was_typed_when_the_session_ended_is_sent_again_after_sign_in(browser, draft):
    sign_in(browser)
    page = browser.get(f"/drafts/{draft.pk}/decline/").text
    sent = {**form(draft, reason="wrong_tone", note=WORDS), "csrfmiddlewaretoken": token(page)}
    browser.cookies.pop("sessionid")

    asked = browser.post(f"/drafts/{draft.pk}/decline/", sent)
    assert asked.status_code == 401
    assert "Nothing is lost." in asked.text
    assert Decision.objects.count() == 0

    again = {**fields_of(asked.text), "username": "operator", "password": "a long pass phrase"}
    kept = browser.post("/login/", again)
    assert "Send it again" in kept.text
    assert WORDS in kept.text
    assert Decision.objects.count() == 0

    done = browser.post(f"/drafts/{draft.pk}/decline/", fields_of(kept.text), follow=True)
    assert done.status_code == 200
    assert Decision.objects.get().review.note.splitlines() == WORDS.splitlines()


def test_a_wrong_password_in_between_loses_nothing(browser, draft):
    sent = form(draft, reason="wrong_tone", note=WORDS) | {"csrfmiddlewaretoken": token(browser.get("/login/").text)}
    asked = browser.post(f"/drafts/{draft.pk}/decline/", sent)
    again = browser.post("/login/", {**fields_of(asked.text), "username": "operator", "password": "wrong"})
    assert again.status_code == 422
    assert WORDS in again.text


def test_a_form_from_before_a_new_sign_in_is_offered_again(browser, draft):
    """A sign-in in another tab changes the token that guards the first tab's form."""
    sent = form(draft, reason="wrong_tone", note=WORDS) | {"csrfmiddlewaretoken": token(browser.get("/login/").text)}
    sign_in(browser)
    response = browser.post(f"/drafts/{draft.pk}/decline/", sent)
    assert response.status_code == 403
    assert WORDS in response.text
    done = browser.post(f"/drafts/{draft.pk}/decline/", fields_of(response.text), follow=True)
    assert done.status_code == 200
    assert Draft.objects.get(pk=draft.pk).state == "declined"


def test_a_password_is_never_written_into_a_page(browser, draft):
    """A sign-in page from before another tab's sign-in is too old to be taken."""
    old = {"csrfmiddlewaretoken": token(browser.get("/login/").text)}
    sign_in(browser)
    sent = {**old, "username": "operator", "password": "a long pass phrase", "kept_name": "note", "kept_value": WORDS}
    response = browser.post("/login/", sent)
    assert response.status_code == 403
    assert WORDS in response.text
    assert "a long pass phrase" not in response.text


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_form_from_elsewhere_is_offered_to_nobody(people, draft, site):
    client = Client(enforce_csrf_checks=True, headers={"Sec-Fetch-Site": site})
    client.force_login(people["operator"])
    response = client.post(f"/drafts/{draft.pk}/decline/", form(draft, reason="wrong_tone", note=WORDS))
    assert response.status_code == 403
    assert WORDS not in response.text
    assert Decision.objects.count() == 0


def test_kept_text_is_text(browser, draft):
    evil = '"><script>alert(1)</script></textarea><script>alert(2)</script>' + "x" * 60
    sent = form(draft, note=evil) | {"csrfmiddlewaretoken": token(browser.get("/login/").text)}
    asked = browser.post(f"/drafts/{draft.pk}/decline/", sent)
    assert "<script>alert" not in asked.text


def test_htmx_is_sent_to_sign_in_as_a_whole_page(draft):
    headers = {"HX-Request": "true", "HX-Target": "draft", "HX-Current-URL": f"http://testserver/drafts/{draft.pk}/"}
    response = Client().get(f"/drafts/{draft.pk}/", headers=headers)
    assert response.status_code == 204
    assert response.headers["HX-Redirect"] == f"/login/?next=%2Fdrafts%2F{draft.pk}%2F"


def test_a_person_who_is_no_longer_active_sees_nothing(visit, people, draft):
    client = visit("operator")
    people["operator"].is_active = False
    people["operator"].save()
    assert client.get(f"/drafts/{draft.pk}/").status_code == 302
