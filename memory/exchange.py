"""Carry one JSON exchange with a server inside a total deadline.

Timeouts of sockets bound single reads, so a server that drips a byte a second would hold them for ever. Here
connecting, sending and every read get what is left of the whole, and the size of an answer is bounded. Nothing is run
in another thread, no proxy of the environment is used and no redirect followed. Not covered: the system's resolver,
which cannot be interrupted, so give an address rather than a name where that matters.
"""

import http.client
import io
import json
import socket
import time
from dataclasses import dataclass
from typing import Any, cast

__all__ = ["Answer", "ExchangeFailed", "exchange"]

_MAX_BYTES = 16 * 1024 * 1024  # two million ids


class ExchangeFailed(Exception):
    """The server did not give a whole answer in JSON in time; the message says what happened instead."""


@dataclass(frozen=True)
class Answer:
    """The HTTP status and what the JSON of the body holds."""

    status: int
    value: Any


def exchange(host: str, port: int, *, method: str, path: str, given: object, deadline: float) -> Answer:
    """Send `given` as JSON, unless it is None, and return the answer.

    `deadline` is a time of the monotonic clock. Raises ExchangeFailed when no whole answer comes until then.
    """
    connection = _Connection(host, port, deadline)
    body = None if given is None else json.dumps(given, separators=(",", ":")).encode()
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise ExchangeFailed(f"the answer is longer than {_MAX_BYTES:,} bytes")
        return Answer(response.status, json.loads(text))
    except TimeoutError:
        raise ExchangeFailed("no whole answer in time") from None
    except (OSError, http.client.HTTPException) as error:
        raise ExchangeFailed(f"{type(error).__name__}: {error}") from None
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or nested too deeply for anything Chroma says
        raise ExchangeFailed("the answer is no JSON") from None
    finally:
        connection.end()


class _Connection(http.client.HTTPConnection):
    def __init__(self, host: str, port: int, deadline: float) -> None:
        super().__init__(host, port)
        self._deadline = deadline
        self._plain: socket.socket | None = None

    def connect(self) -> None:
        self._plain = socket.create_connection((self.host, self.port), timeout=_left(self._deadline))
        self._plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = cast("socket.socket", _BoundedSocket(self._plain, self._deadline))

    def end(self) -> None:
        """Close the connection, also with an answer still on its way."""
        self.close()
        if self._plain is not None:
            self._plain.close()


class _BoundedSocket:
    """What http.client asks of a socket, each act bounded by what is left."""

    def __init__(self, plain: socket.socket, deadline: float) -> None:
        self._plain = plain
        self._deadline = deadline

    def sendall(self, data: bytes) -> None:
        self._plain.settimeout(_left(self._deadline))  # bounds the sum of what sendall sends
        self._plain.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._plain, self._deadline))

    def close(self) -> None:
        """Keep the connection: http.client lets go of it while the answer is still to be read."""


class _Reader(io.RawIOBase):
    def __init__(self, plain: socket.socket, deadline: float) -> None:
        super().__init__()
        self._plain = plain
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._plain.settimeout(_left(self._deadline))
        return self._plain.recv_into(buffer)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
