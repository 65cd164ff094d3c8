"""Speak Ollama's API over a llama.cpp in this process, so that Ollama's own client meets a real model in tests.

`python -m tests.servers.ollama_server --model FILE --name NAME --port PORT`

Answers /api/version, /api/tags, /api/show, /api/chat and /api/generate, streamed as the model writes unless "stream" is
false. It loads one model with one slot; options it does not know are ignored, as Ollama does.
"""

import argparse
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import xllamacpp

__all__ = ["Engine", "OllamaServer"]

_OPTIONS = {
    "num_predict": "max_tokens",
    "temperature": "temperature",
    "seed": "seed",
    "top_p": "top_p",
    "top_k": "top_k",
    "repeat_penalty": "repeat_penalty",
    "stop": "stop",
}
Chunk = Mapping[str, Any]


class EngineError(Exception):
    """The library refused the request; `status` is the HTTP status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Engine:
    """One model, answering one call at a time with one sleeping thread."""

    def __init__(self, path: Path, *, threads: int, context_tokens: int) -> None:
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(path)
        parameters.n_ctx = context_tokens
        parameters.n_parallel = 1
        parameters.cache_ram_mib = 0
        parameters.warmup = False
        parameters.verbosity = 1
        for cpu in (parameters.cpuparams, parameters.cpuparams_batch):
            cpu.n_threads = threads
            cpu.poll = 0
        self._server = xllamacpp.Server(parameters)
        self._lock = Lock()

    def stream(self, request: dict[str, Any]) -> Iterator[Chunk]:
        """Yield the library's chunks as they come. Closing the iterator stops the model."""
        chunks: SimpleQueue[Chunk | ValueError | None] = SimpleQueue()
        stopped = False

        def give(chunk: Chunk) -> bool:
            chunks.put(chunk)
            return stopped

        def run() -> None:
            try:
                with self._lock:
                    self._server.handle_chat_completions(request, give)
            except ValueError as error:  # what the library raises for a request of a wrong shape
                chunks.put(error)
            chunks.put(None)

        worker = Thread(target=run, daemon=True)
        worker.start()
        try:
            while (chunk := chunks.get()) is not None:
                if isinstance(chunk, ValueError):
                    raise EngineError(400, str(chunk))
                if "error" in chunk:
                    raise EngineError(chunk["error"].get("code", 500), chunk["error"].get("message", "failed"))
                yield chunk
        finally:
            stopped = True


class OllamaServer(ThreadingHTTPServer):
    """The HTTP side: one model under one name."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], name: str, engine: Engine) -> None:
        super().__init__(address, _Handler)
        self.name = name if ":" in name else f"{name}:latest"
        self.engine = engine


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: OllamaServer

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Keep quiet."""

    def do_HEAD(self) -> None:
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        if self.path == "/":
            self._send(200, b"Ollama is running", "text/plain")
        elif self.path == "/api/version":
            self._json(200, {"version": "0.34.0"})
        elif self.path == "/api/tags":
            details = {"format": "gguf", "family": "qwen2"}
            self._json(200, {"models": [{"name": self.server.name, "model": self.server.name, "details": details}]})
        else:
            self._json(404, {"error": "404 page not found"})

    def do_POST(self) -> None:
        answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "/api/chat": self._chat,
            "/api/generate": self._generate,
            "/api/show": self._show,
        }
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        except ValueError:
            return self._json(400, {"error": "invalid JSON"})
        if self.path not in answers:
            return self._json(404, {"error": "404 page not found"})
        if f"{request.get('model')}:latest" != self.server.name and request.get("model") != self.server.name:
            return self._json(404, {"error": f"model '{request.get('model')}' not found"})
        return answers[self.path](request)

    def _show(self, request: dict[str, Any]) -> None:
        self._json(200, {"modelfile": "", "details": {"format": "gguf"}, "capabilities": ["completion"]})

    def _chat(self, request: dict[str, Any]) -> None:
        self._answer(
            request, request.get("messages") or [], lambda text: {"message": {"role": "assistant", "content": text}}
        )

    def _generate(self, request: dict[str, Any]) -> None:
        system = [{"role": "system", "content": request["system"]}] if request.get("system") else []
        prompt = {"role": "user", "content": request.get("prompt", "")}
        self._answer(request, [*system, prompt], lambda text: {"response": text})

    def _answer(
        self, request: dict[str, Any], messages: list[dict[str, Any]], said: Callable[[str], dict[str, Any]]
    ) -> None:
        lines = _lines(request["model"], self.server.engine.stream(_completion_request(request, messages)), said)
        try:
            if request.get("stream", True):
                self._stream(lines)
            else:
                *pieces, last = list(lines)
                whole = "".join(_text(piece) for piece in pieces)
                self._json(200, {**last, **said(whole)})
        except EngineError as error:
            self._json(error.status, {"error": str(error)})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _stream(self, lines: Iterator[dict[str, Any]]) -> None:
        first = next(lines)  # so that a refused request still gets its own status
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in chain([first], lines):
            data = json.dumps(line).encode() + b"\n"
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, value: Mapping[str, Any]) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _completion_request(request: dict[str, Any], messages: list[dict[str, Any]]) -> dict[str, Any]:
    options = {_OPTIONS[key]: value for key, value in (request.get("options") or {}).items() if key in _OPTIONS}
    completion = {"messages": messages, "stream": True, "stream_options": {"include_usage": True}, **options}
    if request.get("logprobs"):
        completion |= {"logprobs": True, "top_logprobs": request.get("top_logprobs") or 0}
    wanted = request.get("format")
    if wanted == "json":
        completion["response_format"] = {"type": "json_object"}
    elif wanted:
        completion["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": wanted}}
    return completion


def _lines(model: str, chunks: Iterator[Chunk], said: Callable[[str], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield Ollama's lines: a piece of text each, then one with the counts."""
    finish = "stop"
    for chunk in chunks:
        for choice in chunk["choices"]:
            finish = choice.get("finish_reason") or finish
            if text := choice["delta"].get("content"):
                likely = (choice.get("logprobs") or {}).get("content")
                yield {
                    "model": model,
                    "created_at": _now(),
                    "done": False,
                    **said(text),
                    **({"logprobs": likely} if likely else {}),
                }
        if usage := chunk.get("usage"):
            timings = chunk.get("timings") or {}
            prompt_ns, answer_ns = (int(timings.get(key, 0) * 1e6) for key in ("prompt_ms", "predicted_ms"))
            yield {
                "model": model,
                "created_at": _now(),
                "done": True,
                "done_reason": finish,
                "total_duration": prompt_ns + answer_ns,
                "load_duration": 0,
                "prompt_eval_count": usage["prompt_tokens"],
                "prompt_eval_duration": prompt_ns,
                "eval_count": usage["completion_tokens"],
                "eval_duration": answer_ns,
                **said(""),
            }


def _text(line: dict[str, Any]) -> str:
    return str(line["message"]["content"] if "message" in line else line["response"])


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ctx", type=int, default=8192)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # at once, also while the library writes
    engine = Engine(options.model, threads=options.threads, context_tokens=options.ctx)
    server = OllamaServer(("127.0.0.1", options.port), options.name, engine)
    Thread(target=server.serve_forever, daemon=True).start()
    parent = os.getppid()
    while os.getppid() == parent:  # a server of a test does not outlive it, however that ends
        time.sleep(1)


if __name__ == "__main__":
    _main()
