"""Tell which numbers of a sentence neither stand in the facts nor come of two of theirs."""

from collections.abc import Iterable, Iterator
from itertools import combinations

__all__ = ["unknown_figures"]

_SMALL = 31  # days of a month and counts of things: too many are derived in ways that no rule knows
_MOST = 24
_NEAR = 0.006


def unknown_figures(said: Iterable[str], known: Iterable[str]) -> tuple[int, int]:
    """Count the numbers that nothing accounts for: the large ones, and the small ones.

    A number is accounted for by one of the facts, by sum, difference, product, quotient or share of two, and by the sum
    of all. Ids, months and weekdays count as large ones unless the facts hold them.
    """
    known = frozenset(known)
    unknown = [figure for figure in said if figure not in known]
    numbers = [number for figure in unknown if (number := _number(figure)) is not None]
    derived = set(_derived(sorted({number for figure in known if (number := _number(figure)) is not None})[-_MOST:]))
    left = [number for number in numbers if not any(abs(number - one) <= _NEAR * max(1.0, abs(one)) for one in derived)]
    words = len(unknown) - len(numbers)
    small = sum(number <= _SMALL for number in left)
    return len(left) - small + words, small


def _number(figure: str) -> float | None:
    try:
        return float(figure)
    except ValueError:
        return None


def _derived(numbers: list[float]) -> Iterator[float]:
    yield sum(numbers)
    for number in numbers:
        yield from (number * 2, number / 2, number * 12, number / 12, 100 - number)
    for less, more in combinations(numbers, 2):
        yield from (more + less, more - less, more * less, more * less / 100)
        if less:
            yield from (more / less, 100 * less / more if more else 0.0)
    for three in combinations(numbers[-6:], 3):
        yield sum(three)
