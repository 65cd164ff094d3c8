"""Read a number in Roman numerals, written in capitals."""

import re
from decimal import Decimal

from agent.text.english import words
from agent.text.figure import Figure, FigureKind
from agent.text.fold import Span
from agent.text.tokens import Token

__all__ = ["roman_at"]

_NUMERAL = re.compile(r"m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_WORDS = words("cc cd cv dc di dm dv li md mi mm mc xl xx xxx mix dix civic mild cm ml dl dli")
_REMINDERS = words("reminder notice letter request")


def roman_at(found: list[Token], at: int) -> tuple[Figure, int] | None:
    """Read "MCMLXXV" or "Reminder II"; a capital I alone and common abbreviations (CC, CV) are no numbers."""
    token = found[at]
    if token.kind != "word" or not token.upper or len(token.text) < 2 or token.text in _WORDS:
        return None
    if not _NUMERAL.fullmatch(token.text):
        return None
    value = (Decimal(_value(token.text)),)
    span = Span(token.start, token.end)
    if at and found[at - 1].text in _REMINDERS:
        return Figure(span, FigureKind.ORDINAL, numbers=value, unit="reminder"), at + 1
    return Figure(span, FigureKind.NUMBER, numbers=value, quality=("words",)), at + 1


def _value(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )
