"""Weigh what a validator declares of itself against how often people agreed with it."""

import math
from dataclasses import dataclass

__all__ = ["FEWEST_VERDICTS", "TrackRecord", "effective_confidence", "wilson_interval"]

FEWEST_VERDICTS = 30
"""Below it a track record says too little to be counted."""
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """Hold how many of a validator's findings people ruled on, and in how many of them it was right."""

    right: int
    ruled: int

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.ruled:
            raise ValueError(f"{self.right} of {self.ruled} verdicts cannot be right")


def wilson_interval(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927); from 0 to 1 when there is nothing to go by."""
    if not of:
        return 0.0, 1.0
    share = right / of
    shrink = 1 + _Z95**2 / of
    middle = (share + _Z95**2 / (2 * of)) / shrink
    half = _Z95 / shrink * math.sqrt(share * (1 - share) / of + _Z95**2 / (4 * of**2))
    # What floating sums are off by must not put the share itself outside.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def effective_confidence(declared: float, record: TrackRecord | None) -> float:
    """Return the lesser of the declared confidence and the upper bound of the measured precision.

    The upper bound, so that a validator is silenced only when the data show that it is bad, and only from
    FEWEST_VERDICTS verdicts on.
    """
    if record is None or record.ruled < FEWEST_VERDICTS:
        return declared
    return min(declared, wilson_interval(record.right, record.ruled)[1])
