"""Start the hub as `make run` does, in a state folder of its own, and look at it from outside."""

import http.cookiejar
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reviewhub.embedded.options import ROOT
from tests.servers.process import free_port

__all__ = ["GUARD", "Hub", "Person", "environment_of", "eventually", "is_loopback", "open_sockets", "processes_of"]

GUARD = Path(__file__).parent / "loopback_only"
_READY = "Ctrl-C stops everything."
_LOOPBACK = ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")


def eventually(look: Callable[[], Any], *, seconds: float = 180) -> Any:
    """Return the first true answer of `look`."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.2)
    return seen


def environment_of(var: Path, **settings: str) -> dict[str, str]:
    """Return this process's environment with the hub's settings of a run, and none of the tests' own.

    A model of such a run has one thread: the other core is the other tests'.
    """
    kept = {name: value for name, value in os.environ.items() if name == "REVIEWHUB_CACHE" or "REVIEWHUB" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    own = {"REVIEWHUB_VAR": str(var), "REVIEWHUB_PORT": str(free_port()), "REVIEWHUB_MODEL_THREADS": "1"}
    return {**kept, **own, **settings}


class Hub:
    """One run of the hub, every Python process of it held to loopback."""

    def __init__(self, var: Path, **settings: str) -> None:
        var.mkdir(parents=True, exist_ok=True)
        self.var = var
        self.refused = var / "refused"
        guard = {"PYTHONPATH": str(GUARD), "LOOPBACK_ONLY_RECORD": str(self.refused)}
        self.environment = environment_of(var, **guard, **settings)
        self.url = f"http://127.0.0.1:{self.environment['REVIEWHUB_PORT']}"
        self.said: list[str] = []
        self._process = self.start_another(stdout=subprocess.PIPE)

    def start_another(self, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "reviewhub.embedded"]
        # Where the tests run in the background of a shell, an interrupt is ignored, and their children inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(
                command, cwd=ROOT, env=self.environment, text=True, stderr=subprocess.STDOUT, **options
            )
        finally:
            signal.signal(signal.SIGINT, before)

    def wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if _READY in line:
                return
        raise AssertionError("the hub did not start:\n" + "".join(self.said))

    def logins(self) -> dict[str, str]:
        return dict(line.split() for line in (self.var / "logins").read_text().splitlines())

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send the signal to the process that `make run` becomes, as a terminal does, and return its exit code.

        A run that was stopped before is left as it is.
        """
        assert self._process.stdout is not None
        if self._process.poll() is None:
            self._process.send_signal(number)
        if not self._process.stdout.closed:
            output, _ = self._process.communicate(timeout=90)
            self.said.append(output)
        return self._process.returncode

    def put_demo_off(self) -> None:
        """Let the demo's drafts wait for good: with a real model they keep every later case waiting for minutes."""
        with sqlite3.connect(self.var / "reviewhub.sqlite3", timeout=20) as database:
            database.execute("update reviewhub_draft set not_before = '2100-01-01 00:00:00' where state = 'queued'")

    def rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f"file:{self.var}/reviewhub.sqlite3?mode=ro", uri=True, timeout=20) as database:
            return database.execute(query, parameters).fetchall()


class Person:
    """Somebody at a browser without JavaScript."""

    def __init__(self, hub: Hub, name: str) -> None:
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        self._hub = hub
        self.address = ""
        self.page = self.open("/login/")
        self.send("/login/", username=name, password=hub.logins()[name])

    def open(self, path: str) -> str:
        return self._read(self._hub.url + path)

    def send(self, action: str, **fields: str) -> str:
        """Fill in the page's form of that action and send it: its hidden fields go along."""
        form = next(form for form in re.findall(r"<form\b.*?</form>", self.page, re.DOTALL) if _posts_to(form, action))
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
        data = urllib.parse.urlencode({**hidden, **fields}).encode()
        target = urllib.parse.urljoin(self.address, action)
        return self._read(urllib.request.Request(target, data, {"Referer": self.address}))

    def _read(self, request: str | urllib.request.Request) -> str:
        with self._opener.open(request, timeout=60) as answer:
            self.address = answer.geturl()
            self.page = answer.read().decode()
        return self.page


def _posts_to(form: str, action: str) -> bool:
    head = form.partition(">")[0]
    return f'action="{action}"' in head or ("action=" not in head and 'method="post"' in head and action == "")


def processes_of(var: Path) -> dict[int, str]:
    """Return the living processes of a run, by id with their command line.

    All carry its state folder in their environment, but for the broker, which writes over its own and works in there.
    """
    mark = f"REVIEWHUB_VAR={var}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            of_run = mark in (folder / "environ").read_bytes().split(b"\0")
            if of_run or (folder / "cwd").readlink().is_relative_to(var):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


def open_sockets(pids: set[int]) -> tuple[set[str], set[str]]:
    """Return what the processes listen on and what they are connected to, as the kernel writes addresses."""
    mine = set()
    for pid in pids:
        for handle in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                mine.add(str(handle.readlink()))
            except FileNotFoundError:
                continue
    listening, connected = set(), set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, remote, state, *rest = line.split()
            if f"socket:[{rest[5]}]" in mine:
                (listening if state in ("0A", "07") else connected).add(local if state in ("0A", "07") else remote)
    return listening, connected


def is_loopback(address: str) -> bool:
    """Tell whether an address in the kernel's notation (`0100007F:1F40`) is this machine's loopback."""
    return address.partition(":")[0] in _LOOPBACK
