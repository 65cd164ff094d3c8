"""The loop writes, verifies and revises until a draft passes or its budget ends."""

import json

import pytest

from agent.advice import Advice, Usage
from agent.attempt import Attempt
from agent.body import Body, Prose
from agent.budget import Limits, estimated_tokens, limits_for
from agent.decision import EndState, Stop, StopReason, Write, best_of, decide
from agent.llm.chat import ModelError, Reason, Sampling
from agent.loop import Gate, run_draft
from agent.outcome import Outcome, Status
from agent.reflection import first_request
from agent.validators.check import Found
from agent.validators.runner import softened
from agent.validators.wrap import from_callable
from tests.agent.drafting import GOOD, Model, Steady, attempt, case, failed_call, outcome, reply

_LIMITS = Limits(attempts=3)
_TRIFLE = {"severity": 0.2, "blocking": False}


_BODY = Body.free("the same text")


def _seen(number: int, words: str, *, severity: float = 0.9, **more) -> Attempt:
    """Return an attempt with one failure that was seen in some words."""
    return attempt(number, outcome(severity=severity).model_copy(update={"evidence": words}), **more)


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        pytest.param([attempt(1)], "passed", id="no failure"),
        pytest.param([attempt(1, outcome()), attempt(2)], "passed", id="a failure, then none"),
        pytest.param([attempt(1, outcome(**_TRIFLE))], "accepted_low_severity", id="only trifles"),
        pytest.param([attempt(1, outcome(severity=0.3, blocking=False))], None, id="a trifle ends below .3"),
        pytest.param([attempt(1, outcome(severity=0.1))], None, id="a blocking validator has no trifles"),
        pytest.param([attempt(1, outcome(**_TRIFLE), outcome())], None, id="a trifle beside a failure"),
        pytest.param([attempt(1, outcome(**_TRIFLE), body=None)], None, id="nothing readable is no trifle"),
        pytest.param([attempt(1, outcome("VALIDATOR_ERROR"))], "validator_error", id="a broken validator"),
        pytest.param(
            [attempt(1, outcome(), reply="x", body=None), attempt(2, outcome(), reply="x", body=None)],
            "identical",
            id="the same reply again",
        ),
        pytest.param([_seen(1, "a"), _seen(2, "b")], None, id="one attempt left"),
        pytest.param([_seen(1, "a"), _seen(2, "b", severity=0.8), _seen(3, "c")], "attempts", id="no attempt left"),
        pytest.param([_seen(1, "a"), _seen(2, "a")], "no_improvement", id="the same failures again"),
        pytest.param([_seen(1, "a"), _seen(2, "b", severity=0.8), _seen(3, "a")], "cycle", id="failures of before"),
        pytest.param(
            [_seen(1, "a", reply="x", body=None), _seen(2, "a", reply="y", body=None)], None, id="two kinds of nonsense"
        ),
        pytest.param(
            [_seen(1, "a", body=_BODY), _seen(2, "b", severity=0.8), _seen(3, "c", body=_BODY)],
            "cycle",
            id="back to a draft before",
        ),
        pytest.param([_seen(1, "a"), _seen(2, "b"), _seen(3, "c")], "no_improvement", id="two rounds without a drop"),
        pytest.param(
            [_seen(1, "a"), _seen(2, "b", body=None), _seen(3, "c", body=None)],
            "no_improvement",
            id="two rounds of nonsense",
        ),
        pytest.param([attempt(1, outcome(), tokens_in=16_000)], "tokens", id="no tokens left"),
        pytest.param([attempt(1, outcome(), seconds=900)], "time", id="no time left"),
        pytest.param([attempt(1, error=failed_call())], None, id="a failed call is made again"),
        pytest.param([attempt(1, error=failed_call(retryable=False))], "model_error", id="a call that cannot work"),
        pytest.param([attempt(n, error=failed_call()) for n in (1, 2, 3)], "model_error", id="three failed calls"),
        pytest.param(
            [*(attempt(n, error=failed_call()) for n in (1, 2)), attempt(3, outcome())],
            None,
            id="errors cost no attempt",
        ),
    ],
)
def test_the_decision_follows_from_the_history(history, reason):
    decision = decide(history, _LIMITS)
    if reason is None:
        assert decision == Write(len(history) + 1)
    else:
        assert isinstance(decision, Stop)
        assert decision.reason == reason
        assert decision.detail


def test_every_stop_reason_has_its_end():
    ends = {reason: Stop(reason, "").state for reason in StopReason}
    review = {StopReason.PASSED, StopReason.ACCEPTED_LOW_SEVERITY, StopReason.TONE_ONLY}
    assert {reason for reason, state in ends.items() if state is EndState.AWAITING_REVIEW} == review
    assert {reason for reason, state in ends.items() if state is EndState.ABSTAINED} == {StopReason.ABSTAINED}


def _tone(number: int, words: str, **more) -> Attempt:
    found = outcome("PUNCTUATION", severity=0.6, blocking=False)
    return attempt(number, found.model_copy(update={"evidence": words, "validator_source": "tone@1"}), **more)


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        pytest.param([_tone(1, "a")], None, id="is revised while there are attempts"),
        pytest.param([_tone(1, "a"), _tone(2, "a")], "tone_only", id="no better"),
        pytest.param([_tone(1, "a"), _tone(2, "b"), _tone(3, "c")], "tone_only", id="no attempt left"),
        pytest.param(
            [_tone(1, "a"), _seen(2, "a wrong figure"), _seen(3, "b")], "tone_only", id="the best lacks only it"
        ),
        pytest.param([_seen(1, "a"), _seen(2, "a")], "no_improvement", id="another failure is none of tone"),
        pytest.param(
            [_tone(1, "a"), attempt(2, error=failed_call(retryable=False))], "model_error", id="a broken model"
        ),
    ],
)
def test_a_draft_that_only_its_tone_speaks_against_goes_to_review(history, reason):
    decision = decide(history, _LIMITS)
    assert (decision.reason if isinstance(decision, Stop) else None) == reason


def test_the_best_attempt_has_the_fewest_blocking_failures_then_the_least_weight():
    blocked, heavy = attempt(1, outcome(severity=0.9)), attempt(2, outcome(severity=0.8, blocking=False))
    light, unread = attempt(3, outcome(severity=0.5, blocking=False)), attempt(4, outcome(), body=None)
    assert best_of([blocked, heavy, light, unread]) is light
    assert best_of([unread]) is None
    unsure = attempt(5, outcome(severity=0.9, blocking=False, confidence=0.5))
    assert best_of([light, unsure]) is unsure


def test_a_good_draft_awaits_review_after_one_call():
    model = Model(reply())
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert (run.state, run.stop.reason, len(model.asked)) == (EndState.AWAITING_REVIEW, StopReason.PASSED, 1)
    assert run.best is not None
    assert "Total due: $1,975.00" in run.best.text
    assert "Please settle the total of $1,975.00" in run.best.text
    first = run.attempts[0]
    assert (first.tokens_in, first.tokens_out, first.model, first.number) == (500, 80, "test-model", 1)
    assert first.prompt == model.asked[0]
    assert json.loads(first.reply) == GOOD


def test_a_revision_is_asked_for_the_failing_block_alone_and_keeps_the_rest():
    bad = "We have received [TOTAL_DUE] from you."
    model = Model(reply(request=bad), json.dumps({"request": GOOD["request"]}))
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert run.stop.reason is StopReason.PASSED, [o.evidence for o in run.attempts[-1].failures]
    assert list(model.schemas[0]["properties"]) == ["opening", "request", "closing"]
    assert list(model.schemas[1]["properties"]) == ["request"]
    assert bad in model.asked[1][-1].content
    blocks = {block.name: block.text for block in run.best.body.blocks if isinstance(block, Prose)}
    assert blocks == GOOD


def test_a_revision_that_changes_nothing_ends_the_run():
    bad = "It was due in July."
    model = Model(reply(opening=bad), json.dumps({"opening": bad}))
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert (run.state, run.stop.reason, len(run.attempts)) == (EndState.ESCALATED, StopReason.IDENTICAL, 2)


def test_the_best_draft_is_shown_and_revised_not_the_last():
    once = reply(closing="If something is unclear, reply before Monday.")
    worse = reply(opening="We got your letter in July.", request="Please settle it in March and in May.")
    model = Model(once, worse, worse.replace("July", "June"))
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert run.stop.reason is StopReason.NO_IMPROVEMENT
    assert run.best is run.attempts[0]
    assert "reply before Monday" in model.asked[2][-1].content
    assert "July" not in model.asked[2][-1].content


@pytest.mark.parametrize("text", ["no JSON", "[]", "{}", '{"opening": 3, "request": "a", "closing": "b"}', "[" * 9000])
def test_a_reply_that_cannot_be_read_is_a_failed_attempt(text):
    model = Model(text, reply())
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert [outcome.error_type for outcome in run.attempts[0].failures] == ["REPLY_INVALID"]
    assert run.attempts[0].body is None
    assert run.stop.reason is StopReason.PASSED


def test_a_failed_call_is_made_again_after_a_pause():
    steady = Steady()
    model = Model(ModelError(Reason.HTTP_503, "busy"), ModelError(Reason.TIMEOUT, "slow"), reply(), clock=steady)
    run = run_draft(case(), model, limits=_LIMITS, clock=steady.clock())
    assert run.stop.reason is StopReason.PASSED
    assert [attempt.error.reason if attempt.error else None for attempt in run.attempts] == [
        "http_503",
        "timeout",
        None,
    ]
    assert steady.slept == [5.0, 15.0]


@pytest.mark.parametrize(
    ("error", "calls"), [(ModelError(Reason.HTTP_404, "no such model"), 1), (ModelError(Reason.TIMEOUT, "slow"), 3)]
)
def test_a_model_that_cannot_answer_escalates_with_its_reason(error, calls):
    model = Model(error)
    run = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock())
    assert (run.state, run.stop.reason, len(model.asked)) == (EndState.ESCALATED, StopReason.MODEL_ERROR, calls)
    assert run.stop.detail == str(error)
    assert run.best is None


def test_another_take_may_meet_failed_calls_of_its_own():
    history = [attempt(n, error=failed_call()) for n in (1, 2, 3)]
    run = run_draft(case(), Model(reply()), limits=_LIMITS, history=history, clock=Steady().clock())
    assert run.stop.reason is StopReason.PASSED
    assert [attempt.number for attempt in run.attempts] == [1, 2, 3, 4]


def test_a_run_that_was_cut_off_goes_on_as_if_it_had_not_been():
    answers = [reply(opening="It was due in July."), reply(closing="Reply by Friday."), reply()]
    whole = run_draft(case(), Model(*answers), limits=_LIMITS, clock=Steady().clock())
    saved = [Attempt.from_json(json.loads(json.dumps(item.as_json()))) for item in whole.attempts[:1]]
    rest = run_draft(case(), Model(*answers[1:]), limits=_LIMITS, history=saved, clock=Steady().clock())
    assert rest.stop == whole.stop
    assert [item.reply for item in rest.attempts] == [item.reply for item in whole.attempts]
    assert [item.prompt for item in rest.attempts] == [item.prompt for item in whole.attempts]


def test_a_finished_history_needs_no_call():
    model = Model(reply())
    run = run_draft(case(), model, limits=_LIMITS, history=[attempt(1)], clock=Steady().clock())
    assert run.stop.reason is StopReason.PASSED
    assert model.asked == []


def test_each_attempt_is_handed_out_before_the_next_call():
    seen: list[tuple[int, int]] = []
    model = Model(reply(opening="It was due in July."), reply())
    run_draft(
        case(),
        model,
        limits=_LIMITS,
        on_attempt=lambda item: seen.append((item.number, len(model.asked))),
        clock=Steady().clock(),
    )
    assert seen == [(1, 1), (2, 2)]


def test_what_the_receiver_of_an_attempt_raises_ends_the_run():
    class LeaseLost(Exception):
        pass

    def lose(item: Attempt) -> None:
        raise LeaseLost(item.number)

    with pytest.raises(LeaseLost):
        run_draft(case(), Model(reply()), limits=_LIMITS, on_attempt=lose, clock=Steady().clock())


def test_a_call_gets_no_more_time_than_the_draft_has_left():
    steady = Steady()
    model = Model("nonsense", reply(), clock=steady, seconds=120.0)
    run = run_draft(case(), model, limits=Limits(attempts=3, seconds=200.0), clock=steady.clock())
    assert model.deadlines == [200.0, 80.0]
    assert run.stop.reason is StopReason.PASSED


def test_a_prompt_that_would_break_the_token_cap_is_not_sent():
    model = Model(reply())
    run = run_draft(case(), model, limits=Limits(attempts=3, tokens=300), clock=Steady().clock())
    assert (run.stop.reason, model.asked) == (StopReason.TOKENS, [])


@pytest.mark.parametrize("name", ["client_irreconcilable", "overpaid_line", "payment_on_file"])
def test_facts_that_cannot_be_reconciled_escalate_without_a_call(name):
    model = Model(reply())
    run = run_draft(case(name), model, limits=_LIMITS, clock=Steady().clock())
    assert (run.state, run.stop.reason, model.asked) == (EndState.ESCALATED, StopReason.IRRECONCILABLE, [])
    assert run.findings[0].status is Status.FAIL
    assert run.findings[0].error_type == "FACTS_IRRECONCILABLE"


@pytest.mark.parametrize("name", ["client_empty", "client_ambiguous", "credit_covers_all"])
def test_the_agent_abstains_with_one_gap_and_without_a_call(name):
    model = Model(reply())
    run = run_draft(case(name), model, limits=_LIMITS, clock=Steady().clock())
    assert (run.state, run.stop.reason, model.asked) == (EndState.ABSTAINED, StopReason.ABSTAINED, [])
    assert len(run.gaps) == 1
    assert all((run.gaps[0].missing, run.gaps[0].looked_for, run.gaps[0].resolved_by))


def test_each_attempt_draws_its_words_anew():
    model = Model("x", "y", reply())
    run_draft(case(), model, limits=_LIMITS, seed=7, clock=Steady().clock())
    assert [sampling.seed for sampling in model.samplings] == [7, 8, 9]
    assert model.samplings[0].temperature < model.samplings[1].temperature < model.samplings[2].temperature


def test_unframed_output_is_verified_as_one_free_block():
    free = case("client_err_math", framed=False)
    model = Model(free.domain.true_text(free))
    run = run_draft(free, model, limits=limits_for(free), clock=Steady().clock())
    assert run.stop.reason is StopReason.PASSED
    assert run.best.body == Body.free(free.domain.true_text(free))
    assert model.schemas == [None]


@pytest.mark.parametrize(("confidence", "status"), [(0.59, Status.WARN), (0.6, Status.FAIL), (1.0, Status.FAIL)])
def test_a_failure_that_its_validator_is_unsure_of_only_warns(confidence, status):
    weighed = softened(outcome(confidence=confidence, blocking=False), _LIMITS.confidence_threshold)
    assert weighed.status is status
    assert weighed.evidence == "the words seen"


def test_a_failure_that_blocks_is_never_turned_into_a_warning():
    assert softened(outcome(confidence=0.1), _LIMITS.confidence_threshold).status is Status.FAIL


def test_a_run_as_json_tells_the_whole_story():
    model = Model("nonsense", reply())
    data = run_draft(case(), model, limits=_LIMITS, clock=Steady().clock()).as_json()
    again = json.loads(json.dumps(data))
    assert (again["state"], again["stop_reason"], again["best"]) == ("AWAITING_REVIEW", "passed", 2)
    assert again["tokens"] == 1160
    assert [attempt["number"] for attempt in again["attempts"]] == [1, 2]
    assert again["attempts"][0]["outcomes"][0]["error_type"] == "REPLY_INVALID"
    assert [attempt["calls"] for attempt in again["attempts"]] == [1, 1]
    assert again["calls"] == 2
    assert again["attempts"][0]["progress"] == {"fixed": [], "new": [], "resurfaced": []}


class _Adviser:
    """Say the same of every text, for forty tokens."""

    def __init__(self, *outcomes, always=False, grade=None, clock=None):
        self.always = always
        self.outcomes, self.grade, self.clock = outcomes, grade, clock
        self.asked = []

    def __call__(self, subject):
        self.asked.append(subject)
        if self.clock:
            self.clock.seconds += 50
        return Advice(self.outcomes, Usage(calls=2, tokens_in=30, tokens_out=10, seconds=1.0), self.grade)


def _unsure() -> Outcome:
    return outcome("PUNCTUATION", severity=0.6, blocking=False, confidence=0.4)


def test_advice_on_a_text_that_passed_is_kept_with_the_attempt_and_counted():
    adviser = _Adviser(_unsure())
    run = run_draft(case(), Model(reply()), limits=_LIMITS, gate=Gate(advisers=[adviser]), clock=Steady().clock())
    only = run.attempts[0]
    assert run.stop.reason is StopReason.PASSED
    assert only.outcomes[-1].status is Status.WARN
    assert (only.calls, only.tokens, run.as_json()["tokens"]) == (3, 620, 620)
    assert adviser.asked[0].text == only.text
    assert adviser.asked[0].outcomes == only.outcomes[:-1]
    assert Attempt.from_json(json.loads(json.dumps(only.as_json()))) == only


def test_advice_that_fails_a_text_sends_it_back():
    adviser = _Adviser(outcome("PUNCTUATION", severity=0.6, blocking=False, confidence=0.9))
    model = Model(reply(), reply(closing="Thank you."))
    run = run_draft(case(), model, limits=_LIMITS, gate=Gate(advisers=[adviser]), clock=Steady().clock())
    assert run.stop.reason is StopReason.NO_IMPROVEMENT
    assert len(model.asked) == 2


@pytest.mark.parametrize("answer", ["nonsense", reply(opening="It was due in July.")])
def test_no_advice_is_asked_on_a_text_that_the_code_refused(answer):
    adviser = _Adviser(always=True)
    run_draft(case(), Model(answer), limits=_LIMITS, gate=Gate(advisers=[adviser]), clock=Steady().clock())
    assert adviser.asked == []


def test_only_a_judge_is_asked_on_a_text_that_failed_hard_checks_alone():
    fails = from_callable(lambda _: Found("HARD_CHECK_FAILED", "has no 28"), name="rubric.has_28", blocking=True)
    judge, other = _Adviser(always=True), _Adviser()
    gate = Gate(checks=[fails], advisers=[judge, other])
    run_draft(case(), Model(reply()), limits=Limits(attempts=1), gate=gate, clock=Steady().clock())
    assert (len(judge.asked), len(other.asked)) == (1, 0)


def test_an_adviser_that_fails_a_text_spares_the_next():
    first, second = _Adviser(outcome("PUNCTUATION", blocking=False)), _Adviser()
    gate = Gate(advisers=[first, second])
    run_draft(case(), Model(reply()), limits=Limits(attempts=1), gate=gate, clock=Steady().clock())
    assert (len(first.asked), len(second.asked)) == (1, 0)


def test_advice_has_no_more_time_than_the_draft():
    steady = Steady()
    first, second, third = (_Adviser(clock=steady) for _ in range(3))
    limits = Limits(attempts=1, seconds=82.0)
    gate = Gate(advisers=[first, second, third])
    run_draft(case(), Model(reply(), clock=steady), limits=limits, gate=gate, clock=steady.clock())
    assert [adviser.asked[0].deadline_seconds for adviser in (first, second)] == [80.0, 30.0]
    assert third.asked == []


def test_the_next_attempt_is_counted_with_the_advice_it_will_take():
    adviser = _Adviser(outcome("PUNCTUATION", severity=0.6, blocking=False))
    needed = 620 + estimated_tokens(first_request(case()).prompt, Sampling(max_tokens=400))
    limits = Limits(attempts=3, tokens=needed + 39)
    run = run_draft(case(), Model(reply()), limits=limits, gate=Gate(advisers=[adviser]), clock=Steady().clock())
    assert (run.stop.reason, len(run.attempts)) == (StopReason.TOKENS, 1)
