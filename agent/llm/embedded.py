"""Answer with the embedded model: through the server that runs already, or one of this process's own."""

import atexit
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from agent.llm.chat import Message, ModelError, Reason, Reply, Sampling
from agent.llm.openai_compatible import OpenAICompatibleModel
from agent.model_cache import cache_folder, find_model

__all__ = ["EmbeddedModel"]

_PROJECT = Path(__file__).parents[2]  # where `-m agent.llm.embedded_server` is found
_POLL_SECONDS = 0.05
_STOP_SECONDS = 5.0


class EmbeddedModel:
    """The small model that comes with the product.

    With REVIEWHUB_EMBEDDED_URL set, it is the server there, which takes the key of REVIEWHUB_MODEL_KEY. Without it, the
    first call starts a server for the life of this process, with REVIEWHUB_MODEL_THREADS threads, and a later call
    another if that one has died.
    """

    name = "embedded"

    def __init__(self, *, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        url = environ.get("REVIEWHUB_EMBEDDED_URL")
        self._client = _client(url, environ.get("REVIEWHUB_MODEL_KEY")) if url else None

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling,
        schema: Mapping[str, Any] | None,
        deadline_seconds: float,
    ) -> Reply:
        """Answer `messages`; see ChatModel. The first call may also start the server, within its deadline."""
        started = time.monotonic()
        with self._lock:
            if self._client is None or (self._process and self._process.poll() is not None):
                self._process, self._client = _start(self._environ, started + deadline_seconds)
            client = self._client
        left = deadline_seconds - (time.monotonic() - started)
        return client.chat(messages, sampling=sampling, schema=schema, deadline_seconds=left)


def _client(url: str, key: str | None) -> OpenAICompatibleModel:
    return OpenAICompatibleModel(f"{url.rstrip('/')}/v1", "embedded", key=key, name="embedded")


def _start(environ: Mapping[str, str], deadline: float) -> tuple[subprocess.Popen[bytes], OpenAICompatibleModel]:
    path = find_model(environ=environ)
    if path is None:
        raise ModelError(
            Reason.WRONG_MODEL,
            f"the embedded model is not in {cache_folder(environ)}; fetch it with: python -m agent fetch-model",
        )
    key = secrets.token_urlsafe(24)
    command = [sys.executable, "-m", "agent.llm.embedded_server", "--exit-with-parent", "--port", "0"]
    command += [
        "--model",
        str(path.resolve()),
        "--threads",
        environ.get("REVIEWHUB_MODEL_THREADS") or str(os.cpu_count() or 1),
    ]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            env={**environ, "REVIEWHUB_MODEL_KEY": key},
            cwd=_PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        atexit.register(_stop, process)
        return process, _client(_address(process, output, deadline), key)


def _address(process: subprocess.Popen[bytes], output: Any, deadline: float) -> str:
    """Wait until the server says where it serves."""
    while True:
        running = process.poll() is None
        said = os.pread(output.fileno(), 65_536, 0).decode(errors="replace")
        for line in said.splitlines(keepends=True):
            if line.startswith("serving ") and line.endswith("\n"):
                return line.removeprefix("serving ").strip()
        if not running:
            last = said.strip().splitlines()[-1:] or ["it said nothing"]
            raise ModelError(Reason.UNREACHABLE, f"the embedded model server did not start: {last[0]}")
        if time.monotonic() > deadline:
            _stop(process)
            raise ModelError(Reason.TIMEOUT, "the embedded model server did not start within the time of the call")
        time.sleep(_POLL_SECONDS)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
