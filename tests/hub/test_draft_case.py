"""What a worker leaves behind: the real loop and verifier, with a script in place of the model."""

import json
import logging
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection

from agent.attempt import Attempt as Written
from agent.attempt import CallError
from agent.llm.chat import Sampling
from agent.llm.names import ModelNameError
from reviewhub import drafting
from reviewhub.drafting import draft_case
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Attempt, AuditEvent, CapabilityGap, Draft, FactSheet, Finding, LeaseLost, State, Who
from reviewhub.sweeping import sweep
from tests.agent.drafting import GOOD

pytestmark = pytest.mark.django_db(transaction=True)

BILLING = Path("fixtures/billing")


class Hands:
    """A clock whose hands the test moves."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(now):
    return Hands(now)


@pytest.fixture
def submit(queue, now):
    """Queue a draft of a fixture's case and return it with the name of its scripted model."""

    def make(name: str) -> tuple[Draft, str]:
        folder = BILLING / name
        given = {"external_id": name, "domain": "billing", "facts": json.loads((folder / "facts.json").read_text())}
        case = read_case(given, queue=queue)
        draft = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
        return draft, f"scripted:{folder / 'scripted.json'}"

    return make


@pytest.fixture
def script(tmp_path):
    """Write a script of outputs and return the name of the model that reads it."""

    def make(*outputs: object) -> str:
        path = tmp_path / "script.json"
        path.write_text(json.dumps(outputs))
        return f"scripted:{path}"

    return make


@contextmanager
def writing(draft, model, clock, **more):
    """Let another thread write a draft, and give the list that its end will stand in."""
    ends: list[State | None] = []

    def work() -> None:
        try:
            ends.append(write(draft, model, clock, **more))
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield ends
    thread.join(60)


def write(draft, model, clock, **more):
    return draft_case(draft_id=draft.pk, model_name=model, worker="w1", clock=clock, **more)


@pytest.mark.parametrize(
    ("name", "state", "reason", "attempts"),
    [
        ("client_101", "awaiting_review", "passed", 1),
        ("dispute_reply_two", "awaiting_review", "passed", 2),
        ("client_empty", "abstained", "abstained", 0),
        ("client_ambiguous", "abstained", "abstained", 0),
        ("client_irreconcilable", "escalated", "irreconcilable", 0),
    ],
)
def test_a_draft_ends_where_its_case_belongs(submit, clock, name, state, reason, attempts):
    draft, model = submit(name)
    assert write(draft, model, clock) == state
    draft.refresh_from_db()
    assert (draft.state, draft.stop_reason, draft.attempts.count()) == (state, reason, attempts)
    assert (draft.lease_token, draft.finished_at) == (None, clock.now)


def test_every_attempt_is_saved_whole_with_its_outcomes(submit, clock):
    draft, model = submit("dispute_reply_two")
    write(draft, model, clock)
    first, second = draft.attempts.all()
    assert (first.number, second.number) == (1, 2)
    assert json.loads(first.raw_reply) == json.loads((BILLING / "dispute_reply_two/scripted.json").read_text())[0]
    assert first.prompt[0]["role"] == "system"
    assert first.body["blocks"][0]["kind"] == "code"
    assert [finding.error_type for finding in first.findings.failed()] == ["SLOT_ROLE"]
    assert not second.findings.failed().exists()
    assert second.findings.count() > 3
    assert Draft.objects.get(pk=draft.pk).shown == second
    assert "[" not in second.text


def test_a_stored_attempt_comes_back_as_the_loop_knew_it(submit, clock):
    draft, model = submit("dispute_reply_two")
    write(draft, model, clock)
    row = draft.attempts.get(number=1)
    again = Attempt.of(draft, row.attempt())
    for name in ("prompt", "raw_reply", "sampling", "body", "text", "model", "prompt_tokens", "seconds", "started_at"):
        assert getattr(again, name) == getattr(row, name)
    outcomes = [finding.outcome() for finding in row.findings.all()]
    assert list(row.attempt().outcomes) == outcomes
    assert {outcome.status for outcome in outcomes} == {"PASS", "FAIL"}


def test_an_abstention_leaves_one_gap_that_says_what_would_help(submit, clock):
    draft, model = submit("client_ambiguous")
    write(draft, model, clock)
    gap = CapabilityGap.objects.get()
    assert (gap.case, gap.draft, gap.domain, gap.code) == (draft.case, draft, "billing", "AMBIGUOUS_LINES")
    assert gap.missing
    assert gap.looked_in
    assert "not_duplicate" in gap.resolve_by


def test_facts_that_contradict_each_other_leave_a_finding_of_their_own(submit, clock):
    draft, model = submit("client_irreconcilable")
    write(draft, model, clock)
    finding = Finding.objects.get()
    assert (finding.draft, finding.attempt, finding.decision) == (draft, None, None)
    assert (finding.error_type, finding.blocking) == ("FACTS_IRRECONCILABLE", True)


def test_the_bare_script_writes_canned_drafts_that_pass(submit, clock):
    draft, _ = submit("gentle_reminder_one")
    assert write(draft, "scripted", clock) == State.AWAITING_REVIEW


def test_the_same_draft_twice_is_written_once(submit, clock):
    draft, model = submit("client_101")
    assert write(draft, model, clock) == State.AWAITING_REVIEW
    assert write(draft, model, clock) is None
    assert draft.attempts.count() == 1
    assert AuditEvent.objects.filter(draft_ref=draft.pk, act="start").count() == 1


def test_of_several_workers_one_writes_it(submit, clock):
    draft, model = submit("client_101")
    start = threading.Barrier(6)
    ends: list[State | None] = []

    def work(number: int) -> None:
        try:
            start.wait()
            ends.append(draft_case(draft_id=draft.pk, model_name=model, worker=f"w{number}", clock=clock))
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends, key=str) == [None] * 5 + ["awaiting_review"]
    draft.refresh_from_db()
    assert (draft.takes, draft.attempts.count()) == (1, 1)


def test_a_worker_goes_on_from_the_attempts_of_one_that_died(submit, script, clock):
    draft, model = submit("dispute_reply_two")
    write(draft, model, clock)
    # As if the worker had died after its first attempt and the sweeper had put the draft back.
    draft.attempts.filter(number=2).delete()
    Draft.objects.filter(pk=draft.pk).update(state="queued", shown=draft.attempts.get(number=1))
    second = json.loads((BILLING / "dispute_reply_two/scripted.json").read_text())[1]
    assert write(draft, script(second), clock) == State.AWAITING_REVIEW
    assert [row.number for row in draft.attempts.all()] == [1, 2]
    assert json.loads(draft.attempts.get(number=2).raw_reply) == second
    assert "SLOT_ROLE" in draft.attempts.get(number=2).prompt[-1]["content"]


def attempt(number, now):
    return Written(
        number=number, prompt=(), prompt_version="billing-1", sampling=Sampling(), model="scripted", started_at=now
    )


def test_an_attempt_is_saved_only_under_the_live_lease(make_draft, clock):
    draft = make_draft()
    token = draft.start(worker="w1", now=clock())
    run = drafting._Run(draft, token, clock)
    clock.pass_(29)
    run._save(attempt(1, clock()))
    clock.pass_(30)
    with pytest.raises(LeaseLost):
        run._save(attempt(2, clock()))
    assert [row.number for row in draft.attempts.all()] == [1]


def test_a_worker_whose_draft_was_taken_over_can_neither_save_nor_end_it(make_draft, clock):
    draft = make_draft()
    late = drafting._Run(Draft.objects.get(pk=draft.pk), draft.start(worker="w1", now=clock()), clock)
    late._draft.refresh_from_db()
    clock.pass_(31)
    Draft.objects.filter(pk=draft.pk).update(state="queued", lease_token=None, lease_until=None)
    other = Draft.objects.get(pk=draft.pk)
    other.start(worker="w2", now=clock())
    with pytest.raises(LeaseLost):
        late._save(attempt(1, clock()))
    draft.refresh_from_db()
    assert (draft.state, draft.lease_worker, draft.takes, draft.attempts.count()) == ("drafting", "w2", 2, 0)


def test_new_facts_while_a_draft_is_written_drop_what_the_worker_writes(submit, queue, held, clock, now):
    draft, _ = submit("client_101")
    facts = json.loads((BILLING / "client_101/facts.json").read_text())
    given = {"external_id": "client_101", "domain": "billing", "facts": {**facts, "reminders_sent": 7}}
    with writing(draft, held.model, clock) as ends:
        assert held.asked.wait(60)
        case = read_case(given, queue=queue)
        submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)
        held.may_answer.set()
    assert ends == [None]
    draft.refresh_from_db()
    assert (draft.state, draft.stop_reason, draft.attempts.count()) == ("superseded", "facts_changed", 0)
    assert draft.case.newest_draft().state == "queued"


def test_the_lease_is_renewed_beside_a_slow_call_and_no_transaction_is_open(submit, held, clock):
    draft, _ = submit("client_101")
    with writing(draft, held.model, clock, heartbeat_seconds=0.05) as ends:
        assert held.asked.wait(60)
        clock.pass_(25)
        deadline = time.monotonic() + 30
        while Draft.objects.get(pk=draft.pk).lease_until < clock() + timedelta(seconds=30):
            assert time.monotonic() < deadline, "the lease was not renewed"
            time.sleep(0.05)
        # An open transaction would hold the one write lock of SQLite.
        Draft.objects.filter(pk=draft.pk).update(stop_detail="written beside the call")
        held.may_answer.set()
    assert ends == ["awaiting_review"]


@pytest.mark.parametrize(
    ("takes_before", "state", "wait"), [(0, "queued", 10), (1, "queued", 60), (2, "escalated", None)]
)
def test_a_model_that_is_away_is_asked_later_and_after_three_takes_a_person_is(
    make_draft, clock, monkeypatch, takes_before, state, wait
):
    monkeypatch.setattr("agent.loop._PAUSES_SECONDS", (0.0, 0.0))
    draft = make_draft(takes=takes_before)
    assert write(draft, "openai:http://127.0.0.1:1#m", clock) == state
    draft.refresh_from_db()
    assert (draft.state, draft.takes, draft.attempts.count()) == (state, takes_before + 1, 3)
    assert {row.error for row in draft.attempts.all()} == {"unreachable"}
    assert draft.not_before == (clock() + timedelta(seconds=wait) if wait else None)
    assert draft.stop_reason == ("" if wait else "model_error")
    if wait:
        assert write(draft, "scripted", clock) is None
        clock.pass_(wait)
        assert write(draft, "scripted", clock) == State.AWAITING_REVIEW


def test_a_worker_that_died_after_its_last_attempt_costs_no_second_call(submit, script, clock):
    draft, model = submit("client_101")
    write(draft, model, clock)
    # As if the worker had died between saving the attempt that passed and ending the draft.
    Draft.objects.filter(pk=draft.pk).update(state="queued", stop_reason="", finished_at=None)
    assert write(draft, script("never asked for"), clock) == State.AWAITING_REVIEW
    draft.refresh_from_db()
    assert (draft.attempts.count(), draft.stop_reason, draft.takes) == (1, "passed", 2)


def test_attempts_of_all_takes_count_toward_one_budget(submit, script, clock):
    draft, _ = submit("client_101")
    months = ("January", "March", "April", "June")
    # Each has one wrong month less than the one before: only the budget ends it.
    wrong = script(*[{**GOOD, "opening": f"It was due in {', in '.join(months[at:])}."} for at in range(4)])
    assert write(draft, wrong, clock) == State.ESCALATED
    whole = draft.attempts.count()
    draft.attempts.filter(number__gt=1).delete()
    Draft.objects.filter(pk=draft.pk).update(state="queued", stop_reason="", shown=None)
    again = script(*[{**GOOD, "opening": f"We wrote in {', in '.join(months[at:])}."} for at in range(1, 4)])
    assert write(draft, again, clock) == State.ESCALATED
    draft.refresh_from_db()
    assert [row.number for row in draft.attempts.all()] == list(range(1, whole + 1))
    assert draft.stop_reason == "attempts"


def test_a_lease_that_ends_while_an_attempt_is_saved_saves_nothing_of_it(make_draft, clock):
    draft = make_draft()
    run = drafting._Run(draft, draft.start(worker="w1", now=clock()), clock)
    clock.pass_(30)
    with pytest.raises(LeaseLost):
        run._save(attempt(1, clock()))
    assert (draft.attempts.count(), Draft.objects.get(pk=draft.pk).shown) == (0, None)


def test_what_a_server_says_of_itself_is_stored_as_far_as_it_can_be(make_draft, clock):
    draft = make_draft()
    run = drafting._Run(draft, draft.start(worker="w1", now=clock()), clock)
    run._save(
        replace(attempt(1, clock()), model="m\x00del" + "x" * 300, error=CallError("html", "no\x00", retryable=True))
    )
    row = draft.attempts.get()
    assert row.model == "m\ufffddel" + "x" * 195
    assert row.error_message == "no\ufffd"


@pytest.mark.parametrize("seconds", [-7200, 7200])
def test_a_clock_that_jumps_never_lets_two_workers_end_a_draft(submit, queue, held, clock, seconds):
    draft, _ = submit("client_101")
    with writing(draft, held.model, clock) as ends:
        assert held.asked.wait(60)
        clock.pass_(seconds)
        sweep(now=clock())
        taken_over = write(draft, "scripted", clock)
        held.may_answer.set()
    assert [end for end in (*ends, taken_over) if end] == ["awaiting_review"]
    assert AuditEvent.objects.filter(draft_ref=draft.pk, act="finish").count() == 1
    assert draft.attempts.count() == 1


def test_what_breaks_while_a_draft_ends_is_rolled_back_and_the_draft_is_put_back(submit, clock):
    draft, model = submit("client_ambiguous")
    CapabilityGap.objects.create(
        case=draft.case, draft=draft, domain="billing", code="AMBIGUOUS_LINES", missing="x", at=clock()
    )
    assert write(draft, model, clock) == State.QUEUED
    draft.refresh_from_db()
    assert (draft.state, draft.takes, draft.lease_token, draft.stop_reason) == ("queued", 1, None, "")


def test_a_draft_that_breaks_and_is_taken_over_meanwhile_is_left_alone_and_no_text_is_logged(submit, clock, caplog):
    draft, model = submit("client_101")
    FactSheet.objects.filter(pk=draft.sheet_id).update(facts={"client": "Acme Ltd owes $1,975.00"})

    def late() -> datetime:
        clock.pass_(31)  # every look at the clock finds the lease over
        return clock.now

    assert write(draft, model, late) is None
    assert Draft.objects.get(pk=draft.pk).state == "drafting"
    assert "FactsInvalid" in caplog.text
    assert "Acme" not in caplog.text


def test_a_saved_attempt_that_cannot_be_read_any_more_ends_with_a_person(submit, clock, caplog):
    draft, model = submit("dispute_reply_two")
    write(draft, model, clock)
    draft.attempts.filter(number=2).delete()
    draft.attempts.update(body={"blocks": [{"kind": "song", "text": "Brightwater owes $5.00"}]})
    Draft.objects.filter(pk=draft.pk).update(state="queued", takes=2)
    assert write(draft, model, clock) == State.ESCALATED
    assert "UnknownBlock" in caplog.text
    assert "Brightwater" not in caplog.text


def test_a_model_that_does_not_exist_leaves_the_draft_waiting(make_draft, clock):
    draft = make_draft()
    with pytest.raises(ModelNameError):
        write(draft, "oracle", clock)
    draft.refresh_from_db()
    assert (draft.state, draft.takes) == ("queued", 0)


@pytest.mark.parametrize(("takes_before", "state"), [(0, "queued"), (1, "queued"), (2, "escalated")])
def test_a_draft_that_breaks_its_worker_is_put_back_then_given_to_a_person_and_no_text_is_logged(
    make_draft, clock, caplog, takes_before, state
):
    draft = make_draft(takes=takes_before)
    FactSheet.objects.filter(pk=draft.sheet_id).update(facts={"client": "Acme Ltd owes $1,975.00"})
    with caplog.at_level(logging.INFO):
        assert write(draft, "scripted", clock) == state
    assert "FactsInvalid" in caplog.text
    assert "Acme" not in caplog.text
    draft.refresh_from_db()
    assert (draft.state, draft.takes) == (state, takes_before + 1)
    assert draft.stop_reason == ("takes" if state == "escalated" else "")
