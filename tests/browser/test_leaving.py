from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from playwright.sync_api import expect

from reviewhub.models import Decision, Queue, State
from tests.hub.written import write_attempt

pytestmark = pytest.mark.browser


@pytest.fixture
def approved(open_site, scripts, make_draft, queue):
    """A page on which the operator has just approved a draft."""
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    page.get_by_role("button", name="Approve as it is").click()
    expect(page.get_by_role("button", name="Copy the text")).to_be_visible()
    return page


def test_the_text_is_copied(approved, scripts):
    approved.get_by_role("button", name="Copy the text").click()
    text = Decision.objects.get().text
    if scripts:
        expect(approved.get_by_text("Copied to the clipboard.")).to_be_visible()
        expect(approved.get_by_role("button", name="Undo")).to_have_count(0)
        approved.goto("/queues/billing-east/new/")
        approved.get_by_label("Message to answer").focus()
        approved.keyboard.press("Control+V")
        expect(approved.get_by_label("Message to answer")).to_have_value(text)
    else:
        expect(approved.get_by_role("textbox", name="Approved text")).to_have_value(text)
    assert Decision.objects.get().left_by == "copied"


def test_without_a_clipboard_the_text_is_selected(approved, scripts):
    if not scripts:
        approved.get_by_text("Show the text to select it by hand").click()
        expect(approved.get_by_role("textbox", name="Approved text")).to_be_visible()
        return
    approved.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('withheld')); }")
    approved.get_by_role("button", name="Copy the text").click()
    expect(approved.get_by_text("The text is selected: press Ctrl+C.")).to_be_visible()
    assert approved.evaluate("getSelection().toString()") == Decision.objects.get().text


def test_the_mail_is_downloaded(approved):
    with approved.expect_download() as download:
        approved.get_by_role("button", name="Download as mail (.eml)").click()
    mail = message_from_bytes(Path(download.value.path()).read_bytes(), policy=default)
    assert download.value.suggested_filename == "case-1.eml"
    assert (mail["Subject"], mail["To"]) == ("Second reminder: $1,975.00 due", "Ana Ortega <ap@acme.example>")
    assert Decision.objects.get().left_by == "downloaded"
