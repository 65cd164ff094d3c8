"""Find the nearest vectors by comparing with every one of them: exact, and independent of any server."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Hit", "nearest", "ranked"]

_DECIMALS = 6  # what float32 tells apart: closer than that is a tie


@dataclass(frozen=True)
class Hit:
    """One exemplar's id, and the cosine of the angle between its vector and the one asked for, from -1 to 1."""

    id: str
    similarity: float


def nearest(vector: NDArray[np.float32], ids: Sequence[str], matrix: NDArray[np.float32], n: int) -> list[Hit]:
    """Return the `n` most similar rows of `matrix`, the best first; equal ones in the order of their ids.

    `vector` and the rows of `matrix`, one for each of `ids`, are of unit length. Raises ValueError when the shapes do
    not fit together.
    """
    if matrix.shape != (len(ids), len(vector)):
        raise ValueError(f"a matrix of shape {matrix.shape} cannot hold {len(ids)} vectors of {len(vector)} numbers")
    if not len(ids) or n < 1:
        return []
    similarities = matrix @ vector
    # The n-th best and all that tie with it stay, so that the cut among equals is made by id.
    least = np.partition(similarities, -n)[-n] if n < len(ids) else -np.inf
    candidates = np.flatnonzero(similarities >= least - 10.0**-_DECIMALS)
    return ranked([Hit(ids[place], float(similarities[place])) for place in candidates.tolist()])[:n]


def ranked(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits by falling similarity, rounded to what float32 tells apart; equal ones by rising id."""
    rounded = [Hit(hit.id, round(hit.similarity, _DECIMALS)) for hit in hits]
    return sorted(rounded, key=lambda hit: (-hit.similarity, len(hit.id), hit.id))
