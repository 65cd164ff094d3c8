"""Measure how far scores from 1 to 5 agree with labels; pure, on pairs of a label and a score.

Every measure that its pairs do not define is None, never 0 or 1.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypeVar

from agent.rubric import MAX_SCORE, MIN_SCORE

__all__ = [
    "SCALE",
    "Interval",
    "Pair",
    "bias",
    "bootstrap",
    "confusion",
    "cost",
    "exact",
    "mean_absolute_error",
    "pearson",
    "quadratic_kappa",
    "within_one",
]

SCALE = tuple(range(MIN_SCORE, MAX_SCORE + 1))
"""The labels that every measure is taken over, whichever of them occur."""

Pair = tuple[int, int]
"""A label and a score."""

Interval = tuple[float, float]

_Item = TypeVar("_Item")
_LOW, _HIGH = 0.025, 0.975


def cost(label: int, score: int) -> float:
    """Return what one disagreement counts in the quadratic kappa: 0 for none, 1 for 5 against 1."""
    return ((label - score) / (MAX_SCORE - MIN_SCORE)) ** 2


def confusion(pairs: Sequence[Pair]) -> tuple[tuple[int, ...], ...]:
    """Count the pairs: a row for each label, a column for each score, 1 to 5."""
    counts = [[0] * len(SCALE) for _ in SCALE]
    for label, score in pairs:
        counts[label - MIN_SCORE][score - MIN_SCORE] += 1
    return tuple(tuple(row) for row in counts)


def quadratic_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa with quadratic weights over 1 to 5.

    It is undefined, None, when there are no pairs, or labels and scores are all one and the same number: then no
    disagreement is to be expected by chance either.
    """
    observed = confusion(pairs)
    labels = [sum(row) for row in observed]
    scores = [sum(column) for column in zip(*observed, strict=True)]
    cells = [(row, column) for row in range(len(SCALE)) for column in range(len(SCALE))]
    found = sum(cost(row, column) * observed[row][column] for row, column in cells)
    by_chance = sum(cost(row, column) * labels[row] * scores[column] for row, column in cells)
    return 1 - found * len(pairs) / by_chance if by_chance else None


def mean_absolute_error(pairs: Sequence[Pair]) -> float | None:
    """Return the mean distance of score and label."""
    return fmean(abs(label - score) for label, score in pairs) if pairs else None


def bias(pairs: Sequence[Pair]) -> float | None:
    """Return the mean of score minus label: above 0 the scores are generous."""
    return fmean(score - label for label, score in pairs) if pairs else None


def within_one(pairs: Sequence[Pair]) -> float | None:
    """Return the share of scores at most 1 from the label."""
    return fmean(abs(label - score) <= 1 for label, score in pairs) if pairs else None


def exact(pairs: Sequence[Pair]) -> float | None:
    """Return the share of scores that equal the label."""
    return fmean(label == score for label, score in pairs) if pairs else None


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return the correlation of two series; None when one of them does not vary."""
    if len(pairs) < 2:
        return None
    firsts, seconds = zip(*pairs, strict=True)
    if len(set(firsts)) == 1 or len(set(seconds)) == 1:
        return None
    first_mean, second_mean = fmean(firsts), fmean(seconds)
    together = sum((one - first_mean) * (other - second_mean) for one, other in pairs)
    spread = math.sqrt(sum((one - first_mean) ** 2 for one in firsts) * sum((it - second_mean) ** 2 for it in seconds))
    return together / spread if spread else None


def bootstrap(
    groups: Sequence[Sequence[_Item]],
    measure: Callable[[Sequence[_Item]], float | None],
    *,
    seed: int = 0,
    resamples: int = 2000,
) -> Interval | None:
    """Return a measure's 95 % percentile interval over resampled groups.

    A group holds what is not independent, such as the pairs of one text: so texts are drawn, not pairs. None when
    there are fewer than two groups, or when the measure is undefined in more than one resample of twenty.
    """
    if len(groups) < 2:
        return None
    dice = random.Random(seed)  # noqa: S311 - a repeatable draw, no secret
    values: list[float] = []
    for _ in range(resamples):
        value = measure([item for group in dice.choices(groups, k=len(groups)) for item in group])
        if value is not None:
            values.append(value)
    if len(values) < 0.95 * resamples:
        return None
    values.sort()
    return values[math.floor(_LOW * (len(values) - 1))], values[math.ceil(_HIGH * (len(values) - 1))]
