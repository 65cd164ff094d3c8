"""What stops a start is one line on standard error, and nothing is left running."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reviewhub.embedded.options import ROOT
from tests.ops.running import GUARD, environment_of, processes_of


def start(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "reviewhub.embedded"]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, text=True, capture_output=True, timeout=300)


def assert_one_line(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert done.returncode == 1
    assert done.stderr.startswith("reviewhub: ")
    assert done.stderr.count("\n") == 1
    assert [part for part in parts if part not in done.stderr] == []


def test_a_taken_port(tmp_path: Path):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        done = start(environment_of(tmp_path, REVIEWHUB_MODEL="scripted", REVIEWHUB_PORT=port))
    assert_one_line(done, f"port {port}", "taken", "REVIEWHUB_PORT=")
    assert processes_of(tmp_path) == {}


def test_a_setting_that_makes_no_sense(tmp_path: Path):
    done = start(environment_of(tmp_path, REVIEWHUB_PORT="http"))
    assert_one_line(done, "REVIEWHUB_PORT='http'", "whole number")


def test_a_model_that_cannot_be_fetched(tmp_path: Path):
    """Without a network no place has the model; the line says how to go on without it."""
    no_network = {"PYTHONPATH": str(GUARD), "LOOPBACK_ONLY_RECORD": str(tmp_path / "refused")}
    no_packages = {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0", "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1"}
    environment = environment_of(tmp_path / "var", **no_network, **no_packages, REVIEWHUB_CACHE=str(tmp_path / "cache"))
    done = start({**environment, "REVIEWHUB_MODEL": "embedded"})
    assert_one_line(
        done, "could not be fetched", "REVIEWHUB_MODEL=scripted", "REVIEWHUB_MODEL=ollama:", "REVIEWHUB_MODEL_URL"
    )
    assert processes_of(tmp_path / "var") == {}


@pytest.mark.parametrize("name", ["scripted:there/is/no/file.json", "gpt", "ollama:", "openai:nowhere"])
def test_a_model_that_does_not_exist(tmp_path: Path, name: str):
    done = start(environment_of(tmp_path, REVIEWHUB_MODEL=name))
    assert_one_line(done, "REVIEWHUB_MODEL", name.partition(":")[0])
    assert processes_of(tmp_path) == {}
