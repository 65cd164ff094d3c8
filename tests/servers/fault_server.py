"""Answer as a model server that is broken in a way of one's choice, for Ollama's interface and for OpenAI's."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

__all__ = ["Fault", "FaultServer"]


class Fault(StrEnum):
    """What the server does with one call."""

    FINE = auto()
    SLOW = auto()  # fine, after half a second
    HANG = auto()  # takes the call and says nothing
    HANG_AFTER_HEADERS = auto()
    HANG_AFTER_ANSWER = auto()  # everything is there, but the connection stays open
    DRIP_HEADERS = auto()  # a byte a second
    DRIP = auto()  # headers, then a byte a second of a good answer
    FLOOD = auto()  # bytes without end
    BROKEN_OFF = auto()  # the connection ends in the middle
    DISCONNECT = auto()  # the connection ends before anything was said
    NOT_DONE = auto()  # ends without done=true, or without a finish_reason
    LENGTH = auto()  # stopped at the limit of tokens
    CUT_PROMPT = auto()  # read four tokens of the prompt
    NO_COUNT = auto()  # does not say how much of the prompt it read
    OTHER_MODEL = auto()  # answers in the name of another model
    HTTP_400 = auto()
    HTTP_401 = auto()
    HTTP_404 = auto()
    HTTP_500 = auto()
    HTTP_503 = auto()
    BUSY = auto()  # 503 that asks to come back at once
    TOO_LONG = auto()  # 400 because the prompt exceeds the context
    NO_SUCH_MODEL = auto()
    REDIRECT = auto()
    HTML = auto()
    INVALID_JSON = auto()
    OTHER_JSON = auto()  # JSON, of another shape
    JSON_LIST = auto()
    EMPTY_BODY = auto()
    EMPTY_TEXT = auto()
    NUL = auto()
    LONE_SURROGATE = auto()


_STATUS = {
    Fault.HTTP_400: (400, {"error": "bad request"}),
    Fault.HTTP_401: (401, {"error": "wrong key"}),
    Fault.HTTP_404: (404, {"error": "404 page not found"}),
    Fault.HTTP_500: (500, {"error": "it broke"}),
    Fault.HTTP_503: (503, {"error": "loading"}),
    Fault.BUSY: (503, {"error": "busy"}),
    Fault.TOO_LONG: (400, {"error": {"message": "exceeds the context size", "type": "exceed_context_size_error"}}),
    Fault.REDIRECT: (302, {}),
}
_BODIES = {
    Fault.HTML: b"<!DOCTYPE html><html><body>Welcome to nginx</body></html>",
    Fault.INVALID_JSON: b'{"message": {"content": "half',
    Fault.OTHER_JSON: b'{"status": "ok", "message": 7, "choices": "none"}',
    Fault.JSON_LIST: b"[1, 2, 3]",
    Fault.EMPTY_BODY: b"",
}
_TEXTS = {Fault.EMPTY_TEXT: " \n", Fault.NUL: "Dear\x00 client", Fault.LONE_SURROGATE: "Dear \ud800 client"}


class FaultServer:
    """Serve `script`, one fault for each call of a model, the last one again and again.

    The list of models, which Ollama's clients ask for first, is always fine and names `model`. `calls` holds the
    requests as they came, `keys` their Authorization headers. `likely` are log-probabilities of the first token, for
    calls that ask for them; without it the server is one that has none.
    """

    def __init__(
        self,
        script: Sequence[Fault],
        *,
        text: str = "Thank you.",
        model: str = "faulty",
        likely: Mapping[str, float] | None = None,
    ) -> None:
        self.text = text
        self.likely = likely
        self.model = model
        self.calls: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.closing = Event()
        self._script = script
        self._lock = Lock()
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_fault(self, call: dict[str, Any], key: str | None) -> Fault:
        """Note a call and say what becomes of it."""
        with self._lock:
            fault = self._script[min(len(self.calls), len(self._script) - 1)]
            self.calls.append(call)
            self.keys.append(key)
            return fault


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for every call, so that nothing of the server is left behind
    request_queue_size = 128

    def __init__(self, faults: FaultServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.faults = faults


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Keep quiet."""

    def do_GET(self) -> None:
        name = self.server.faults.model
        if self.path == "/api/tags":
            self._send(200, json.dumps({"models": [{"name": name, "model": name}]}).encode())
        elif self.path in ("/health", "/api/version"):
            self._send(200, b'{"version": "0.34.0"}')
        else:
            self._send(404, b"{}")

    def do_POST(self) -> None:
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = self.server.faults.next_fault(call, self.headers.get("Authorization"))
        answer = self._answer(call, fault)
        try:
            _ACTS.get(fault, _Handler._fine)(self, answer, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up, which is what most faults are about

    def _answer(self, call: Mapping[str, Any], fault: Fault) -> bytes:
        if fault in _BODIES:
            return _BODIES[fault]
        text = _TEXTS.get(fault, self.server.faults.text)
        count = {Fault.CUT_PROMPT: 4, Fault.NO_COUNT: None}.get(fault, _tokens(call))
        model = "another" if fault is Fault.OTHER_MODEL else call["model"]
        finish = {Fault.LENGTH: "length", Fault.NOT_DONE: None}.get(fault, "stop")
        likely = self.server.faults.likely if call.get("logprobs") else None
        style = _ollama_answer if self.path == "/api/chat" else _openai_answer
        return style(text, model, finish, count, _logprobs(likely, call))

    def _fine(self, answer: bytes, fault: Fault) -> None:
        self._send(200, answer, "text/html" if fault is Fault.HTML else "application/json")

    def _status(self, answer: bytes, fault: Fault) -> None:
        status, body = _STATUS[fault]
        headers = {Fault.BUSY: {"Retry-After": "0"}, Fault.REDIRECT: {"Location": "http://192.0.2.1/"}}
        self._send(status, json.dumps(body).encode(), **headers.get(fault, {}))

    def _no_such_model(self, answer: bytes, fault: Fault) -> None:
        self._send(404, json.dumps({"error": f"model '{self.server.faults.model}' not found"}).encode())

    def _slow(self, answer: bytes, fault: Fault) -> None:
        self._wait(0.5)
        self._fine(answer, fault)

    def _hang(self, answer: bytes, fault: Fault) -> None:
        self._wait(None)

    def _hang_after_headers(self, answer: bytes, fault: Fault) -> None:
        self._head(200, len(answer))
        self._wait(None)

    def _hang_after_answer(self, answer: bytes, fault: Fault) -> None:
        self._head(200, len(answer))
        self.wfile.write(answer)
        self._wait(None)

    def _drip_headers(self, answer: bytes, fault: Fault) -> None:
        self._drip_bytes(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + answer)

    def _drip(self, answer: bytes, fault: Fault) -> None:
        self._head(200, len(answer))
        self._drip_bytes(answer)

    def _drip_bytes(self, data: bytes) -> None:
        for byte in data:
            self.wfile.write(bytes([byte]))
            if self._wait(1):
                return

    def _flood(self, answer: bytes, fault: Fault) -> None:
        self._head(200, None)
        while not self.server.faults.closing.is_set():
            self.wfile.write(b" " * 65_536)

    def _broken_off(self, answer: bytes, fault: Fault) -> None:
        self._head(200, len(answer))
        self.wfile.write(answer[: len(answer) // 2])

    def _disconnect(self, answer: bytes, fault: Fault) -> None:
        self.close_connection = True

    def _wait(self, seconds: float | None) -> bool:
        return self.server.faults.closing.wait(seconds)

    def _head(self, status: int, length: int | None, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()

    def _send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self._head(status, len(body), kind, **headers)
        self.wfile.write(body)


_ACTS: dict[Fault, Callable[[_Handler, bytes, Fault], None]] = {
    **dict.fromkeys(_STATUS, _Handler._status),
    Fault.NO_SUCH_MODEL: _Handler._no_such_model,
    Fault.SLOW: _Handler._slow,
    Fault.HANG: _Handler._hang,
    Fault.HANG_AFTER_HEADERS: _Handler._hang_after_headers,
    Fault.HANG_AFTER_ANSWER: _Handler._hang_after_answer,
    Fault.DRIP_HEADERS: _Handler._drip_headers,
    Fault.DRIP: _Handler._drip,
    Fault.FLOOD: _Handler._flood,
    Fault.BROKEN_OFF: _Handler._broken_off,
    Fault.DISCONNECT: _Handler._disconnect,
}


def _tokens(call: Mapping[str, Any]) -> int:
    """Return a count of tokens as a real server would give for English: somewhat more than there are words."""
    return sum(len(message["content"].split()) for message in call["messages"]) * 3 // 2 + 20


def _logprobs(likely: Mapping[str, float] | None, call: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the first token with as many likeliest ones as the call asks for; nothing where the server has none."""
    if not likely:
        return []
    top = [{"token": token, "logprob": share} for token, share in likely.items()][: call.get("top_logprobs", 0)]
    return [{**top[0], "top_logprobs": top}]


def _ollama_answer(
    text: str, model: str, finish: str | None, count: int | None, logprobs: list[dict[str, Any]]
) -> bytes:
    half = len(text) // 2
    lines: list[dict[str, Any]] = [
        {"model": model, "done": False, "message": {"role": "assistant", "content": piece}}
        for piece in (text[:half], text[half:])
    ]
    if logprobs:
        lines[0]["logprobs"] = logprobs
    if finish is not None:
        counts = {"eval_count": 5} if count is None else {"eval_count": 5, "prompt_eval_count": count}
        last = {"model": model, "done": True, "done_reason": finish, "message": {"role": "assistant", "content": ""}}
        lines.append({**last, **counts})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _openai_answer(
    text: str, model: str, finish: str | None, count: int | None, logprobs: list[dict[str, Any]]
) -> bytes:
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish,
        "logprobs": {"content": logprobs} if logprobs else None,
    }
    usage = {"completion_tokens": 5} if count is None else {"completion_tokens": 5, "prompt_tokens": count}
    return json.dumps({"object": "chat.completion", "model": model, "choices": [choice], "usage": usage}).encode()
