"""Run supervisor, tell what happens to the processes it keeps alive, and stop all of them."""

import os
import re
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reviewhub.embedded.processes import dying_with_parent

__all__ = ["Supervisor", "supervised"]

_STOP_SECONDS = 45  # supervisor itself gives each process 10 s and then kills it, one priority after the other
_CHUNK_BYTES = 65_536
_EXITED = re.compile(r"exited: (?P<part>\S+) \((?P<how>[^;)]+)")
_GAVE_UP = re.compile(r"gave up: (?P<part>\S+) entered FATAL")


class Supervisor:
    """A running supervisor, read line by line; `last_line` is what it wrote last."""

    def __init__(self, process: subprocess.Popen[str], var: Path) -> None:
        """Follow a process whose output is a pipe of text."""
        self._process = process
        self._var = var
        self._selector = selectors.DefaultSelector()
        assert process.stdout is not None  # noqa: S101 - the one who opened it asked for a pipe
        self._output = process.stdout
        self._unread = ""
        self.last_line = "it said nothing"
        self._selector.register(process.stdout, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """Return supervisor's own process id."""
        return self._process.pid

    def has_ended(self) -> bool:
        """Tell whether supervisor is gone, and every process with it."""
        return self._process.poll() is not None

    def news(self, *, wait_seconds: float) -> str | None:
        """Return what a person should know of the next line, None when nothing of that kind came in the time."""
        # Read by the file's number: lines that wait in a buffer of Python's would not wake the selector.
        if "\n" not in self._unread and self._selector.select(wait_seconds):
            self._unread += os.read(self._output.fileno(), _CHUNK_BYTES).decode(errors="replace")
        line, ended, rest = self._unread.partition("\n")
        if not ended:
            return None
        self._unread = rest
        self.last_line = line.strip() or self.last_line
        if exited := _EXITED.search(line):
            return f"{exited['part']} ended ({exited['how']}) and is started again; see {self._log(exited['part'])}"
        if gave_up := _GAVE_UP.search(line):
            return f"{gave_up['part']} ends again and again, the rest goes on; see {self._log(gave_up['part'])}"
        return None

    def stop(self) -> None:
        """Stop every process, and supervisor last."""
        self._process.terminate()
        try:
            # Its output is read to the end, or it would wait for a reader.
            self._process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._selector.close()

    def _log(self, part: str) -> Path:
        return self._var / "log" / f"{part}.log"


@contextmanager
def supervised(config: Path, *, var: Path, environment: dict[str, str]) -> Iterator[Supervisor]:
    """Keep the configured processes alive while the block runs, then stop all of them, whatever ended the block.

    `var` is the state folder, whose `log` and `run` exist.
    Supervisor lives in a session of its own: a Ctrl-C at the terminal reaches this process alone, which then stops the
    rest in order.
    """
    command = dying_with_parent([sys.executable, "-m", "supervisor.supervisord", "--configuration", str(config)])
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=var,
        env=environment,
        start_new_session=True,
    )
    supervisor = Supervisor(process, var)
    try:
        yield supervisor
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave half of them running
        supervisor.stop()
