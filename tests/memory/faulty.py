"""Answer as a vector server that is broken in a way of one's choice."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

__all__ = ["FAULTS", "answer", "broken_server"]


def answer(status: str, body: str, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", body]).encode()


_COLLECTION = answer("200 OK", '{"id": "88e955c0-13e2-4f6f-ba1d-778f85d06bda", "name": "queue-1-billing"}')
_STARTED = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n"

# What the server sends, and what it then does: close the connection, keep it without a word, or drip a byte at a time.
FAULTS = {
    "says nothing": (b"", "keep"),
    "closes at once": (b"", "close"),
    "stops after the headers": (_STARTED.encode(), "keep"),
    "stops in the body": (f'{_STARTED}{{"id": "88e9'.encode(), "keep"),
    "breaks off in the body": (f'{_STARTED}{{"id": "88e9'.encode(), "close"),
    "drips its headers": (b"HTTP/1.1 200 OK\r\nX-Much: ", "drip"),
    "drips its body": (_STARTED.encode(), "drip"),
    "drips chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "drip"),
    "answers one question and no other": (_COLLECTION, "once"),
    "speaks another language": (b"SSH-2.0-OpenSSH_9.2\r\n", "close"),
    "sends a page": (answer("200 OK", "<!DOCTYPE html><title>Welcome</title>"), "close"),
    "sends half of its JSON": (answer("200 OK", '{"id": "88'), "close"),
    "sends JSON of another shape": (answer("200 OK", '{"status": "ok"}'), "close"),
    "sends a list": (answer("200 OK", "[1, 2]"), "close"),
    "sends a null": (answer("200 OK", "null"), "close"),
    "nests its JSON deeply": (answer("200 OK", "[" * 100_000), "close"),
    "sends no UTF-8": (answer("200 OK", "xx").replace(b"xx", b"\xff\xfe"), "close"),
    "sends an empty body": (answer("200 OK", ""), "close"),
    "wants a password": (answer("401 Unauthorized", '{"error": "Unauthorized"}'), "close"),
    "has an error of its own": (
        answer("500 Internal Server Error", '{"error": "InternalError", "message": "x"}'),
        "close",
    ),
    "is another program without such a page": (answer("404 Not Found", '{"detail": "Not Found"}'), "close"),
    "sends elsewhere": (answer("302 Found", "{}", "Location: http://192.0.2.1/"), "close"),
    "is starting": (answer("503 Service Unavailable", "{}"), "close"),
}


@contextmanager
def broken_server(fault: str) -> Iterator[int]:
    """Yield the port of a server with one of the FAULTS."""
    sent, then = FAULTS[fault]
    closing = Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        threads: list[Thread] = []

        def serve() -> None:
            while not closing.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                threads.append(Thread(target=_act, args=(connection, sent, then, closing)))
                threads[-1].start()
                if then == "once":
                    closing.wait()

        server = Thread(target=serve)
        server.start()
        try:
            yield listener.getsockname()[1]
        finally:
            closing.set()
            for thread in [server, *threads]:
                thread.join()


def _act(connection: socket.socket, sent: bytes, then: str, closing: Event) -> None:
    with connection:
        try:
            connection.recv(65_536)
            connection.sendall(sent)
            while then == "drip" and not closing.wait(0.02):
                connection.sendall(b"0")
            if then == "keep":
                closing.wait()
        except (BrokenPipeError, ConnectionResetError):
            return  # the client gave up, which is what these faults are about
