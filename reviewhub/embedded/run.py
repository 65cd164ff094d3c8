"""Run the whole hub on this machine until Ctrl-C: `python -m reviewhub.embedded`."""

import http.client
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO

from reviewhub.embedded.checks import choose_port, free_port, hold_lock, require_space
from reviewhub.embedded.keys import Keys
from reviewhub.embedded.model import choose_model
from reviewhub.embedded.options import DEFAULT_PORT, ROOT, CannotRunError, Options
from reviewhub.embedded.processes import (
    ModelServer,
    Stage,
    begin,
    parts,
    reach,
    write_broker_config,
    write_supervisor_config,
)
from reviewhub.embedded.progress import say, step, stop_with
from reviewhub.embedded.supervision import Supervisor, supervised
from reviewhub.embedded.vectors import prepare_vectors

__all__ = ["main"]

_RUNS_ALREADY = "Reviewhub runs from this clone already: {holder}. Stop that one with Ctrl-C in its terminal first."
_STATE_MEGABYTES = 300
_READY_SECONDS = 120
_TICK_SECONDS = 0.1
_QUIET = {"ANONYMIZED_TELEMETRY": "False", "HF_HUB_OFFLINE": "1"}  # of Chroma and of the embedder's libraries
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy cannot reach this machine's loopback


def main() -> int:
    """Prepare, start and watch every process; return the exit code once all of them are gone."""
    os.umask(0o077)  # what the processes write under var/, clients' ledgers among it, is for the owner's eyes alone
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # raises KeyboardInterrupt
    try:
        options = Options.read(os.environ)
        with hold_lock(options.var / "run" / "lock", refusal=_RUNS_ALREADY) as lock:
            _run(options, lock)
    except CannotRunError as error:
        return stop_with(str(error))
    except KeyboardInterrupt:
        say("Reviewhub has stopped.")
    return 0


def _run(options: Options, lock: IO[str]) -> None:
    port = _port(options)
    require_space(options.var, megabytes=_STATE_MEGABYTES, purpose="the state under var/")
    (options.var / "log").mkdir(parents=True, exist_ok=True)
    keys = Keys.of(options.var)
    broker_port, chroma_port = free_port(), free_port()
    write_broker_config(options.var, port=broker_port, password=keys.broker)
    name, file = choose_model(options, os.environ)
    server = ModelServer(file, free_port(), options.slots, options.threads) if file else None
    environment = {
        **os.environ,
        "REVIEWHUB_VAR": str(options.var),
        "REVIEWHUB_BROKER_URL": f"redis://:{keys.broker}@127.0.0.1:{broker_port}/0",
        "REVIEWHUB_CHROMA_URL": prepare_vectors(options.var, port=chroma_port),
        "REVIEWHUB_DRAFTING_SLOTS": str(options.slots),
        "REVIEWHUB_MODEL": name,
        **_QUIET,
    }
    if server:
        environment["REVIEWHUB_MODEL_KEY"] = keys.model
        environment["REVIEWHUB_EMBEDDED_URL"] = f"http://127.0.0.1:{server.port}"
    run = parts(var=options.var, web_port=port, chroma_port=chroma_port, slots=options.slots, model=server)
    config = write_supervisor_config(options.var, run)
    url = f"http://127.0.0.1:{port}"
    begin(options.var)
    with supervised(config, var=options.var, environment=environment) as supervisor:
        _prepare(environment)  # while the model is read from the disk
        reach(options.var, Stage.PREPARED)
        _wait_for(supervisor, "web pages", f"{url}/healthz")
        if server:
            _wait_for(supervisor, "model server", f"http://127.0.0.1:{server.port}/health")
        reach(options.var, Stage.READY)
        lock.write(f"{url} (process {os.getpid()})")
        lock.flush()
        _welcome(url, name, options.var)
        while not supervisor.has_ended():
            if news := supervisor.news(wait_seconds=1):
                say(news)
    raise CannotRunError("supervisor was ended from outside, and every process with it. Start again: make run")


def _port(options: Options) -> int:
    port = choose_port(options.port)
    if options.port is None and port != DEFAULT_PORT:
        say(
            f"Port {DEFAULT_PORT} is taken by another program, so the pages are at port {port}; "
            "REVIEWHUB_PORT chooses another."
        )
    return port


def _prepare(environment: dict[str, str]) -> None:
    prepared = subprocess.run(
        [sys.executable, "-m", "reviewhub.embedded.prepare"], check=False, env=environment, cwd=ROOT
    )
    if prepared.returncode:
        raise CannotRunError("the database could not be prepared; the lines above say why. No page was served.")


def _wait_for(supervisor: Supervisor, what: str, url: str) -> None:
    with step(what):
        deadline = time.monotonic() + _READY_SECONDS
        while not _answers(url):
            if supervisor.has_ended():
                raise CannotRunError(f"supervisor ended while it started the {what}: {supervisor.last_line}")
            if time.monotonic() > deadline:
                raise CannotRunError(
                    f"the {what} did not answer within {_READY_SECONDS} s; the files in var/log say why."
                )
            if news := supervisor.news(wait_seconds=_TICK_SECONDS):
                say(news)


def _answers(url: str) -> bool:
    try:
        with _OPENER.open(url, timeout=2):
            return True
    except (urllib.error.URLError, http.client.HTTPException, OSError):
        return False


def _welcome(url: str, model: str, var: Path) -> None:
    say(f"\nReviewhub runs at {url} with the model {model}.")
    say("Log in as (name, password; also in var/logins):")
    for line in (var / "logins").read_text("utf-8").splitlines():
        say(f"  {line}")
    say("Ctrl-C stops everything.\n")
