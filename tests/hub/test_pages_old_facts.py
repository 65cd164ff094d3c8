"""Facts that are older than the queue allows: imported anew, or confirmed by whoever approves, who is named."""

import copy

import pytest
from django.utils import timezone

from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AuditEvent, Decision, Draft, State, Who
from tests.hub.pages import form
from tests.hub.written import CLOSING, OPENING, write_attempt

TRUE = "The total due is $1,975.00. Please settle it as soon as you can."
BY_HAND = "Dear Ana Ortega,\n\nTX-1001 over $1,200.00 and TX-1002 over $775.00 are open. The total due is $1,975.00."


@pytest.fixture
def today(now, monkeypatch):
    """The facts are of 4 May, the queue allows three days, and it is the eighth."""
    eighth = now.replace(day=8)
    monkeypatch.setattr(timezone, "now", lambda: eighth)
    return eighth


@pytest.fixture
def draft(make_draft, today):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def send(client, draft, page, **fields):
    given = {
        "approve": {},
        "edit": {"prose-0": OPENING, "prose-1": TRUE, "prose-2": CLOSING},
        "write": {"text": BY_HAND},
    }[page]
    return client.post(f"/drafts/{draft.pk}/{page}/", form(draft, **{**given, **fields}), follow=True)


@pytest.mark.parametrize("page", ["approve", "edit", "write"])
def test_no_text_is_approved_on_old_facts_unless_they_are_confirmed(visit, draft, page):
    refused = send(visit("operator"), draft, page)
    assert refused.status_code == 409
    assert "The facts are as of 2026-05-04, older than this queue allows." in refused.text
    assert not Decision.objects.exists()
    assert send(visit("operator"), draft, page, facts_confirmed="on").status_code == 200
    assert Decision.objects.get().facts_confirmed


@pytest.mark.parametrize("page", ["approve", "edit", "write"])
def test_the_page_and_the_audit_trail_say_who_confirmed_them_and_when(visit, draft, people, today, page):
    shown = send(visit("operator"), draft, page, facts_confirmed="on").text
    assert "The facts were as of May 4, 2026, older than this queue allows; operator confirmed" in shown
    line = AuditEvent.objects.get(act="confirm_facts")
    assert (line.user, line.at, line.draft_ref) == (people["operator"], today, draft.pk)
    assert line.hashes == {"facts": draft.sheet.hash}


def test_a_tick_beside_fresh_facts_confirms_nothing(visit, draft, now, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: now.replace(day=7))
    page = send(visit("operator"), draft, "approve", facts_confirmed="on").text
    assert not Decision.objects.get().facts_confirmed
    assert "confirmed that they still hold" not in page
    assert not AuditEvent.objects.filter(act="confirm_facts").exists()


def test_a_text_that_was_refused_for_old_facts_keeps_its_words_and_the_tick_stays(visit, draft):
    refused = send(visit("operator"), draft, "edit")
    assert TRUE in refused.text
    assert Draft.objects.get(pk=draft.pk).pending["prose"][1] == TRUE
    wrong = send(visit("operator"), draft, "write", facts_confirmed="on", text="You owe us $1.00.")
    assert 'name="facts_confirmed" checked' in wrong.text


def test_facts_that_are_imported_anew_need_no_confirmation(visit, draft, facts, queue, today):
    newer = {**copy.deepcopy(facts), "as_of": "2026-05-08"}
    case = read_case({"external_id": draft.case.external_id, "domain": "billing", "facts": newer}, queue=queue)
    new = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=today, rings=False).draft
    Draft.objects.filter(pk=new.pk).update(state=State.AWAITING_REVIEW)
    write_attempt(new)
    assert send(visit("operator"), draft, "approve", facts_confirmed="on").status_code == 409
    assert send(visit("operator"), new, "approve").status_code == 200
    assert not Decision.objects.get().facts_confirmed


def test_declining_needs_no_fresh_facts(visit, draft):
    visit("operator").post(f"/drafts/{draft.pk}/decline/", form(draft, reason="wrong_facts"))
    assert Draft.objects.get(pk=draft.pk).state == "declined"
