"""Bound what one draft may cost: attempts, tokens, seconds and failed calls."""

import math
from dataclasses import dataclass

from agent.domains.domain import Case

__all__ = ["Limits", "limits_for"]

_HARD_CAP = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the bounds of one draft.

    `attempts` counts outputs of the model; `hard_cap` counts every call, failed ones included. `tokens` are of prompts
    and replies together. `seconds` is the work done on the draft, not the time it waited between two workers. Below
    `confidence_threshold` a failure only warns; below `low_severity` one that does not block is accepted.
    """

    attempts: int
    hard_cap: int = _HARD_CAP
    tokens: int = 16_000
    seconds: float = 900.0
    call_seconds: float = 240.0
    errors: int = 3
    confidence_threshold: float = 0.6
    low_severity: float = 0.3


def limits_for(case: Case, *, max_retries: int | None = None) -> Limits:
    """Return a case's bounds: attempts = 1 + floor(retries x difficulty), never above the hard cap.

    `max_retries` is the base before difficulty; the domain's own when it is not given.
    """
    base = case.domain.base_retries if max_retries is None else max_retries
    attempts = 1 + math.floor(max(base, 0) * case.difficulty.factor)
    return Limits(attempts=min(attempts, _HARD_CAP))
