"""A record is written one field a line, each with its place, and read from JSON or refused by field."""

import json
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from agent.body import Body, Record
from agent.record import RecordInvalid, fields_of, read_record, written


class Item(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: str
    cents: Annotated[StrictInt, Field(ge=0)] = 0


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")

    memo: str
    items: list[Item]
    by: str | None = None


_DATA = {"memo": "Rent", "items": [{"code": "5200", "cents": 320000}, {"code": "1010", "cents": 0}], "by": None}


def test_each_field_has_a_line_and_a_place():
    text, places = written(_DATA)
    assert text.splitlines() == [
        "memo: Rent",
        "items[0].code: 5200",
        "items[0].cents: 320000",
        "items[1].code: 1010",
        "items[1].cents: 0",
        "by: -",
    ]
    assert {one.path: text[one.start : one.end] for one in places} == dict(fields_of(_DATA))


def test_a_body_renders_its_record_and_is_stored_whole():
    body = Body((Record(_DATA),))
    rendered = body.render({})
    (placed,) = rendered.placed
    assert rendered.text == written(_DATA)[0]
    assert rendered.text[slice(placed.fields[1].start, placed.fields[1].end)] == "5200"
    assert Body.from_json(json.loads(json.dumps(body.as_json()))) == body


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=5), _JSON, max_size=5))
def test_whatever_a_record_holds_each_place_holds_the_value(data):
    text, places = written(data)
    assert [(one.path, text[one.start : one.end]) for one in places] == list(fields_of(data))


def test_a_reply_in_a_code_fence_is_read():
    assert read_record(f"```json\n{json.dumps(_DATA)}\n```", Shape) == _DATA


_REFUSED = {
    "not JSON": ("Debit rent.", "", "not JSON at line 1"),
    "half": ('{"memo": "Rent", "items": [', "", "not JSON"),
    "a list": ("[1]", "", "no object"),
    "a key twice": ('{"memo": "a", "memo": "b", "items": []}', "", "stands twice"),
    "not a number": ('{"memo": "a", "items": [{"code": "1", "cents": NaN}]}', "", "NaN"),
    "deep": ("[" * 100_000, "", "nested too deeply"),
    "long": (f'{{"memo": "{"a" * 200_001}"}}', "", "characters"),
    "a fraction": ('{"memo": "a", "items": [{"code": "1", "cents": 1.5}]}', "items[0].cents", "integer"),
    "negative": ('{"memo": "a", "items": [{"code": "1", "cents": -1}]}', "items[0].cents", "greater"),
    "unknown": ('{"memo": "a", "items": [], "note": "x"}', "note", "no field"),
    "missing": ('{"items": []}', "memo", "required"),
}


@pytest.mark.parametrize("kind", _REFUSED)
def test_what_is_no_record_is_refused_with_the_field(kind):
    given_text, path, told = _REFUSED[kind]
    with pytest.raises(RecordInvalid) as refused:
        read_record(given_text, Shape)
    assert [where for where, _ in refused.value.problems] == [path]
    assert told in str(refused.value)
