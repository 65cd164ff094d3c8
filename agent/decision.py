"""Decide from the saved attempts of a draft whether to write another, and if not, why and where the draft goes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.attempt import Attempt
from agent.body import Body
from agent.budget import Limits, seconds_used, tokens_used
from agent.outcome import Outcome
from agent.progress import failures_of
from agent.reflection import weight
from agent.validators.runner import is_blocking

__all__ = ["EndState", "Stop", "StopReason", "Write", "best_of", "decide"]


class StopReason(StrEnum):
    """Why a draft is written no further; `takes` and `facts_changed` are the hub's."""

    PASSED = "passed"
    ACCEPTED_LOW_SEVERITY = "accepted_low_severity"
    ABSTAINED = "abstained"
    IDENTICAL = "identical"
    CYCLE = "cycle"
    NO_IMPROVEMENT = "no_improvement"
    ATTEMPTS = "attempts"
    TOKENS = "tokens"
    TIME = "time"
    TAKES = "takes"
    TONE_ONLY = "tone_only"
    IRRECONCILABLE = "irreconcilable"
    VALIDATOR_ERROR = "validator_error"
    MODEL_ERROR = "model_error"
    FACTS_CHANGED = "facts_changed"


_ROUNDS = 2
_GIVEN_UP = frozenset(
    {
        StopReason.IDENTICAL,
        StopReason.CYCLE,
        StopReason.NO_IMPROVEMENT,
        StopReason.ATTEMPTS,
        StopReason.TOKENS,
        StopReason.TIME,
    }
)


class EndState(StrEnum):
    """Where a draft goes when the loop ends."""

    AWAITING_REVIEW = "AWAITING_REVIEW"
    ESCALATED = "ESCALATED"
    ABSTAINED = "ABSTAINED"


@dataclass(frozen=True, slots=True)
class Write:
    """Decide that the model is to write attempt `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Decide that the draft is written no further, and say why in words."""

    reason: StopReason
    detail: str

    @property
    def state(self) -> EndState:
        """Return where the draft goes: a person reviews it, takes it over, or reads why there is none."""
        match self.reason:
            case StopReason.PASSED | StopReason.ACCEPTED_LOW_SEVERITY | StopReason.TONE_ONLY:
                return EndState.AWAITING_REVIEW
            case StopReason.ABSTAINED:
                return EndState.ABSTAINED
            case _:
                return EndState.ESCALATED


def decide(history: Sequence[Attempt], limits: Limits) -> Write | Stop:
    """Decide from the saved attempts alone what comes next, so that a resumed draft goes on as if never interrupted.

    A draft that would be given up while its best attempt lacks nothing but the right tone goes to review instead, where
    a person confirms or refuses that finding.
    """
    outputs = [attempt for attempt in history if attempt.error is None]
    stop = _ended(history, outputs, limits)
    if stop is None:
        return Write(len(history) + 1)
    best = best_of(outputs)
    if stop.reason in _GIVEN_UP and best and all(_is_tone(outcome) for outcome in best.failures):
        return Stop(StopReason.TONE_ONLY, f"only the tone of attempt {best.number} is in doubt; {stop.detail}")
    return stop


def best_of(history: Sequence[Attempt]) -> Attempt | None:
    """Return the readable attempt with the fewest blocking failures, then the least weighted severity."""
    readable = [attempt for attempt in history if attempt.body is not None]
    return min(readable, key=_badness) if readable else None


def _ended(history: Sequence[Attempt], outputs: Sequence[Attempt], limits: Limits) -> Stop | None:
    if history and history[-1].error is None:
        return _good_enough(outputs[-1], limits) or _stuck(outputs) or _spent(history, outputs, limits)
    return _spent(history, outputs, limits)


def _good_enough(last: Attempt, limits: Limits) -> Stop | None:
    if last.passed:
        return Stop(StopReason.PASSED, f"attempt {last.number} passed")
    if last.body and all(o.severity < limits.low_severity and not is_blocking(o) for o in last.failures):
        kinds = ", ".join(sorted({outcome.error_type or "" for outcome in last.failures}))
        return Stop(StopReason.ACCEPTED_LOW_SEVERITY, f"attempt {last.number} has only trifles left: {kinds}")
    broken = next((outcome for outcome in last.failures if outcome.error_type == "VALIDATOR_ERROR"), None)
    return Stop(StopReason.VALIDATOR_ERROR, broken.evidence or broken.validator_source) if broken else None


def _stuck(outputs: Sequence[Attempt]) -> Stop | None:
    """Stop where more of the same is to be expected: a draft or a set of failures again, or two rounds for nothing."""
    *earlier, last = outputs
    if same := next((attempt for attempt in reversed(earlier) if _draft(attempt) == _draft(last)), None):
        reason = StopReason.IDENTICAL if same is earlier[-1] else StopReason.CYCLE
        return Stop(reason, f"attempt {last.number} repeats attempt {same.number}, which failed")
    read = [attempt for attempt in earlier if attempt.body is not None] if last.body is not None else []
    if same := next((attempt for attempt in reversed(read) if failures_of(attempt) == failures_of(last)), None):
        reason = StopReason.NO_IMPROVEMENT if same is earlier[-1] else StopReason.CYCLE
        return Stop(reason, f"attempt {last.number} fails for the same reasons as attempt {same.number}")
    if len(outputs) > _ROUNDS and min(map(_badness, outputs[-_ROUNDS:])) >= min(map(_badness, outputs[:-_ROUNDS])):
        return Stop(StopReason.NO_IMPROVEMENT, f"attempts up to {last.number} made it no better, {_ROUNDS} in a row")
    return None


def _spent(history: Sequence[Attempt], outputs: Sequence[Attempt], limits: Limits) -> Stop | None:
    errors = [attempt.error for attempt in history if attempt.error]
    if errors and history[-1].error and (not errors[-1].retryable or len(errors) >= limits.errors):
        return Stop(StopReason.MODEL_ERROR, errors[-1].message)
    if len(outputs) >= limits.attempts:
        return Stop(StopReason.ATTEMPTS, f"{len(outputs)} of {limits.attempts} attempts failed")
    if tokens_used(history) >= limits.tokens:
        return Stop(StopReason.TOKENS, f"{tokens_used(history)} of {limits.tokens} tokens are used")
    if seconds_used(history) >= limits.seconds:
        return Stop(StopReason.TIME, f"{seconds_used(history):.0f} of {limits.seconds:.0f} seconds are used")
    return None


def _badness(attempt: Attempt) -> tuple[float, float]:
    if attempt.body is None:
        return math.inf, math.inf
    failures = attempt.failures
    return sum(is_blocking(outcome) for outcome in failures), sum(weight(outcome) for outcome in failures)


def _is_tone(outcome: Outcome) -> bool:
    return outcome.validator_source.startswith("tone@")


def _draft(attempt: Attempt) -> Body | str:
    """Return what was written: a revision of one block may be another reply and still the same draft."""
    return attempt.body or attempt.reply
