"""What holds when several people act at once, each over a connection of their own."""

from functools import partial

import pytest

from reviewhub import reviewing
from reviewhub.drafting import draft_case
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AuditEvent, Decision, Draft, Exit, Review, State, Who
from reviewhub.reviewing import AlreadyDecided, ClaimedByOther, KeyReused, NothingToApprove, TooLateToUndo
from tests.hub.acting import act, key, race, state_of

pytestmark = pytest.mark.django_db(transaction=True)


def try_to(call):
    """Return what the call gave, None when another was first."""
    try:
        return call()
    except (AlreadyDecided, TooLateToUndo):
        return None


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
        return reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=user, now=now)

    ends = race(work)
    decision.refresh_from_db()
    assert (decision.undone_at is None) != (decision.left_at is None)
    assert {type(end) for end in ends} == ({Decision, TooLateToUndo} if decision.left_at else {Draft, NothingToApprove})
    assert state_of(draft) == ("approved" if decision.left_at else "awaiting_review")


def test_one_key_for_two_drafts_at_once_decides_one(draft, written, people, now):
    drafts, same = [draft, written("client_err_math")], key()
    ends = race(lambda number: act("decline", drafts[number % 2], people["operator"], now, key=same, reason="other"))
    made = Decision.objects.get()
    assert [end for end in ends if isinstance(end, Decision)] == [made] * 4
    assert [type(end) for end in ends if not isinstance(end, Decision)] == [KeyReused] * 4


def test_new_facts_redrafts_decisions_undos_and_workers_at_once_leave_one_draft_to_go_on_with(
    written, queue, people, now
):
    first = written("client_ambiguous")

    def submit(number):
        facts = {**first.sheet.facts, "reminders_sent": number}
        case = read_case({"external_id": "client_ambiguous", "domain": "billing", "facts": facts}, queue=queue)
        submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)

    def abstain(draft, number):
        # A worker that abstains adds a row that points at the case while it holds the draft.
        draft_case(draft_id=draft.pk, model_name="scripted", worker=f"w{number}", clock=lambda: now)

    def decline_and_undo(draft, user):
        decision = try_to(lambda: act("decline", draft, user, now, reason="other"))
        if decision:
            try_to(lambda: reviewing.undo(decision_id=decision.pk, user=user, now=now))

    def work(number):
        user = people["operator" if number % 2 else "lead"]
        for turn in range(8):
            newest = Draft.objects.latest("id")
            match (number + turn) % 4:
                case 0:
                    submit(number * 10 + turn)
                case 1 | 2:
                    abstain(newest, number)
                    newest.refresh_from_db()
                    try_to(partial(act, "redraft", newest, user, now))
                case _:
                    decline_and_undo(newest, user)

    assert race(work) == [None] * 8
    last = Draft.objects.latest("id")
    assert list(Draft.objects.undecided()) == ([] if last.state == "declined" else [last])
    assert Decision.objects.filter(undone_at=None).count() == Draft.objects.in_state(State.DECLINED).count()
    assert not AuditEvent.objects.filter(act="put_back").exists(), "a worker broke"
