"""Tell the person at the terminal what happens and how long it took."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["say", "step", "stop_with"]


def say(line: str) -> None:
    """Print one line at once, also into a pipe."""
    print(line, flush=True)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Name a step when it starts, and again with its seconds when it is done."""
    say(f"  ... {what}")
    started = time.monotonic()
    yield
    say(f"{time.monotonic() - started:5.1f} s {what}")


def stop_with(line: str) -> int:
    """Print the one line that says why nothing runs, and return the exit code for it."""
    print(f"reviewhub: {line}", file=sys.stderr, flush=True)
    return 1
