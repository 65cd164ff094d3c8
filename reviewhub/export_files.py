"""Write the files of an export so that each appears whole or not at all."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

__all__ = ["MANIFEST", "SCHEMA", "JsonLines", "NoExport", "publish", "require_export"]

MANIFEST = "manifest.json"
SCHEMA = "reviewhub-export/1"
"""What a manifest of ours says that it is."""


class NoExport(ValueError):
    """Refuse a folder with files in it that an export would replace and that no export wrote."""


def require_export(folder: Path, names: Iterable[str]) -> None:
    """Raise NoExport when a file of these names, or a manifest, stands in the folder that no export of ours wrote."""
    manifest = folder / MANIFEST
    if manifest.exists():
        if not _is_ours(manifest):
            raise NoExport(f"{folder} holds a {MANIFEST} that no export wrote. Give an empty folder, or an export's.")
    elif found := sorted(name for name in names if (folder / name).exists()):
        raise NoExport(
            f"{folder} holds {', '.join(found)} without a {MANIFEST} that says it is an export's. Give another folder; "
            "if an export broke off here, remove them."
        )


def _is_ours(manifest: Path) -> bool:
    try:
        read = json.loads(manifest.read_bytes())
    except ValueError:
        return False
    return isinstance(read, dict) and str(read.get("schema")).startswith("reviewhub-export/")


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
        try:
            self._file.close()  # writes what is left, which a full disk refuses
        finally:
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
