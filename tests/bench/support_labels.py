"""Read labelled drafts: facts, text, and the passages that the facts do not bear out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Labelled", "is_marked", "read_labelled"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Hold one draft; `ambiguous` passages are left out of figures."""

    id: str
    domain: str
    kind: str
    facts: tuple[str, ...]
    text: str
    unsupported: tuple[str, ...]
    ambiguous: tuple[str, ...]


def read_labelled(path: Path) -> list[Labelled]:
    """Read a file of labelled drafts."""
    return [
        Labelled(
            str(one["id"]),
            one["domain"],
            one.get("kind", ""),
            tuple(one["facts"]),
            one["draft"],
            tuple(one["unsupported"]),
            tuple(one["ambiguous"]),
        )
        for one in json.loads(path.read_text(encoding="utf-8"))
    ]


def is_marked(text: str, span: tuple[int, int], passages: Sequence[str]) -> bool:
    """Tell whether a span of a text meets one of the passages."""
    for passage in passages:
        start = text.find(passage)
        if start >= 0 and start < span[1] and span[0] < start + len(passage):
            return True
    return False
