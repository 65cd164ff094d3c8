"""Write the files of an export so that each appears whole or not at all."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

__all__ = ["MANIFEST", "JsonLines", "publish"]

MANIFEST = "manifest.json"


class JsonLines:
    """Hold a file of JSON objects while it is written; nobody sees it before it is published."""

    def __init__(self, folder: Path, name: str) -> None:
        handle, part = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder)
        self._file = os.fdopen(handle, "wb")
        self._part, self._path = Path(part), folder / name
        self._digest = hashlib.sha256()
        self.lines = self.bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()
        self._part.unlink(missing_ok=True)

    def write(self, row: Mapping[str, Any], *, indent: int | None = None) -> None:
        """Add an object on a line of its own, or over many with an indent."""
        line = f"{json.dumps(row, ensure_ascii=False, indent=indent)}\n".encode()
        self._file.write(line)
        self._digest.update(line)
        self.lines += 1
        self.bytes += len(line)

    def as_entry(self) -> dict[str, Any]:
        """Return what a manifest says of the file."""
        return {
            "name": self._path.name,
            "lines": self.lines,
            "bytes": self.bytes,
            "sha256": self._digest.hexdigest(),
        }

    def finish(self) -> None:
        """Bring what was written to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def put(self) -> None:
        """Let the file take its name; one without lines, which no reader takes, takes none."""
        if self.lines:
            self._part.replace(self._path)
        else:
            self._path.unlink(missing_ok=True)


def publish(
    folder: Path, files: Iterable[JsonLines], manifest: Mapping[str, Any], *, replacing: Iterable[str] = ()
) -> None:
    """Put the files in the place of an earlier export's, then the manifest: where one stands, its files are whole.

    Files of the names `replacing` go: the earlier export may have had formats that this one has not.
    """
    files = list(files)
    for file in files:
        file.finish()
    for name in (MANIFEST, *replacing):
        (folder / name).unlink(missing_ok=True)
    for file in files:
        file.put()
    with JsonLines(folder, MANIFEST) as out:
        out.write(manifest, indent=2)
        out.finish()
        out.put()
