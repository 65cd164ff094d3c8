"""Answer as a model server whose answers wait until the test lets them go."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self

__all__ = ["HeldModel"]

_LONGEST_HOLD_SECONDS = 120


class HeldModel:
    """Serve OpenAI's chat interface with one text as every answer. Calls wait between `hold()` and `release()`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._held = False
        self._waiting = 0
        self._change = Condition()
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def name(self) -> str:
        """Return the name by which REVIEWHUB_MODEL chooses this model."""
        return f"openai:http://127.0.0.1:{self._server.server_port}#held"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def hold(self) -> None:
        with self._change:
            self._held = True

    def release(self) -> None:
        with self._change:
            self._held = False
            self._change.notify_all()

    def is_asked(self) -> bool:
        """Tell whether a worker waits for its answer."""
        with self._change:
            return self._waiting > 0

    def wait(self) -> None:
        """Let a call wait as long as answers are held."""
        with self._change:
            self._waiting += 1
            self._change.wait_for(lambda: not self._held, _LONGEST_HOLD_SECONDS)
            self._waiting -= 1


class _Server(ThreadingHTTPServer):
    def __init__(self, model: HeldModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Keep quiet."""

    def do_POST(self) -> None:
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.model.wait()
        prompt = sum(len(message["content"]) for message in call["messages"])
        choice = {"index": 0, "message": {"role": "assistant", "content": self.server.model.text}}
        answer = {
            "object": "chat.completion",
            "model": call["model"],
            "choices": [{**choice, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt // 3, "completion_tokens": 60},
        }
        body = json.dumps(answer).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the worker that asked was killed
