"""Read JSON that people send, and refuse what other readers would take in silence."""

import json
from collections import Counter
from typing import Any, NoReturn

__all__ = ["read_json"]


def read_json(text: str) -> Any:
    """Read one JSON value; a key that stands twice in an object, NaN and the infinities are refused.

    Raise json.JSONDecodeError, which says where, for what is no JSON; ValueError for what is but may not be; and
    RecursionError for what is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = Counter(key for key, _ in pairs)
    twice = next((key for key, count in keys.items() if count > 1), None)
    if twice is not None:
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return dict(pairs)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
