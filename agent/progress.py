"""Tell what became of a draft's failures from one attempt to the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.attempt import Attempt
from agent.outcome import Outcome

__all__ = ["Failure", "Progress", "failures_of", "progress"]


@dataclass(frozen=True, slots=True, order=True)
class Failure:
    """Name one failure across attempts by its error type and what it is about.

    That is a fact, or the hard check of a rubric that did not hold, or else the words that the failure was seen in.
    """

    error_type: str
    about: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Hold which failures an attempt fixed, which are new, and which came back after they had been fixed.

    `fixed` is held against the readable attempt before it, `new` and `resurfaced` against all before it.
    """

    fixed: tuple[Failure, ...] = ()
    new: tuple[Failure, ...] = ()
    resurfaced: tuple[Failure, ...] = ()


def failures_of(attempt: Attempt) -> frozenset[Failure]:
    """Return an attempt's failures as they are told apart across attempts."""
    return frozenset(failure for outcome in attempt.failures for failure in _named(outcome))


def progress(history: Sequence[Attempt]) -> tuple[Progress, ...]:
    """Return the progress of each attempt; an attempt that could not be read makes none."""
    steps: list[Progress] = []
    seen: frozenset[Failure] = frozenset()
    before: frozenset[Failure] = frozenset()
    for attempt in history:
        if attempt.body is None:
            steps.append(Progress())
            continue
        now = failures_of(attempt)
        came = now - before
        steps.append(Progress(_sorted(before - now), _sorted(came - seen), _sorted(came & seen)))
        seen, before = seen | now, now
    return tuple(steps)


def _named(outcome: Outcome) -> list[Failure]:
    kind = outcome.error_type or ""
    facts = outcome.metadata.get("facts") or (outcome.metadata.get("check") or outcome.evidence or "",)
    return [Failure(kind, str(fact)) for fact in facts]


def _sorted(failures: frozenset[Failure]) -> tuple[Failure, ...]:
    return tuple(sorted(failures))
