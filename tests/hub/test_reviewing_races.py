"""What holds when several people act at once, each over a connection of their own."""

import pytest

from reviewhub import reviewing
from reviewhub.models import AuditEvent, Decision, Draft, Exit, Review
from reviewhub.reviewing import AlreadyDecided, ClaimedByOther, NothingToApprove
from tests.hub.acting import act, key, race, state_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_eight_who_decide_at_once_make_one_decision(draft, people, now):
    ends = race(
        lambda number: (
            act("approve_as_is", draft, people["operator"], now)
            if number % 2
            else act("decline", draft, people["lead"], now, reason="other")
        )
    )
    made = [end for end in ends if isinstance(end, Decision)]
    assert [type(end) for end in ends if end not in made] == [AlreadyDecided] * 7
    assert Decision.objects.get() == made[0]
    assert Review.objects.count() == 1
    assert AuditEvent.objects.filter(draft_ref=draft.pk, before="awaiting_review").count() == 1


def test_one_form_sent_eight_times_at_once_makes_one_decision_that_all_get(draft, people, now):
    same = key()
    ends = race(lambda _: act("approve_as_is", draft, people["operator"], now, key=same))
    assert {type(end) for end in ends} == {Decision}
    assert {end.pk for end in ends} == {Decision.objects.get().pk}


def test_eight_who_claim_at_once_leave_one_holder(draft, people, now):
    names = ["operator", "lead"]
    ends = race(lambda number: reviewing.claim(draft_id=draft.pk, user=people[names[number % 2]], now=now))
    holder = Draft.objects.get(pk=draft.pk).claimed_by
    assert {end.claimed_by for end in ends if isinstance(end, Draft)} == {holder}
    assert sum(isinstance(end, ClaimedByOther) for end in ends) == 4


def test_undo_and_copy_at_once_never_both_happen(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    user = people["operator"]

    def work(number):
        if number % 2:
            return reviewing.undo(decision_id=decision.pk, user=user, now=now)
        try:
            return reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=user, now=now)
        except NothingToApprove as error:
            return error

    race(work)
    decision.refresh_from_db()
    assert (decision.undone_at is None) != (decision.left_at is None)
    assert state_of(draft) == ("approved" if decision.left_at else "awaiting_review")
