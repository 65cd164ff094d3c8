"""What an attempt fixed, what is new and what came back."""

from agent.body import Body
from agent.progress import Failure, failures_of, progress
from tests.agent.drafting import attempt, failed_call, outcome


def _with(number, *abouts, **more):
    return attempt(number, *(outcome(facts=[about]) for about in abouts), **more)


def _named(*abouts):
    return tuple(Failure("LITERAL_FIGURE", about) for about in abouts)


def test_failures_are_fixed_new_or_back():
    steps = progress([_with(1, "a", "b"), _with(2, "b", "c"), _with(3, "a", "c"), attempt(4)])
    assert [step.new for step in steps] == [_named("a", "b"), _named("c"), (), ()]
    assert [step.fixed for step in steps] == [(), _named("a"), _named("b"), _named("a", "c")]
    assert [step.resurfaced for step in steps] == [(), (), _named("a"), ()]


def test_calls_that_failed_and_replies_that_could_not_be_read_make_none():
    steps = progress([_with(1, "a"), attempt(2, error=failed_call()), _with(3, "x", body=None), attempt(4)])
    assert [(step.fixed, step.new) for step in steps[1:]] == [((), ()), ((), ()), (_named("a"), ())]


def test_a_failure_is_told_apart_by_fact_then_by_hard_check_then_by_the_words_seen():
    found = attempt(
        1,
        outcome(facts=["TX-1", "TX-2"], check="has_28"),
        outcome(check="has_28"),
        outcome(),
        body=Body.free("x"),
    )
    assert {failure.about for failure in failures_of(found)} == {"TX-1", "TX-2", "has_28", "the words seen"}
