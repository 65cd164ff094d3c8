"""Hold labelled values to the ones that are allowed: "Payment method: card" where card is on the list.

Covers `label: value` at the beginning of a line, and fields of a draft that is a JSON object, by dotted path. What is
said in sentences has no label and is not covered.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from agent.text import Span
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading

__all__ = ["CHECK", "ValuesParams", "check"]

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
_LABELLED = re.compile(r"^[ \t>*-]*([^\n:=]{1,100}?)[ \t]*[:=][ \t]*([^\n]*?)[ \t.;,]*$", re.MULTILINE)


class ValuesParams(Params):
    """Set what may stand under which label or path."""

    allowed: Mapping[_Text, tuple[_Text, ...]] = Field(
        default_factory=dict, description="The values that are allowed, by label or by dotted path of a JSON draft."
    )


def check(reading: Reading, params: ValuesParams) -> Iterator[Found]:
    """Report values that are not among the allowed ones, whatever the letter case of label and value."""
    if not params.allowed:
        return
    wanted = {label.casefold(): allowed for label, allowed in params.allowed.items()}
    record = _record(reading.text)
    given = _labelled(reading) if record is None else ((path, value, None) for path, value in _fields(record))
    for label, value, span in given:
        allowed = wanted.get(label.casefold())
        if allowed is not None and value.casefold() not in {one.casefold() for one in allowed}:
            yield Found(
                "VALUE_NOT_ALLOWED", f"{label}: {value or 'nothing'}", span, fix=f"Write one of: {', '.join(allowed)}."
            )


def _labelled(reading: Reading) -> Iterator[tuple[str, str, Span | None]]:
    for block in reading.prose:
        for match in _LABELLED.finditer(reading.text[block.start : block.end]):
            start, end = match.span(2)
            yield match[1].strip(" *_"), match[2].strip(" *_"), Span(block.start + start, block.start + end)


def _record(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, Mapping) else None


def _fields(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield every value of a record under its dotted path; the items of a list share the list's path."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _fields(value, (*path, str(key)))
    elif isinstance(data, list):
        for value in data:
            yield from _fields(value, path)
    else:
        yield ".".join(path), data if isinstance(data, str) else json.dumps(data)


CHECK = Check(name="values", version="1", run=check, params=ValuesParams())
