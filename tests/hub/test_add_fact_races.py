"""What holds when several people add facts, decide or import at once, each over a connection of their own."""

import copy

import pytest

from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AddedFact, AddedKind, Attempt, Decision, Draft, FactSheet, State, Who
from reviewhub.reviewing import AlreadyDecided, NewFact
from tests.hub.acting import act, key, race
from tests.hub.written import write_attempt

pytestmark = pytest.mark.django_db(transaction=True)

PROMISE = NewFact(
    AddedKind.PROMISE, {"on": "2026-05-02", "line": "TX-1001", "text": "Client promised to pay."}, "Call."
)


@pytest.fixture
def draft(make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def test_eight_who_add_at_once_make_one_version_and_the_others_are_told(draft, people, now):
    ends = race(lambda _: act("add_fact", draft, people["operator"], now, fact=PROMISE))
    assert sorted(type(end).__name__ for end in ends) == ["AlreadyDecided"] * 7 + ["Draft"]
    assert (AddedFact.objects.count(), FactSheet.objects.count(), Attempt.objects.count()) == (1, 2, 2)


def test_one_form_sent_eight_times_at_once_adds_one_fact_and_all_get_it(draft, people, now):
    same = key()
    ends = race(lambda _: act("add_fact", draft, people["operator"], now, fact=PROMISE, key=same))
    assert {type(end) for end in ends} == {Draft}
    assert (AddedFact.objects.count(), FactSheet.objects.count()) == (1, 2)


def test_nobody_approves_a_text_that_has_moved_to_other_facts(draft, people, now):
    ends = race(
        lambda number: (
            act("add_fact", draft, people["operator"], now, fact=PROMISE)
            if number % 2
            else act("approve_as_is", draft, people["lead"], now)
        )
    )
    assert sum(not isinstance(end, AlreadyDecided) for end in ends) == 1
    assert Decision.objects.count() + AddedFact.objects.count() == 1


def test_a_fact_and_an_import_at_once_leave_one_open_draft_that_holds_both_or_the_fact_is_refused(
    draft, people, now, facts, queue
):
    newer = {**copy.deepcopy(facts), "reminders_sent": 2}
    case = read_case({"external_id": draft.case.external_id, "domain": "billing", "facts": newer}, queue=queue)
    race(
        lambda number: (
            act("add_fact", draft, people["operator"], now, fact=PROMISE)
            if number % 2
            else submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)
        )
    )
    (standing,) = Draft.objects.undecided()
    sheet = standing.sheet.facts
    assert sheet["reminders_sent"] == 2
    assert len(sheet["events"]) == AddedFact.objects.standing().count()
