"""What would stop a start is said in one line that names it and the way on."""

import socket
from pathlib import Path

import pytest

from reviewhub.embedded.checks import choose_port, hold_lock, require_space
from reviewhub.embedded.options import DEFAULT_PORT, CannotRunError


@pytest.fixture
def taken_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_port_that_was_asked_for_and_is_taken_stops_the_start(taken_port):
    with pytest.raises(CannotRunError) as refused:
        choose_port(taken_port)
    line = str(refused.value)
    assert f"port {taken_port}" in line
    assert "REVIEWHUB_PORT" in line
    assert "\n" not in line


def test_a_free_port_that_was_asked_for_is_taken_as_it_is(taken_port):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    assert choose_port(free) == free


def test_without_a_wish_the_next_port_after_a_taken_default_is_chosen():
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", DEFAULT_PORT))
        listener.listen()
        chosen = choose_port(None)
    assert DEFAULT_PORT < chosen < DEFAULT_PORT + 50


def test_a_full_disk_is_found_before_anything_is_written(tmp_path: Path):
    folder = tmp_path / "not" / "there" / "yet"
    with pytest.raises(CannotRunError) as refused:
        require_space(folder, megabytes=10**12, purpose="the set-up")
    line = str(refused.value)
    assert str(tmp_path) in line
    assert "1,000,000,000,000 MB" in line
    assert "MB are free" in line
    assert "\n" not in line
    assert not folder.exists()


def test_room_enough_is_no_matter(tmp_path: Path):
    require_space(tmp_path, megabytes=1, purpose="the set-up")


def test_a_second_holder_learns_who_the_first_is(tmp_path: Path):
    path = tmp_path / "run" / "lock"
    with hold_lock(path, refusal="it runs already: {holder}.") as lock:
        with pytest.raises(CannotRunError, match=r"it runs already: just starting\."):
            hold_lock(path, refusal="it runs already: {holder}.")
        lock.write("http://127.0.0.1:8000 (process 7)")
        lock.flush()
        with pytest.raises(CannotRunError, match=r"it runs already: http://127\.0\.0\.1:8000 \(process 7\)\."):
            hold_lock(path, refusal="it runs already: {holder}.")
    hold_lock(path, refusal="never").close()
    assert path.read_text("utf-8") == "", "a run that starts does not give out the address of the one before"
