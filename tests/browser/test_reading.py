import json

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reviewhub.drafting import draft_case
from reviewhub.models import Decision, Draft, State
from tests.hub.written import write_attempt

pytestmark = pytest.mark.browser


@pytest.fixture
def failed(make_draft):
    draft = make_draft(State.ESCALATED)
    write_attempt(draft, opening="We will waive the late fee for you.")
    return draft


def test_a_finding_is_reached_from_its_passage_and_back_by_keyboard(open_site, scripts, failed):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{failed.pk}/")
    page.locator("a.mark").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#finding-1")
    expect(page.locator("#finding-1")).to_be_in_viewport()
    page.locator("#finding-1").get_by_role("link", name="show in the text").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#mark-1")
    expect(page.locator("a.mark").first).to_be_in_viewport()


def test_attempts_open_without_scripts_too(open_site, scripts, failed):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{failed.pk}/")
    page.get_by_text("Attempt 1", exact=True).click()
    page.get_by_text("Exact prompt and reply").click()
    expect(page.get_by_text("Two items are open.")).to_be_visible()


def test_the_tabs_and_pages_of_the_queue_are_links(open_site, scripts, make_draft):
    for _ in range(30):
        make_draft(State.DECLINED)
    page = open_site("viewer", scripts=scripts)
    page.goto("/queues/billing-east/")
    page.get_by_role("link", name="Done 30").click()
    expect(page.get_by_role("row")).to_have_count(26)
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_role("row")).to_have_count(6)
    page.go_back()
    expect(page.get_by_role("row")).to_have_count(26)
    page.get_by_role("link", name="Escalated 0").click()
    expect(page.get_by_role("heading", name="Nothing is escalated")).to_be_visible()


def test_a_draft_appears_by_itself_when_it_is_written(open_site, make_draft, settings):
    draft = make_draft(State.QUEUED)
    page = open_site("operator")
    page.goto(f"/drafts/{draft.pk}/")
    expect(page.get_by_role("heading", name="This draft waits for its turn")).to_be_visible()
    assert draft_case(draft_id=draft.pk, model_name="scripted", worker="test", clock=timezone.now) == "awaiting_review"
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)
    expect(page.get_by_role("link", name="Edit", exact=True)).to_be_visible()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.wait_for_timeout(3_000)
    assert requests == []


def test_trouble_while_a_page_looks_again_is_said_and_changes_nothing(open_site, make_draft):
    draft = make_draft(State.QUEUED)
    page = open_site("operator")
    page.goto(f"/drafts/{draft.pk}/")
    waits = page.get_by_role("heading", name="This draft waits for its turn")
    page.route("**/drafts/**", lambda route: route.abort())
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(waits).to_be_visible()
    page.unroute("**/drafts/**")
    page.route("**/drafts/**", lambda route: route.fulfill(status=500, body="a fault"))
    expect(page.get_by_role("alert")).to_contain_text("failed to answer")
    expect(waits).to_be_visible()
    page.unroute("**/drafts/**")
    draft_case(draft_id=draft.pk, model_name="scripted", worker="test", clock=timezone.now)
    expect(page.get_by_role("link", name="Edit", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_losing_the_right_to_read_while_a_page_looks_again_shows_the_refusal(open_site, make_draft, people):
    draft = make_draft(State.QUEUED)
    page = open_site("operator")
    page.goto(f"/drafts/{draft.pk}/")
    people["operator"].memberships.all().delete()
    expect(page.get_by_role("heading", name="There is no such page here")).to_be_visible()
    expect(page.get_by_role("main")).to_have_count(1)


def test_a_case_goes_from_the_form_to_an_approved_draft(open_site, scripts, queue, facts):
    queue.is_demo = True
    queue.save()
    page = open_site("operator", scripts=scripts)
    page.goto("/")
    page.get_by_role("link", name="New case").first.click()
    page.get_by_label("External id").fill("acme:2026-05")
    page.get_by_label("Facts").fill(json.dumps({**facts, "currency": 5}))
    page.get_by_role("button", name="Save and draft").click()
    expect(page.get_by_text("facts.currency:")).to_be_visible()
    expect(page.get_by_label("External id")).to_have_value("acme:2026-05")
    page.get_by_label("Facts").fill(json.dumps(facts))
    page.get_by_role("button", name="Save and draft").click()
    expect(page.get_by_text("its draft is on its way")).to_be_visible()
    draft = Draft.objects.get()
    draft_case(draft_id=draft.pk, model_name="scripted", worker="test", clock=timezone.now)
    if not scripts:
        page.get_by_role("link", name="look again").click()
    page.get_by_role("button", name="Approve as it is").click()
    expect(page.get_by_role("button", name="Copy the text")).to_be_visible()
    text = Decision.objects.get().text
    for owed in ("TX-1001", "TX-1002", "$1,975.00"):
        assert owed in text


def test_the_focus_is_where_the_next_thing_is(open_site, failed):
    page = open_site("operator")
    page.goto("/queues/billing-east/?state=escalated")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("link", name="Acme Ltd").click()
    expect(page.get_by_role("heading", name="Acme Ltd", level=1)).to_be_visible()
    expect(page.locator("main")).to_be_focused()
