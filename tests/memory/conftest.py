"""Load the real model once for all tests of the memory."""

import pytest

from memory.embed import Embedder


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return Embedder()
