"""Add a fact with where one knows it from: the draft under review moves to it and is checked again."""

import uuid

import pytest
from django.utils import timezone

from reviewhub.models import AddedFact, AuditEvent, Draft, FactSheet, State
from tests.hub.pages import form
from tests.hub.written import CLOSING, OPENING, write_attempt

PAY_BY = {"kind": "pay_by", "known_from": "Agreed with accounts."}
PROMISE = {
    "kind": "promise",
    "line": "TX-1001",
    "text": "Client promised to pay TX-1001 this week.",
    "known_from": "Call with Ana Ortega.",
}
ATTACHMENT = {"kind": "attachment", "name": "Invoice TX-1001.pdf", "line": "TX-1001", "known_from": "The ledger."}


@pytest.fixture
def today(now, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: now)  # 4 May 2026
    return now


@pytest.fixture
def draft(make_draft, queue, today):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def add(client, draft, given, **fields):
    return client.post(f"/drafts/{draft.pk}/facts/", form(draft, **given, **fields), follow=True)


def withdraw(client, draft, fact):
    return client.post(f"/drafts/{draft.pk}/facts/withdraw/", form(draft, added=fact.pk), follow=True)


def again(draft):
    return Draft.objects.get(pk=draft.pk)


def versions():
    return list(FactSheet.objects.order_by("version").values_list("version", "source"))


# What it does


def test_a_pay_by_date_is_a_new_version_that_the_letter_is_rendered_and_checked_on(visit, draft, people):
    page = add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15").text
    assert "The facts are now version 2. The draft was rendered and checked again on them." in page
    moved = again(draft)
    assert versions() == [(1, "imported"), (2, "person")]
    assert moved.sheet.facts["policy"] == {"pay_by": "2026-05-15"}
    assert moved.sheet.created_by == people["operator"]
    assert "Please pay by: May 15, 2026" in moved.shown.text
    assert "Please pay by" not in draft.shown.text
    assert (moved.state, moved.version) == ("awaiting_review", draft.version + 1)
    assert moved.shown.findings.exists()
    assert not moved.shown.findings.blocking().exists()
    assert "checked again on version 2 of the facts" in page
    assert "Please pay by: May 15, 2026" in page


def test_it_says_who_added_it_when_and_from_where(visit, draft, people):
    page = add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15").text
    assert "added by operator May 4, 2026" in page
    assert "known from: Agreed with accounts." in page
    fact = AddedFact.objects.get()
    assert (fact.added_by, fact.known_from, fact.sheet.version) == (people["operator"], "Agreed with accounts.", 2)


def test_a_promise_is_an_event_and_an_attachment_goes_out_with_it(visit, draft):
    client = visit("operator")
    add(client, draft, PROMISE, on="2026-05-02")
    page = add(client, again(draft), ATTACHMENT).text
    facts = again(draft).sheet.facts
    assert facts["events"] == [
        {
            "kind": "promise",
            "on": "2026-05-02",
            "line": "TX-1001",
            "text": "Client promised to pay TX-1001 this week.",
        }
    ]
    assert facts["attachments"] == [{"name": "Invoice TX-1001.pdf", "line": "TX-1001"}]
    assert "Attached: Invoice TX-1001.pdf" in again(draft).shown.text
    assert "Client promised to pay TX-1001 this week." in page


def test_what_the_facts_did_not_allow_before_passes_on_them(visit, draft):
    """The clause on a deadline fails while no pay-by date is given, and holds up the approval; then it passes."""
    write_attempt(draft, number=2, closing="Please settle the total by [PAY_BY].")
    client = visit("operator")
    refused = client.post(f"/drafts/{draft.pk}/approve/", form(again(draft)))
    assert refused.status_code == 409
    assert "A check that must pass has failed." in refused.text
    add(client, again(draft), PAY_BY, pay_by="2026-05-15")
    assert "Please settle the total by May 15, 2026." in again(draft).shown.text
    assert not again(draft).shown.findings.blocking().exists()
    assert client.post(f"/drafts/{draft.pk}/approve/", form(again(draft))).status_code == 302
    assert again(draft).state == "approved"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({**PAY_BY, "pay_by": "2026-05-15"}, "Please pay by May 15, 2026."),
        ({**PROMISE, "on": "2026-05-02"}, "On May 2, 2026 you promised to pay TX-1001."),
        (ATTACHMENT, "The invoice is attached."),
    ],
)
def test_a_person_may_say_what_the_added_fact_says_and_not_before(visit, draft, given, sentence):
    client = visit("operator")

    def passes():
        passages = {"prose-0": OPENING, "prose-1": f"The total due is $1,975.00. {sentence}", "prose-2": CLOSING}
        page = client.post(f"/drafts/{draft.pk}/edit/", form(again(draft), check="1", **passages))
        return "Every check that must pass, passes." in page.text

    assert not passes()
    add(client, draft, given)
    assert passes()


def test_the_text_that_the_model_wrote_stays_with_its_own_findings(visit, draft):
    add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15")
    first, second = draft.attempts.order_by("number")
    assert (first.text, first.rendered_from) == (draft.shown.text, None)
    assert (second.number, second.rendered_from, second.prompt, second.prompt_tokens) == (2, first, [], 0)
    assert first.findings.count() == second.findings.count()
    assert "Rendered again" in visit("operator").get(f"/drafts/{draft.pk}/").text
    assert Draft.objects.for_list().get(pk=draft.pk).attempt_count == 1


def test_it_is_in_the_audit_trail_by_names_and_digests(visit, draft, people):
    add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15")
    line = AuditEvent.objects.get(act="add_fact")
    assert (line.user, line.draft_ref, line.fields) == (people["operator"], draft.pk, ["pay_by"])
    assert line.hashes == {"facts": again(draft).sheet.hash}


def test_another_pay_by_date_replaces_the_first(visit, draft):
    client = visit("operator")
    add(client, draft, PAY_BY, pay_by="2026-05-15")
    page = add(client, again(draft), PAY_BY, pay_by="2026-05-22").text
    assert again(draft).sheet.facts["policy"] == {"pay_by": "2026-05-22"}
    assert "<strong>May 22, 2026</strong>" in page
    assert "<strong>May 15, 2026</strong>" not in page
    assert list(AddedFact.objects.values_list("end_reason", flat=True)) == ["replaced", ""]


@pytest.mark.parametrize("state", [State.ESCALATED, State.ABSTAINED])
def test_a_draft_without_a_text_moves_to_the_new_facts_too(visit, make_draft, today, state):
    draft = make_draft(state)
    page = add(visit("operator"), draft, PROMISE, on="2026-05-02").text
    assert "The facts are now version 2." in page
    assert (again(draft).state, again(draft).shown, again(draft).sheet.version) == (state, None, 2)


# Taking back


def test_a_fact_is_taken_back_as_another_version(visit, draft, people):
    client = visit("operator")
    add(client, draft, PAY_BY, pay_by="2026-05-15")
    page = withdraw(client, again(draft), AddedFact.objects.get()).text
    assert again(draft).sheet.facts == draft.sheet.facts
    assert versions() == [(1, "imported"), (2, "person"), (3, "person")]
    assert again(draft).shown.text == draft.shown.text
    assert "Agreed with accounts." not in page
    assert AddedFact.objects.get().ended_by == people["operator"]


def test_taking_back_twice_is_once(visit, draft):
    client = visit("operator")
    add(client, draft, PAY_BY, pay_by="2026-05-15")
    seen, fact = again(draft), AddedFact.objects.get()
    assert withdraw(client, seen, fact).status_code == 200
    assert withdraw(client, seen, fact).status_code == 200
    assert len(versions()) == 3


# What is refused


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({**PAY_BY, "pay_by": "2026-05-03"}, "Give a day from today on, within a year."),
        ({**PAY_BY, "pay_by": "2028-05-03"}, "Give a day from today on, within a year."),
        ({**PAY_BY, "pay_by": "15.05.2026"}, "Write the day as YYYY-MM-DD."),
        ({**PAY_BY, "pay_by": ""}, "Give the day."),
        ({**PAY_BY, "pay_by": "2026-05-15", "known_from": "  "}, "Say where you know it from."),
        ({**PAY_BY, "pay_by": "2026-05-15", "known_from": "x" * 301}, "at most 300 characters"),
        ({**PAY_BY, "pay_by": "2026-05-15", "known_from": "\ufffd"}, "A character arrived broken"),
        ({**PROMISE, "on": "2026-05-05"}, "This day is still to come. Give the day of the call."),
        ({**PROMISE, "on": "0026-05-05"}, "This day is too long ago."),
        ({**PROMISE, "on": "2026-05-02", "line": "TX-9"}, "Choose a line of the ledger."),
        ({**PROMISE, "on": "2026-05-02", "text": ""}, "Say what was promised."),
        ({**PROMISE, "on": "2026-05-02", "text": "a\u200bb"}, "holds U+200B"),
        ({**ATTACHMENT, "name": "\x00"}, "Null characters are not allowed."),
        ({**ATTACHMENT, "name": ""}, "Give the name of the file."),
    ],
)
def test_a_fact_that_cannot_be_is_refused_at_its_field_and_kept(visit, draft, given, says):
    response = add(visit("operator"), draft, given)
    assert response.status_code == 422
    assert says in response.text
    assert versions() == [(1, "imported")]
    if given["known_from"].strip() and len(given["known_from"]) < 300:
        assert given["known_from"] in response.text


def test_a_fact_that_the_import_holds_is_not_added_over_it(visit, draft):
    draft.sheet.facts["policy"] = {"pay_by": "2026-06-01"}
    draft.sheet.facts["attachments"] = [{"name": "invoice tx-1001.PDF"}]
    draft.sheet.save()
    client = visit("operator")
    assert "The imported facts give a pay-by date." in add(client, draft, PAY_BY, pay_by="2026-05-15").text
    assert "There is an attachment of this name" in add(client, draft, ATTACHMENT).text
    assert "The facts hold it already." in add(client, draft, {**ATTACHMENT, "line": ""}).text
    assert versions() == [(1, "imported")]


def test_the_same_form_twice_is_one_fact(visit, draft):
    client, key = visit("operator"), uuid.uuid4().hex
    for _time in range(2):
        assert add(client, draft, PAY_BY, pay_by="2026-05-15", key=key).status_code == 200
    assert (AddedFact.objects.count(), len(versions())) == (1, 2)


def test_a_page_that_is_out_of_date_adds_nothing_and_hands_back_what_was_typed(visit, draft):
    add(visit("lead"), draft, PAY_BY, pay_by="2026-05-15")
    response = add(visit("operator"), draft, PROMISE, on="2026-05-02")
    assert response.status_code == 409
    assert "This draft changed while you looked at it" in response.text
    assert "Client promised to pay TX-1001 this week." in response.text
    assert (AddedFact.objects.count(), len(versions())) == (1, 2)


def test_who_decides_on_an_older_version_is_told(visit, draft):
    add(visit("lead"), draft, PAY_BY, pay_by="2026-05-15")
    response = visit("operator").post(f"/drafts/{draft.pk}/approve/", form(draft))
    assert response.status_code == 409
    assert again(draft).state == "awaiting_review"


def test_a_decided_draft_takes_no_more_facts(visit, draft):
    client = visit("operator")
    client.post(f"/drafts/{draft.pk}/approve/", form(draft))
    assert add(client, again(draft), PAY_BY, pay_by="2026-05-15").status_code == 409
    assert client.get(f"/drafts/{draft.pk}/facts/").status_code == 409
    assert versions() == [(1, "imported")]


def test_a_draft_that_another_holds_stays_as_it_is(visit, draft, people, now):
    Draft.objects.filter(pk=draft.pk).update(claimed_by=people["lead"], claimed_until=now.replace(year=2100))
    response = add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15")
    assert response.status_code == 409
    assert "lead is working on this draft until" in response.text
    assert versions() == [(1, "imported")]


@pytest.mark.parametrize("fields", [{"version": ""}, {"key": "x"}, {"kind": "gift"}])
def test_a_form_without_its_parts_does_nothing(visit, draft, fields):
    response = add(visit("operator"), draft, {**PAY_BY, "pay_by": "2026-05-15", **fields})
    assert response.status_code == 422
    assert versions() == [(1, "imported")]


@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may(visit, draft, name, status):
    add(visit("operator"), draft, PAY_BY, pay_by="2026-05-15")
    assert visit(name).get(f"/drafts/{draft.pk}/facts/").status_code == status
    assert add(visit(name), again(draft), PROMISE, on="2026-05-02").status_code == status
    assert withdraw(visit(name), again(draft), AddedFact.objects.get()).status_code == status
    assert len(versions()) == 2


def test_other_methods_are_refused(visit, draft):
    assert visit("operator").put(f"/drafts/{draft.pk}/facts/").status_code == 405
    assert visit("operator").get(f"/drafts/{draft.pk}/facts/withdraw/").status_code == 405


def test_hostile_words_are_text(visit, draft):
    page = add(visit("operator"), draft, {**ATTACHMENT, "name": "<script>alert(1)</script>"}).text
    assert "<script>alert" not in page
