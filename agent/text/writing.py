"""Write amounts of money the way a locale does."""

import re
from decimal import Decimal
from functools import cache, lru_cache

from babel import Locale
from babel.numbers import format_currency, get_currency_precision, get_group_symbol

__all__ = ["locale_of", "write_money"]

_GLUED = re.compile(r"([^\W\d_])(?=-?\d)")
_APOSTROPHE = "'"


@cache
def locale_of(name: str) -> Locale:
    """Return the rules of a locale such as en_US; Babel reads a name anew at every call."""
    return Locale.parse(name)


@lru_cache(maxsize=4096)
def write_money(cents: int, currency: str, locale: str) -> str:
    """Write minor units of an ISO 4217 currency: $1,975.00, KWD 1,250.750, CHF 1'234'567.89.

    A currency without a sign has a no-break space between its letters and the figure, as CLDR asks for. A draft writes
    each amount several times, and each attempt again, so that what was written is kept.
    """
    rules = locale_of(locale)
    amount = Decimal(cents).scaleb(-get_currency_precision(currency))
    if get_group_symbol(rules) == _APOSTROPHE:
        # Babel 2.19 takes two apostrophes of a figure for quotes and drops them: CHF 1234567.89.
        text = format_currency(amount, currency, locale=rules, group_separator=False)
        text = re.sub(r"\d+", lambda found: f"{int(found[0]):,}".replace(",", _APOSTROPHE), text, count=1)
    else:
        text = format_currency(amount, currency, locale=rules)
    # Babel sets letters right against the figure: KWD1,250.750.
    return _GLUED.sub("\\1\u00a0", text, count=1)
