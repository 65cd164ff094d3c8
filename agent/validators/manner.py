"""Tell the reader of figures how a sheet's numbers, money and dates are written."""

from datetime import date
from functools import lru_cache

from agent.facts import Sheet
from agent.text.calendar import Calendar
from agent.text.currencies import Currency
from agent.text.figures import Manner
from agent.text.numbers import NumberFormat

__all__ = ["manner_of"]


def manner_of(sheet: Sheet) -> Manner:
    """Return the manner of a sheet; a date without a year may mean each year that the sheet names."""
    return _manner(sheet.locale, sheet.currency, sheet.as_of, sheet.years)


@lru_cache(maxsize=256)
def _manner(locale: str, currency: str, as_of: date, years: tuple[int, ...]) -> Manner:
    return Manner(NumberFormat(locale), Currency(currency, locale), Calendar(as_of, years))
