"""Find out, before anything starts, what would stop it: a full disk, a taken port, a run that goes on already."""

import fcntl
import shutil
import socket
from pathlib import Path
from typing import IO

from reviewhub.embedded.options import DEFAULT_PORT, CannotRunError

__all__ = ["choose_port", "free_port", "hold_lock", "require_space"]

_PORTS_TO_TRY = 50


def require_space(folder: Path, *, megabytes: int, purpose: str) -> None:
    """Raise CannotRunError unless the disk of `folder` (or of its nearest parent) has that much room."""
    existing = next(path for path in [folder, *folder.parents] if path.exists())
    free = shutil.disk_usage(existing).free // 1_000_000
    if free < megabytes:
        raise CannotRunError(
            f"the disk of {existing} is too full: {purpose} needs {megabytes:,} MB, {free:,} MB are free. "
            "Make room and run the same command again; what is done already is kept."
        )


def choose_port(wanted: int | None) -> int:
    """Return the port for the web pages: the wanted one, or the first free one from DEFAULT_PORT on.

    Raises CannotRunError when the wanted port is taken: somebody who names a port has told others about it.
    """
    if wanted is not None:
        if _is_free(wanted):
            return wanted
        raise CannotRunError(
            f"port {wanted} (REVIEWHUB_PORT) is taken by another program. Stop that one, or choose another port: "
            f"REVIEWHUB_PORT={wanted + 1 if wanted < 65535 else DEFAULT_PORT} make run"
        )
    last = DEFAULT_PORT + _PORTS_TO_TRY - 1
    for port in range(DEFAULT_PORT, last + 1):
        if _is_free(port):
            return port
    raise CannotRunError(f"the ports {DEFAULT_PORT} to {last} are all taken. Choose one: REVIEWHUB_PORT=9000 make run")


def free_port() -> int:
    """Return a port of 127.0.0.1 for a part that only other parts talk to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def hold_lock(path: Path, *, refusal: str) -> IO[str]:
    """Take the lock file of this clone and return it, empty; it is held until the process ends, however it ends.

    Raises CannotRunError, `refusal` with what the holder wrote into the file, when another process holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        held_by = file.read().strip()
        file.close()
        raise CannotRunError(refusal.format(holder=held_by or "just starting")) from None
    file.truncate(0)  # what an earlier holder wrote is true no more
    return file


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # A port that the last run left in TIME_WAIT is free: the web server binds it with the same option.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
