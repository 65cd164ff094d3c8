"""Run a server of a test: as an unprivileged user, on a free loopback port, gone when pytest is gone."""

import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

__all__ = [
    "MissingServerError",
    "ServerError",
    "as_unprivileged",
    "dying_with_pytest",
    "free_port",
    "give_to",
    "listens",
    "start",
    "stop",
]

START_SECONDS = 30
STOP_SECONDS = 15


class MissingServerError(RuntimeError):
    """A program that the tests need is not installed; the message says how to get it."""


class ServerError(RuntimeError):
    """A server did not come up; the message ends with what it wrote last."""


def free_port() -> int:
    """Return a TCP port on 127.0.0.1 that nobody listens on.

    Drawn from below the ports that the kernel gives to outgoing connections: one of those may be taken between this
    answer and the start of the server. Drawn by the system, as libraries of tests seed Python's own generator alike in
    every process of a run.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def listens(port: int) -> bool:
    """Tell whether somebody takes connections at a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def as_unprivileged(command: list[str], user: str) -> list[str]:
    """Return the command such that root runs it as `user`; everybody else runs it as they are."""
    if os.geteuid() != 0:
        return dying_with_pytest(command)
    if shutil.which("setpriv") is None:
        message = "setpriv is not installed, so root cannot start servers as another user: apt-get install util-linux"
        raise MissingServerError(message)
    return dying_with_pytest(command, f"--reuid={user}", f"--regid={_group_id(user)}", "--clear-groups")


def dying_with_pytest(command: list[str], *options: str) -> list[str]:
    """Return the command such that no server outlives a killed pytest, where there is setpriv to ask for that."""
    if shutil.which("setpriv") is None:
        return command
    # SIGINT is PostgreSQL's "fast" stop and a plain stop for the others.
    return ["setpriv", *options, "--pdeathsig", "INT", "--", *command]


def give_to(user: str, folder: Path) -> None:
    """Let root hand a folder to the user that its server runs as."""
    if os.geteuid() == 0:
        shutil.chown(folder, user, int(_group_id(user)))


def start(command: list[str], *, log: Path, ready: Callable[[], bool]) -> subprocess.Popen[bytes]:
    """Start a server in its own session and return once `ready()` holds.

    Raises ServerError when it ends early or is not ready within START_SECONDS.
    """
    with log.open("wb") as output:
        process = _open(command, output)
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            stop(process)
            tail = log.read_text(errors="replace")[-2000:]
            raise ServerError(f"{' '.join(command)} did not start:\n{tail}")
        time.sleep(0.02)
    return process


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a server, politely at first."""
    if process.poll() is None:
        process.send_signal(2)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _open(command: list[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd="/", start_new_session=True
    )


def _group_id(user: str) -> str:
    return subprocess.run(["id", "-g", user], check=True, capture_output=True, text=True).stdout.strip()
