"""Start a throw-away Chroma, for a whole test run or for one test that breaks it."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.process import MissingServerError, dying_with_pytest, listens, start, stop

__all__ = ["ChromaServer", "chroma_server"]

_MISSING = "The tests need Chroma's own server and found none beside Python: python -m pip install chromadb"


class ChromaServer:
    """One `chroma run` on a loopback port of its own, over one folder."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.port = port
        self.process: subprocess.Popen[bytes] | None = None  # None while it is stopped

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it over what the folder holds; raises ServerError with its last words when it ends at once."""
        program = Path(sys.executable).with_name("chroma")
        if not program.exists():
            raise MissingServerError(_MISSING)
        place = ["--path", str(self.data), "--host", "127.0.0.1", "--port", str(self.port)]
        command = ["env", "ANONYMIZED_TELEMETRY=False", str(program), "run", *place]
        self.process = start(dying_with_pytest(command), log=self.folder / "log", ready=lambda: listens(self.port))

    def stop(self) -> None:
        if self.process is not None:
            stop(self.process)
            self.process = None


@contextmanager
def chroma_server(port: int) -> Iterator[ChromaServer]:
    """Yield a running Chroma with an empty folder, which is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="reviewhub-chroma-"))
    server = ChromaServer(folder, port)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
