"""What a queue's drafts got wrong lately is told to the next ones, unless an administrator retires the line."""

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agent.validators.register import REGISTER
from reviewhub import reviewing
from reviewhub.drafting import draft_case
from reviewhub.models import (
    AuditEvent,
    Draft,
    Finding,
    Queue,
    RetiredLine,
    Ruling,
    State,
    avoid_lines,
    counted_lines,
)
from tests.hub.acting import act
from tests.hub.written import CLOSING, OPENING, REQUEST, write_attempt

PAGE = "/admin/reviewhub/retiredline/"
WRONG_SLOT = "We have received [TOTAL_DUE], thank you."
WAIVER = "We will waive the late fee for you."
KIND = {"domain": "billing", "situation": "gentle_reminder"}


@pytest.fixture
def now():
    """The pages count from the moment on in which they are looked at."""
    return timezone.now()


@pytest.fixture
def went_wrong(make_draft):
    """Leave a draft of a gentle reminder behind that failed, some time ago, in each of its attempts."""

    def make(*openings, ago=timedelta(), state=State.ESCALATED):
        draft = make_draft(state, situation="gentle_reminder")
        for number, opening in enumerate(openings, start=1):
            write_attempt(draft, number=number, opening=opening)
        then = draft.created_at - ago
        Finding.objects.filter(draft=draft).update(timestamp=then)
        Draft.objects.filter(pk=draft.pk).update(state_since=then)
        return draft

    return make


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.json"
    path.write_text(json.dumps([{"opening": OPENING, "request": REQUEST, "closing": CLOSING}]))
    return f"scripted:{path}"


@pytest.fixture
def next_prompt(make_draft, script, now):
    """Draft another case of the kind and return what its model was told last."""

    def draft():
        row = make_draft()
        draft_case(draft_id=row.pk, model_name=script, worker="w1", clock=lambda: now)
        row = Draft.objects.get(pk=row.pk)
        assert (row.state, row.situation) == (State.AWAITING_REVIEW, "gentle_reminder")
        return row.attempts.get(number=1).prompt[-1]["content"]

    return draft


def lines(queue, now):
    return [(line.error_type, line.slot, line.drafts) for line in counted_lines(queue.pk, now=now)]


def send(visit, queue, now, kind="retire", name="admin", changes=()):
    line = counted_lines(queue.pk, now=now)[0]
    given = {"queue": queue.pk, **KIND, "error_type": line.error_type, "slot": line.slot, "act": kind}
    given |= dict(changes)
    return visit(name).post(PAGE, given)


def test_a_line_names_what_went_wrong_and_the_slot_and_quotes_the_register(went_wrong, queue, now):
    went_wrong(WRONG_SLOT)
    told = avoid_lines(queue_id=queue.pk, now=now, **KIND)
    assert f"slot role [TOTAL_DUE]: {REGISTER['SLOT_ROLE'].critique}" in told
    assert not any("thank you" in line or "received" in line for line in told)


def test_a_draft_counts_once_however_often_it_went_wrong(went_wrong, queue, now):
    went_wrong(WRONG_SLOT, WRONG_SLOT, WRONG_SLOT)
    went_wrong(WRONG_SLOT)
    assert ("SLOT_ROLE", "TOTAL_DUE", 2) in lines(queue, now)


def test_the_next_prompt_tells_the_lines_and_the_attempt_keeps_it(went_wrong, next_prompt):
    before = next_prompt()
    went_wrong(WRONG_SLOT)
    after = next_prompt()
    assert "often went wrong" not in before
    assert f"- slot role [TOTAL_DUE]: {REGISTER['SLOT_ROLE'].critique}" in after


def test_at_most_five_are_told_the_most_frequent_first(went_wrong, queue, make_draft, now):
    codes = [code for code in REGISTER if code != "VALIDATOR_ERROR"][:7]
    for times, code in enumerate(codes, start=1):
        for _ in range(times):
            draft = went_wrong(OPENING)
            Finding.objects.filter(pk=draft.findings.first().pk).update(
                status="FAIL", error_type=code, evidence="x", critique="y", severity=0.5
            )
    told = avoid_lines(queue_id=queue.pk, now=now, **KIND)
    assert [line.partition(":")[0] for line in told] == [code.replace("_", " ").lower() for code in codes[:1:-1]]


def test_what_is_older_than_thirty_days_counts_no_more(went_wrong, queue, now):
    went_wrong(WRONG_SLOT, ago=timedelta(days=29))
    went_wrong(WRONG_SLOT, ago=timedelta(days=31))
    assert ("SLOT_ROLE", "TOTAL_DUE", 1) in lines(queue, now)


def test_a_line_is_of_one_queue_domain_and_situation(went_wrong, queue, people, now):
    went_wrong(WRONG_SLOT)
    other = Queue.objects.exclude(pk=queue.pk).get()
    assert avoid_lines(queue_id=other.pk, now=now, **KIND) == ()
    assert avoid_lines(queue_id=queue.pk, domain="billing", situation="formal_notice", now=now) == ()
    assert avoid_lines(queue_id=queue.pk, domain="tasks", situation="gentle_reminder", now=now) == ()


def test_a_draft_is_not_told_of_itself(went_wrong, queue, now):
    draft = went_wrong(WRONG_SLOT)
    assert avoid_lines(queue_id=queue.pk, now=now, besides=draft.pk, **KIND) == ()


def test_a_false_alarm_counts_for_nothing(went_wrong, queue, now):
    draft = went_wrong(WRONG_SLOT)
    draft.findings.failed().update(ruling=Ruling.WRONG)
    assert lines(queue, now) == []


def test_what_a_lead_overrode_counts_for_nothing_while_the_approval_stands(went_wrong, queue, people, fresh, now):
    draft = went_wrong(WRONG_SLOT, state=State.AWAITING_REVIEW)
    made = act("approve_as_is", draft, people["lead"], now, override=reviewing.Override("It was paid."))
    assert ("SLOT_ROLE", "TOTAL_DUE", 1) not in lines(queue, now)
    reviewing.undo(decision_id=made.pk, user=people["lead"], now=now)
    assert ("SLOT_ROLE", "TOTAL_DUE", 1) in lines(queue, now)


def test_neither_a_broken_validator_nor_a_warning_is_told(went_wrong, queue, now):
    draft = went_wrong(WRONG_SLOT)
    draft.findings.failed().update(error_type="VALIDATOR_ERROR")
    warned = went_wrong(WAIVER)
    warned.findings.failed().update(status="WARN", ruling="")
    assert lines(queue, now) == []


@pytest.mark.parametrize("slot", ["paid by Ana Ortega", "[X]", "total_due", "X" * 61])
def test_what_is_no_name_of_a_slot_is_never_told(went_wrong, queue, now, slot):
    draft = went_wrong(WRONG_SLOT)
    draft.findings.failed().update(metadata={"slot": slot})
    assert lines(queue, now) == []


# The administration


def test_an_administrator_sees_each_line_with_its_count(visit, went_wrong, queue):
    went_wrong(WRONG_SLOT)
    went_wrong(WRONG_SLOT)
    page = visit("admin").get(PAGE, {"queue": queue.pk}).text
    assert "slot role [TOTAL_DUE]" in page
    assert re.search(r"slot role \[TOTAL_DUE\].*?<td>2</td>", page, re.DOTALL)


def test_a_retired_line_is_told_no_more_and_comes_back(visit, went_wrong, queue, people, next_prompt, now):
    went_wrong(WRONG_SLOT)
    line = next(line for line in counted_lines(queue.pk, now=now) if line.error_type == "SLOT_ROLE")
    given = {"error_type": line.error_type, "slot": line.slot}
    assert send(visit, queue, now, changes=given).status_code == 302
    assert "slot role" not in next_prompt()
    assert "Take back" in visit("admin").get(PAGE, {"queue": queue.pk}).text
    assert send(visit, queue, now, "take_back", changes=given).status_code == 302
    assert "slot role [TOTAL_DUE]" in next_prompt()
    trail = AuditEvent.objects.filter(row_kind="retiredline").order_by("id")
    assert [(event.act, event.user, event.queue_ref) for event in trail] == [
        ("admin_retire", people["admin"], queue.pk),
        ("admin_take_back", people["admin"], queue.pk),
    ]


@pytest.mark.parametrize("kind", ["retire", "take_back"])
def test_twice_is_once(visit, went_wrong, queue, now, kind):
    went_wrong(WRONG_SLOT)
    send(visit, queue, now)
    send(visit, queue, now, kind)
    assert send(visit, queue, now, kind).status_code == 302
    assert RetiredLine.objects.count() == (kind == "retire")
    assert AuditEvent.objects.filter(row_kind="retiredline").count() == (1 if kind == "retire" else 2)


def test_a_retired_line_that_goes_wrong_no_more_can_be_taken_back(visit, went_wrong, queue, now):
    draft = went_wrong(WRONG_SLOT)
    send(visit, queue, now)
    Finding.objects.filter(draft=draft).delete()
    page = visit("admin").get(PAGE, {"queue": queue.pk}).text
    assert page.count("Take back") == 1


@pytest.mark.parametrize("name", ["viewer", "operator", "lead", "stranger"])
def test_nobody_else_gets_in(visit, went_wrong, queue, now, name):
    went_wrong(WRONG_SLOT)
    assert visit(name).get(PAGE).status_code in {302, 403}
    assert send(visit, queue, now, name=name).status_code in {302, 403}
    assert not RetiredLine.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"queue": "0"},
        {"domain": "x"},
        {"error_type": "NO_SUCH"},
        {"slot": "a word"},
        {"act": "burn"},
        {"situation": ""},
    ],
)
def test_a_form_that_names_no_line_changes_nothing(visit, went_wrong, queue, now, changes):
    went_wrong(WRONG_SLOT)
    assert send(visit, queue, now, changes=changes).status_code == 302
    assert not RetiredLine.objects.exists()


def test_the_page_asks_as_often_for_many_lines_as_for_one(visit, went_wrong, queue):
    client, counts = visit("admin"), []
    for openings in ([WRONG_SLOT], [WAIVER, WRONG_SLOT, "Please pay [TOTAL_DUE] by Friday or we will sue you."]):
        went_wrong(*openings)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE, {"queue": queue.pk})
        counts.append(len(queries))
    assert counts[0] == counts[1]
