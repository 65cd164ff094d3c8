"""Read a client's record, as a file gives it, into the values that must not survive."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

__all__ = ["Known", "RecordInvalid", "read_record"]

Known = Mapping[str, Sequence[str]]
"""Slots, each with the values that the record writes for it: `{"CLIENT_NAME": ["Ada Example"]}`."""

_MOST_VALUES = 10_000


class RecordInvalid(ValueError):
    """Refuse a record; the message names the key, what is wrong with it and what to give."""


def read_record(given: Any) -> Known:
    """Return the known values of a record that is sorted by kind, or that already is `{slot: [values]}`.

    By kind: `persons`, `organisations`, `emails`, `phones`, `addresses`, `ibans`, `accounts`, `vat`, `invoices`,
    `purchase_orders`, `references`, `amounts_cents` (hundredths of whatever currency), `dates` (ISO 8601). The first
    person and the first organisation are the client. Slot names are capitals, digits and underscores.
    """
    if not isinstance(given, dict):
        raise RecordInvalid("the record must be a JSON object of lists. Give {kind: [values]} or {slot: [values]}.")
    known: dict[str, tuple[str, ...]] = {}
    for name, values in given.items():
        if not isinstance(values, list):
            raise RecordInvalid(f"{name}: must be a list of values.")
        if len(values) > _MOST_VALUES:
            raise RecordInvalid(f"{name}: holds more than {_MOST_VALUES:,} values. Give those of one client.")
        if name in _KINDS:
            slot_of, write = _KINDS[name]
            for number, value in enumerate(values, start=1):
                known[slot_of(number)] = (_written(write, value, f"{name}[{number - 1}]"),)
        elif _is_slot(name):
            known[name] = tuple(_written(_text, value, f"{name}[{at}]") for at, value in enumerate(values))
        else:
            raise RecordInvalid(f"{name}: is neither a kind ({', '.join(_KINDS)}) nor a slot's name in capitals.")
    return known


def _is_slot(name: str) -> bool:
    return name.isascii() and name[:1].isalpha() and name == name.upper() and name.replace("_", "").isalnum()


def _written(write: Callable[[Any], str], value: Any, where: str) -> str:
    try:
        return write(value)
    except ValueError as error:
        raise RecordInvalid(f"{where}: {error}") from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text that is not empty.")
    if len(value) > 500:
        raise ValueError("is longer than 500 characters. Give one value, no document.")
    return value


def _cents(value: Any) -> str:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**15:
        raise ValueError("must be a whole number of cents.")
    return f"{Decimal(value) / 100:.2f}"


def _date(value: Any) -> str:
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        raise ValueError("must be a date such as 2026-03-31.") from None


def _numbered(slot: str) -> Callable[[int], str]:
    return lambda number: f"{slot}_{number}"


def _of_client(slot: str, others: str) -> Callable[[int], str]:
    """Give the first value the client's slot, each later one a numbered one of somebody beside them."""
    return lambda number: (
        f"CLIENT_{slot}" if number == 1 else f"{others}_{slot}" if number == 2 else f"{others}_{slot}_{number - 1}"
    )


def _address_slot(number: int) -> str:
    return "CLIENT_ADDRESS" if number == 1 else f"CLIENT_ADDRESS_{number}"


_KINDS: Mapping[str, tuple[Callable[[int], str], Callable[[Any], str]]] = {
    "persons": (_of_client("NAME", "CONTACT"), _text),
    "organisations": (_of_client("ORG", "OTHER"), _text),
    "emails": (_numbered("CLIENT_EMAIL"), _text),
    "phones": (_numbered("CLIENT_PHONE"), _text),
    "addresses": (_address_slot, _text),
    "ibans": (_numbered("CLIENT_IBAN"), _text),
    "accounts": (_numbered("CLIENT_ACCOUNT"), _text),
    "vat": (_numbered("CLIENT_VAT"), _text),
    "invoices": (_numbered("INVOICE"), _text),
    "purchase_orders": (_numbered("PO"), _text),
    "references": (_numbered("REFERENCE"), _text),
    "amounts_cents": (_numbered("AMOUNT"), _cents),
    "dates": (_numbered("DATE"), _date),
}
