import copy
from decimal import Decimal

import pytest

from reviewhub.intake import CaseInvalid, Result, read_case, submit_case
from reviewhub.models import Actor, Case, Draft, FactSheet, Queue, State, Who

INTAKE = Actor(Who.INTAKE)


@pytest.fixture
def given(facts):
    return {"external_id": "acme:2026-05", "domain": "billing", "facts": facts}


def submit(queue, given, now):
    return submit_case(queue=queue, case=read_case(given, queue=queue), by=INTAKE, now=now, rings=False)


def changed(given, **facts):
    return {**given, "facts": {**copy.deepcopy(given["facts"]), **facts}}


def test_a_new_case_is_one_case_with_one_sheet_and_one_queued_draft(queue, given, now):
    submitted = submit(queue, given, now)
    assert submitted.result is Result.CREATED
    case = Case.objects.get()
    assert (case.title, case.subject, case.domain, case.difficulty) == ("Acme Ltd", "acme", "billing", Decimal(1))
    sheet = FactSheet.objects.get()
    assert (sheet.version, sheet.facts["transactions"][0]["amount_cents"], sheet.source) == (1, 120000, "imported")
    draft = Draft.objects.get()
    assert (draft.state, draft.queue, draft.sheet, draft.takes) == ("queued", queue, sheet, 0)


def test_the_same_case_again_changes_nothing(queue, given, now):
    first = submit(queue, given, now)
    shuffled = dict(reversed(given["facts"].items()))
    again = submit(queue, {**given, "facts": {**shuffled, "stated_total_cents": None}}, now)
    assert (again.result, again.case, again.draft) == (Result.SAME, first.case, first.draft)
    assert (Case.objects.count(), FactSheet.objects.count(), Draft.objects.count()) == (1, 1, 1)


@pytest.mark.parametrize("state", [State.QUEUED, State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED])
def test_new_facts_supersede_the_open_draft_and_queue_another(queue, given, now, state):
    first = submit(queue, given, now)
    Draft.objects.filter(pk=first.draft.pk).update(state=state)
    again = submit(queue, changed(given, reminders_sent=2), now)
    assert (again.result, again.case) == (Result.NEW_FACTS, first.case)
    first.draft.refresh_from_db()
    assert (first.draft.state, first.draft.stop_reason) == ("superseded", "facts_changed")
    assert (again.draft.state, again.draft.sheet.version) == ("queued", 2)


def test_new_facts_end_the_lease_of_a_worker(queue, given, now):
    draft = submit(queue, given, now).draft
    draft.start(worker="w1", now=now)
    submit(queue, changed(given, reminders_sent=2), now)
    draft.refresh_from_db()
    assert (draft.state, draft.lease_token) == ("superseded", None)


@pytest.mark.parametrize("state", [State.APPROVED, State.DECLINED])
def test_new_facts_after_a_decision_leave_it_standing_and_queue_another(queue, given, now, state):
    first = submit(queue, given, now)
    Draft.objects.filter(pk=first.draft.pk).update(state=state)
    again = submit(queue, changed(given, reminders_sent=2), now)
    first.draft.refresh_from_db()
    assert (first.draft.state, again.draft.state) == (state, "queued")


def test_another_message_or_situation_is_drafted_anew(queue, given, now):
    submit(queue, given, now)
    again = submit(queue, {**given, "message": "We have not had this invoice."}, now)
    assert (again.result, again.draft.sheet.version) == (Result.NEW_FACTS, 2)
    assert Case.objects.get().message == "We have not had this invoice."


def test_the_same_external_id_in_two_queues_is_two_cases(queue, given, now):
    other = Queue.objects.create(slug="west", name="West", team="Accounts")
    submit(queue, given, now)
    submit(other, given, now)
    assert Case.objects.count() == 2


def test_the_queue_gives_sender_and_policy_when_the_facts_do_not(queue, given, now):
    queue.sender = {"name": "Ola Berg", "team": "Billing"}
    queue.policy = {"collections_after_days": 90}
    facts = {name: value for name, value in given["facts"].items() if name not in {"sender", "policy"}}
    sheet = submit(queue, {**given, "facts": facts}, now).draft.sheet
    assert sheet.facts["sender"] == {"name": "Ola Berg", "team": "Billing"}
    assert sheet.facts["policy"] == {"collections_after_days": 90}


def test_a_ledger_that_contradicts_itself_is_saved(queue, given, now):
    submitted = submit(queue, changed(given, stated_total_cents=1), now)
    assert (submitted.result, submitted.draft.state) == (Result.CREATED, "queued")


def with_line(**changes):
    def change(given):
        given["facts"]["transactions"][0].update(changes)

    return change


def put(path, value):
    def change(given):
        *parents, last = path
        for name in parents:
            given = given[name]
        given[last] = value

    return change


def drop(*path):
    def change(given):
        *parents, last = path
        for name in parents:
            given = given[name]
        del given[last]

    return change


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (drop("external_id"), "external_id", "Add it."),
        (put(["external_id"], ""), "external_id", "Fill it in."),
        (put(["external_id"], "a\nb"), "external_id", "one line"),
        (put(["external_id"], "a\x00b"), "external_id", "U+0000"),
        (put(["external_id"], "x" * 201), "external_id", "Shorten it."),
        (put(["external_id"], "a\ufffdb"), "external_id", "U+FFFD"),
        (put(["external_id"], "a\u2028b"), "external_id", "U+2028"),
        (put(["external_id"], "\u0958" * 150), "external_id", "has 300 characters"),
        (put(["domain"], "poetry"), "domain", "billing"),
        (put(["titel"], "Acme"), "titel", "spelling"),
        (put(["message"], "We \x00 paid"), "message", "U+0000"),
        (put(["message"], "We \ufffd paid"), "message", "U+FFFD"),
        (put(["message"], "We \ud800 paid"), "message", "unicode"),
        (put(["message"], "x" * 100_001), "message", "Shorten it."),
        (put(["difficulty"], -1), "difficulty", "greater than 0"),
        (put(["difficulty"], 11), "difficulty", "less than or equal to 10"),
        (put(["facts"], []), "facts", "object"),
        (drop("facts", "client"), "facts.client", "Add it."),
        (drop("facts", "transactions"), "facts.transactions", "Add it."),
        (put(["facts", "colour"], "red"), "facts.colour", "Remove it"),
        (put(["facts", "client", "nmae"], "Acme"), "facts.client.nmae", "Remove it"),
        (put(["facts", "client", "name"], "Ac\x00me"), "facts.client.name", "U+0000"),
        (put(["facts", "client", "name"], "Ac\ufffdme"), "facts.client.name", "U+FFFD"),
        (put(["facts", "client", "name"], "Ac\udc00me"), "facts.client.name", "unicode"),
        (put(["facts", "locale"], "de_DE"), "facts.locale", "LANGUAGE_UNSUPPORTED"),
        (put(["facts", "currency"], "ZZZ"), "facts.currency", "ISO 4217"),
        (with_line(amount_cents=-1), "facts.transactions.0.amount_cents", "not negative"),
        (with_line(amount_cents=1200.5), "facts.transactions.0.amount_cents", "minor units"),
        (with_line(amount_cents=1200.0), "facts.transactions.0.amount_cents", "minor units"),
        (with_line(amount_cents="1200"), "facts.transactions.0.amount_cents", "minor units"),
        (with_line(amount_cents=True), "facts.transactions.0.amount_cents", "minor units"),
        (with_line(currency="EUR"), "facts.transactions.0.currency", "Remove it"),
        (with_line(id="tx-1002"), "facts.transactions.1.id", "TX-1002 stands twice"),
        (with_line(due="15.04.2026"), "facts.transactions.0.due", "YYYY-MM-DD"),
    ],
)
def test_a_faulty_case_is_refused_by_the_name_of_its_field(queue, given, change, path, says):
    faulty = copy.deepcopy(given)
    change(faulty)
    with pytest.raises(CaseInvalid) as refused:
        read_case(faulty, queue=queue)
    assert [problem.path for problem in refused.value.problems] == [path]
    assert says in str(refused.value)


def test_every_faulty_field_is_named_at_once(queue, given):
    faulty = copy.deepcopy(given)
    faulty["facts"]["transactions"][0]["amount_cents"] = -5
    faulty["facts"]["transactions"][1]["paid_cents"] = 0.5
    del faulty["facts"]["client"]["name"]
    with pytest.raises(CaseInvalid) as refused:
        read_case(faulty, queue=queue)
    assert {problem.path for problem in refused.value.problems} == {
        "facts.transactions.0.amount_cents",
        "facts.transactions.1.paid_cents",
        "facts.client.name",
    }


def test_a_faulty_field_can_be_printed_whatever_its_name_holds(queue, given):
    faulty = copy.deepcopy(given)
    faulty["facts"]["a\udc00\x00b"] = 1
    with pytest.raises(CaseInvalid) as refused:
        read_case(faulty, queue=queue)
    assert str(refused.value).encode("utf-8")
