"""Make and keep the secrets that the parts on this machine share."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Keys", "write_private"]


@dataclass(frozen=True)
class Keys:
    """The broker's password and the key that the model server asks for."""

    broker: str
    model: str

    @classmethod
    def of(cls, var: Path) -> "Keys":
        """Return the keys of a state folder, made at its first start and readable by its owner alone."""
        path = var / "keys.json"
        if path.exists():
            return cls(**json.loads(path.read_text("utf-8")))
        keys = cls(broker=secrets.token_urlsafe(32), model=secrets.token_urlsafe(32))
        write_private(path, json.dumps(asdict(keys)))
        return keys


def write_private(path: Path, text: str) -> None:
    """Write a file of mode 600, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)
