"""Start a throw-away Redis for one test run."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.servers.process import MissingServerError, as_unprivileged, listens, start, stop

__all__ = ["PASSWORD", "redis_server"]

PASSWORD = "broker-of-the-tests"
_MISSING = (
    "The tests need Redis and found no redis-server: apt-get install redis-server "
    "(or set REVIEWHUB_TEST_REDIS_URL to a server whose data may be thrown away)"
)


@contextmanager
def redis_server(url: str) -> Iterator[str]:
    """Run a Redis at a URL such as `redis://:password@127.0.0.1:PORT/0` while the block runs, and yield the URL.

    With REVIEWHUB_TEST_REDIS_URL set nothing is started. Raises MissingServerError with the line that installs it.
    """
    if os.environ.get("REVIEWHUB_TEST_REDIS_URL"):
        yield url
        return
    program = shutil.which("redis-server")
    if program is None:
        raise MissingServerError(_MISSING)
    address = urlsplit(url)
    folder = Path(tempfile.mkdtemp(prefix="reviewhub-redis-"))
    options = ["--bind", "127.0.0.1", "--port", str(address.port), "--requirepass", str(address.password)]
    command = [program, *options, "--save", "", "--appendonly", "no", "--databases", "16"]
    try:
        server = start(as_unprivileged(command, "nobody"), log=folder / "log", ready=lambda: listens(address.port or 0))
        try:
            yield url
        finally:
            stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
