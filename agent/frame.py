"""Ask for prose as JSON that can hold slots but no figure, and read what comes back."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from agent.body import SLOT
from agent.domains.domain import BlockTask
from agent.slots import Slot

__all__ = ["ReplyInvalid", "read_reply", "reply_schema"]

_CHARACTER = "( ?[A-Za-z'-]|,)"  # no two spaces, and none before a comma
_BEFORE_SLOT = 110
_AFTER_SLOT = 60
_REPLY_CHARACTERS = 20_000
_SIGN_BEFORE_SLOT = re.compile(r"[$€£¥₹]\s*(?=\[[A-Z])")


class ReplyInvalid(ValueError):
    """Refuse a reply that is not the JSON that was asked for; the text says what is wrong with it."""


def reply_schema(tasks: Sequence[BlockTask], slots: Sequence[Slot]) -> dict[str, Any]:
    """Return the JSON schema of a reply: a string for each block, of whole sentences made of letters and these slots.

    A server that decodes by the schema cannot write a digit, a bracket of its own or too many sentences. What comes
    back is verified all the same: not every server does.
    """
    return {
        "type": "object",
        "properties": {task.name: {"type": "string", "pattern": _pattern(task.sentences, slots)} for task in tasks},
        "required": [task.name for task in tasks],
        "additionalProperties": False,
    }


def read_reply(text: str, tasks: Sequence[BlockTask], slots: Mapping[str, Slot]) -> dict[str, str]:
    """Return the prose by block, aliases of slots mapped, or raise ReplyInvalid.

    Blocks beyond `tasks` are kept, so that a reply may rewrite what it was not asked to; the frame knows their names.
    """
    data = _object(text)
    missing = [task.name for task in tasks if not isinstance(data.get(task.name), str) or not data[task.name].strip()]
    if missing:
        raise ReplyInvalid(f'the reply has no text for "{missing[0]}"')
    other = [name for name, value in data.items() if not isinstance(value, str)]
    if other:
        raise ReplyInvalid(f'"{other[0]}" of the reply is no text')
    return {name: _in_slots(value, slots) for name, value in data.items()}


def _object(text: str) -> dict[str, Any]:
    if len(text) > _REPLY_CHARACTERS:
        raise ReplyInvalid(f"the reply has {len(text)} characters, more than any draft may have")
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        data = json.loads(bare)
    except ValueError as error:
        raise ReplyInvalid(f"the reply is not JSON: {error}") from None
    except RecursionError:
        raise ReplyInvalid("the reply is JSON nested too deeply") from None
    if not isinstance(data, dict):
        raise ReplyInvalid("the reply is JSON, but no object")
    return data


def _in_slots(text: str, slots: Mapping[str, Slot]) -> str:
    aliases = {alias: slot.name for slot in slots.values() for alias in slot.aliases}
    words = _SIGN_BEFORE_SLOT.sub("", " ".join(text.split()))
    words = SLOT.sub(lambda match: f"[{aliases.get(match[1], match[1])}]" if match[1] not in slots else match[0], words)
    for slot in slots.values():
        if slot.echo:
            words = re.sub(rf"(\[{slot.name}\])\s+(?:{slot.echo})\b", r"\1", words, flags=re.IGNORECASE)
    return words


def _pattern(sentences: int, slots: Sequence[Slot]) -> str:
    """Write sentences of plain words with one slot at most; without bounds a small model runs on."""
    ends = ["[a-z]", *(_with_tail(slot) for slot in slots)]
    sentence = rf"[A-Z]{_CHARACTER}{{1,{_BEFORE_SLOT}}}({'|'.join(ends)})[.?]"
    return f"^{sentence}( {sentence}){{0,{sentences - 1}}}$" if sentences > 1 else f"^{sentence}$"


def _with_tail(slot: Slot) -> str:
    tail = f"({_CHARACTER}{{1,{_AFTER_SLOT}}}[a-z])?" if slot.tail is None else slot.tail
    return rf" \[{slot.name}\]{tail}"
