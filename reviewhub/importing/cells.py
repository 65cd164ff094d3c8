"""Read the typed cells of a ledger: amounts as the locale writes them, months, days, kinds, yes or no."""

import re
from datetime import date

from babel.numbers import get_currency_precision

from agent.text.numbers import NumberFormat

__all__ = ["CellInvalid", "read_amount", "read_day", "read_flag", "read_kind", "read_period"]

_MOST_SHOWN = 40
_FLAGS = {"true": True, "yes": True, "y": True, "1": True, "false": False, "no": False, "n": False, "0": False}


class CellInvalid(ValueError):
    """Refuse a cell: what is wrong with it and what to do."""

    def __init__(self, message: str, fix: str) -> None:
        self.message, self.fix = message, fix
        super().__init__(f"{message} {fix}")


def read_amount(text: str, *, locale: str, currency: str) -> int:
    """Return an amount in minor units of an ISO 4217 currency: digits as the locale groups them, or not grouped.

    It may have fewer decimals than the currency, never more, so that no mark of thousands is read as a decimal mark.
    """
    form = NumberFormat(locale)
    digits = get_currency_precision(currency)
    example = f"Write it like 1{form.group}975{form.decimal}00 or 1975{form.decimal}00, without a currency sign."
    if text.startswith(("-", "\u2212", "(")) or text.endswith("-"):
        raise CellInvalid(f"{_shown(text)} is negative.", "Give a credit as kind credit with an amount above zero.")
    value = form.parse(text) if re.fullmatch(_written_in(form), text) else None
    if value is None:
        raise CellInvalid(f"{_shown(text)} is no amount as {locale} writes it.", example)
    decimals = text.partition(form.decimal)[2]
    if len(decimals) > digits:
        raise CellInvalid(f"{_shown(text)} has {len(decimals)} decimals, and {currency} has {digits}.", example)
    return int(value.scaleb(digits))


def read_day(text: str) -> str:
    """Return a calendar day as it is written, YYYY-MM-DD."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise CellInvalid(f"{_shown(text)} is no day.", "Write it as YYYY-MM-DD.")


def read_period(text: str) -> str:
    """Return a month as it is written, YYYY-MM."""
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", text):
        raise CellInvalid(f"{_shown(text)} is no month.", "Write it as YYYY-MM.")
    return text


def read_kind(text: str) -> str:
    """Return invoice or credit."""
    kind = text.casefold()
    if kind not in {"invoice", "credit"}:
        raise CellInvalid(f"{_shown(text)} is no kind of transaction.", "Write invoice or credit.")
    return kind


def read_flag(text: str) -> bool:
    """Return whether a cell says yes; an empty one says no."""
    if not text:
        return False
    answer = _FLAGS.get(text.casefold())
    if answer is None:
        raise CellInvalid(f"{_shown(text)} says neither yes nor no.", "Write yes or no, or leave it empty.")
    return answer


def _written_in(form: NumberFormat) -> str:
    group = r"[\s\u00a0\u202f]" if form.group.isspace() else re.escape(form.group)
    return f"(?:0|[1-9][0-9]*(?:{group}[0-9]+)*)(?:{re.escape(form.decimal)}[0-9]+)?"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")
