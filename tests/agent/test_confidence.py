"""A validator counts for less only where people's verdicts show that it is bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.body import Body
from agent.confidence import FEWEST_VERDICTS, TrackRecord, effective_confidence, wilson_interval
from agent.decision import best_of
from agent.outcome import Status
from agent.reflection import revision_request
from agent.validators.check import Check, Found, Kind, fingerprint
from agent.validators.reading import Reading
from agent.validators.runner import run_checks, softened
from tests.agent.drafting import NOW, attempt, case


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [  # computed apart with R's prop.test(correct = FALSE)
        (95, 100, 0.8882, 0.9785),
        (60, 100, 0.5020, 0.6906),
        (0, 30, 0.0, 0.1135),
        (30, 30, 0.8865, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_wilsons(right, of, low, high):
    assert wilson_interval(right, of) == pytest.approx((low, high), abs=5e-4)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_interval_holds_the_share(right, more):
    low, high = wilson_interval(right, right + more)
    assert 0 <= low <= (right / (right + more) if right + more else 0.5) <= high <= 1


@pytest.mark.parametrize(
    ("declared", "record", "counts"),
    [
        pytest.param(0.9, None, 0.9, id="no record"),
        pytest.param(0.9, TrackRecord(0, FEWEST_VERDICTS - 1), 0.9, id="too few verdicts"),
        pytest.param(0.9, TrackRecord(95, 100), 0.9, id="a good one counts for what it declares"),
        pytest.param(0.9, TrackRecord(60, 100), 0.6906, id="a bad one for the most that it can be"),
        pytest.param(0.3, TrackRecord(100, 100), 0.3, id="never for more than it declares"),
    ],
)
def test_the_effective_confidence(declared, record, counts):
    assert effective_confidence(declared, record) == pytest.approx(counts, abs=5e-4)


def test_a_record_cannot_hold_more_right_verdicts_than_verdicts():
    with pytest.raises(ValueError, match="3 of 2"):
        TrackRecord(3, 2)


def _check(name: str, right: int, kind: Kind = Kind.MODEL, confidence: float = 0.9) -> Check:
    def run(_reading, _params):
        yield Found("PUNCTUATION", f"seen by {name}", severity=0.6)

    return Check(name, "1", run, kind=kind, confidence=confidence, record=TrackRecord(right, 100))


def _outcomes(*checks: Check):
    return run_checks(Reading(case().sheet, Body.free("Hello.").render({})), checks, now=NOW)


def test_of_two_that_declare_the_same_the_one_that_was_right_more_often_leads_the_order():
    found = _outcomes(_check("often_wrong", 60), _check("often_right", 95))
    assert [outcome.metadata.get("declared_confidence") for outcome in found] == [0.9, None]
    best = attempt(1, *found)
    words = revision_request(case(framed=False), best, [best]).prompt[-1].content
    assert words.index("often_right") < words.index("often_wrong")


def test_a_model_that_people_refute_is_silenced_and_a_rule_never():
    guess, rule = _outcomes(_check("guess", 30), _check("rule", 30, Kind.DETERMINISTIC))
    assert softened(guess, 0.6).status is Status.WARN
    assert softened(rule, 0.6).status is Status.FAIL


def test_the_best_attempt_is_the_one_whose_failures_count_for_less():
    doubted, trusted = (attempt(n, *_outcomes(_check("c", right))) for n, right in ((1, 60), (2, 95)))
    assert best_of([trusted, doubted]) is doubted


def test_a_record_that_changes_what_a_check_counts_for_changes_the_fingerprint():
    assert fingerprint([_check("c", 60)]) != fingerprint([_check("c", 95)])
