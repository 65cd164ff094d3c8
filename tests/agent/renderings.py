"""Write figures in English the way people do: a renderer for tests that owes nothing to the product's own."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

__all__ = ["DATE_STYLES", "MONEY_STYLES", "MONIES", "Figure", "Kind", "Money"]


class Kind(StrEnum):
    """Name what a figure counts."""

    MONEY = "money"
    DATE = "date"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    COUNT = "count"
    ORDINAL = "ordinal"


@dataclass(frozen=True)
class Money:
    """Say how a currency is written in a locale."""

    code: str
    locale: str
    sign: str
    unit: str
    cents: str | None
    digits: int = 2
    group: str = ","
    point: str = "."
    first_group: int = 3
    next_group: int = 3


MONIES = (
    Money("USD", "en_US", "$", "dollars", "cents"),
    Money("GBP", "en_GB", "£", "pounds", "pence"),
    Money("EUR", "en_IE", "€", "euros", "cents"),
    Money("INR", "en_IN", "₹", "rupees", None, next_group=2),
    Money("ZAR", "en_ZA", "R", "rand", "cents", group="\u00a0", point=","),
    Money("CHF", "en_CH", "CHF\u00a0", "francs", None, group="'"),
    Money("JPY", "en_US", "¥", "yen", None, digits=0),
    Money("KWD", "en_GB", "KWD ", "dinars", None, digits=3),
    Money("AUD", "en_AU", "$", "dollars", "cents"),
    Money("CAD", "en_CA", "$", "dollars", "cents"),
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINAL_WORDS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _words(number: int) -> str:
    """Write a whole number below a million in English words."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    size, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = f" {_words(number % size)}" if number % size else ""
    return f"{_words(number // size)} {name}{rest}"


def _ordinal(number: int) -> str:
    ending = "th" if number in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _grouped(whole: int, money: Money) -> str:
    text, groups, size = str(whole), [], money.first_group
    while len(text) > size:
        groups.append(text[-size:])
        text, size = text[:-size], money.next_group
    return money.group.join([text, *reversed(groups)])


def _money_text(minor: int, style: str, money: Money) -> str:
    whole, rest = divmod(minor, 10**money.digits)
    if style == "words" and whole < 100_000 and (not rest or money.cents):
        return f"{_words(whole)} {money.unit}" + (f" and {_words(rest)} {_cents(rest, money)}" if rest else "")
    number = str(whole) if style.startswith("plain") else _grouped(whole, money)
    if money.digits and (rest or not style.endswith("bare")):
        number += f"{money.point}{rest:0{money.digits}}"
    if "code_after" in style:
        return f"{number} {money.code}"
    if "code" in style:
        return f"{money.code} {number}"
    return f"{number} {money.unit}" if "unit" in style or style == "words" else f"{money.sign}{number}"


def _cents(rest: int, money: Money) -> str:
    assert money.cents
    return money.cents if rest != 1 else {"pence": "penny"}.get(money.cents, "cent")


_SLASHES = {"en_US": "%m/%d/%Y", "en_GB": "%d/%m/%Y", "en_IE": "%d/%m/%Y", "en_IN": "%d/%m/%Y", "en_AU": "%d/%m/%Y"}


def _date_text(day: date, style: str, locale: str) -> str:
    month = _MONTHS[day.month - 1]
    if style == "slashes" and day.day > 12 and locale in _SLASHES:
        return day.strftime(_SLASHES[locale])
    forms = {
        "us": f"{month} {day.day}, {day.year}",
        "uk": f"{day.day} {month} {day.year}",
        "us_ordinal": f"{month} {_ordinal(day.day)}",
        "uk_ordinal": f"the {_ordinal(day.day)} of {month}",
        "short": f"{month[:3]} {day.day}, {day.year}",
        "no_year": f"{day.day} {month}",
        "weekday": f"{_DAYS[day.weekday()]}, {month} {day.day}, {day.year}",
        "iso": day.isoformat(),
    }
    return forms.get(style, forms["us"])


MONEY_STYLES = (
    "sign",
    "sign_bare",
    "plain",
    "plain_bare",
    "code",
    "code_after",
    "unit",
    "unit_bare",
    "plain_unit",
    "words",
)
DATE_STYLES = ("us", "uk", "us_ordinal", "uk_ordinal", "short", "no_year", "weekday", "iso", "slashes")


@dataclass(frozen=True)
class Figure:
    """Hold one figure of a draft: what it counts, its value, the line it speaks of, and how it is written."""

    kind: Kind
    value: Any
    style: str
    line: str | None = None

    def text(self, money: Money) -> str:
        if self.kind is Kind.MONEY:
            return _money_text(self.value, self.style, money)
        if self.kind is Kind.DATE:
            return _date_text(self.value, self.style, money.locale)
        if self.kind is Kind.ORDINAL:
            return _ordinal(self.value) if self.style == "digits" else _ORDINAL_WORDS[self.value]
        number = str(self.value) if self.style == "digits" else _words(self.value)
        if self.kind is Kind.COUNT:
            return number
        return f"{number} {self.kind.value if self.value != 1 else self.kind.value.removesuffix('s')}"
