"""Hold the folder of a packaged model to the digests of its files before anything in it is loaded."""

import hashlib
from pathlib import Path

__all__ = ["ModelFolderInvalid", "check_model_folder"]

_CHUNK_BYTES = 1024 * 1024


class ModelFolderInvalid(Exception):
    """A model's file is missing, changed or strange; the message says which, where and what to do."""


def check_model_folder(folder: Path, digests: Path, *, package: str) -> None:
    """Raise ModelFolderInvalid unless the folder holds exactly the files of `digests`, each with its SHA-256.

    `digests` is a file as sha256sum writes it, its names relative to the folder; `package` is what to install again,
    with its version.
    """
    advice = f"Install it again: python -m pip install --force-reinstall --no-deps {package}"
    expected = {name: digest for digest, name in map(_parted, digests.read_text(encoding="ascii").splitlines())}
    for name, digest in expected.items():
        try:
            found = _sha256(folder / name)
        except OSError as error:
            raise ModelFolderInvalid(f"{name} cannot be read in {folder} ({error.strerror}). {advice}") from None
        if found != digest:
            raise ModelFolderInvalid(f"{name} in {folder} is not the file that {package} has. {advice}")
    files = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if not path.is_dir())
    # A file more can change what is loaded, as an adapter or more words of a tokenizer do.
    if strange := next((name for name in files if name not in expected), None):
        raise ModelFolderInvalid(f"{strange} in {folder} is no file that {package} has. Remove it. {advice}")


def _parted(line: str) -> tuple[str, str]:
    digest, _, name = line.partition("  ")
    return digest, name


def _sha256(path: Path) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            whole.update(chunk)
    return whole.hexdigest()
