"""Sum up the runs of a study: a cell for each domain and arm, and what one arm is worth beside others."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from agent.agreement import Interval, bootstrap
from agent.confidence import wilson_interval
from agent.decision import StopReason
from agent.study.arms import Arm, Feedback
from agent.study.running import Run

__all__ = ["HANDLING_MINUTES", "Cell", "Difference", "cells", "differences"]

HANDLING_MINUTES = 10.0
"""What a person spends on an escalated case: the middle of the 5 to 15 that are published."""
_EXHAUSTED = frozenset(map(str, (StopReason.ATTEMPTS, StopReason.TOKENS, StopReason.TIME)))
_KINDS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """Hold the figures of one arm in one domain over `n` runs.

    Shares are of all runs unless said otherwise. `succeeded` went to a reviewer and are right by the facts; `wrong`
    went there and are not. `retries_per_failed` and `fixed_at_first_retry` count over the runs whose first output
    failed. `minutes_saved` are of a person's time in 100 cases, less what the machine took longer, beside one attempt.
    None where nothing defines a figure.
    """

    domain: str
    arm: Arm
    n: int
    first_pass: float
    succeeded: float
    succeeded_interval: Interval
    wrong: float
    escalated: float
    escalated_by: tuple[tuple[str, int], ...]
    exhausted: float
    retries_per_run: float
    retries_per_failed: float | None
    fixed_at_first_retry: float | None
    errors_per_failed_output: float | None
    tokens: float
    seconds: float
    minutes_saved: float | None
    frequent: tuple[tuple[str, int], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the cell as plain data."""
        return {**asdict(self), "arm": str(self.arm)}


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold by how much the success of structured outcomes is above another arm's on the same cases and seeds.

    The interval is of 95 %, from resampled cases: seeds of one case are not independent.
    """

    domain: str
    arm: Arm
    beside: Arm
    n: int
    mean: float
    interval: Interval | None

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        return {**asdict(self), "arm": str(self.arm), "beside": str(self.beside)}


def cells(runs: Iterable[Run]) -> tuple[Cell, ...]:
    """Return a cell for each domain and arm, in the order of domains, settings and feedbacks."""
    grouped: dict[tuple[str, Arm], list[Run]] = defaultdict(list)
    for run in runs:
        grouped[run.domain, run.arm].append(run)
    alone = {
        (domain, arm.setting): of_arm for (domain, arm), of_arm in grouped.items() if arm.feedback is Feedback.NONE
    }
    ordered = sorted(grouped.items(), key=lambda item: (item[0][0], _place(item[0][1])))
    return tuple(_cell(domain, arm, of_arm, alone.get((domain, arm.setting))) for (domain, arm), of_arm in ordered)


def differences(runs: Sequence[Run], *, seed: int = 0) -> tuple[Difference, ...]:
    """Hold structured outcomes against every other feedback of the setting, and settings against the usual one."""
    arms = sorted({(run.domain, run.arm) for run in runs}, key=lambda item: (item[0], _place(item[1])))
    found = []
    for domain, other in arms:
        ours = Arm(other.setting, Feedback.STRUCTURED)
        if other.feedback is Feedback.STRUCTURED:
            ours = Arm(type(other.setting).USUAL, Feedback.STRUCTURED)
        if ours != other and (domain, ours) in arms:
            found.append(_difference(runs, domain, ours, other, seed))
    return tuple(item for item in found if item.n)


def _place(arm: Arm) -> tuple[int, int]:
    return list(type(arm.setting)).index(arm.setting), list(Feedback).index(arm.feedback)


def _cell(domain: str, arm: Arm, runs: Sequence[Run], alone: Sequence[Run] | None) -> Cell:
    failed = [run for run in runs if not run.errors or run.errors[0]]
    outputs = [kinds for run in runs for kinds in run.errors if kinds]
    escalated = [run for run in runs if not run.let_through]
    succeeded = sum(run.succeeded for run in runs)
    return Cell(
        domain=domain,
        arm=arm,
        n=len(runs),
        first_pass=1 - len(failed) / len(runs),
        succeeded=succeeded / len(runs),
        succeeded_interval=wilson_interval(succeeded, len(runs)),
        wrong=sum(run.let_through and bool(run.wrong) for run in runs) / len(runs),
        escalated=len(escalated) / len(runs),
        escalated_by=tuple(Counter(run.stop_reason for run in escalated).most_common()),
        exhausted=sum(run.stop_reason in _EXHAUSTED for run in escalated) / len(runs),
        retries_per_run=fmean(run.retries for run in runs),
        retries_per_failed=_mean(failed, lambda run: run.retries),
        fixed_at_first_retry=_mean(failed, lambda run: len(run.errors) == 2 and run.let_through),
        errors_per_failed_output=fmean(map(len, outputs)) if outputs else None,
        tokens=fmean(run.tokens for run in runs),
        seconds=fmean(run.seconds for run in runs),
        minutes_saved=_minutes_saved(runs, alone) if alone else None,
        frequent=tuple(Counter(kind for kinds in outputs for kind in kinds).most_common(_KINDS)),
    )


def _mean(runs: Sequence[Run], of: Callable[[Run], float]) -> float | None:
    return fmean(map(of, runs)) if runs else None


def _minutes_saved(runs: Sequence[Run], alone: Sequence[Run]) -> float:
    avoided = fmean(not run.let_through for run in alone) - fmean(not run.let_through for run in runs)
    longer = fmean(run.seconds for run in runs) - fmean(run.seconds for run in alone)
    return 100 * (avoided * HANDLING_MINUTES - longer / 60)


def _difference(runs: Sequence[Run], domain: str, ours: Arm, other: Arm, seed: int) -> Difference:
    by_arm: dict[Arm, dict[tuple[str, int, str], bool]] = defaultdict(dict)
    for run in runs:
        if run.domain == domain:
            by_arm[run.arm][run.fixture, run.seed, run.model] = run.succeeded
    pairs: dict[str, list[int]] = defaultdict(list)
    for key in by_arm[ours].keys() & by_arm[other].keys():
        pairs[key[0]].append(by_arm[ours][key] - by_arm[other][key])
    groups = [pairs[fixture] for fixture in sorted(pairs)]
    flat = [value for group in groups for value in group]
    return Difference(domain, ours, other, len(flat), fmean(flat) if flat else 0.0, bootstrap(groups, fmean, seed=seed))
