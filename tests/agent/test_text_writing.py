"""An amount is written as its locale does, and read back as the same amount by what checks drafts."""

from datetime import date

import pytest

from agent.text import fold, sentences
from agent.text.calendar import Calendar
from agent.text.currencies import Currency
from agent.text.figure import Figure
from agent.text.figures import Manner, read_figures
from agent.text.numbers import NumberFormat
from agent.text.writing import write_money

_LOCALES = ("en_US", "en_GB", "en_AU", "en_CA", "en_CH", "en_DE", "en_IE", "en_IN", "en_SE", "en_ZA")
_CURRENCIES = (
    *("USD", "GBP", "EUR", "CHF", "INR", "JPY", "AUD", "CAD", "NZD", "ZAR", "SEK", "NOK"),
    *("KWD", "BHD", "OMR", "AED", "SGD", "HKD", "BRL", "MXN", "PLN", "CLP", "XAF", "XOF"),
)
_CENTS = (0, 1, 123_45, 987_654, 123_456_78, 9_876_543_210)


@pytest.mark.parametrize(
    ("cents", "currency", "locale", "written"),
    [
        (197500, "USD", "en_US", "$1,975.00"),
        (123456, "KWD", "en_US", "KWD\u00a0123.456"),
        (-123456, "KWD", "en_US", "-KWD\u00a0123.456"),
        (1234567, "XAF", "en_US", "FCFA\u00a01,234,567"),
        (123450, "CHF", "en_CH", "CHF\u00a01'234.50"),
        (123456789, "CHF", "en_CH", "CHF\u00a01'234'567.89"),
        (123456789, "EUR", "en_CH", "€\u00a01'234'567.89"),
        (99999, "CHF", "en_CH", "CHF\u00a0999.99"),
        (16500000, "INR", "en_IN", "₹1,65,000.00"),
        (1465075, "ZAR", "en_ZA", "R\u00a014\u00a0650,75"),
        (123456, "EUR", "en_DE", "1.234,56\u00a0€"),
        (123456, "JPY", "en_US", "¥123,456"),
    ],
)
def test_an_amount_is_written_as_the_locale_writes_it(cents: int, currency: str, locale: str, written: str) -> None:
    assert write_money(cents, currency, locale) == written


@pytest.mark.parametrize("locale", _LOCALES)
def test_what_is_written_is_read_as_the_same_amount(locale: str) -> None:
    misread = [
        (text, figures)
        for currency in _CURRENCIES
        for cents in _CENTS
        for text, figures in [_read_back(cents, currency, locale)]
        if not figures or cents not in figures[0].cents
    ]
    assert not misread


def _read_back(cents: int, currency: str, locale: str) -> tuple[str, tuple[Figure, ...]]:
    manner = Manner(NumberFormat(locale), Currency(currency, locale), Calendar(date(2026, 4, 30), (2026,)))
    text = fold(f"The total due is {write_money(cents, currency, locale)} today.")
    return text.text, read_figures(text, text.text, tuple(sentences(text)), manner)


@pytest.mark.parametrize("amount", ["1'2345.00", "1'23'456.00", "12'34.00", "1,234.00", "1'234,00"])
def test_wrong_groups_of_an_apostrophe_locale_are_no_amount(amount: str) -> None:
    manner = Manner(NumberFormat("en_CH"), Currency("CHF", "en_CH"), Calendar(date(2026, 4, 30), (2026,)))
    text = fold(f"The total due is CHF {amount} today.")
    figures = read_figures(text, text.text, tuple(sentences(text)), manner)
    assert not any(figure.cents for figure in figures), figures
