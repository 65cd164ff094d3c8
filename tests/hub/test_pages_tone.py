"""A draft in which only the tone is in doubt: a person says whether it fits, and that is the validator's record."""

import json
import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from agent.confidence import TrackRecord
from agent.validators.check import Kind
from reviewhub import reviewing
from reviewhub.drafting import draft_case
from reviewhub.edits import Edit, check_edit
from reviewhub.models import AuditEvent, Draft, Finding, Queue, Ruling, State, StopReason
from reviewhub.rulebook import checks_for
from tests.hub.acting import act
from tests.hub.pages import form
from tests.hub.test_pages_draft import page_of, plain
from tests.hub.written import CLOSING, OPENING, REQUEST, write_attempt

RUDE = "I am writing about your account again, because the items below are still open!!!"
ACTS = ("confirm", "refuse")


@pytest.fixture
def doubtful(make_draft, fresh):
    """A draft that lacks nothing but the right tone."""
    draft = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.TONE_ONLY)
    write_attempt(draft, opening=RUDE)
    assert {finding.error_type for finding in draft.findings.failed()} == {"TONE"}
    return draft


def tone_of(draft):
    return draft.findings.get(error_type="TONE")


def send(visit, draft, ruling, name="operator"):
    return visit(name).post(f"/drafts/{draft.pk}/tone/{ruling}/", form(draft))


def again(draft):
    return Draft.objects.get(pk=draft.pk)


def test_the_loop_leaves_a_rude_draft_for_a_person_to_confirm(make_draft, tmp_path, now):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"opening": RUDE, "request": REQUEST, "closing": CLOSING}] * 4))
    draft = make_draft()
    draft_case(draft_id=draft.pk, model_name=f"scripted:{script}", worker="w1", clock=lambda: now)
    draft = again(draft)
    assert (draft.state, draft.stop_reason) == (State.AWAITING_REVIEW, StopReason.TONE_ONLY)
    assert draft.has_tone_to_confirm


def test_queue_and_page_say_that_the_tone_is_to_be_confirmed(visit, doubtful):
    assert "Tone to confirm" in visit("viewer").get("/queues/billing-east/").text
    page = page_of(visit, doubtful)
    assert "Tone to confirm" in page
    acts = re.findall(rf'action="/drafts/{doubtful.pk}/(tone/\w+|approve)/"', page)
    assert sorted(acts) == ["tone/confirm", "tone/refuse"]


def test_who_confirms_hands_the_draft_to_a_lead_and_the_finding_was_right(visit, doubtful, people):
    assert send(visit, doubtful, "confirm").status_code == 302
    draft = again(doubtful)
    assert (draft.state, tone_of(draft).ruling) == (State.ESCALATED, Ruling.RIGHT)
    trail = list(AuditEvent.objects.filter(draft_ref=draft.pk).order_by("id").values_list("act", "user"))
    assert trail[-2:] == [("escalate", people["operator"].pk), ("confirm_tone", people["operator"].pk)]
    page = plain(page_of(visit, draft))
    assert "Tone to confirm" not in page
    assert "The tone does not fit." in page


def test_who_refuses_counts_a_false_alarm_and_the_draft_is_approved_like_any_other(visit, doubtful, people):
    assert send(visit, doubtful, "refuse").status_code == 302
    draft = again(doubtful)
    assert (draft.state, tone_of(draft).ruling) == (State.AWAITING_REVIEW, Ruling.WRONG)
    assert Finding.objects.false_alarms() == {"tone": 1}
    last = AuditEvent.objects.filter(draft_ref=draft.pk).latest("id")
    assert (last.act, last.user) == ("refuse_tone", people["operator"])
    assert "Tone to confirm" not in visit("operator").get("/queues/billing-east/").text
    assert visit("operator").post(f"/drafts/{draft.pk}/approve/", form(draft)).status_code == 302
    assert again(draft).state == State.APPROVED


def test_until_somebody_says_whether_the_tone_fits_it_is_not_approved_as_it_is(visit, doubtful):
    answer = visit("lead").post(f"/drafts/{doubtful.pk}/approve/", form(doubtful))
    assert answer.status_code == 409
    assert "Say first whether the tone fits" in answer.text
    assert again(doubtful).state == State.AWAITING_REVIEW


def test_a_corrected_text_is_approved_without_a_word_about_the_tone(doubtful, people, now):
    act("approve_edited", doubtful, people["operator"], now, edit=Edit((OPENING, REQUEST, CLOSING)))
    assert again(doubtful).state == State.APPROVED
    assert Finding.objects.agreed().count() == 1


def test_a_guess_about_a_persons_text_only_warns(doubtful, now):
    checked = check_edit(doubtful, Edit((RUDE, REQUEST, CLOSING)), now=now)[1]
    assert (checked.verdict, [item.error_type for item in checked.warnings]) == ("PASS", ["TONE"])


@pytest.mark.parametrize("ruling", ACTS)
def test_twice_is_told_and_changes_nothing_more(visit, doubtful, ruling):
    send(visit, doubtful, ruling)
    before = again(doubtful)
    assert send(visit, doubtful, ruling).status_code == 409
    assert send(visit, before, ruling).status_code == 409  # also from a page that was loaded since
    assert again(doubtful).version == before.version


@pytest.mark.parametrize("ruling", ACTS)
def test_who_saw_an_older_state_of_the_draft_is_told(visit, doubtful, ruling):
    Draft.objects.filter(pk=doubtful.pk).update(version=doubtful.version + 1)
    assert send(visit, doubtful, ruling).status_code == 409
    assert tone_of(doubtful).ruling == ""


def test_who_would_approve_a_page_from_before_the_ruling_is_told(visit, doubtful):
    send(visit, doubtful, "refuse")
    assert visit("lead").post(f"/drafts/{doubtful.pk}/approve/", form(doubtful)).status_code == 409


@pytest.mark.parametrize("ruling", ACTS)
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404), ("lead", 302), ("admin", 302)])
def test_only_who_decides_rules_on_the_tone(visit, doubtful, ruling, name, status):
    assert send(visit, doubtful, ruling, name).status_code == status
    assert (tone_of(doubtful).ruling == "") is (status != 302)


@pytest.mark.parametrize("ruling", ACTS)
def test_a_draft_that_another_holds_is_left_to_them(visit, doubtful, people, ruling):
    Draft.objects.filter(pk=doubtful.pk).update(
        claimed_by=people["lead"], claimed_until=doubtful.created_at.replace(year=2100)
    )
    assert send(visit, doubtful, ruling).status_code == 409
    assert tone_of(doubtful).ruling == ""


@pytest.mark.parametrize("ruling", ACTS)
def test_the_address_takes_a_post_alone_and_a_whole_form(visit, doubtful, ruling):
    client = visit("operator")
    assert client.get(f"/drafts/{doubtful.pk}/tone/{ruling}/").status_code == 405
    assert client.post(f"/drafts/{doubtful.pk}/tone/{ruling}/", {}).status_code == 422


@pytest.mark.parametrize("ruling", ACTS)
def test_a_draft_whose_tone_is_not_in_doubt_has_nothing_to_rule_on(visit, make_draft, ruling):
    draft = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.PASSED)
    write_attempt(draft)
    answer = send(visit, draft, ruling)
    assert answer.status_code == 409
    assert "not in doubt" in answer.text


def test_the_database_keeps_rulings_to_failures(doubtful):
    finding = doubtful.findings.filter(status="PASS").first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Finding.objects.filter(pk=finding.pk).update(ruling=Ruling.RIGHT)


# Records


def test_a_record_counts_what_people_agreed_with_and_what_they_refused(make_draft, people, fresh, now, queue):
    drafts = [make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.TONE_ONLY) for _ in range(6)]
    for draft in drafts:
        write_attempt(draft, opening=RUDE)
    operator, edit = people["operator"], Edit((OPENING, REQUEST, CLOSING))
    act("confirm_tone", drafts[0], operator, now)
    act("refuse_tone", drafts[1], operator, now)
    act("refuse_tone", drafts[2], operator, now)
    act("approve_edited", drafts[3], operator, now, edit=edit)
    undone = act("approve_edited", drafts[4], operator, now, edit=edit)
    reviewing.undo(decision_id=undone.pk, user=operator, now=now + timedelta(seconds=5))
    assert Finding.objects.records(queue.pk, "billing", ["tone", "names"]) == {
        "tone": TrackRecord(right=2, ruled=4),
        "names": TrackRecord(right=0, ruled=0),
    }
    other = Queue.objects.exclude(pk=queue.pk).get()
    assert Finding.objects.records(other.pk, "billing", ["tone"]) == {"tone": TrackRecord(0, 0)}


def test_each_validator_that_guesses_comes_with_its_record_and_counts_for_less_when_it_is_bad(doubtful, queue):
    shown = tone_of(doubtful)
    for number in range(40):
        Finding.objects.create(
            draft=doubtful,
            attempt=doubtful.shown,
            position=100 + number,
            status="FAIL",
            error_type="TONE",
            evidence="so",
            critique=shown.critique,
            severity=0.6,
            validator_source="tone@1.r1v1" if number % 2 else "tone@1",
            validator_confidence=0.65,
            timestamp=shown.timestamp,
            ruling=Ruling.RIGHT if number < 8 else Ruling.WRONG,
        )
    by_name = {check.name: check for check in checks_for(queue.pk, "billing")}
    assert by_name["tone"].record == TrackRecord(right=8, ruled=40)
    # The upper end of Wilson's interval for 8 of 40 is 0.348.
    assert by_name["tone"].effective_confidence == pytest.approx(0.348, abs=0.001)
    assert all(check.record is None for check in by_name.values() if check.kind is Kind.DETERMINISTIC)


def test_a_silenced_validator_only_warns_in_the_next_draft(doubtful, queue, make_draft, tmp_path, now):
    test_each_validator_that_guesses_comes_with_its_record_and_counts_for_less_when_it_is_bad(doubtful, queue)
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"opening": RUDE, "request": REQUEST, "closing": CLOSING}]))
    draft = make_draft()
    draft_case(draft_id=draft.pk, model_name=f"scripted:{script}", worker="w1", clock=lambda: now)
    assert again(draft).stop_reason == StopReason.PASSED
    assert draft.findings.get(error_type="TONE").status == "WARN"


def test_the_list_asks_as_often_for_many_tones_as_for_few(visit, make_draft):
    client, counts = visit("operator"), []
    for rows in (2, 10):
        for _ in range(rows):
            write_attempt(make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.TONE_ONLY), opening=RUDE)
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/queues/billing-east/").text.count("Tone to confirm") >= rows
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 16
