"""Page through ordered rows by the place of the last one seen."""

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from django.db.models import BigIntegerField, BooleanField, F, Field, Func, Value

__all__ = ["BadKeyset", "Keyset", "row_after"]

_NO_PLACE = "This is no place in the list. Start again from its first page."


class BadKeyset(ValueError):
    """Refuse a place that no page of ours gave out."""


@dataclass(frozen=True, slots=True)
class Keyset:
    """Hold a row's place: the time it is ordered by, then its id."""

    at: datetime
    id: int

    def __str__(self) -> str:
        plain = f"{int(self.at.timestamp())}.{self.at.microsecond:06d}.{self.id}"
        return base64.urlsafe_b64encode(plain.encode("ascii")).decode("ascii").rstrip("=")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a place out of a link; raise BadKeyset for anything else."""
        try:
            plain = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
            seconds, micros, row_id = (int(part) for part in plain.split("."))
            place = cls(datetime.fromtimestamp(seconds, UTC).replace(microsecond=micros), row_id)
        except (ValueError, OverflowError, OSError, binascii.Error) as error:
            raise BadKeyset(_NO_PLACE) from error
        if not 0 <= row_id <= BigIntegerField.MAX_BIGINT:
            raise BadKeyset(_NO_PLACE)
        return place


def row_after(first: str, second: str, place: Keyset, *, descending: bool) -> Func:
    """Return the condition that a row stands after `place` in the order of two columns, compared as one row value.

    The framework's own tuple lookups write an OR on SQLite, which no index can follow.
    """
    columns = Func(F(first), F(second), template="(%(expressions)s)", output_field=Field())
    values = Func(Value(place.at), Value(place.id), template="(%(expressions)s)", output_field=Field())
    joiner = " < " if descending else " > "
    return Func(columns, values, template="%(expressions)s", arg_joiner=joiner, output_field=BooleanField())
