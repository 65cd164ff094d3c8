"""Each process is restarted alone, and none is left behind, whatever ends the run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewhub.embedded.processes import Part, Stage, begin, reach, write_supervisor_config
from reviewhub.embedded.supervision import Supervisor, supervised

_PATIENCE_SECONDS = 30
# Writes its process id, then works with a child until it is told to stop, as a worker with its pool does.
_WORKER = """
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {child.pid}")
time.sleep(600)
"""


def eventually(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Run:
    """A supervisor over two workers, `left` and `right`, in a state folder whose name needs quoting."""

    def __init__(self, folder: Path, *, right_after: Stage | None = None) -> None:
        self.var = folder / "state of 100 %"
        (self.var / "log").mkdir(parents=True)
        worker = self.var / "worker.py"
        worker.write_text(_WORKER)
        stages = {"left": None, "right": right_after}
        command = (sys.executable, str(worker))
        parts = [Part(name, (*command, str(self._file(name))), 1, after=stage) for name, stage in stages.items()]
        self.config = write_supervisor_config(self.var, parts)

    def pids(self, name: str) -> list[int]:
        file = self._file(name)
        return [int(pid) for pid in file.read_text().split()] if file.exists() else []

    def all_pids(self) -> list[int]:
        return self.pids("left") + self.pids("right")

    def _file(self, name: str) -> Path:
        return self.var / f"{name}.pids"


@pytest.fixture
def signals_kept() -> Iterator[None]:
    """Stopping a run makes the process deaf to signals on purpose; the tests go on after it."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture
def run(tmp_path: Path, signals_kept: None) -> Run:
    return Run(tmp_path)


def news_of(supervisor: Supervisor) -> str:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if news := supervisor.news(wait_seconds=0.2):
            return news
    raise AssertionError("nothing was said")


def test_lines_that_come_together_are_told_one_by_one(tmp_path: Path):
    said = "exited: left (exit status 1; not expected)\\ngave up: left entered FATAL state\\n"
    code = f"import sys, time; sys.stdout.write('{said}'); sys.stdout.flush(); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        supervisor = Supervisor(process, tmp_path)
        assert news_of(supervisor).startswith("left ended (exit status 1)")
        assert news_of(supervisor).startswith("left ends again and again")
        process.kill()


def test_a_killed_process_is_told_of_and_started_again_alone(run: Run):
    with supervised(run.config, var=run.var, environment=dict(os.environ)) as supervisor:
        eventually(lambda: len(run.all_pids()) == 4)
        left, right = run.pids("left"), run.pids("right")
        os.kill(left[0], signal.SIGKILL)
        news = news_of(supervisor)
        eventually(lambda: run.pids("left") not in ([], left))
        assert run.pids("right") == right
        assert news.startswith("left ended (terminated by SIGKILL) and is started again; see ")
        assert news.endswith("left.log")
    os.kill(left[1], signal.SIGKILL)


def test_a_process_waits_for_its_stage_and_once_that_is_reached_starts_again_at_once(
    tmp_path: Path, signals_kept: None
):
    run = Run(tmp_path, right_after=Stage.READY)
    reach(run.var, Stage.READY)
    begin(run.var)  # what an earlier run had reached does not count
    with supervised(run.config, var=run.var, environment=dict(os.environ)) as supervisor:
        eventually(lambda: len(run.pids("left")) == 2)
        time.sleep(1)
        assert run.pids("right") == []
        reach(run.var, Stage.READY)
        eventually(lambda: len(run.pids("right")) == 2)
        right = run.pids("right")
        os.kill(right[0], signal.SIGKILL)
        assert news_of(supervisor).startswith("right ended")
        eventually(lambda: run.pids("right") not in ([], right))
    os.kill(right[1], signal.SIGKILL)


def test_a_run_that_ends_before_a_stage_leaves_nobody_waiting_for_it(tmp_path: Path, signals_kept: None):
    run = Run(tmp_path, right_after=Stage.PREPARED)
    with supervised(run.config, var=run.var, environment=dict(os.environ)):
        eventually(lambda: len(run.pids("left")) == 2)
        mark = str(run.var / "run" / "prepared")
        waiting = [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if mark in _command_line(path)]
        assert waiting
    assert [folder for folder in waiting if is_alive(int(folder.name))] == []


def _command_line(path: Path) -> str:
    try:
        return path.read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_the_end_of_the_run_leaves_no_process(run: Run):
    with supervised(run.config, var=run.var, environment=dict(os.environ)) as supervisor:
        eventually(lambda: len(run.all_pids()) == 4)
        pids = run.all_pids()
    assert supervisor.has_ended()
    assert [pid for pid in pids if is_alive(pid)] == []


def test_an_error_in_the_run_leaves_no_process(run: Run):
    def fail() -> None:
        with supervised(run.config, var=run.var, environment=dict(os.environ)):
            eventually(lambda: len(run.all_pids()) == 4)
            raise ConnectionError

    with pytest.raises(ConnectionError):
        fail()
    assert [pid for pid in run.all_pids() if is_alive(pid)] == []


def test_processes_end_with_a_supervisor_that_was_killed(run: Run):
    with supervised(run.config, var=run.var, environment=dict(os.environ)) as supervisor:
        eventually(lambda: len(run.all_pids()) == 4)
        os.kill(supervisor.pid, signal.SIGKILL)
        eventually(supervisor.has_ended)
        parents = [run.pids(name)[0] for name in ("left", "right")]
        eventually(lambda: not any(map(is_alive, parents)))
    for name in ("left", "right"):
        os.kill(run.pids(name)[1], signal.SIGKILL)
