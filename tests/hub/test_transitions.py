import itertools
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from reviewhub.models import (
    Act,
    Actor,
    AuditEvent,
    Draft,
    LeaseLost,
    NotForAudit,
    State,
    StateChanged,
    TransitionRefused,
    Who,
    table_as_markdown,
)

pytestmark = pytest.mark.django_db

REVIEWABLE = ("awaiting_review", "escalated", "abstained")
PERSON = ("operator", "lead")

# The table of the design, written out once more by hand: act, from, to, who.
ALLOWED = {
    *itertools.product(["start"], ["queued"], ["drafting"], ["worker"]),
    *itertools.product(["finish"], ["drafting"], REVIEWABLE, ["worker"]),
    *itertools.product(["put_back"], ["drafting"], ["queued"], ["worker", "sweeper"]),
    *itertools.product(["give_up"], ["queued", "drafting"], ["escalated"], ["sweeper"]),
    *itertools.product(["escalate"], ["awaiting_review"], ["escalated"], PERSON),
    *itertools.product(["approve_as_is"], ["awaiting_review"], ["approved"], PERSON),
    ("approve_as_is", "escalated", "approved", "lead"),
    *itertools.product(["approve_edited"], REVIEWABLE, ["approved"], PERSON),
    *itertools.product(["decline"], REVIEWABLE, ["declined"], PERSON),
    *itertools.product(["supersede"], ["queued", "drafting", *REVIEWABLE], ["superseded"], [*PERSON, "intake"]),
    *itertools.product(["undo"], ["approved", "declined"], REVIEWABLE, ["decider"]),
}
LEASE = {"lease_token": "1" * 32, "lease_worker": "w1"}


@pytest.fixture
def draft(make_draft):
    return make_draft()


@pytest.fixture
def as_state(draft, now):
    """Give the draft a state by hand, so that each pair of state and act can be tried on one row."""

    def give(state: State) -> Draft:
        lease = {"lease_token": "2" * 32, "lease_until": now} if state is State.DRAFTING else {}
        none = {"lease_token": None, "lease_until": None}
        Draft.objects.filter(pk=draft.pk).update(**{**none, **lease, "state": state})
        return Draft.objects.get(pk=draft.pk)

    return give


@pytest.mark.parametrize("act", list(Act))
@pytest.mark.parametrize("source", list(State))
def test_each_act_moves_a_draft_only_as_the_table_says(act, source, as_state, now):
    draft = as_state(source)
    for target, who in itertools.product(State, Who):
        if (act.value, source.value, target.value, who.value) in ALLOWED:
            changes = {**LEASE, "lease_until": now} if target is State.DRAFTING else {}
            draft.move(act, target, by=Actor(who), now=now, changes=changes)
            assert Draft.objects.get(pk=draft.pk).state == target
            draft = as_state(source)
        else:
            with pytest.raises(TransitionRefused):
                draft.move(act, target, by=Actor(who), now=now)
    assert Draft.objects.get(pk=draft.pk).state == source


def test_every_move_raises_the_version_and_leaves_one_audit_line(draft, now, people):
    draft.move(Act.START, State.DRAFTING, by=Actor(Who.WORKER), now=now, changes={**LEASE, "lease_until": now})
    draft.move(Act.FINISH, State.AWAITING_REVIEW, by=Actor(Who.WORKER), now=now)
    draft.move(Act.DECLINE, State.DECLINED, by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    assert Draft.objects.get(pk=draft.pk).version == 3
    events = AuditEvent.objects.filter(draft_ref=draft.pk).order_by("id")
    assert [(event.act, event.before, event.after, event.who) for event in events] == [
        ("queue", "", "queued", "intake"),
        ("start", "queued", "drafting", "worker"),
        ("finish", "drafting", "awaiting_review", "worker"),
        ("decline", "awaiting_review", "declined", "operator"),
    ]
    assert events[3].user == people["operator"]


def test_a_draft_that_changed_since_it_was_read_is_not_moved(make_draft, now):
    draft = make_draft(State.AWAITING_REVIEW)
    stale = Draft.objects.get(pk=draft.pk)
    draft.move(Act.DECLINE, State.DECLINED, by=Actor(Who.OPERATOR), now=now)
    with pytest.raises(StateChanged):
        stale.move(Act.APPROVE_AS_IS, State.APPROVED, by=Actor(Who.OPERATOR), now=now)
    assert Draft.objects.get(pk=draft.pk).state == State.DECLINED
    assert AuditEvent.objects.filter(draft_ref=draft.pk, act="approve_as_is").count() == 0


def test_a_start_takes_a_lease_and_a_finish_ends_it(draft, now):
    token = draft.start(worker="w1", now=now)
    row = Draft.objects.get(pk=draft.pk)
    assert (row.state, row.lease_token, row.lease_until) == ("drafting", token, now + timedelta(seconds=30))
    assert (row.takes, row.lease_worker) == (1, "w1")
    row.move(Act.FINISH, State.ESCALATED, by=Actor(Who.WORKER), now=now)
    row.refresh_from_db()
    assert (row.lease_token, row.lease_until, row.lease_worker) == (None, None, "")


@pytest.mark.parametrize(
    ("changes", "starts"),
    [
        ({"takes": 0}, True),
        ({"takes": 2}, True),
        ({"takes": 3}, False),
        ({"not_before": timedelta(seconds=1)}, False),
        ({"not_before": timedelta(seconds=0)}, True),
        ({"not_before": timedelta(seconds=-1)}, True),
    ],
)
def test_a_start_needs_a_take_left_and_the_backoff_over(make_draft, now, changes, starts):
    given = {name: now + value if isinstance(value, timedelta) else value for name, value in changes.items()}
    draft = make_draft(State.QUEUED, **given)
    if starts:
        assert draft.start(worker="w1", now=now)
    else:
        with pytest.raises(StateChanged):
            draft.start(worker="w1", now=now)
        assert Draft.objects.get(pk=draft.pk).state == "queued"


@pytest.mark.parametrize(
    ("seconds", "token", "held"),
    [(0, "own", True), (29, "own", True), (30, "own", False), (300, "own", False), (1, "other", False)],
)
def test_a_lease_is_renewed_only_while_it_is_live_and_ones_own(draft, now, seconds, token, held):
    own = draft.start(worker="w1", now=now)
    given = own if token == "own" else "3" * 32
    then = now + timedelta(seconds=seconds)
    if held:
        draft.renew(given, now=then)
        assert Draft.objects.get(pk=draft.pk).lease_until == then + timedelta(seconds=30)
    else:
        with pytest.raises(LeaseLost):
            draft.renew(given, now=then)
        assert Draft.objects.get(pk=draft.pk).lease_until == now + timedelta(seconds=30)


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "sold"},
        {"takes": 4},
        {"stop_reason": "bored"},
        {"state": "drafting"},
        {"lease_token": "4" * 32, "lease_until": "2026-05-04T10:00Z"},
    ],
)
def test_the_database_itself_refuses_what_no_draft_can_be(draft, changes):
    with pytest.raises(IntegrityError), transaction.atomic():
        Draft.objects.filter(pk=draft.pk).update(**changes)


def test_a_case_has_one_open_draft_at_a_time(draft, now):
    with pytest.raises(IntegrityError), transaction.atomic():
        Draft.queue_up(case=draft.case, sheet=draft.sheet, by=Actor(Who.INTAKE), now=now)
    draft.move(Act.SUPERSEDE, State.SUPERSEDED, by=Actor(Who.INTAKE), now=now)
    Draft.queue_up(case=draft.case, sheet=draft.sheet, by=Actor(Who.INTAKE), now=now)
    assert draft.case.newest_draft().state == "queued"


@pytest.mark.parametrize(
    "given",
    [
        {"act": "Approved Acme Ltd"},
        {"act": "edit", "fields": ["Acme Ltd"]},
        {"act": "edit", "hashes": {"text": "You owe us $1.00"}},
        {"act": "edit", "hashes": {"Acme Ltd": "0" * 64}},
    ],
)
def test_the_audit_trail_takes_no_text(draft, now, given):
    with pytest.raises(NotForAudit):
        draft.note(**given, by=Actor(Who.WORKER), now=now)
    assert AuditEvent.objects.filter(draft_ref=draft.pk).count() == 1


def test_the_documentation_shows_the_table_that_the_code_obeys():
    page = Path("docs/transitions.md").read_text(encoding="utf-8")
    assert table_as_markdown() in page, "run `manage.py draw_transitions` to draw the page anew"
