"""Read JSON that administrators type."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput

__all__ = ["JsonListField", "JsonObjectField"]

_MOST_CHARACTERS = 40_000


class _JsonField(forms.JSONField):
    """Take JSON of one kind; an empty field is an empty one. What is none is told by line and column."""

    kind: type = dict
    wanted = "one JSON object, such as {}"

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show what was typed as it was typed: read and written again, some of it could not be shown at all."""
        return initial if self.disabled else InvalidJSONInput(data or "")

    def to_python(self, value: Any) -> Any:
        """Refuse what is too long, nested too deeply or no JSON before the rest is looked at."""
        if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
            raise ValidationError(f"This is {len(value)} characters; at most {_MOST_CHARACTERS} are taken. Shorten it.")
        if isinstance(value, str) and value.strip():
            try:
                json.loads(value)
            except json.JSONDecodeError as error:
                where = f"line {error.lineno}, column {error.colno}"
                raise ValidationError(f"This is no JSON: {error.msg.lower()} at {where}. Correct it there.") from error
            except (RecursionError, ValueError) as error:  # a number of 5,000 digits is a ValueError
                raise ValidationError("This is nested too deeply, or holds a number too long. Shorten it.") from error
        given = super().to_python(value)
        if given is None:
            return self.kind()
        if not isinstance(given, self.kind):
            raise ValidationError(f"Give {self.wanted}.")
        return given


class JsonObjectField(_JsonField):
    """Take one JSON object."""


class JsonListField(_JsonField):
    """Take one JSON list."""

    kind = list
    wanted = "one JSON list, such as []"

    def prepare_value(self, value: Any) -> Any:
        """Show a list line by line; what was typed stays as it was typed."""
        if isinstance(value, InvalidJSONInput):
            return value
        return json.dumps(value, ensure_ascii=False, indent=2)
