"""Run a real worker process for one queue, as a start of the hub does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection

__all__ = ["children", "until", "worker"]


def _database_url() -> str:
    """Return the address of the database that this test uses."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["REVIEWHUB_DATABASE_URL"])._replace(path=f"/{name}").geturl()


@contextmanager
def worker(queue: str, log: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker of one child for a queue."""
    options = ["--queues", queue, "--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
    command = [sys.executable, "-m", "celery", "--app", "reviewhub", "worker", *options]
    given = {**os.environ, "REVIEWHUB_DATABASE_URL": _database_url(), "REVIEWHUB_SUPPORT": "off", **environment}
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=given)
    try:
        yield process
    finally:
        for child in children(process):
            os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def children(process: subprocess.Popen[bytes]) -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def until(holds: Callable[[], bool], *, log: Path, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, log.read_text(errors="replace")[-3000:]
        time.sleep(0.1)
