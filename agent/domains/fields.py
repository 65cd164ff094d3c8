"""Name the kinds of value that facts are made of, and read facts by a schema of them."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, TypeVar

from babel.core import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, ValidationError

from agent.facts import FactsInvalid, Problem

__all__ = [
    "Cents",
    "Count",
    "CurrencyCode",
    "Date",
    "Id",
    "LocaleCode",
    "Name",
    "Period",
    "Shape",
    "Text",
    "clean",
    "problems_of",
    "read_shape",
]

_FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
    "int_type": "Give a whole number; money is in minor units (cents).",
    "greater_than_equal": "Give a number that is not negative.",
    "date_from_datetime_parsing": "Give a date as YYYY-MM-DD.",
    "date_from_datetime_inexact": "Give a date as YYYY-MM-DD.",
}


def clean(value: str) -> str:
    """Return a text as NFC; raise ValueError that names a character that no text may hold."""
    text = unicodedata.normalize("NFC", value)
    bad = next((char for char in text if unicodedata.category(char) in _FORBIDDEN and char not in "\n\t"), None)
    if bad is not None:
        raise ValueError(f"holds U+{ord(bad):04X}, a control or format character. Remove it.")
    if "\ufffd" in text:
        raise ValueError("holds U+FFFD: a character was lost on the way. Give the text anew, as UTF-8.")
    return text


def _iso_date(value: Any) -> Any:
    # Pydantic would take a number as a Unix time; a calendar date has one form here.
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError("is no date. Give a date as YYYY-MM-DD.")
    return value


def _currency(value: str) -> str:
    if value not in list_currencies():
        raise ValueError(f"{value!r} is no ISO 4217 code such as USD.")
    return value


def _locale(value: str) -> str:
    try:
        parsed = Locale.parse(value)
    except (UnknownLocaleError, ValueError):
        raise ValueError(f"{value!r} is no known locale. Give one such as en_US.") from None
    if parsed.language != "en":
        raise ValueError(f"LANGUAGE_UNSUPPORTED: {value} is not English. Use an en_* locale.")
    return value


Text = Annotated[str, Field(max_length=2000), AfterValidator(clean)]
Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S(?:.*\S)?$"), AfterValidator(clean)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S"), AfterValidator(clean)]
Cents = Annotated[StrictInt, Field(ge=0, le=10**15)]
Count = Annotated[StrictInt, Field(ge=0, le=10_000)]
Date = Annotated[date, BeforeValidator(_iso_date)]
CurrencyCode = Annotated[str, AfterValidator(_currency)]
LocaleCode = Annotated[str, AfterValidator(_locale)]
Period = Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]


class Shape(BaseModel):
    """Base of whatever comes in: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Model = TypeVar("_Model", bound=Shape)


def read_shape(model: type[_Model], given: Any, *, schema: str) -> _Model:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    if not isinstance(given, Mapping):
        told = f"Give an object with the keys of the {schema} schema."
        raise FactsInvalid((Problem("facts", "are no JSON object.", told),))
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise FactsInvalid(problems_of(error, schema=schema)) from None


def problems_of(error: ValidationError, *, schema: str) -> tuple[Problem, ...]:
    """Return one problem for each field that a schema refuses; given values are not repeated."""
    return tuple(
        Problem(
            ".".join(str(part) for part in item["loc"]) or "facts",
            _message(item["type"], item["msg"], schema),
            _FIXES.get(item["type"], ""),
        )
        for item in error.errors(include_url=False, include_input=False)
    )


def _message(kind: str, message: str, schema: str) -> str:
    if kind == "extra_forbidden":
        return f"is no key of the {schema} schema."
    return message.removeprefix("Value error, ").rstrip(".") + "."
