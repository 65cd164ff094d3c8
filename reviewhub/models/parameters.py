"""Read a validator's parameters as administrators give them, and say by name what is wrong with them."""

import json
from collections.abc import Iterator

from pydantic import ValidationError as ParamsInvalid

from agent.domains import DOMAINS
from agent.validators.check import Check, Params
from agent.validators.wording import WordingParams
from reviewhub.models.storable import storable

__all__ = ["parameter_problems", "read_params", "told"]

_MOST_CHARACTERS = 20_000


def read_params(check: Check, given: object) -> Params:
    """Return the parameters; raise pydantic's ValidationError when they do not fit the validator."""
    return type(check.params).model_validate_json(json.dumps(given, allow_nan=False), strict=True)


def parameter_problems(check: Check, given: object, domain: str) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong, beginning with the parameter's name where it is one's fault."""
    if not isinstance(given, dict):
        yield "Give a JSON object, such as {}."
        return
    try:
        text = json.dumps(given, allow_nan=False, ensure_ascii=False)
    except ValueError:
        yield "NaN and Infinity are no numbers here. Give a number."
        return
    if len(text) > _MOST_CHARACTERS:
        yield f"The parameters come to {len(text)} characters; at most {_MOST_CHARACTERS} are taken. Shorten them."
    elif any(storable(part) != part for part in _texts(given)):
        yield "A text holds a character that cannot be stored (NUL, or half a surrogate pair). Type it again."
    else:
        try:
            params = read_params(check, given)
        except ParamsInvalid as error:
            yield from told(error, type(check.params))
        else:
            yield from _unknown_situations(params, domain)


def _unknown_situations(params: Params, domain: str) -> Iterator[str]:
    known = DOMAINS[domain].situations if domain in DOMAINS else {}
    for name in sorted(params.max_words_by_situation if isinstance(params, WordingParams) else ()):
        if name not in known:
            yield f"max_words_by_situation.{name}: there is no such situation. There are: {', '.join(known) or 'none'}."


def _texts(given: object) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict):
        for name, value in given.items():
            yield from (name, *_texts(value))
    elif isinstance(given, list):
        for value in given:
            yield from _texts(value)


def told(error: ParamsInvalid, params: type[Params]) -> Iterator[str]:
    """Yield what a validation found, each fault with the place it is about."""
    known = ", ".join(params.model_fields) or "none: it has nothing to set"
    for fault in error.errors(include_url=False, include_input=False):
        where = ".".join(str(part) for part in fault["loc"]) or "the parameters"
        if fault["type"] == "extra_forbidden":
            yield f"{where}: there is no such parameter. There are: {known}."
        else:
            yield f"{where}: {fault['msg'][0].lower()}{fault['msg'][1:]}."
