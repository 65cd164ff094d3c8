"""A damaged index of exemplars does not keep the hub from starting, and a person is told what to do."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.store import Store
from reviewhub.embedded.vectors import prepare_vectors
from tests.memory.drawn import vectors
from tests.servers.chroma import ChromaServer
from tests.servers.process import free_port


@pytest.fixture
def filled(tmp_path: Path) -> ChromaServer:
    """Return a server, stopped, that has written a collection to the folder of a run."""
    (tmp_path / "run").mkdir()
    server = ChromaServer(tmp_path, free_port())
    server.data = tmp_path / "chroma"
    server.start()
    Store.at(server.url, timeout_seconds=20).upsert("queue-1-billing", ["1"], vectors(1))
    server.stop()
    return server


def test_a_sound_index_is_kept(filled: ChromaServer, capsys: pytest.CaptureFixture[str]):
    assert prepare_vectors(filled.folder, port=filled.port) == filled.url
    assert capsys.readouterr().out == ""
    filled.start()
    try:
        assert Store.at(filled.url, timeout_seconds=20).ids("queue-1-billing") == {"1"}
    finally:
        filled.stop()


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: os.truncate(file, file.stat().st_size // 3),
        lambda file: file.write_bytes(b"no database at all " * 4096),
        lambda file: file.write_bytes(file.read_bytes()[:4096] + b"\xff" * (file.stat().st_size - 4096)),
    ],
    ids=["truncated", "another file", "overwritten"],
)
def test_a_damaged_index_is_emptied_and_the_server_starts(
    filled: ChromaServer, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
):
    damage(filled.data / "chroma.sqlite3")
    prepare_vectors(filled.folder, port=filled.port)
    said = capsys.readouterr().out
    assert f"The index of exemplars in {filled.data} was damaged and has been emptied" in said
    assert "manage.py rebuild_memory" in said
    filled.start()
    try:
        store = Store.at(filled.url, timeout_seconds=20)
        assert store.ids("queue-1-billing") == set()
        store.upsert("queue-1-billing", ["1"], vectors(1))
        assert store.ids("queue-1-billing") == {"1"}
    finally:
        filled.stop()


def test_a_first_start_makes_the_folder_for_its_owner_alone_and_notes_the_address(tmp_path: Path):
    assert prepare_vectors(tmp_path, port=8765) == "http://127.0.0.1:8765"
    assert (tmp_path / "chroma").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "run" / "chroma.url").read_text() == "http://127.0.0.1:8765"
    assert prepare_vectors(tmp_path, port=8766) == "http://127.0.0.1:8766"
    assert (tmp_path / "run" / "chroma.url").read_text() == "http://127.0.0.1:8766"
