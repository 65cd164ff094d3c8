"""What people may do with a draft, what is refused, and what stays in the database."""

import hashlib
import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from agent.body import Body
from reviewhub import reviewing
from reviewhub.edits import Edit, EditMismatch
from reviewhub.intake import read_case, submit_case
from reviewhub.models import (
    Actor,
    AuditEvent,
    Case,
    Decision,
    Draft,
    Exit,
    Finding,
    Queue,
    Review,
    TransitionRefused,
    Who,
)
from reviewhub.permissions import NotAllowed
from reviewhub.reviewing import (
    AlreadyDecided,
    ClaimedByOther,
    FactsStale,
    KeyReused,
    NeedsNote,
    NeedsReason,
    NothingToApprove,
    TextRefused,
    TooLateToUndo,
    approving,
)
from tests.hub.acting import act, key, state_of

pytestmark = pytest.mark.django_db

GOOD = "Your account still shows [OPEN_ITEMS], which we list below for you."
BY_HAND = (
    "Dear Clara Moss,\n\nTX-1001 and TX-1002 are still open on your account. The total due is $1,975.00. "
    "Please settle it as soon as you can.\n\nKind regards,\nAna Ruiz"
)
WRONG = "The total due is $1,990.00, which we list below for you."


def prose_of(draft):
    return [block["text"] for block in draft.shown.body["blocks"] if block["kind"] == "prose"]


def edit_of(draft, first):
    return Edit(prose=(first, *prose_of(draft)[1:]))


# Approve as is


def test_an_operator_approves_what_was_shown(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    assert (decision.verdict, decision.written, decision.text) == ("approved_as_is", "agent", draft.shown.text)
    assert (decision.decided_by, decision.decided_at) == (people["operator"], now)
    assert decision.effects_at == now + timedelta(seconds=15)
    assert state_of(draft) == "approved"
    review = Review.objects.get()
    assert (review.reviewer, review.round, review.verdict) == (people["operator"], 1, "approved_as_is")


@pytest.mark.parametrize("name", ["viewer", "stranger"])
@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("approve_as_is", {}),
        ("approve_edited", {"edit": Edit(free="Hello")}),
        ("decline", {"reason": "other"}),
        ("escalate", {"note": "look"}),
        ("redraft", {}),
    ],
)
def test_who_may_not_decide_changes_nothing(draft, people, now, name, verb, more):
    with pytest.raises(NotAllowed):
        act(verb, draft, people[name], now, **more)
    assert state_of(draft) == "awaiting_review"
    assert (Review.objects.count(), Decision.objects.count(), Draft.objects.count()) == (0, 0, 1)


def test_an_escalated_draft_is_approved_as_it_is_by_a_lead_only_and_only_without_blocking_findings(draft, people, now):
    escalated = act("escalate", draft, people["operator"], now, note="Is this client still ours?")
    assert state_of(draft) == "escalated"
    with pytest.raises(NotAllowed):
        act("approve_as_is", escalated, people["operator"], now)
    finding = draft.shown.findings.first()
    Finding.objects.filter(pk=finding.pk).update(blocking=True)
    with pytest.raises(NothingToApprove):
        act("approve_as_is", escalated, people["lead"], now)
    Finding.objects.filter(pk=finding.pk).update(blocking=False)
    assert act("approve_as_is", escalated, people["lead"], now).state_before == "escalated"
    assert state_of(draft) == "approved"


@pytest.mark.parametrize("name", ["client_empty", "client_irreconcilable"])
def test_where_nothing_was_written_nothing_is_approved_as_it_is(written, fresh, people, now, name):
    draft = written(name)
    with pytest.raises(NothingToApprove):
        act("approve_as_is", draft, people["lead"], now)
    assert not Decision.objects.exists()


# Freshness


def test_old_facts_are_confirmed_before_an_approval(written, people, now):
    draft = written()  # facts as of 30 April, today is 4 May, and the queue allows three days
    with pytest.raises(FactsStale, match="2026-04-30"):
        act("approve_as_is", draft, people["operator"], now)
    with pytest.raises(FactsStale):
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, GOOD))
    draft.refresh_from_db()
    assert draft.pending["prose"][0] == GOOD
    decision = act("approve_as_is", draft, people["operator"], now, facts_confirmed=True)
    assert decision.facts_confirmed


@pytest.mark.parametrize(
    ("limit", "zone", "hour", "stale"),
    [
        (4, "UTC", "2026-05-04T23:30+00:00", False),
        (4, "UTC", "2026-05-05T00:00+00:00", True),
        (4, "Pacific/Auckland", "2026-05-04T12:30+00:00", True),
        (4, "America/Los_Angeles", "2026-05-05T06:30+00:00", False),
        (None, "UTC", "2030-01-01T00:00+00:00", False),
    ],
)
def test_facts_age_by_the_calendar_of_their_queue(queue, make_draft, limit, zone, hour, stale):
    queue.facts_max_age_days, queue.time_zone = limit, zone
    queue.save()
    draft = make_draft()
    draft.sheet.facts["as_of"] = "2026-04-30"
    draft.sheet.save()
    at = type(draft.created_at).fromisoformat(hour)
    assert Draft.objects.get(pk=draft.pk).is_stale(at) is stale


def test_facts_of_a_demo_queue_never_age(queue, make_draft, now):
    queue.is_demo = True
    queue.save()
    assert not make_draft().is_stale(now + timedelta(days=900))


# Approve edited


def test_an_edited_text_that_passes_is_approved_with_its_outcomes(draft, people, now):
    decision = act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, GOOD))
    assert (decision.verdict, decision.written) == ("approved_with_edits", "edited")
    assert "Your account still shows" in decision.text
    assert "[" not in decision.text
    blocks = decision.body["blocks"]
    shown = draft.shown.body["blocks"]
    assert [block for block in blocks if block["kind"] == "code"] == [b for b in shown if b["kind"] == "code"]
    assert next(block["text"] for block in blocks if block["kind"] == "prose") == GOOD
    assert decision.findings.count() > 3
    assert not decision.findings.failed().exists()


def test_a_text_that_fails_is_kept_and_not_approved(draft, people, now):
    with pytest.raises(TextRefused) as refused:
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, WRONG))
    assert any("1,990.00" in (outcome.evidence or "") for outcome in refused.value.checked.failures)
    row = Draft.objects.get(pk=draft.pk)
    assert (row.state, row.version) == ("awaiting_review", draft.version)
    assert row.pending == {"prose": [WRONG, *prose_of(draft)[1:]]}
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("verb", "more", "found"),
    [
        ("approve_edited", {"edit": Edit(free=BY_HAND)}, BY_HAND),
        ("approve_as_is", {}, "You owe us $1.00."),
        ("decline", {"reason": "other"}, "You owe us $1.00."),
    ],
)
def test_after_an_undo_the_form_holds_what_was_written_last(draft, people, now, verb, more, found):
    with pytest.raises(TextRefused):
        act("approve_edited", draft, people["operator"], now, edit=Edit(free="You owe us $1.00."))
    decision = act(verb, draft, people["operator"], now, **more)
    reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    assert Draft.objects.get(pk=draft.pk).pending == {"free": found}


def test_a_text_that_cannot_be_kept_is_not_said_to_be(draft, people, now, monkeypatch):
    checking = approving.check_edit

    def decided_meanwhile(*args, **more):
        act("decline", Draft.objects.get(pk=draft.pk), people["lead"], now, reason="other")
        return checking(*args, **more)

    monkeypatch.setattr(approving, "check_edit", decided_meanwhile)
    with pytest.raises(AlreadyDecided, match="lead has already decided"):
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, WRONG))


def test_a_passage_that_is_deleted_leaves_no_gap(draft, people, now):
    decision = act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, "  "))
    assert "\n\n\n" not in decision.text
    names = [block["name"] for block in draft.shown.body["blocks"]]
    assert [block["name"] for block in decision.body["blocks"]] == [name for name in names if name != "opening"]
    reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    assert len(Draft.objects.get(pk=draft.pk).pending["prose"]) == len(prose_of(draft))


def test_what_is_typed_as_a_slot_renders_is_that_slot_again(draft, people, now):
    typed = "TX-1001 is still open on your account. The total due is $1,975.00."
    decision = act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, typed))
    first = next(block["text"] for block in decision.body["blocks"] if block["kind"] == "prose")
    assert first == "[LINE_1] is still open on your account. The total due is [TOTAL_DUE]."
    assert typed in decision.text
    case = draft.sheet.as_case()
    assert Body.from_json(decision.body).render(case.slot_values()).text == decision.text


def test_a_free_text_keeps_its_figures(draft, people, now):
    decision = act("approve_edited", draft, people["operator"], now, edit=Edit(free=BY_HAND))
    assert decision.body == Body.free(BY_HAND).as_json()


def test_an_edit_that_changes_nothing_is_an_approval_as_is(draft, people, now):
    body = draft.shown.stored_body().render(draft.sheet.as_case().slot_values())
    filled = tuple(body.text[place.start : place.end] for place in body.prose)
    decision = act("approve_edited", draft, people["operator"], now, edit=Edit(prose=filled))
    assert (decision.verdict, decision.written, decision.body) == ("approved_as_is", "agent", draft.shown.body)


def test_an_edit_that_changes_nothing_is_no_way_around_a_check_that_must_pass(draft, people, now):
    finding = draft.shown.findings.first()
    Finding.objects.filter(pk=finding.pk).update(blocking=True)
    with pytest.raises(NothingToApprove):
        act("approve_as_is", draft, people["operator"], now)
    body = draft.shown.stored_body().render(draft.sheet.as_case().slot_values())
    filled = tuple(body.text[place.start : place.end] for place in body.prose)
    decision = act("approve_edited", draft, people["operator"], now, edit=Edit(prose=filled))
    assert (decision.verdict, decision.written) == ("approved_with_edits", "edited")


def test_an_edit_that_does_not_fit_the_draft_is_refused(draft, people, now):
    with pytest.raises(EditMismatch):
        act("approve_edited", draft, people["operator"], now, edit=Edit(prose=("One.",)))
    assert state_of(draft) == "awaiting_review"


def test_a_hand_written_text_is_one_free_block_and_checked_whole(draft, people, now):
    with pytest.raises(TextRefused):
        act("approve_edited", draft, people["operator"], now, edit=Edit(free="Please pay."))
    decision = act("approve_edited", draft, people["operator"], now, edit=Edit(free=BY_HAND))
    assert (decision.verdict, decision.written, decision.text) == ("approved_with_edits", "by_hand", BY_HAND)
    assert len(decision.body["blocks"]) == 1


def test_an_abstained_case_can_be_answered_by_hand(written, fresh, people, now):
    draft = written("client_ambiguous")
    with pytest.raises(EditMismatch):
        act("approve_edited", draft, people["operator"], now, edit=Edit(prose=("Hello.",)))
    with pytest.raises(TextRefused):
        act("approve_edited", draft, people["operator"], now, edit=Edit(free="You owe us $1.00."))
    row = Draft.objects.get(pk=draft.pk)
    assert (row.state, row.pending) == ("abstained", {"free": "You owe us $1.00."})


def test_a_text_with_characters_that_no_database_takes_is_kept_without_them(draft, people, now):
    with pytest.raises(TextRefused):
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, "Hello \x00 there"))
    assert Draft.objects.get(pk=draft.pk).pending["prose"][0] == "Hello \ufffd there"


@pytest.mark.parametrize(
    "text",
    ["Hello \ud800 there", "Hello \u202e there", "Hello \u2028 there", "word " * 40_000, "[" * 200_000, "1" * 200_000],
    ids=["half a pair", "turned round", "line separator", "200 KB of words", "200 KB of brackets", "200 KB of digits"],
)
def test_a_hostile_text_is_refused_and_kept(draft, people, now, text):
    for edit in (edit_of(draft, text), Edit(free=text)):
        with pytest.raises(TextRefused):
            act("approve_edited", draft, people["operator"], now, edit=edit)
        kept = Draft.objects.get(pk=draft.pk).pending
        assert (kept.get("free") or kept["prose"][0]) == text.replace("\ud800", "\ufffd")
    assert state_of(draft) == "awaiting_review"


# Decline, escalate, redraft


def test_a_decline_needs_a_reason_of_the_list(draft, people, now):
    for reason in ("", "because"):
        with pytest.raises(NeedsReason):
            act("decline", draft, people["operator"], now, reason=reason)
    decision = act("decline", draft, people["operator"], now, reason="wrong_tone", note="Too cold.")
    assert (decision.verdict, decision.text, decision.review.reason) == ("declined", "", "wrong_tone")
    assert decision.review.note == "Too cold."
    assert state_of(draft) == "declined"


@pytest.mark.parametrize("name", ["client_empty", "client_irreconcilable"])
def test_abstained_and_escalated_drafts_can_be_declined(written, people, now, name):
    draft = written(name)
    act("decline", draft, people["operator"], now, reason="not_needed")
    assert state_of(draft) == "declined"


def test_an_escalation_needs_a_note_and_happens_once(draft, people, now):
    with pytest.raises(NeedsNote):
        act("escalate", draft, people["operator"], now, note="  ")
    act("escalate", draft, people["operator"], now, note="Please look.")
    assert Review.objects.get().note == "Please look."
    with pytest.raises(AlreadyDecided):
        act("escalate", draft, people["operator"], now, note="Please look.")
    with pytest.raises(TransitionRefused):
        act("escalate", Draft.objects.get(pk=draft.pk), people["operator"], now, note="Again.")


def test_a_redraft_supersedes_and_queues_one_on_the_newest_facts(draft, people, now):
    new = act("redraft", draft, people["operator"], now)
    assert (state_of(draft), new.state, new.sheet) == ("superseded", "queued", draft.case.newest_sheet())
    with pytest.raises(AlreadyDecided):
        act("redraft", draft, people["operator"], now)
    assert draft.case.drafts.count() == 2


# Conflicts and doubled requests


def test_who_comes_second_is_told_who_decided_and_when(draft, people, now):
    act("decline", draft, people["lead"], now, reason="not_needed")
    with pytest.raises(AlreadyDecided, match=r"lead has already decided \(declined\) at 2026-05-04 09:30 UTC") as told:
        act("approve_as_is", draft, people["operator"], now)
    assert told.value.decision == Decision.objects.get()
    assert state_of(draft) == "declined"


def test_the_same_key_again_is_the_same_decision(draft, people, now):
    same = key()
    first = act("approve_as_is", draft, people["operator"], now, key=same)
    assert act("approve_as_is", draft, people["operator"], now, key=same) == first
    assert Decision.objects.count() == Review.objects.count() == 1
    with pytest.raises(KeyReused):
        act("approve_as_is", draft, people["lead"], now, key=same)


def test_the_key_of_one_act_does_not_pass_another_off_as_done(draft, written, people, now):
    same = key()
    act("approve_as_is", draft, people["operator"], now, key=same)
    with pytest.raises(AlreadyDecided, match=r"\(approved as is\)"):
        act("decline", draft, people["operator"], now, key=same, reason="other")
    with pytest.raises(KeyReused):
        act("decline", written("client_empty"), people["operator"], now, key=same, reason="other")
    assert Decision.objects.count() == 1


def test_a_form_sent_again_after_an_undo_is_not_said_to_have_decided(draft, people, now):
    same = key()
    decision = act("approve_as_is", draft, people["operator"], now, key=same)
    reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    for version in (draft.version, Draft.objects.get(pk=draft.pk).version):
        draft.version = version
        with pytest.raises(AlreadyDecided, match="it is now awaiting review"):
            act("approve_as_is", draft, people["operator"], now, key=same)
    assert state_of(draft) == "awaiting_review"


# Claims


def test_a_claim_keeps_others_from_deciding_until_it_ends(draft, people, now):
    reviewing.claim(draft_id=draft.pk, user=people["operator"], now=now)
    with pytest.raises(ClaimedByOther, match=r"operator is working on this draft until 09:40 UTC"):
        act("approve_as_is", draft, people["lead"], now)
    with pytest.raises(ClaimedByOther):
        reviewing.claim(draft_id=draft.pk, user=people["lead"], now=now + timedelta(minutes=9, seconds=59))
    act("approve_as_is", draft, people["lead"], now + timedelta(minutes=10))
    row = Draft.objects.get(pk=draft.pk)
    assert (row.state, row.claimed_by, row.claimed_until) == ("approved", None, None)


def test_a_lead_takes_a_claim_over_and_an_operator_does_not(draft, people, now):
    reviewing.claim(draft_id=draft.pk, user=people["operator"], now=now)
    with pytest.raises(NotAllowed):
        reviewing.claim(draft_id=draft.pk, user=people["operator"], now=now, take_over=True)
    taken = reviewing.claim(draft_id=draft.pk, user=people["lead"], now=now, take_over=True)
    assert taken.claimed_by == people["lead"]
    taken.release(user_id=people["operator"].pk)
    assert Draft.objects.get(pk=draft.pk).claimed_by == people["lead"]
    taken.release(user_id=people["lead"].pk)
    assert Draft.objects.get(pk=draft.pk).claimed_by is None


def test_a_claim_does_not_make_the_page_stale(draft, people, now):
    reviewing.claim(draft_id=draft.pk, user=people["operator"], now=now)
    assert act("approve_as_is", draft, people["operator"], now)


# Undo


@pytest.mark.parametrize(("seconds", "undone"), [(0, True), (14, True), (14.999, True), (15, False), (3600, False)])
@pytest.mark.parametrize("verb", ["approve_as_is", "decline"])
def test_a_decision_can_be_taken_back_for_15_seconds(draft, people, now, seconds, undone, verb):
    more = {"reason": "other"} if verb == "decline" else {}
    decision = act(verb, draft, people["operator"], now, **more)
    then = now + timedelta(seconds=seconds)
    assert decision.can_undo(user_id=people["operator"].pk, now=then) is undone
    if undone:
        reviewing.undo(decision_id=decision.pk, user=people["operator"], now=then)
        assert state_of(draft) == "awaiting_review"
        assert Decision.objects.get().undone_at == then
    else:
        with pytest.raises(TooLateToUndo):
            reviewing.undo(decision_id=decision.pk, user=people["operator"], now=then)
        assert state_of(draft) != "awaiting_review"


def test_only_who_decided_takes_it_back(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    for name in ("lead", "admin"):
        with pytest.raises(NotAllowed):
            reviewing.undo(decision_id=decision.pk, user=people[name], now=now)
    assert state_of(draft) == "approved"


def test_after_an_undo_the_draft_is_decided_anew_in_the_next_round(draft, people, now):
    first = act("approve_as_is", draft, people["operator"], now)
    reviewing.undo(decision_id=first.pk, user=people["operator"], now=now)
    reviewing.undo(decision_id=first.pk, user=people["operator"], now=now)
    again = Draft.objects.get(pk=draft.pk)
    act("decline", again, people["operator"], now, reason="other")
    assert list(Review.objects.values_list("round", "verdict")) == [(1, "approved_as_is"), (2, "declined")]
    assert draft.current_decision().verdict == "declined"


def test_an_undo_leads_back_to_where_the_draft_was(written, fresh, people, now):
    draft = written("client_irreconcilable")
    decision = act("decline", draft, people["operator"], now, reason="other")
    reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    assert state_of(draft) == "escalated"


@pytest.mark.parametrize("way", list(Exit))
def test_a_text_that_left_stays_approved(draft, people, now, way):
    decision = act("approve_as_is", draft, people["operator"], now)
    out = reviewing.let_out(decision_id=decision.pk, way=way, user=people["operator"], now=now)
    assert (out.left_at, out.left_by) == (now, way)
    with pytest.raises(TooLateToUndo, match=way.label.lower()):
        reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    assert state_of(draft) == "approved"


def test_a_text_leaves_first_once_and_never_after_an_undo_or_a_decline(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    with pytest.raises(NothingToApprove):
        reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=people["operator"], now=now)
    declined = act("decline", Draft.objects.get(pk=draft.pk), people["operator"], now, reason="other")
    with pytest.raises(NothingToApprove):
        reviewing.let_out(decision_id=declined.pk, way=Exit.COPIED, user=people["operator"], now=now)


def test_copying_twice_keeps_the_first_time_and_a_viewer_may_not(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    with pytest.raises(NotAllowed):
        reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=people["viewer"], now=now)
    reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=people["operator"], now=now)
    later = now + timedelta(minutes=1)
    again = reviewing.let_out(decision_id=decision.pk, way=Exit.DOWNLOADED, user=people["operator"], now=later)
    assert (again.left_at, again.left_by) == (now, "copied")


def test_new_facts_end_the_time_to_undo(draft, queue, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    facts = {**draft.sheet.facts, "reminders_sent": 9}
    case = read_case({"external_id": "client_101", "domain": "billing", "facts": facts}, queue=queue)
    submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)
    with pytest.raises(TooLateToUndo, match="New facts have come"):
        reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now)
    assert Decision.objects.get().undone_at is None


def test_a_person_who_left_the_queue_can_do_nothing_more(draft, people, now):
    decision = act("approve_as_is", draft, people["operator"], now)
    people["operator"].memberships.all().delete()
    for call in (
        lambda: reviewing.undo(decision_id=decision.pk, user=people["operator"], now=now),
        lambda: reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=people["operator"], now=now),
        lambda: reviewing.claim(draft_id=draft.pk, user=people["operator"], now=now),
        lambda: act("decline", draft, people["operator"], now, reason="other"),
    ):
        with pytest.raises(NotAllowed):
            call()
    assert Decision.objects.get().left_at is None
    assert state_of(draft) == "approved"


# Audit and visibility


def test_the_audit_trail_names_every_act_and_holds_no_text(draft, people, now):
    with pytest.raises(TextRefused):
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, WRONG))
    act("escalate", draft, people["operator"], now, note="Confidential remark")
    row = Draft.objects.get(pk=draft.pk)
    decision = act("approve_edited", row, people["lead"], now, edit=edit_of(row, GOOD))
    reviewing.let_out(decision_id=decision.pk, way=Exit.COPIED, user=people["lead"], now=now)
    events = AuditEvent.objects.order_by("id")
    assert [event.act for event in events] == [
        "queue",
        "start",
        "finish",
        "escalate",
        "approve_edited",
        "let_out_copied",
    ]
    stored = json.dumps(list(events.values()), default=str)
    for text in ("Brightwater", "client_101", "TX-1001", "1,975", "197500", "Confidential", "Your account", "remark"):
        assert text not in stored
    approved = events.get(act="approve_edited")
    assert approved.hashes == {"text": hashlib.sha256(decision.text.encode()).hexdigest()}
    assert (approved.user, approved.who) == (people["lead"], "lead")


def test_each_person_sees_the_queues_they_belong_to(draft, people):
    seen = {
        name: (
            Queue.objects.visible_to(user).filter(pk=draft.queue_id).exists(),
            Case.objects.visible_to(user).exists(),
            Draft.objects.visible_to(user).exists(),
        )
        for name, user in people.items()
    }
    assert seen.pop("stranger") == (False, False, False)
    assert set(seen.values()) == {(True, True, True)}
    people["operator"].is_active = False
    assert not Draft.objects.visible_to(people["operator"]).exists()


@pytest.mark.parametrize(
    ("first", "warned"),
    [
        ("The total due is $1,975.00, and the items are listed below.", set()),
        ("TX-1001 is still open on your account, as listed below.", set()),
        ("Your account shows [OPEN_ITEMS] \u2014 they are listed below.", {"PUNCTUATION"}),
    ],
)
def test_a_person_may_type_true_figures_and_is_only_warned_of_wording(draft, people, now, first, warned):
    decision = act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, first))
    assert set(decision.findings.filter(status="WARN").values_list("error_type", flat=True)) == warned
    assert decision.verdict == "approved_with_edits"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("The total due is $1,990.00, as listed below.", "FIGURE_UNLICENSED"),
        ("TX-9999 is still open on your account.", "UNKNOWN_ID"),
        ("Please pay to DE89 3704 0044 0532 0130 00 this time.", "PAYMENT_DETAIL"),
        ("Please write to boss@elsewhere.example this time.", "CONTACT"),
        ("If you do not pay, we will take legal action against you.", "LEGAL_CLAIM"),
        ("You do not owe us anything.", "DEBT_DENIED"),
        ("TX-1001 is paid, thank you.", "LINE_STATUS"),
    ],
)
def test_what_a_person_writes_against_facts_or_policy_is_refused(draft, people, now, first, code):
    with pytest.raises(TextRefused) as refused:
        act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, first))
    assert code in {outcome.error_type for outcome in refused.value.checked.failures}
    assert not Decision.objects.exists()


def test_a_long_text_of_a_person_only_warns(draft, people, now):
    first = "Your account shows [OPEN_ITEMS]. " + "Please let us know whenever you have a question for us. " * 18
    decision = act("approve_edited", draft, people["operator"], now, edit=edit_of(draft, first.strip()))
    assert list(decision.findings.filter(status="WARN").values_list("error_type", flat=True)) == ["TOO_WORDY"]


def test_a_decided_draft_cannot_be_claimed(draft, people, now):
    act("decline", draft, people["operator"], now, reason="other")
    with pytest.raises(AlreadyDecided):
        reviewing.claim(draft_id=draft.pk, user=people["lead"], now=now)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": ""},
        {"verdict": "declined"},
        {"verdict": "escalated"},
        {"written": ""},
        {"state_before": "queued"},
        {"idempotency_key": ""},
        {"left_by": "copied"},
    ],
)
def test_the_database_itself_refuses_half_a_decision(draft, people, now, changes):
    decision = act("approve_as_is", draft, people["operator"], now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Decision.objects.filter(pk=decision.pk).update(**changes)


def test_the_database_itself_refuses_a_second_decision_that_stands(draft, people, now):
    first = act("approve_as_is", draft, people["operator"], now)
    review = Review.objects.create(draft=draft, reviewer=people["lead"], round=2, verdict="approved_as_is", at=now)
    second = Decision.objects.get(pk=first.pk)
    second.pk, second.review, second.idempotency_key = None, review, key()
    with pytest.raises(IntegrityError), transaction.atomic():
        second.save(force_insert=True)
