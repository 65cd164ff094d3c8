"""The body of a draft: blocks of prose by the model, blocks rendered by code, or one record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from agent.record import FieldPlace, written

__all__ = ["SLOT", "Block", "Body", "Code", "Fill", "Placed", "Prose", "Record", "Rendered", "UnknownBlock"]

SLOT = re.compile(r"\[([A-Z][A-Z0-9_]*)\]")


@dataclass(frozen=True, slots=True)
class Prose:
    """Hold a passage in slot language, written by the model or a person; `name` is its place in the frame."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Hold a passage that code renders from the sheet: subject, greeting, table, pay or sign-off."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """Hold a draft that is data by the domain's schema, such as a journal entry."""

    data: Mapping[str, Any]


Block = Prose | Code | Record


class UnknownBlock(ValueError):
    """Refuse a stored block of a kind that this version does not know."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Tell where a value stands: `[start, end)` in the rendered text, `[slot_start, slot_end)` in the slot text."""

    slot: str
    start: int
    end: int
    slot_start: int
    slot_end: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Tell where a block stands in the rendered text, where its slots were filled, and where a record's fields are."""

    index: int
    block: Block
    start: int
    end: int
    fills: tuple[Fill, ...] = ()
    fields: tuple[FieldPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """Hold the text as it is shown, checked and sent, with the place of every block."""

    text: str
    placed: tuple[Placed, ...]

    @property
    def prose(self) -> tuple[Placed, ...]:
        """Return the passages that a model or a person wrote."""
        return tuple(place for place in self.placed if isinstance(place.block, Prose))


@dataclass(frozen=True, slots=True)
class Body:
    """Hold a draft's blocks in order; `framed` when code blocks carry the figures and prose may hold slots only."""

    blocks: tuple[Block, ...]
    framed: bool = False

    @classmethod
    def free(cls, text: str) -> Self:
        """Make a body of one free block that is verified whole."""
        return cls((Prose("text", text),))

    @property
    def record(self) -> Mapping[str, Any] | None:
        """Return the record of a body that is one, else None."""
        first = self.blocks[0] if self.blocks else None
        return first.data if isinstance(first, Record) else None

    def render(self, values: Mapping[str, str]) -> Rendered:
        """Fill prose's slots with `values` and set blocks apart by blank lines; an unknown slot stays as it is.

        A record is written one field a line.
        """
        parts: list[str] = []
        placed: list[Placed] = []
        at = 0
        for index, block in enumerate(self.blocks):
            if parts:
                parts.append("\n\n")
                at += 2
            text, fills, fields = _shown(block, values, at)
            placed.append(Placed(index, block, at, at + len(text), fills, fields))
            parts.append(text)
            at += len(text)
        return Rendered("".join(parts), tuple(placed))

    def as_json(self) -> dict[str, Any]:
        """Return the body as plain data for storage."""
        return {"framed": self.framed, "blocks": [_block_json(block) for block in self.blocks]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a stored body; raise UnknownBlock for a block of another kind."""
        return cls(tuple(_block(item) for item in _items(data)), bool(data.get("framed", False)))


def _shown(block: Block, values: Mapping[str, str], at: int) -> tuple[str, tuple[Fill, ...], tuple[FieldPlace, ...]]:
    match block:
        case Prose(_, text):
            return *_fill(text, values, at), ()
        case Code(_, text):
            return text, (), ()
        case Record(data):
            text, places = written(data)
            return text, (), tuple(FieldPlace(one.path, at + one.start, at + one.end) for one in places)


def _fill(text: str, values: Mapping[str, str], offset: int) -> tuple[str, tuple[Fill, ...]]:
    parts: list[str] = []
    fills: list[Fill] = []
    last = 0
    at = offset
    for match in SLOT.finditer(text):
        value = values.get(match[1])
        if value is None:
            continue
        before = text[last : match.start()]
        at += len(before)
        parts += [before, value]
        fills.append(Fill(match[1], at, at + len(value), match.start(), match.end()))
        at += len(value)
        last = match.end()
    parts.append(text[last:])
    return "".join(parts), tuple(fills)


def _items(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    blocks = data.get("blocks")
    if not isinstance(blocks, list):
        raise UnknownBlock("a stored body needs a list of blocks")
    return blocks


def _block_json(block: Block) -> dict[str, Any]:
    match block:
        case Prose(name, text):
            return {"kind": "prose", "name": name, "text": text}
        case Code(name, text):
            return {"kind": "code", "name": name, "text": text}
        case Record(data):
            return {"kind": "record", "data": dict(data)}


def _block(item: Mapping[str, Any]) -> Block:
    match item.get("kind"):
        case "prose":
            return Prose(str(item["name"]), str(item["text"]))
        case "code":
            return Code(str(item["name"]), str(item["text"]))
        case "record":
            return Record(dict(item["data"]))
        case kind:
            raise UnknownBlock(f"unknown block kind {kind!r}")
