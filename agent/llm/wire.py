"""Carry one exchange with a model server inside a total deadline.

The timeouts of HTTP clients bound each single read, so a server that drips a byte a second holds them for ever. Here
every read, write and handshake gets only what is left of the whole call, and the bytes that may come back are counted.
Not covered: the system's resolver cannot be interrupted, so a name that does not resolve may take its own few seconds.
"""

import re
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpcore
import httpx

from agent.llm.chat import ModelError, Reason

__all__ = ["BoundedTransport", "Budget", "model_errors", "not_json_error", "status_error"]

_CONNECT_SECONDS = 10.0
_MAX_BYTES = 8 * 1024 * 1024
_TOO_LONG = re.compile(r"context[ _](length|size|window)", re.IGNORECASE)


class Budget:
    """What is left of one call: seconds until its deadline, and bytes of answer."""

    def __init__(self, deadline_seconds: float, max_bytes: int = _MAX_BYTES) -> None:
        self.deadline_seconds = deadline_seconds
        self._started = time.monotonic()
        self._bytes_left = max_bytes

    def elapsed(self) -> float:
        """Return the seconds since the call began."""
        return time.monotonic() - self._started

    def remaining(self) -> float:
        """Return the seconds left, which may be negative."""
        return self.deadline_seconds - self.elapsed()

    def timeouts(self) -> httpx.Timeout:
        """Return what single operations may take; a connection is not worth waiting for as long as an answer is."""
        return httpx.Timeout(self.deadline_seconds, connect=min(_CONNECT_SECONDS, self.deadline_seconds))

    def wait(self, limit: float | None) -> float:
        """Return how long one operation may block, `limit` at most, or raise ModelError when no time is left."""
        left = self.remaining()
        if left <= 0:
            raise ModelError(
                Reason.TIMEOUT, f"the model did not finish its answer within {self.deadline_seconds:g} seconds"
            )
        return left if limit is None else min(limit, left)

    def spend(self, size: int) -> None:
        """Count `size` bytes of answer, or raise ModelError when there are too many."""
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise ModelError(Reason.TOO_LARGE, "the model server sent more than an answer can hold; it was cut off")


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, budget: Budget) -> None:
        self._inner = inner
        self._budget = budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, self._budget.wait(timeout))
        self._budget.spend(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # In pieces, because the timeout below bounds each send and not the sum of them.
        for start in range(0, len(buffer), 4096):
            self._inner.write(buffer[start : start + 4096], self._budget.wait(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._budget.wait(timeout)), self._budget)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore.SyncBackend):
    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        # One address after another, because each of them may use up its timeout.
        addresses = [info[4][0] for info in _resolve(host, port)]
        for last, address in enumerate(addresses, start=1 - len(addresses)):
            wait = self._budget.wait(timeout)
            try:
                return _Stream(
                    super().connect_tcp(str(address), port, wait, local_address, socket_options), self._budget
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if last == 0:
                    raise
        raise httpcore.ConnectError(f"{host} has no address")


def _resolve(host: str, port: int) -> list[Any]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error


class _Body(httpx.SyncByteStream):
    def __init__(self, pieces: Any) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces

    def close(self) -> None:
        self._pieces.close()


class BoundedTransport(httpx.BaseTransport):
    """Send httpx requests inside a budget. For one exchange; no proxy, no connection kept, no retry."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._pool: httpcore.ConnectionPool | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send `request`; errors of the network come as httpcore raises them, for `model_errors` to name."""
        self._pool = httpcore.ConnectionPool(
            # certifi's authorities or those of SSL_CERT_FILE; made only when needed, because reading them takes a while
            ssl_context=httpx.create_ssl_context() if request.url.scheme == "https" else None,
            max_connections=1,
            max_keepalive_connections=0,
            network_backend=_Backend(self._budget),
        )
        response = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response.stream), extensions=response.extensions
        )

    def close(self) -> None:
        """Close the connection, also one with an answer still on its way."""
        if self._pool is not None:
            self._pool.close()


@contextmanager
def model_errors(server: str, budget: Budget) -> Iterator[None]:
    """Turn what goes wrong on the way to `server` into a ModelError that names it."""
    try:
        yield
    except httpcore.ConnectTimeout:
        budget.wait(None)
        raise ModelError(Reason.UNREACHABLE, f"{server} did not take the connection; is the address right?") from None
    except (httpcore.ConnectError, httpcore.UnsupportedProtocol) as error:
        raise ModelError(
            Reason.UNREACHABLE, f"cannot connect to {server} ({error}); start it or correct its address"
        ) from None
    except httpcore.TimeoutException:
        raise ModelError(
            Reason.TIMEOUT, f"{server} did not finish its answer within {budget.deadline_seconds:g} seconds"
        ) from None
    except httpcore.ProtocolError:
        raise ModelError(Reason.INCOMPLETE, f"{server} broke off its answer") from None
    except httpx.DecodingError:
        raise ModelError(Reason.NOT_JSON, f"{server} sent an answer that cannot be unpacked") from None
    except httpcore.NetworkError:
        raise ModelError(Reason.UNREACHABLE, f"the connection to {server} was lost during the call") from None


_STATUS_REASONS = {401: Reason.UNAUTHORISED, 403: Reason.UNAUTHORISED, 429: Reason.HTTP_429, 503: Reason.HTTP_503}


def status_error(server: str, status: int, body: str, model: str) -> ModelError:
    """Name the error of an HTTP status. The body is read for its kind and never quoted: it may repeat the prompt."""
    if 300 <= status < 400:
        return ModelError(Reason.REDIRECT, f"{server} redirects elsewhere, which is not followed; give its real URL")
    if status == 404 and model in body:
        return ModelError(Reason.WRONG_MODEL, f"{server} has no model {model}; load it there or name another")
    if status in (400, 413, 422) and _TOO_LONG.search(body):
        return ModelError(
            Reason.PROMPT_TOO_LONG, f"the prompt is longer than the context of {server}; give the server a larger one"
        )
    if status in (401, 403):
        message = f"{server} refused the key (HTTP {status}); set REVIEWHUB_MODEL_KEY to one that it accepts"
    else:
        message = f"{server} answered HTTP {status}"
    fallback = Reason.HTTP_500 if status >= 500 or status < 300 else Reason.HTTP_400
    reason = Reason.HTTP_404 if status == 404 else _STATUS_REASONS.get(status, fallback)
    return ModelError(reason, message)


def not_json_error(server: str, body: str) -> ModelError:
    """Name the error of an answer that is not JSON."""
    if not body.strip():
        return ModelError(Reason.EMPTY, f"{server} sent an empty answer")
    if body.lstrip().startswith("<"):
        return ModelError(Reason.HTML, f"{server} sent a web page; is that the address of a model server?")
    return ModelError(Reason.NOT_JSON, f"{server} sent something that is not the JSON of its interface")
