import re

import pytest
from playwright.sync_api import expect

from reviewhub.models import Decision, Draft, Queue, State
from tests.hub.written import write_attempt

pytestmark = pytest.mark.browser


@pytest.fixture
def draft(make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_from_the_queue_to_an_approved_draft(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto("/")
    page.get_by_role("link", name="Acme Ltd").click()
    expect(page.get_by_role("heading", name="Acme Ltd", level=1)).to_be_visible()
    press(page, "Approve as it is")
    expect(page.get_by_role("heading", name=re.compile("Approved as is by operator"))).to_be_visible()
    assert state_of(draft) == "approved"


def test_a_wrong_figure_is_refused_the_text_kept_and_the_right_one_taken(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    page.get_by_role("link", name="Edit", exact=True).click()
    request = page.get_by_label("Request")
    request.fill("The total due is $1,990.00. Please settle it.")
    press(page, "Approve this text")
    expect(page.get_by_role("alert")).to_contain_text("Not approved.")
    expect(request).to_have_value("The total due is $1,990.00. Please settle it.")
    expect(page.locator("a.mark").first).to_have_text("$1,990.00")
    assert state_of(draft) == "awaiting_review"
    request.fill("The total due is $1,975.00. Please settle it.")
    press(page, "Approve this text")
    expect(page.get_by_role("heading", name=re.compile("Approved with edits by operator"))).to_be_visible()
    assert "The total due is $1,975.00." in Decision.objects.get().text


def test_checking_shows_the_findings_beside_what_is_typed(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/edit/")
    page.get_by_label("Request").fill("The total due is $1,990.00. Please settle it.")
    press(page, "Check")
    expect(page.locator("#finding-1")).to_contain_text("$1,990.00")
    expect(page.get_by_label("Request")).to_have_value("The total due is $1,990.00. Please settle it.")
    page.get_by_label("Request").fill("The total due is $1,975.00. Please settle it.")
    press(page, "Check")
    expect(page.get_by_text("Every check that must pass, passes.")).to_be_visible()
    assert state_of(draft) == "awaiting_review"


def test_declining_with_a_reason(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    page.get_by_role("link", name="Decline").click()
    press(page, "Decline")
    expect(page.get_by_text("Choose a reason.")).to_be_visible()
    page.get_by_label("The tone does not fit").check()
    page.get_by_label("In your words").fill("Too stiff.")
    press(page, "Decline")
    expect(page.get_by_role("heading", name=re.compile("Declined by operator"))).to_be_visible()
    assert Decision.objects.get().review.note == "Too stiff."


def test_undo_takes_the_decision_back(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    press(page, "Approve as it is")
    press(page, "Undo")
    expect(page.get_by_text("The decision is taken back.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve as it is")).to_be_visible()
    assert state_of(draft) == "awaiting_review"


def test_two_people_at_once_end_in_one_decision_and_no_lost_text(open_site, scripts, draft):
    first, second = open_site("lead", scripts=scripts), open_site("operator", scripts=scripts)
    first.goto(f"/drafts/{draft.pk}/")
    second.goto(f"/drafts/{draft.pk}/edit/")
    second.get_by_label("Closing").fill("Words that took a while.")
    press(first, "Approve as it is")
    expect(first.get_by_role("heading", name=re.compile("Approved as is by lead"))).to_be_visible()
    press(second, "Approve this text")
    expect(second.get_by_role("heading", name="lead was first")).to_be_visible()
    expect(second.locator("textarea").last).to_have_value("Words that took a while.")
    assert Decision.objects.count() == 1


def test_an_abstained_case_is_written_by_hand(open_site, scripts, make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.ABSTAINED)
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    page.get_by_role("link", name="Write freely").click()
    text = "Dear Ana Ortega,\n\nTX-1001 over $1,200.00 and TX-1002 over $775.00 are open. The total due is $1,975.00."
    page.get_by_label("Your text").fill(text)
    press(page, "Approve this text")
    expect(page.get_by_role("heading", name=re.compile("Approved with edits"))).to_be_visible()
    assert Decision.objects.get().text == text


def test_holding_and_letting_go(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    press(page, "Hold for me")
    expect(page.get_by_text("held for you until")).to_be_visible()
    other = open_site("lead", scripts=scripts)
    other.goto(f"/drafts/{draft.pk}/")
    expect(other.get_by_text("operator holds this draft until")).to_be_visible()
    press(page, "Let go")
    expect(page.get_by_role("button", name="Hold for me")).to_be_visible()


def test_text_typed_when_the_session_ended_is_not_lost(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/decline/")
    page.get_by_label("The tone does not fit").check()
    page.get_by_label("In your words").fill("A long story.\nIn two lines.")
    page.context.clear_cookies(name="sessionid")
    press(page, "Decline")
    expect(page.get_by_text("Nothing is lost.")).to_be_visible()
    page.get_by_label("User name").fill("operator")
    page.get_by_label("Password").fill("a long pass phrase")
    press(page, "Sign in")
    press(page, "Send again")
    expect(page.get_by_role("heading", name=re.compile("Declined by operator"))).to_be_visible()
    assert Decision.objects.get().review.note.splitlines() == ["A long story.", "In two lines."]
