"""Make rows to train on of what people approved: preference pairs (DPO) and completions (SFT).

Covers the shape of the rows, which pairs teach nothing, what is a copy, and the split of a subject. Texts come
in sanitised: nothing here looks for personal details.
"""

import errno
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

__all__ = [
    "Example",
    "LeftOut",
    "Message",
    "Reason",
    "Seen",
    "Split",
    "completion",
    "fingerprint",
    "pair",
    "remembering",
    "split_of",
    "words_changed",
]

Message = Mapping[str, str]
Split = Literal["train", "validation"]
_WORD = re.compile(r"\[[A-Z][A-Z0-9_]*\]|\w+(?:['’]\w+)*|[^\w\s]")


class Reason(StrEnum):
    """Say why a pair teaches nothing."""

    NO_DRAFT = "no_draft"
    AS_IT_WAS = "approved_as_it_was"
    WRITTEN_FREELY = "written_freely"
    SHAPE_DIFFERS = "shape_differs"
    EQUAL_TEXT = "equal_text"
    TOO_LITTLE_CHANGED = "too_little_changed"


class LeftOut(Exception):
    """Tell that a row is not to be made; `reason` says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"left out: {reason}")


@dataclass(frozen=True, slots=True)
class Example:
    """Hold one approval, sanitised: what was asked, what was shown and what was approved.

    `asked` are the blocks that the prompt asks for, in order; `approved` and `shown` are prose by block in slot
    language. A text that a person wrote freely is one block, and `is_free`. `provenance` is plain data that tells no
    one apart.
    """

    prompt: Sequence[Message]
    asked: Sequence[str]
    approved: Mapping[str, str]
    shown: Mapping[str, str] | None = None
    is_edited: bool = False
    is_free: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict)


def pair(example: Example, *, least_words_changed: int) -> dict[str, Any]:
    """Return the row of a preference, with an explicit prompt in messages; raise LeftOut when it teaches nothing."""
    if not example.is_edited:
        raise LeftOut(Reason.AS_IT_WAS)
    if example.is_free:
        raise LeftOut(Reason.WRITTEN_FREELY)
    if example.shown is None:
        raise LeftOut(Reason.NO_DRAFT)
    chosen, rejected = _said(example, example.approved), _said(example, example.shown)
    changed = sum(words_changed(example.shown[block], example.approved[block]) for block in example.asked)
    if not changed:
        raise LeftOut(Reason.EQUAL_TEXT)
    if changed < least_words_changed:
        raise LeftOut(Reason.TOO_LITTLE_CHANGED)
    return {**_about(example), "chosen": [chosen], "rejected": [rejected]}


def completion(example: Example) -> dict[str, Any]:
    """Return the row of a completion: the approved text as the answer to the prompt; raise LeftOut if it is none."""
    return {**_about(example), "completion": [_said(example, example.approved)]}


def words_changed(before: str, after: str) -> int:
    """Count the words and marks put in, taken out or replaced; spacing does not count."""
    return Levenshtein.distance(_WORD.findall(before), _WORD.findall(after))


def split_of(subject: str, *, validation_percent: int) -> Split:
    """Return the split of everything about a subject: equal for all exports, however many others there are."""
    drawn = int.from_bytes(hashlib.sha256(f"split/{subject}".encode()).digest()[:8], "big") % 10_000
    return "validation" if drawn < validation_percent * 100 else "train"


def fingerprint(row: Mapping[str, Any]) -> bytes:
    """Return a digest of what a row teaches, wherever it came from: letter case and spacing make no difference."""
    taught = {name: value for name, value in row.items() if name != "provenance"}
    text = json.dumps(taught, ensure_ascii=False, sort_keys=True).casefold()
    return hashlib.sha256(" ".join(re.sub(r"\\+[nrt]", " ", text).split()).encode()).digest()


class Seen:
    """Tell new rows from copies in constant memory: the digests are kept in a file that has no name."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._store.execute("create table seen (kind text, digest blob, primary key (kind, digest)) without rowid")

    def is_new(self, kind: str, digest: bytes) -> bool:
        """Note a digest; tell whether it is the first of its kind. Raise OSError when the disk takes no more."""
        try:
            return self._store.execute("insert or ignore into seen values (?, ?)", (kind, digest)).rowcount == 1
        except sqlite3.OperationalError as error:
            why = f"no room in the folder for temporary files ({error}): free some, or set SQLITE_TMPDIR to another"
            raise OSError(errno.ENOSPC, why) from None


@contextmanager
def remembering() -> Iterator[Seen]:
    """Hold a memory of rows while an export lasts."""
    store = sqlite3.connect("", isolation_level=None)  # "" is a private file of SQLite's, gone when it is closed
    try:
        yield Seen(store)
    finally:
        store.close()


def _about(example: Example) -> dict[str, Any]:
    prompt = [{"role": message["role"], "content": message["content"]} for message in example.prompt]
    return {"provenance": dict(example.provenance), "prompt": prompt}


def _said(example: Example, prose: Mapping[str, str]) -> dict[str, str]:
    """Return the answer that prose is to the prompt; prose of other blocks than were asked for is none."""
    if prose.keys() != set(example.asked):
        raise LeftOut(Reason.SHAPE_DIFFERS)
    answer = {block: prose[block] for block in example.asked}
    text = "\n\n".join(answer.values()) if example.is_free else json.dumps(answer, ensure_ascii=False)
    return {"role": "assistant", "content": text}
