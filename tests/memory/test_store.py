"""The store finds vectors again in the real Chroma, and every fault of a server is one error, in time."""

import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chromadb
import numpy as np
import pytest
from chromadb.config import Settings

from memory import exact
from memory.store import Store, StoreRefused, StoreUnavailable, collection_name
from tests.memory.drawn import vectors
from tests.memory.faulty import FAULTS, answer, broken_server
from tests.servers.chroma import ChromaServer, chroma_server
from tests.servers.process import ServerError, free_port

_PATIENCE_SECONDS = 20
CALLS: dict[str, Callable[[Store], object]] = {
    "upsert": lambda store: store.upsert("queue-1-billing", ["1"], vectors(1)),
    "delete": lambda store: store.delete("queue-1-billing", ["1"]),
    "nearest": lambda store: store.nearest("queue-1-billing", vectors(1)[0], 3),
    "ids": lambda store: store.ids("queue-1-billing"),
    "drop": lambda store: store.drop("queue-1-billing"),
    "collections": lambda store: store.collections(),
}


def ids_of(number: int) -> list[str]:
    return [str(identity) for identity in range(1, number + 1)]


@pytest.fixture
def store(chroma: ChromaServer) -> Store:
    return Store.at(chroma.url, timeout_seconds=_PATIENCE_SECONDS)


@pytest.fixture
def name(store: Store, request: pytest.FixtureRequest) -> Iterator[str]:
    """Name a collection that no other test has."""
    name = collection_name(abs(hash(request.node.nodeid)) % 10**9, "billing")
    yield name
    store.drop(name)


@pytest.fixture
def own() -> Iterator[ChromaServer]:
    """Run a Chroma that the test may break."""
    with chroma_server(free_port()) as server:
        yield server


def test_what_was_put_in_is_found_the_most_similar_first(store: Store, name: str):
    many = vectors(120)
    store.upsert(name, ids_of(120), many)
    hits = store.nearest(name, many[41], 5)
    assert hits[0].id == "42"
    assert hits[0].similarity == pytest.approx(1.0, abs=1e-5)
    assert [hit.similarity for hit in hits] == sorted((hit.similarity for hit in hits), reverse=True)
    assert store.ids(name) == set(ids_of(120))


def test_it_finds_what_exact_search_finds(store: Store, name: str):
    many = vectors(60, seed=3)
    store.upsert(name, ids_of(60), many)
    for asked in vectors(5, seed=4):
        found, true = store.nearest(name, asked, 8), exact.nearest(asked, ids_of(60), many, 8)
        assert [hit.id for hit in found] == [hit.id for hit in true]
        assert [hit.similarity for hit in found] == pytest.approx([hit.similarity for hit in true], abs=1e-5)


def test_equal_vectors_come_in_the_order_of_their_numbers(store: Store, name: str):
    one = vectors(1)
    store.upsert(name, ["10", "9", "100", "2"], np.repeat(one, 4, axis=0))
    assert [hit.id for hit in store.nearest(name, one[0], 4)] == ["2", "9", "10", "100"]


def test_the_same_id_again_takes_the_place_of_the_vector_before(store: Store, name: str):
    first, second = vectors(2)
    store.upsert(name, ["1"], first[None])
    store.upsert(name, ["1"], second[None])
    assert store.ids(name) == {"1"}
    assert store.nearest(name, second, 1)[0].similarity == pytest.approx(1.0, abs=1e-5)


def test_what_is_removed_is_found_no_more_and_removing_it_twice_does_no_harm(store: Store, name: str):
    many = vectors(3)
    store.upsert(name, ids_of(3), many)
    for _ in range(2):
        store.delete(name, ["2"])
        assert store.ids(name) == {"1", "3"}
    assert {hit.id for hit in store.nearest(name, many[1], 3)} == {"1", "3"}


def test_nothing_is_asked_of_the_server_for_nothing(name: str):
    nowhere = Store("127.0.0.1", free_port())
    nowhere.upsert(name, [], vectors(0))
    nowhere.delete(name, [])


def test_a_collection_that_is_not_there_has_no_ids_and_is_no_empty_answer(store: Store, name: str):
    assert store.ids(name) == set()
    store.delete(name, ["1"])
    store.drop(name)
    with pytest.raises(StoreUnavailable, match=f"has no index {name}; rebuild_memory makes it"):
        store.nearest(name, vectors(1)[0], 3)


def test_queues_and_domains_do_not_see_each_others_vectors(store: Store):
    one, other = collection_name(7001, "billing"), collection_name(7002, "billing")
    assert len({one, other, collection_name(7001, "support"), collection_name(70, "01-billing")}) == 4
    try:
        store.upsert(one, ["1"], vectors(1))
        store.upsert(other, ["2"], vectors(1))
        assert [hit.id for hit in store.nearest(one, vectors(1)[0], 5)] == ["1"]
        assert store.ids(other) == {"2"}
    finally:
        store.drop(one)
        store.drop(other)


def test_chromas_own_client_sees_ids_and_vectors_and_nothing_else(chroma: ChromaServer, store: Store, name: str):
    many = vectors(3)
    store.upsert(name, ids_of(3), many)
    client = chromadb.HttpClient("127.0.0.1", chroma.port, settings=Settings(anonymized_telemetry=False))
    collection = client.get_collection(name, embedding_function=None)
    kept = collection.get(include=["documents", "embeddings", "metadatas", "uris"])
    assert kept["ids"] == ids_of(3)
    assert np.allclose(kept["embeddings"], many, rtol=0, atol=1e-7)  # it says them to nine decimals
    for field in ("documents", "metadatas", "uris"):
        assert kept[field] in (None, [None] * 3)
    assert collection.metadata is None
    assert collection.configuration_json["hnsw"]["space"] == "cosine"
    assert collection.configuration_json["embedding_function"] is None


def test_the_collections_are_listed_also_when_they_are_more_than_a_page(
    store: Store, name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("memory.store._PAGE", 2)
    names = {f"{name}-{number}" for number in range(5)}
    for one in names:
        store.upsert(one, ["1"], vectors(1))
    assert {one for one in store.collections() if one.startswith(name)} == names
    for one in names:
        store.drop(one)
    assert not {one for one in store.collections() if one.startswith(name)}


def test_a_collection_that_is_dropped_while_it_is_filled_is_made_anew(
    store: Store, name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("memory.store._BATCH", 2)
    asked = store._exchange

    def drop_before_the_second_batch(method: str, path: str, given: object, deadline: float) -> object:
        if isinstance(given, dict) and given.get("ids") == ["3", "4"] and store.ids(name) == {"1", "2"}:
            store.drop(name)
        return asked(method, path, given, deadline)

    monkeypatch.setattr(store, "_exchange", drop_before_the_second_batch)
    store.upsert(name, ids_of(5), vectors(5))
    assert store.ids(name) == {"3", "4", "5"}


def test_a_vector_of_another_length_is_refused_with_the_way_on_and_changes_nothing(store: Store, name: str):
    store.upsert(name, ["1"], vectors(1))
    for call in (
        lambda: store.upsert(name, ["2"], np.ones((1, 3), dtype=np.float32)),
        lambda: store.nearest(name, np.ones(3, dtype=np.float32), 3),
    ):
        with pytest.raises(StoreRefused, match="run rebuild_memory"):
            call()
    assert store.ids(name) == {"1"}


def test_ids_and_vectors_must_be_equally_many(store: Store, name: str):
    with pytest.raises(ValueError, match="2 ids cannot name 3 vectors"):
        store.upsert(name, ["1", "2"], vectors(3))


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8001", "http://127.0.0.1", "https://127.0.0.1:8001", "http://:8001", "http://h:8001/api"]
)
def test_an_address_that_is_none_of_a_chroma_server_is_refused(url: str):
    with pytest.raises(ValueError, match="give http://HOST:PORT"):
        Store.at(url)


# Faults of servers


def returns_in_time(call: Callable[[], object]) -> BaseException | None:
    """Return what the call raised; it is far past its deadline when this fails, for a slow machine is no fault."""
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            call()
        except StoreUnavailable as error:
            raised.append(error)
        else:
            raised.append(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(_PATIENCE_SECONDS)
    assert not thread.is_alive(), "the call goes on and on"
    return raised[0]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_server_is_the_store_being_unavailable(fault: str, call: str):
    with broken_server(fault) as port:
        store = Store("127.0.0.1", port, timeout_seconds=0.3)
        error = returns_in_time(lambda: CALLS[call](store))
        assert isinstance(error, StoreUnavailable), f"it took that for a good answer: {call}"
        assert str(error).startswith(f"Chroma at 127.0.0.1:{port}")
        # Any other collection would meet with the same, unless Chroma says what it has against this one.
        assert isinstance(error, StoreRefused) == (fault == "has an error of its own")


@pytest.mark.parametrize("distance", ["NaN", "Infinity", '"near"', "null", "[0.5]"])
def test_a_nearness_that_is_no_number_is_the_store_being_unavailable(distance: str, monkeypatch: pytest.MonkeyPatch):
    body = f'{{"id": "88e955c0-13e2-4f6f-ba1d-778f85d06bda", "ids": [["7"]], "distances": [[{distance}]]}}'
    monkeypatch.setitem(FAULTS, "measures wrongly", (answer("200 OK", body), "close"))
    with broken_server("measures wrongly") as port, pytest.raises(StoreUnavailable, match="not Chroma's"):
        Store("127.0.0.1", port, timeout_seconds=_PATIENCE_SECONDS).nearest("queue-1-billing", vectors(1)[0], 3)


@pytest.mark.parametrize("call", CALLS)
def test_a_port_where_nobody_listens_is_the_store_being_unavailable(call: str):
    store = Store("127.0.0.1", free_port())
    with pytest.raises(StoreUnavailable, match="refused"):
        CALLS[call](store)


def test_a_flood_of_bytes_is_cut_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(FAULTS, "floods", (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 40_000_000, "keep"))
    with broken_server("floods") as port:
        error = returns_in_time(lambda: Store("127.0.0.1", port, timeout_seconds=10).ids("queue-1-billing"))
    assert "longer than" in str(error)


def test_many_calls_to_a_silent_server_leave_no_thread_and_no_socket_behind():
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:  # the kernel takes the connections, nobody reads
        store = Store("127.0.0.1", silent.getsockname()[1], timeout_seconds=0.05)
        before = threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(20):
            with pytest.raises(StoreUnavailable):
                store.ids("queue-1-billing")
        assert (threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))) == before


def test_a_proxy_of_the_environment_is_not_used(store: Store, name: str, monkeypatch: pytest.MonkeyPatch):
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, f"http://127.0.0.1:{free_port()}")
    store.upsert(name, ["1"], vectors(1))
    assert store.ids(name) == {"1"}


# Faults of the real one


def test_a_frozen_chroma_is_unavailable_and_back_when_it_goes_on(own: ChromaServer):
    store = Store.at(own.url)
    store.upsert("queue-1-billing", ["1"], vectors(1))
    assert own.process is not None
    os.kill(own.process.pid, signal.SIGSTOP)
    try:
        for call in CALLS.values():
            error = returns_in_time(lambda call=call: call(store))
            assert "no whole answer in time" in str(error)
    finally:
        os.kill(own.process.pid, signal.SIGCONT)
    eventually(lambda: returns_in_time(lambda: store.ids("queue-1-billing")) is None)


def test_a_killed_chroma_is_unavailable_and_knows_everything_when_it_is_started_again(own: ChromaServer):
    store = Store.at(own.url, timeout_seconds=_PATIENCE_SECONDS)
    many = vectors(5)
    store.upsert("queue-1-billing", ids_of(5), many)
    assert own.process is not None
    own.process.kill()
    own.process.wait()
    with pytest.raises(StoreUnavailable, match="refused"):
        store.nearest("queue-1-billing", many[0], 1)
    own.start()
    assert [hit.id for hit in store.nearest("queue-1-billing", many[3], 1)] == ["4"]


def test_an_emptied_folder_is_an_unavailable_index_that_a_rebuild_brings_back(own: ChromaServer):
    store = Store.at(own.url, timeout_seconds=_PATIENCE_SECONDS)
    many = vectors(5)
    store.upsert("queue-1-billing", ids_of(5), many)
    own.stop()
    shutil.rmtree(own.data)
    own.start()
    with pytest.raises(StoreUnavailable, match="has no index queue-1-billing"):
        store.nearest("queue-1-billing", many[0], 1)
    assert store.ids("queue-1-billing") == set()
    rebuild(store, many)
    assert [hit.id for hit in store.nearest("queue-1-billing", many[3], 1)] == ["4"]


def test_a_folder_emptied_under_a_running_chroma_comes_back_after_a_restart_and_a_rebuild(own: ChromaServer):
    store = Store.at(own.url, timeout_seconds=_PATIENCE_SECONDS)
    many = vectors(5)
    store.upsert("queue-1-billing", ids_of(5), many)
    shutil.rmtree(own.data)
    own.data.mkdir()
    with pytest.raises(StoreUnavailable, match="HTTP 500"):
        store.upsert("queue-1-billing", ["6"], vectors(1))
    own.stop()
    own.start()
    rebuild(store, many)
    assert store.ids("queue-1-billing") == set(ids_of(5))


@pytest.mark.parametrize("left", [0, 50_000])
def test_a_truncated_database_is_told_of_and_a_rebuild_brings_it_back(own: ChromaServer, left: int):
    store = Store.at(own.url, timeout_seconds=_PATIENCE_SECONDS)
    many = vectors(5)
    store.upsert("queue-1-billing", ids_of(5), many)
    own.stop()
    os.truncate(own.data / "chroma.sqlite3", left)
    if left:
        with pytest.raises(ServerError, match="malformed"):
            own.start()
        with pytest.raises(StoreUnavailable, match="refused"):
            store.ids("queue-1-billing")
        shutil.rmtree(own.data)  # what the documentation tells a person to do
    own.start()
    with pytest.raises(StoreUnavailable, match="has no index"):
        store.nearest("queue-1-billing", many[0], 1)
    rebuild(store, many)
    assert store.ids("queue-1-billing") == set(ids_of(5))


def test_truncated_index_files_are_told_of_and_a_rebuild_brings_them_back(own: ChromaServer):
    store = Store.at(own.url, timeout_seconds=_PATIENCE_SECONDS)
    many = vectors(1200)  # from 1,000 on Chroma writes its index to files
    rebuild(store, many)
    own.stop()
    files = [path for path in own.data.rglob("*.bin") if path.stat().st_size > 0]
    assert files
    for path in files:
        os.truncate(path, path.stat().st_size // 2)
    own.start()
    with pytest.raises(StoreUnavailable):  # Chroma dies of it, each time
        store.nearest("queue-1-billing", many[0], 1)
    own.stop()
    own.start()
    rebuild(store, many)
    assert [hit.id for hit in store.nearest("queue-1-billing", many[3], 1)] == ["4"]
    assert len(store.ids("queue-1-billing")) == 1200


def rebuild(store: Store, many: np.ndarray) -> None:
    store.drop("queue-1-billing")
    store.upsert("queue-1-billing", ids_of(len(many)), many)


def eventually(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)
