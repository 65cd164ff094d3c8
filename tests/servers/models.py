"""Serve the real embedded model to the tests, behind Ollama's interface and behind OpenAI's."""

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.model_cache import cache_folder, find_model
from tests.servers.process import MissingServerError, free_port, start, stop

__all__ = ["OLLAMA_MODEL", "embedded_environ", "model_file", "ollama_url"]

OLLAMA_MODEL = "qwen2.5-coder:1.5b"
_PROJECT = Path(__file__).parents[2]
_KEY = "a-key-of-the-tests"


@pytest.fixture(scope="session")
def model_file() -> Path:
    """Return the embedded model's verified file; a missing one is an error, not a skip."""
    path = find_model(environ=os.environ)
    if path is None:
        raise MissingServerError(
            f"the embedded model is not in {cache_folder(os.environ)}; fetch it with: python -m agent fetch-model"
        )
    return path


@pytest.fixture(scope="session")
def ollama_url(model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the model as OLLAMA_MODEL behind Ollama's interface; return the address, as OLLAMA_HOST takes it."""
    port = free_port()
    command = ["tests.servers.ollama_server", "--model", str(model_file), "--name", OLLAMA_MODEL, "--port", str(port)]
    url = f"http://127.0.0.1:{port}"
    with _served(command, {}, f"{url}/api/version", tmp_path_factory.mktemp("ollama")):
        yield url


@pytest.fixture(scope="session")
def embedded_environ(model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve the model as the product does; return what the environment must say for the name "embedded"."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environ = {"REVIEWHUB_EMBEDDED_URL": url, "REVIEWHUB_MODEL_KEY": _KEY}
    command = ["agent.llm.embedded_server", "--model", str(model_file), "--port", str(port), "--exit-with-parent"]
    with _served(command, environ, f"{url}/health", tmp_path_factory.mktemp("embedded")):
        yield environ


@contextmanager
def _served(command: list[str], environ: dict[str, str], health_url: str, folder: Path) -> Iterator[None]:
    settings = [f"{name}={value}" for name, value in {"PYTHONPATH": str(_PROJECT), **environ}.items()]
    process = start(
        ["env", *settings, sys.executable, "-m", *command], log=folder / "log", ready=lambda: _answers(health_url)
    )
    try:
        yield
    finally:
        stop(process)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
