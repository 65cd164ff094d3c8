"""Know the signs, codes and words of currencies, and which of them mean a given currency in a given locale."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from babel.core import get_global
from babel.numbers import get_currency_name, get_currency_precision, get_currency_symbol

from agent.text.english import MINOR_OF, SLANG_MONEY

__all__ = ["CODES", "EXPLICIT_SIGNS", "PLAIN_SIGNS", "Currency", "money_origins", "money_words"]

EXPLICIT_SIGNS: Mapping[str, frozenset[str]] = {
    sign: frozenset(codes.split())
    for sign, codes in {
        "us$": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "can$": "CAD", "nz$": "NZD", "hk$": "HKD",
        "s$": "SGD", "sg$": "SGD", "r$": "BRL", "mx$": "MXN", "nt$": "TWD", "cn¥": "CNY", "jp¥": "JPY", "gb£": "GBP",
        "rs": "INR PKR LKR NPR MUR SCR", "r": "ZAR", "kd": "KWD", "fr": "CHF", "sfr": "CHF", "kr": "SEK NOK DKK ISK",
        "dhs": "AED", "rm": "MYR", "ksh": "KES",
    }.items()
}  # fmt: skip
"""Signs that hold letters: they mean one currency, or the sheet's when it is among those that share them."""

PLAIN_SIGNS: Mapping[str, frozenset[str]] = {
    "€": frozenset({"EUR"}),
    "₹": frozenset({"INR"}),
    "£": frozenset({"GBP"}),
    "¥": frozenset({"JPY", "CNY"}),
}
"""Signs of one character; any other means no currency, unless the locale writes the sheet's currency with it."""


@lru_cache(maxsize=1)
def _tender() -> frozenset[str]:
    current = set()
    for history in get_global("territory_currencies").values():
        current |= {code for code, _start, end, tender in history if tender and end is None}
    return frozenset(current)


CODES = frozenset(code.casefold() for code in _tender())


@lru_cache(maxsize=1)
def money_words() -> Mapping[str, frozenset[str]]:
    """Map the English name of every currency of today ("us dollars"), and its last word, to the codes it can mean."""
    words: dict[str, set[str]] = {}
    for code in _tender():
        for count in (1, 2):
            name = get_currency_name(code, count, locale="en").casefold()
            words.setdefault(name, set()).add(code)
            words.setdefault(name.rsplit(" ", 1)[-1], set()).add(code)
    for slang, word in SLANG_MONEY.items():
        words.setdefault(slang, set()).update(words.get(word, ()))
    words["pounds sterling"] = {"GBP"}
    return {word: frozenset(codes) for word, codes in words.items()}


@lru_cache(maxsize=1)
def money_origins() -> frozenset[str]:
    """Return the words before a currency's name that say whose it is ("swiss", "us")."""
    return frozenset(word.split(" ", 1)[0] for word in money_words() if " " in word)


@lru_cache(maxsize=64)
def _minor_currencies(word: str) -> frozenset[str]:
    known = money_words()
    return frozenset().union(*(known.get(major, frozenset()) for major in MINOR_OF[word]))


@dataclass(frozen=True, slots=True)
class Currency:
    """Hold the sheet's currency as its locale writes it."""

    code: str
    locale: str

    @property
    def digits(self) -> int:
        """Return how many digits its minor units have."""
        return get_currency_precision(self.code)

    def has_sign(self, sign: str) -> bool:
        """Tell whether a sign means this currency here; one that several share must be the locale's own."""
        if sign in EXPLICIT_SIGNS:
            return self.code in EXPLICIT_SIGNS[sign]
        if sign == self.code.casefold() or PLAIN_SIGNS.get(sign) == frozenset({self.code}):
            return True
        return sign == get_currency_symbol(self.code, self.locale).casefold()

    def has_word(self, word: str) -> bool:
        """Tell whether a currency's name can mean this currency."""
        return self.code in money_words().get(word, ()) or word == self.code.casefold()

    def has_minor(self, word: str) -> bool:
        """Tell whether a minor unit's name can mean this currency's."""
        return self.digits > 0 and self.code in _minor_currencies(word)
