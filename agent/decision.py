"""Decide from the saved attempts of a draft whether to write another, and if not, why and where the draft goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.attempt import Attempt
from agent.body import Body
from agent.budget import Limits, seconds_used, tokens_used
from agent.reflection import weight
from agent.validators.runner import is_blocking

__all__ = ["EndState", "Stop", "StopReason", "Write", "best_of", "decide"]


class StopReason(StrEnum):
    """Why a draft is written no further; `takes` and `facts_changed` are the hub's."""

    PASSED = "passed"
    ACCEPTED_LOW_SEVERITY = "accepted_low_severity"
    ABSTAINED = "abstained"
    IDENTICAL = "identical"
    ATTEMPTS = "attempts"
    TOKENS = "tokens"
    TIME = "time"
    TAKES = "takes"
    IRRECONCILABLE = "irreconcilable"
    VALIDATOR_ERROR = "validator_error"
    MODEL_ERROR = "model_error"
    FACTS_CHANGED = "facts_changed"


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
            case StopReason.PASSED | StopReason.ACCEPTED_LOW_SEVERITY:
                return EndState.AWAITING_REVIEW
            case StopReason.ABSTAINED:
                return EndState.ABSTAINED
            case _:
                return EndState.ESCALATED


def decide(history: Sequence[Attempt], limits: Limits) -> Write | Stop:
    """Decide from the saved attempts alone what comes next, so that a resumed draft goes on as if never interrupted."""
    outputs = [attempt for attempt in history if attempt.error is None]
    last = history[-1] if history else None
    if last is not None and last.error is None:
        stop = _judge(last, outputs[:-1], limits)
        if stop:
            return stop
    return _spent(history, outputs, limits) or Write(len(history) + 1)


def best_of(history: Sequence[Attempt]) -> Attempt | None:
    """Return the readable attempt with the fewest blocking failures, then the least weighted severity."""
    readable = [attempt for attempt in history if attempt.body is not None]
    return min(readable, key=_badness) if readable else None


def _judge(last: Attempt, earlier: Sequence[Attempt], limits: Limits) -> Stop | None:
    if last.passed:
        return Stop(StopReason.PASSED, f"attempt {last.number} passed")
    if last.body and all(o.severity < limits.low_severity and not is_blocking(o) for o in last.failures):
        kinds = ", ".join(sorted({outcome.error_type or "" for outcome in last.failures}))
        return Stop(StopReason.ACCEPTED_LOW_SEVERITY, f"attempt {last.number} has only trifles left: {kinds}")
    broken = next((outcome for outcome in last.failures if outcome.error_type == "VALIDATOR_ERROR"), None)
    if broken:
        return Stop(StopReason.VALIDATOR_ERROR, broken.evidence or broken.validator_source)
    same = next((attempt for attempt in earlier if _draft(attempt) == _draft(last)), None)
    if same:
        return Stop(StopReason.IDENTICAL, f"attempt {last.number} repeats attempt {same.number}, which failed")
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


def _badness(attempt: Attempt) -> tuple[int, float]:
    failures = attempt.failures
    return sum(is_blocking(outcome) for outcome in failures), sum(weight(outcome) for outcome in failures)


def _draft(attempt: Attempt) -> Body | str:
    """Return what was written: a revision of one block may be another reply and still the same draft."""
    return attempt.body or attempt.reply
