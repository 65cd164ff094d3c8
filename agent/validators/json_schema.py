"""Hold a draft that is JSON to a JSON Schema (draft 2020-12).

Covers drafts of one free block. References lead to nothing outside the schema itself.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError as InvalidSchema
from pydantic import Field, field_validator
from referencing import Registry

from agent.strict_json import read_json
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading
from agent.validators.wrap import from_schema_errors

__all__ = ["CHECK", "JsonSchemaParams", "check"]

_MOST_ERRORS = 20
_EXPRESSIONS = frozenset({"pattern", "patternProperties"})


class JsonSchemaParams(Params):
    """Set the schema; without one every draft passes."""

    json_schema: Mapping[str, Any] = Field(default_factory=dict, description="The JSON Schema of the draft.")

    @field_validator("json_schema")
    @classmethod
    def _is_schema(cls, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            Draft202012Validator.check_schema(schema)
        except InvalidSchema as error:
            raise ValueError(f"is no JSON Schema: {error.message}") from None
        if keyword := next(_expressions(schema), None):
            raise ValueError(f"holds {keyword!r}: an expression could run without end. Use enum, format or lengths.")
        return schema


def check(reading: Reading, params: JsonSchemaParams) -> Iterator[Found]:
    """Report a draft that is no JSON, and each place where it breaks the schema."""
    if not params.json_schema:
        return
    try:
        draft = read_json(reading.text)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        yield Found(
            "SCHEMA_INVALID", f"the draft is no JSON{where}", critique="The draft has to be JSON and nothing else."
        )
        return
    validator = Draft202012Validator(params.json_schema, registry=Registry())
    yield from from_schema_errors(islice(validator.iter_errors(draft), _MOST_ERRORS))


def _expressions(schema: Any) -> Iterator[str]:
    """Yield the keywords that hold regular expressions; a property may well be called one of them."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key in _EXPRESSIONS and not isinstance(value, bool) and (key != "pattern" or isinstance(value, str)):
                yield key
            yield from _expressions(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _expressions(value)


CHECK = Check(name="json_schema", version="1", run=check, params=JsonSchemaParams(), blocking=True)
