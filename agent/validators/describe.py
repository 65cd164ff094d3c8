"""Say in words what a validator's parameters are, for whoever sets them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent.validators.check import Params

__all__ = ["described"]

_KINDS = {"integer": "a whole number", "number": "a number", "string": "a text", "boolean": "true or false"}


def described(params: Params) -> Iterator[str]:
    """Yield a line for each parameter: its name, what it sets, its type and bounds, and its value unless it is set."""
    properties: Mapping[str, Any] = params.model_json_schema()["properties"] if type(params).model_fields else {}
    for name, value in params.model_dump(mode="json").items():
        schema = properties[name]
        meaning = f"{schema['description']} " if "description" in schema else ""
        shipped = json.dumps(value, ensure_ascii=False)
        yield f"{name}: {meaning}{_kind(schema).capitalize()}; {shipped} unless it is set."


def _kind(schema: Mapping[str, Any]) -> str:
    match schema.get("type"):
        case "array":
            return f"a list, each item {_kind(schema['items'])}"
        case "object":
            inside = schema["additionalProperties"]
            return f"an object, under each name {_kind(inside)}" if isinstance(inside, Mapping) else "an object"
        case kind:
            return _KINDS[str(kind)] + _bounds(schema)


def _bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f" from {least:g} to {most:g}"
    if least is not None:
        return f" of {least:g} or more"
    return f" of {most:g} or less" if most is not None else ""
