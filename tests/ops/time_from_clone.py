"""Measure the way from a clone to the first draft, and the second start, as docs/running.md shows it.

`python -m tests.ops.time_from_clone [--keep-caches]` clones this repository into a temporary folder, runs `make run`
there with empty caches, waits for the first draft that a model wrote, stops, and starts once more.
"""

import argparse
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tests.servers.process import free_port

_ROOT = Path(__file__).parents[2]
_READY = "Ctrl-C stops everything."
_LONGEST_SECONDS = 1800
_WRITTEN = """
    select count(*) from reviewhub_draft join reviewhub_attempt on reviewhub_attempt.draft_id = reviewhub_draft.id
    where state not in ('queued', 'drafting')
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep-caches", action="store_true", help="use pip's and the model's caches of this user")
    keep = parser.parse_args().keep_caches
    with tempfile.TemporaryDirectory(prefix="reviewhub-clone-") as name:
        folder = Path(name)
        environment = {**os.environ, "REVIEWHUB_PORT": str(free_port())}
        if not keep:
            environment |= {"REVIEWHUB_CACHE": str(folder / "cache"), "PIP_CACHE_DIR": str(folder / "pip")}
        started = time.monotonic()
        clone = folder / "reviewhub"
        subprocess.run(["git", "clone", "--quiet", str(_ROOT), str(clone)], check=True)
        tell(started, "cloned")
        with running(clone, environment, started):
            wait_until(started, lambda: first_draft(clone))
            tell(started, "the first draft is written")
        print("\nSecond start", flush=True)
        started = time.monotonic()
        with running(clone, environment, started):
            pass


@contextmanager
def running(clone: Path, environment: dict[str, str], started: float) -> Iterator[None]:
    """Run `make run` while the block runs, telling each of its lines with the seconds since the start."""
    process = subprocess.Popen(["make", "run"], cwd=clone, env=environment, stdout=subprocess.PIPE, text=True)
    ready: list[str] = []

    def follow() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            tell(started, line.rstrip())
            if _READY in line:
                ready.append(line)

    follower = Thread(target=follow)
    follower.start()
    try:
        wait_until(started, lambda: bool(ready) or process.poll() is not None)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        follower.join()


def first_draft(clone: Path) -> bool:
    with sqlite3.connect(f"file:{clone}/var/reviewhub.sqlite3?mode=ro", uri=True, timeout=20) as database:
        [(count,)] = database.execute(_WRITTEN).fetchall()
        return bool(count)


def wait_until(started: float, holds) -> None:
    while not holds():
        if time.monotonic() - started > _LONGEST_SECONDS:
            raise SystemExit(f"nothing after {_LONGEST_SECONDS} s")
        time.sleep(0.2)


def tell(started: float, line: str) -> None:
    print(f"{time.monotonic() - started:6.1f} s | {line}", flush=True)


if __name__ == "__main__":
    main()
