import re

import pytest
from playwright.sync_api import expect

from reviewhub.models import Exemplar, ExemplarState, ExemplarUse, State, VocabularyWord
from tests.hub.remembered import remember, use_in
from tests.hub.written import write_attempt

pytestmark = pytest.mark.browser


@pytest.fixture
def exemplar(make_draft, people):
    return remember(make_draft(State.AWAITING_REVIEW), people["operator"])


@pytest.fixture
def use(make_draft, people):
    learned = remember(
        make_draft(State.AWAITING_REVIEW), people["operator"], ExemplarState.INDEXED, prose={"opening": "Good day."}
    )
    draft = make_draft(State.AWAITING_REVIEW)
    attempt = write_attempt(draft)
    attempt.exemplars = [f"edit/{learned.pk}"]
    attempt.save()
    return use_in(draft, learned)


def press(page, name):
    page.get_by_role("button", name=name).click()


def test_from_the_queue_to_a_confirmed_word(open_site, scripts, exemplar):
    page = open_site("operator", scripts=scripts)
    page.goto("/queues/billing-east/")
    page.get_by_role("link", name="Memory 1 in quarantine").click()
    page.get_by_role("link", name="Acme Ltd").click()
    page.get_by_label("“retainer” tells nothing about anybody").check()
    press(page, "Confirm the ticked words")
    expect(page.get_by_text("The text is examined again.")).to_be_visible()
    assert [word.word for word in VocabularyWord.objects.all()] == ["retainer"]
    assert Exemplar.objects.get(pk=exemplar.pk).state == "waiting"


def test_confirming_nothing_is_said_and_reached_by_the_keyboard(open_site, exemplar):
    page = open_site("operator")
    page.goto(f"/exemplars/{exemplar.pk}/")
    page.get_by_role("button", name="Confirm the ticked words").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was confirmed.")
    expect(page.get_by_role("alert")).to_be_focused()


def test_a_doubt_is_reached_from_its_word_and_back_by_keyboard(open_site, scripts, exemplar):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/exemplars/{exemplar.pk}/")
    page.locator("a.mark").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#doubt-3")
    expect(page.locator("#doubt-3")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("#doubt-3").get_by_role("link", name="show in the text")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**#mark-3")
    expect(page.locator("a.mark", has_text="retainer").first).to_be_in_viewport()


def test_a_text_is_corrected(open_site, scripts, exemplar):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/exemplars/{exemplar.pk}/")
    page.get_by_role("link", name="Correct the text").click()
    page.get_by_label("Opening").fill("Thank you for your time.")
    press(page, "Have it examined")
    expect(page.get_by_text("Your correction is kept.")).to_be_visible()
    assert Exemplar.objects.get(pk=exemplar.pk).prose["opening"] == "Thank you for your time."


def test_a_text_is_forgotten(open_site, scripts, exemplar):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/exemplars/{exemplar.pk}/")
    page.get_by_role("link", name="Forget").click()
    press(page, "Forget it")
    expect(page.get_by_role("heading", name="This text is forgotten")).to_be_visible()
    assert Exemplar.objects.get(pk=exemplar.pk).prose == {}


def test_a_text_that_was_examined_appears_by_itself(open_site, make_draft, people):
    exemplar = remember(make_draft(State.ESCALATED), people["lead"], ExemplarState.WAITING)
    page = open_site("operator")
    page.goto(f"/exemplars/{exemplar.pk}/")
    expect(page.get_by_text("about to be stripped of personal details")).to_be_visible()
    done = remember(make_draft(State.ESCALATED), people["lead"], ExemplarState.INDEXED)
    fields = ("state", "state_since", "vector", "embedder", "indexed_at")
    Exemplar.objects.filter(pk=exemplar.pk).update(**{name: getattr(done, name) for name in fields})
    expect(page.get_by_role("heading", name="What drafts are shown")).to_be_visible()


def test_a_bad_exemplar_is_marked_and_the_mark_taken_back(open_site, scripts, use):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{use.draft_id}/")
    panel = page.get_by_role("region", name="Exemplars used")
    expect(panel).to_contain_text("91 % alike")
    panel.get_by_text("Read exemplar 1").click()
    expect(panel.get_by_text("Good day.")).to_be_visible()
    press(panel, "Bad exemplar 1")
    expect(panel.get_by_text("marked bad by operator")).to_be_visible()
    assert ExemplarUse.objects.get(pk=use.pk).exemplar.bad == 1
    press(panel, "Take the mark back")
    expect(panel.get_by_role("button", name="Bad exemplar 1")).to_be_visible()
    assert ExemplarUse.objects.get(pk=use.pk).exemplar.bad == 0


def test_marking_by_keyboard_keeps_the_place(open_site, use):
    page = open_site("operator")
    page.goto(f"/drafts/{use.draft_id}/")
    page.get_by_role("button", name="Bad exemplar 1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Take the mark back"))).to_be_focused()
    expect(page.locator(".htmx-added, .htmx-settling, .htmx-request")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Bad exemplar 1")).to_be_focused()


def test_the_way_from_a_draft_to_what_it_was_written_from_and_back(open_site, scripts, use):
    page = open_site("viewer", scripts=scripts)
    page.goto(f"/drafts/{use.draft_id}/")
    expect(page.get_by_role("button", name="Bad exemplar 1")).to_have_count(0)
    page.get_by_role("link", name="where it came from").click()
    expect(page.get_by_role("heading", name="How it fared")).to_be_visible()
    page.get_by_role("link", name="Acme Ltd").last.click()
    expect(page.get_by_role("region", name="Exemplars used")).to_be_visible()


def test_the_status_is_asked_again_by_itself(open_site, make_draft, settings):
    page = open_site("viewer")
    page.goto("/status/")
    queued = page.get_by_role("region", name="Drafts by state").get_by_text("Queued").locator("..")
    expect(queued).to_contain_text("0")
    make_draft(State.QUEUED)
    expect(queued).to_contain_text("1", timeout=20_000)
