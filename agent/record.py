"""Write a record as text, one field a line, and read one from JSON; pure, and the same for every domain that has one.

A field is named by its path, such as `lines[0].code`. The text is what is checked for hidden characters, shown and
compared, so that a finding about a field can be underlined like one about a sentence.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from agent.strict_json import read_json

__all__ = ["MAX_RECORD", "FieldPlace", "RecordInvalid", "fields_of", "read_record", "written"]

MAX_RECORD = 200_000
"""The most characters that the JSON of a record may have."""
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Tell where the value of a field stands in the record's text: `[start, end)`."""

    path: str
    start: int
    end: int


class RecordInvalid(ValueError):
    """Refuse what is no record of a domain; `problems` are pairs of a field's path and what is wrong with it."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{path}: {told}" if path else told for path, told in problems))
        self.problems = tuple(problems)


def fields_of(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every field of a record with its value as text, in the order of the record; what is empty is one field."""
    if isinstance(data, Mapping) and data:
        for name, value in data.items():
            yield from fields_of(value, f"{path}.{name}" if path else str(name))
    elif isinstance(data, list | tuple) and data:
        for place, value in enumerate(data):
            yield from fields_of(value, f"{path}[{place}]")
    elif data is None or isinstance(data, Mapping | list | tuple):
        yield path, _NOTHING
    else:
        yield path, data if isinstance(data, str) else json.dumps(data)


def written(data: Mapping[str, Any]) -> tuple[str, tuple[FieldPlace, ...]]:
    """Return the text of a record, one field a line, and where each value stands in it."""
    parts: list[str] = []
    places: list[FieldPlace] = []
    at = 0
    for path, value in fields_of(data):
        start = at + len(path) + 2
        places.append(FieldPlace(path, start, start + len(value)))
        parts.append(f"{path}: {value}")
        at = start + len(value) + 1
    return "\n".join(parts), tuple(places)


def read_record(text: str, shape: type[BaseModel]) -> dict[str, Any]:
    """Return a record as plain data; raise RecordInvalid that names each wrong field.

    What stands before or after the JSON is refused but for a code fence, which models add.
    """
    if len(text) > MAX_RECORD:
        raise RecordInvalid((("", f"the record has {len(text)} characters, more than {MAX_RECORD}"),))
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        data = read_json(bare)
    except json.JSONDecodeError as error:
        problem = f"the record is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        raise RecordInvalid((("", problem),)) from None
    except ValueError as error:
        raise RecordInvalid((("", f"the record is no usable JSON: {error}"),)) from None
    except RecursionError:
        raise RecordInvalid((("", "the record is JSON nested too deeply"),)) from None
    if not isinstance(data, Mapping):
        raise RecordInvalid((("", "the record is JSON, but no object"),))
    try:
        return shape.model_validate(data).model_dump(mode="json")
    except ValidationError as error:
        raise RecordInvalid(tuple(_problems(error))) from None


def _problems(error: ValidationError) -> Iterator[tuple[str, str]]:
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in item["loc"]).lstrip(".")
        told = "is no field of the record" if item["type"] == "extra_forbidden" else item["msg"]
        yield path, told.removeprefix("Value error, ").rstrip(".")
