"""Keep vectors by id in Chroma, spoken to over its own HTTP interface.

Chroma holds ids and vectors and nothing else: no text, no field of a case. It is a cache of what the database knows,
so every fault of it is one error, StoreUnavailable, after which exact search answers instead. StoreRefused among them
says that the server works and that one collection or vector does not. Chroma's own Python
client is not used: it waits without limit for a server that has stopped, from its construction on, and takes proxies
from the environment.
"""

import base64
import math
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from memory.exact import Hit, ranked
from memory.exchange import Answer, ExchangeFailed, exchange

__all__ = ["Hit", "Store", "StoreRefused", "StoreUnavailable", "collection_name"]

_DATABASE = "/api/v2/tenants/default_tenant/databases/default_database"
_COLLECTIONS = f"{_DATABASE}/collections"
# Wider than Chroma's defaults, which find .74 of the ten nearest among 4,000 drawn at random; these find all of them.
_INDEX = {"space": "cosine", "ef_search": 400, "ef_construction": 200, "max_neighbors": 32}
# No embedding function: vectors come ready, and Chroma must load no model of its own.
_CONFIGURATION = {"hnsw": _INDEX, "embedding_function": None}
_PAGE = 100  # of collections, when they are listed
_BATCH = 50  # of new vectors Chroma takes this many in well under a second on a busy machine
# What a server answers that takes nothing from anybody for now: no key, too many calls, not up yet.
_TAKES_NOTHING = frozenset({401, 403, 408, 429, 503})


class StoreUnavailable(Exception):
    """Chroma did not do what was asked; the message says where, what happened and what to do."""


class StoreRefused(StoreUnavailable):
    """Chroma itself answered, and refused this one thing: what is asked of other collections may go well."""


def collection_name(queue_id: int, domain: str) -> str:
    """Return the name of the collection that holds one domain's vectors of one queue."""
    return f"queue-{queue_id}-{domain}"


class Store:
    """One Chroma server. Every call of it ends within `timeout_seconds`, however the server behaves.

    Safe to use from several threads and after a fork: nothing is kept between calls, neither a connection nor the
    server's own id of a collection, which changes when the server loses its files.
    """

    def __init__(self, host: str, port: int, timeout_seconds: float = 1.0) -> None:
        self._host = host
        self._port = port
        self._timeout_seconds = timeout_seconds

    @classmethod
    def at(cls, url: str, timeout_seconds: float = 1.0) -> Self:
        """Return the store at an address such as `http://127.0.0.1:8001`; raises ValueError for any other form."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or not parts.port or parts.path not in ("", "/"):
            raise ValueError(f"{url!r} is not the address of a Chroma server: give http://HOST:PORT")
        return cls(parts.hostname, parts.port, timeout_seconds)

    def upsert(self, collection: str, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add the vectors, or put them in the place of those with the same ids; the collection is made if missing.

        Sent in batches, each with the time of a call: after StoreUnavailable some may be in, and all may be sent again.
        Raises ValueError when ids and vectors are not equally many.
        """
        if len(ids) != len(vectors):
            raise ValueError(f"{len(ids)} ids cannot name {len(vectors)} vectors")
        if not len(ids):
            return
        place = self._made(collection)
        for start in range(0, len(ids), _BATCH):
            batch = slice(start, start + _BATCH)
            given = {"ids": list(ids[batch]), "embeddings": [_packed(vector) for vector in vectors[batch]]}
            answer = self._exchange("POST", f"{place}/upsert", given, self._deadline())
            if _is_missing(answer):  # dropped since it was found, by a rebuild beside this
                place = self._made(collection)
                answer = self._exchange("POST", f"{place}/upsert", given, self._deadline())
            self._value(answer)

    def delete(self, collection: str, ids: Collection[str]) -> None:
        """Remove the vectors of those ids; what is not there needs no removing."""
        deadline = self._deadline()
        if ids and (place := self._find(collection, deadline)):
            self._ask("POST", f"{place}/delete", {"ids": list(ids)}, deadline)

    def nearest(self, collection: str, vector: NDArray[np.float32], n: int) -> list[Hit]:
        """Return about the `n` most similar vectors, the best first; equal ones in the order of their ids.

        A collection that Chroma does not have is StoreUnavailable, not an empty answer: it may have lost its files.
        """
        deadline = self._deadline()
        place = self._find(collection, deadline)
        if place is None:
            raise StoreUnavailable(
                f"{self._where} has no index {collection}; rebuild_memory makes it from the database"
            )
        given = {"query_embeddings": [_numbers(vector)], "n_results": n, "include": ["distances"]}
        found = self._ask("POST", f"{place}/query", given, deadline)
        try:
            pairs = list(zip(found["ids"][0], found["distances"][0], strict=True))
            hits = [Hit(str(identity), 1.0 - float(distance)) for identity, distance in pairs]
        except (KeyError, IndexError, TypeError, ValueError):
            raise self._other_answer("a query") from None
        if not all(math.isfinite(hit.similarity) for hit in hits):
            raise self._other_answer("a query")
        return ranked(hits)

    def ids(self, collection: str) -> set[str]:
        """Return the ids of a collection, none if Chroma does not have it."""
        deadline = self._deadline()
        place = self._find(collection, deadline)
        if place is None:
            return set()
        found = self._ask("POST", f"{place}/get", {"include": []}, deadline)
        if not isinstance(found, Mapping) or not isinstance(found.get("ids"), list):
            raise self._other_answer("a list of ids")
        return {str(identity) for identity in found["ids"]}

    def collections(self) -> set[str]:
        """Return the names of all collections that Chroma has, whoever made them."""
        names: set[str] = set()
        known = -1
        while len(names) - known >= _PAGE or known < 0:
            known = len(names)
            listed = self._ask("GET", f"{_COLLECTIONS}?limit={_PAGE}&offset={known}", None, self._deadline())
            try:
                names |= {str(described["name"]) for described in listed}
            except (KeyError, TypeError):
                raise self._other_answer("a list of collections") from None
        return names

    def drop(self, collection: str) -> None:
        """Remove a collection with all its vectors; one that is not there needs no removing."""
        answer = self._exchange("DELETE", f"{_COLLECTIONS}/{collection}", None, self._deadline())
        if not _is_missing(answer) and self._value(answer) != {}:
            raise self._other_answer("a removal")

    @property
    def _where(self) -> str:
        return f"Chroma at {self._host}:{self._port}"

    def _deadline(self) -> float:
        return time.monotonic() + self._timeout_seconds

    def _made(self, collection: str) -> str:
        given = {"name": collection, "get_or_create": True, "configuration": _CONFIGURATION}
        return self._place(self._ask("POST", _COLLECTIONS, given, self._deadline()))

    def _find(self, collection: str, deadline: float) -> str | None:
        answer = self._exchange("GET", f"{_COLLECTIONS}/{collection}", None, deadline)
        return None if _is_missing(answer) else self._place(self._value(answer))

    def _place(self, described: object) -> str:
        if isinstance(described, Mapping) and isinstance(described.get("id"), str):
            return f"{_COLLECTIONS}/{described['id']}"
        raise self._other_answer("a collection")

    def _ask(self, method: str, path: str, given: object, deadline: float) -> Any:
        return self._value(self._exchange(method, path, given, deadline))

    def _exchange(self, method: str, path: str, given: object, deadline: float) -> Answer:
        try:
            return exchange(self._host, self._port, method=method, path=path, given=given, deadline=deadline)
        except ExchangeFailed as failure:
            raise StoreUnavailable(
                f"{self._where}: {failure}. Start it or look at its log; exact search answers until then."
            ) from None

    def _value(self, answer: Answer) -> Any:
        if 200 <= answer.status < 300:
            return answer.value
        said = answer.value.get("message") if isinstance(answer.value, Mapping) else None
        failure = StoreRefused if _is_refusal(answer) else StoreUnavailable
        raise failure(
            f"{self._where} answered HTTP {answer.status} ({str(said)[:200]}). If that goes on, stop it, remove its "
            "folder, start it and run rebuild_memory."
        )

    def _other_answer(self, wanted: str) -> StoreUnavailable:
        return StoreUnavailable(
            f"{self._where} answered {wanted} in a form that is not Chroma's; is the address right?"
        )


def _is_missing(answer: Answer) -> bool:
    """Tell whether Chroma itself says that it has no such collection; any other server may answer 404 too."""
    says = answer.value.get("error") if isinstance(answer.value, Mapping) else None
    return answer.status == 404 and says == "NotFoundError"


def _is_refusal(answer: Answer) -> bool:
    """Tell whether Chroma names what is wrong with this request, as it does for a vector of another length."""
    says = answer.value if isinstance(answer.value, Mapping) else {}
    return answer.status not in _TAKES_NOTHING and isinstance(says.get("error"), str) and "message" in says


def _packed(vector: NDArray[np.float32]) -> str:
    """Return the vector as Chroma takes it bit by bit: its float32 numbers, low byte first, in base 64."""
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode("ascii")


def _numbers(vector: NDArray[np.float32]) -> list[float]:
    numbers: list[float] = np.asarray(vector, dtype=np.float64).tolist()
    return numbers
