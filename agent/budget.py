"""Bound what one draft may cost: attempts, tokens, seconds and failed calls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agent.attempt import Attempt
from agent.domains.domain import Case
from agent.llm.chat import Message, Sampling

__all__ = [
    "CONFIDENCE_THRESHOLD",
    "Limits",
    "estimated_tokens",
    "expected_advice_tokens",
    "limits_for",
    "seconds_used",
    "tokens_used",
]

CONFIDENCE_THRESHOLD = 0.6
"""Below it a failure that does not block only warns."""
_HARD_CAP = 8
_CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the bounds of one draft.

    `attempts` counts outputs of the model, `errors` calls that gave none. `tokens` are of prompts and replies together.
    `seconds` is the work done on the draft, not the time it waited between two workers. Below `confidence_threshold` a
    failure only warns; below `low_severity` one that does not block is accepted.
    """

    attempts: int
    tokens: int = 16_000
    seconds: float = 900.0
    call_seconds: float = 240.0
    errors: int = 3
    confidence_threshold: float = CONFIDENCE_THRESHOLD
    low_severity: float = 0.3


def limits_for(case: Case, *, max_retries: int | None = None) -> Limits:
    """Return a case's bounds: attempts = 1 + floor(retries x difficulty), never above eight.

    `max_retries` is the base before difficulty; the domain's own when it is not given.
    """
    base = case.domain.base_retries if max_retries is None else max_retries
    return Limits(attempts=min(1 + math.floor(max(base, 0) * case.difficulty.factor), _HARD_CAP))


def tokens_used(history: Sequence[Attempt]) -> int:
    """Return what the attempts cost, prompts and replies of every call."""
    return sum(attempt.tokens for attempt in history)


def seconds_used(history: Sequence[Attempt]) -> float:
    """Return how long the attempts took."""
    return sum(attempt.seconds for attempt in history)


def expected_advice_tokens(history: Sequence[Attempt]) -> int:
    """Return what advice on one more attempt may cost: the most that it cost so far."""
    return max((attempt.advice.tokens for attempt in history), default=0)


def estimated_tokens(prompt: Sequence[Message], sampling: Sampling) -> int:
    """Return what a call may cost at most, before it is made."""
    return sum(len(message.content) // _CHARACTERS_PER_TOKEN + 8 for message in prompt) + sampling.max_tokens
