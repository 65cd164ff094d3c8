"""Draw vectors as the model would give: of unit length, and the same ones for the same seed."""

import numpy as np

__all__ = ["vectors"]


def vectors(number: int, *, seed: int = 1) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(number, 384)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
