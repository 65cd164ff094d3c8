"""What becomes of the facts that people added when the case is imported anew."""

import copy
from datetime import timedelta

import pytest

from reviewhub.intake import Result, read_case, submit_case
from reviewhub.models import Actor, AddedFact, AddedKind, AuditEvent, Draft, FactSheet, State, Who
from reviewhub.reviewing import NewFact, add_fact
from tests.hub.acting import key

pytestmark = pytest.mark.django_db

PAY_BY = NewFact(AddedKind.PAY_BY, {"pay_by": "2026-05-15"}, "Agreed with accounts.")
PROMISE = NewFact(
    AddedKind.PROMISE, {"on": "2026-05-02", "line": "TX-1001", "text": "Client promised to pay."}, "A call."
)
ATTACHMENT = NewFact(AddedKind.ATTACHMENT, {"name": "Invoice.pdf", "line": "TX-1001"}, "The ledger.")
EVENT = {"kind": "promise", "on": "2026-05-02", "line": "TX-1001", "text": "Client promised to pay."}


@pytest.fixture
def given(facts):
    return {"external_id": "acme:2026-05", "domain": "billing", "facts": facts}


@pytest.fixture
def submit(queue, given, now):
    """Import the case, with other facts or another message if they are given."""

    def call(message=None, **facts):
        case = {**copy.deepcopy(given), "facts": {**copy.deepcopy(given["facts"]), **facts}}
        if message:
            case["message"] = message
        return submit_case(
            queue=queue,
            case=read_case(case, queue=queue),
            by=Actor(Who.INTAKE),
            now=now + timedelta(hours=1),
            rings=False,
        )

    return call


@pytest.fixture
def added(submit, people, now):
    """Import the case, let its draft wait for a review, and add facts to it."""

    def call(*facts):
        draft = submit().draft
        Draft.objects.filter(pk=draft.pk).update(state=State.AWAITING_REVIEW)
        for fact in facts:
            draft = Draft.objects.select_related("case", "queue", "sheet").get(pk=draft.pk)
            add_fact(draft_id=draft.pk, version=draft.version, fact=fact, user=people["operator"], key=key(), now=now)
        return draft

    return call


def versions():
    return list(FactSheet.objects.order_by("version").values_list("version", "source"))


def without_line(given):
    return [line for line in given["facts"]["transactions"] if line["id"] != "TX-1001"]


def test_the_same_import_again_changes_nothing_though_facts_were_added(added, submit):
    added(PAY_BY, PROMISE)
    assert submit().result is Result.SAME
    assert versions() == [(1, "imported"), (2, "person"), (3, "person")]


def test_new_facts_take_the_added_ones_along_in_a_version_of_their_own(added, submit):
    first = added(PAY_BY, PROMISE, ATTACHMENT)
    again = submit(reminders_sent=2)
    assert again.result is Result.NEW_FACTS
    assert versions()[-2:] == [(5, "imported"), (6, "person")]
    facts = again.draft.sheet.facts
    assert (facts["reminders_sent"], facts["policy"], facts["events"]) == (2, {"pay_by": "2026-05-15"}, [EVENT])
    assert facts["attachments"] == [{"name": "Invoice.pdf", "line": "TX-1001"}]
    assert FactSheet.objects.get(version=5).facts["events"] == []
    assert Draft.objects.get(pk=first.pk).state == "superseded"
    assert AddedFact.objects.standing().count() == 3


def test_a_third_import_is_compared_with_what_was_imported_last(added, submit):
    added(PAY_BY)
    submit(reminders_sent=2)
    assert submit(reminders_sent=2).result is Result.SAME
    back = submit()
    assert (back.result, back.draft.sheet.facts["policy"]) == (Result.NEW_FACTS, {"pay_by": "2026-05-15"})


def test_another_message_alone_keeps_the_added_facts(added, submit):
    added(PAY_BY)
    assert submit(message="When is it due?").draft.sheet.facts["policy"] == {"pay_by": "2026-05-15"}


@pytest.mark.parametrize(
    ("fact", "imports", "reason"),
    [
        (PAY_BY, {"policy": {"pay_by": "2026-06-01"}}, "other_date"),
        (PAY_BY, {"policy": {"pay_by": "2026-05-15"}}, "imported"),
        (PAY_BY, {"as_of": "2026-05-16"}, "passed"),
        (PROMISE, {"transactions": without_line}, "line_gone"),
        (PROMISE, {"events": [EVENT]}, "imported"),
        (ATTACHMENT, {"transactions": without_line}, "line_gone"),
        (ATTACHMENT, {"attachments": [{"name": "invoice.PDF", "line": "TX-1002"}]}, "other_line"),
        (ATTACHMENT, {"attachments": [{"name": "Invoice.pdf", "line": "TX-1001"}]}, "imported"),
        (ATTACHMENT, {"attachments": [{"name": f"{at}.pdf"} for at in range(100)]}, "no_room"),
    ],
)
def test_an_added_fact_that_clashes_is_dropped_with_its_reason(added, submit, given, fact, imports, reason):
    added(fact)
    imported = {name: value(given) if callable(value) else value for name, value in imports.items()}
    draft = submit(**imported).draft
    row = AddedFact.objects.get()
    assert (row.end_reason, row.ended_at is not None) == (reason, True)
    assert draft.sheet.source == "imported"
    line = AuditEvent.objects.get(act="drop_added_facts")
    assert (line.draft_ref, line.fields) == (draft.pk, [fact.kind.value])


def test_a_pay_by_day_that_is_the_day_of_the_new_facts_stands(added, submit):
    added(PAY_BY)
    assert submit(as_of="2026-05-15").draft.sheet.facts["policy"] == {"pay_by": "2026-05-15"}


def test_one_clash_drops_one_fact_and_carries_the_rest(added, submit):
    added(PAY_BY, PROMISE)
    facts = submit(policy={"pay_by": "2026-06-01"}).draft.sheet.facts
    assert (facts["policy"], facts["events"]) == ({"pay_by": "2026-06-01"}, [EVENT])


def test_the_page_shows_what_was_dropped_and_why_and_not_what_the_import_holds_itself(added, submit, visit):
    added(PAY_BY, PROMISE)
    draft = submit(policy={"pay_by": "2026-06-01"}, events=[EVENT]).draft
    page = visit("viewer").get(f"/drafts/{draft.pk}/").text
    assert "<del>May 15, 2026</del>" in page
    assert "the imported facts give another pay-by date" in page
    assert "Agreed with accounts." in page
    assert "known from: A call." not in page
