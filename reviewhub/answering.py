"""Ask the parts that the hub works with whether they answer, within a second or so each, whatever they do."""

import socket
import time
from urllib.parse import urlsplit

from django.db import DatabaseError, connection
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

__all__ = ["broker_answers", "database_answers", "store_answers"]

_SECONDS = 1.0
# Its heartbeat answers over damaged files, too; a count of its collections reads them.
_COUNT = "/api/v2/tenants/default_tenant/databases/default_database/collections_count"


def database_answers() -> bool:
    """Tell whether the database answers a question."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError:
        return False
    return True


def broker_answers(url: str) -> bool:
    """Tell whether the broker lets this program in and answers; each step has a second."""
    once = Retry(NoBackoff(), 0)
    try:
        with Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS, retry=once) as broker:
            return bool(broker.ping())
    except (RedisError, OSError, ValueError):
        return False


def store_answers(url: str) -> bool:
    """Tell whether the vector store answers and can read its files; a server that drips bytes has a second in all.

    This is asked by hand because the web process does not load the store's client.
    """
    parts = urlsplit(url)
    until = time.monotonic() + _SECONDS
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 8000), timeout=_SECONDS) as wire:
            wire.sendall(f"GET {_COUNT} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
            said = b""
            while len(said) < 12 and (left := until - time.monotonic()) > 0:
                wire.settimeout(left)
                more = wire.recv(12 - len(said))
                if not more:
                    break
                said += more
    except (OSError, ValueError):
        return False
    return said.startswith(b"HTTP/1.") and said[9:] == b"200"
