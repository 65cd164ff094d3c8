"""Start a throw-away PostgreSQL cluster for one test run."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.process import MissingServerError, as_unprivileged, free_port, give_to, start, stop

__all__ = ["postgres_server"]

_DEBIAN = Path("/usr/lib/postgresql")
_MISSING = (
    "The tests need PostgreSQL and found no initdb: apt-get install postgresql "
    "(or set REVIEWHUB_TEST_POSTGRES_URL to a server where databases may be created)"
)
# Nothing here must survive a power cut, so nothing waits for the disk.
_FAST = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]


@contextmanager
def postgres_server() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server whose user may create databases.

    REVIEWHUB_TEST_POSTGRES_URL wins; else a cluster of its own lives under the temporary folder while the block runs.
    Raises MissingServerError with the line that installs it.
    """
    given = os.environ.get("REVIEWHUB_TEST_POSTGRES_URL")
    if given:
        yield given
        return
    programs = _programs()
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="reviewhub-postgres-"))
    try:
        give_to(user, folder)
        data = folder / "data"
        _initdb(programs / "initdb", data, user)
        port = free_port()
        command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder), *_FAST]
        ready = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        server = start(
            as_unprivileged([*command, "-c", "listen_addresses=127.0.0.1"], user),
            log=folder / "log",
            ready=lambda: subprocess.run(ready, check=False).returncode == 0,
        )
        try:
            yield f"postgresql://reviewhub@127.0.0.1:{port}/postgres"
        finally:
            stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initdb(initdb: Path, data: Path, user: str) -> None:
    command = [str(initdb), "-D", str(data), "-U", "reviewhub", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    subprocess.run(as_unprivileged(command, user), check=True, capture_output=True, cwd="/")


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs: that of PATH's initdb, else Debian's newest, which is not on PATH."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    versions = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda program: float(program.parts[-3]))
    if not versions:
        raise MissingServerError(_MISSING)
    return versions[-1].parent


def _user() -> str:
    """Return the unprivileged user that PostgreSQL runs as when the tests run as root, which it refuses."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
