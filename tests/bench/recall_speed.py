"""Print how long it takes to find the ten nearest of many vectors: by exact search, and by a Chroma of its own.

Run it with `python -m tests.bench.recall_speed [NUMBER]`, 100,000 unless told; filling Chroma takes minutes. The
vectors are drawn at random, as mixtures of thirty directions: those of texts do not fill all 384 either.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from memory import exact
from memory.store import Store
from tests.servers.chroma import chroma_server
from tests.servers.process import free_port

_QUERIES = 50
_COLLECTION = "queue-1-billing"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _drawn(number: int) -> np.ndarray:
    random = np.random.default_rng(20261130)
    directions = random.normal(size=(30, 384)).astype(np.float32)
    vectors = random.normal(size=(number, 30)).astype(np.float32) @ directions
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _show(what: str, ask: Callable[[np.ndarray], list[exact.Hit]], queries: np.ndarray) -> list[list[str]]:
    seconds, found = [], []
    for query in queries:
        start = time.perf_counter()
        hits = ask(query)
        seconds.append(time.perf_counter() - start)
        found.append([hit.id for hit in hits])
    seconds.sort()
    _say(f"{what}: median {statistics.median(seconds) * 1000:.1f} ms, slowest {seconds[-1] * 1000:.1f} ms")
    return found


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    drawn, ids = _drawn(number + _QUERIES), [str(identity) for identity in range(1, number + 1)]
    matrix, queries = drawn[:number], drawn[number:]
    _say(f"{number:,} vectors, {_QUERIES} queries")
    true = _show("exact search", lambda query: exact.nearest(query, ids, matrix, 10), queries)
    with chroma_server(free_port()) as server:
        store = Store.at(server.url, timeout_seconds=120)
        start = time.perf_counter()
        store.upsert(_COLLECTION, ids, matrix)
        _say(f"filling Chroma: {time.perf_counter() - start:.0f} s")
        found = _show("Chroma", lambda query: store.nearest(_COLLECTION, query, 10), queries)
        start = time.perf_counter()
        store.ids(_COLLECTION)
        _say(f"all ids: {(time.perf_counter() - start) * 1000:.0f} ms")
        size = sum(path.stat().st_size for path in server.data.rglob("*") if path.is_file())
        _say(f"Chroma's files: {size / 1e6:.0f} MB")
    right = sum(len(set(one) & set(other)) for one, other in zip(true, found, strict=True))
    _say(f"of the ten nearest Chroma found {right / _QUERIES:.1f}")


if __name__ == "__main__":
    main()
