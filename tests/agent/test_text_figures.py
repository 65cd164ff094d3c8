"""Every figure of a text is found, with all its readings in the sheet's locale."""

from datetime import date
from decimal import Decimal

import pytest

from agent.text import fold, sentences
from agent.text.calendar import Calendar
from agent.text.currencies import Currency
from agent.text.figure import Direction, Figure, FigureKind
from agent.text.figures import Manner, read_figures
from agent.text.numbers import NumberFormat

_AS_OF = date(2026, 4, 30)  # a Thursday


def _read(text: str, locale: str = "en_US", currency: str = "USD") -> tuple[Figure, ...]:
    copy = fold(text)
    manner = Manner(NumberFormat(locale), Currency(currency, locale), Calendar(_AS_OF, (2026,)))
    return read_figures(copy, copy.text, tuple(sentences(copy)), manner)


@pytest.mark.parametrize(
    ("text", "locale", "currency", "cents"),
    [
        ("$1,975.00", "en_US", "USD", 197500),
        ("$1975", "en_US", "USD", 197500),
        ("-$5.00", "en_US", "USD", -500),
        ("$-5.00", "en_US", "USD", -500),
        ("$5.00-", "en_US", "USD", -500),
        ("minus $5", "en_US", "USD", -500),
        ("$5.00 CR", "en_US", "USD", -500),
        ("USD 5", "en_US", "USD", 500),
        ("5 dollars and 50 cents", "en_US", "USD", 550),
        ("$5.00 and 50 cents", "en_US", "USD", 550),
        ("fifty cents", "en_US", "USD", 50),
        ("five and 20/100 dollars", "en_US", "USD", 520),
        ("one thousand, nine hundred and seventy-five dollars", "en_US", "USD", 197500),
        ("nineteen hundred dollars", "en_US", "USD", 190000),
        ("two grand bucks", "en_US", "USD", 200000),
        ("US$7", "en_US", "USD", 700),
        ("A$7.10", "en_AU", "AUD", 710),
        ("£12 and 5 pence", "en_GB", "GBP", 1205),
        ("₹1,65,000", "en_IN", "INR", 16500000),
        ("1.65 lakh rupees", "en_IN", "INR", 16500000),
        ("R14\u00a0650,75", "en_ZA", "ZAR", 1465075),
        ("CHF 1’250.00", "en_CH", "CHF", 125000),
        ("1.250,00 €", "en_DE", "EUR", 125000),
        ("¥237,000", "en_US", "JPY", 237000),
        ("KWD 1,250.750", "en_US", "KWD", 1250750),
    ],
)
def test_an_amount_has_its_value(text: str, locale: str, currency: str, cents: int) -> None:
    (figure,) = _read(text, locale, currency)
    assert (figure.kind, figure.cents) == (FigureKind.MONEY, (cents,))


@pytest.mark.parametrize(
    ("text", "locale", "currency", "fault"),
    [
        ("$1.975,00", "en_US", "USD", "format"),
        ("$1,975.000", "en_US", "USD", "format"),
        ("$19,75", "en_US", "USD", "format"),
        ("$4.12k", "en_US", "USD", "format"),
        ("$2m", "en_US", "USD", "format"),
        ("$1,\n975.00", "en_US", "USD", "format"),
        ("$5.00p", "en_US", "USD", "format"),
        ("$TBD", "en_US", "USD", "format"),
        ("₹165,000", "en_IN", "INR", "format"),
        ("¥5.00", "en_US", "JPY", "format"),
        ("€5", "en_US", "USD", "currency"),
        ("5 euros", "en_US", "USD", "currency"),
        ("A$5", "en_US", "USD", "currency"),
        ("$5", "en_AU", "USD", "currency"),
        ("5 Swiss euros", "en_IE", "EUR", "currency"),
    ],
)
def test_an_amount_that_is_not_written_as_the_sheet_does_has_none(
    text: str, locale: str, currency: str, fault: str
) -> None:
    figure = _read(text, locale, currency)[0]
    assert (figure.cents, figure.fault) == ((), fault)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("15 April 2026", "2026-04-15", "2026-04-15"),
        ("April 15th", "2026-04-15", "2026-04-15"),
        ("the fifteenth of April", "2026-04-15", "2026-04-15"),
        ("Apr. 15, 2026", "2026-04-15", "2026-04-15"),
        ("15-Apr-2026", "2026-04-15", "2026-04-15"),
        ("2026-04-15", "2026-04-15", "2026-04-15"),
        ("15/04/2026", "2026-04-15", "2026-04-15"),
        ("Wednesday, 15 April", "2026-04-15", "2026-04-15"),
        ("early April", "2026-04-01", "2026-04-10"),
        ("mid-April", "2026-04-11", "2026-04-20"),
        ("the end of April", "2026-04-21", "2026-04-30"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("Q1 2026", "2026-01-01", "2026-03-31"),
        ("the second quarter", "2026-04-01", "2026-06-30"),
        ("last week", "2026-04-20", "2026-04-26"),
        ("yesterday", "2026-04-29", "2026-04-29"),
        ("15 days ago", "2026-04-15", "2026-04-15"),
        ("two weeks ago", "2026-04-10", "2026-04-16"),
    ],
)
def test_a_date_is_read(text: str, first: str, last: str) -> None:
    (figure,) = _read(text)
    assert figure.kind is FigureKind.DATE
    assert [(str(days.first), str(days.last)) for days in figure.days] == [(first, last)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by tomorrow", "2026-05-01"),
        ("within 7 days", "2026-05-07"),
        ("in two weeks", "2026-05-14"),
        ("by the end of next quarter", "2026-09-30"),
        ("by month-end", "2026-04-30"),
        ("in five business days", "2026-05-07"),
        ("this Friday", "2026-05-01"),
        ("in a few days", None),
    ],
)
def test_a_date_that_looks_forward_says_so(text: str, day: str | None) -> None:
    (figure,) = _read(text)
    assert figure.direction is Direction.FORWARD
    assert [str(days.last) for days in figure.days] == ([day] if day else [])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("31 April", "date"),
        ("Tuesday, 15 April 2026", "weekday"),
        ("04/05/2026", "ambiguous"),
        ("next Friday", "ambiguous"),
        ("at 10:30", "time"),
    ],
)
def test_a_date_that_cannot_be_right_says_why(text: str, fault: str) -> None:
    (figure,) = _read(text)
    assert (figure.kind, figure.fault) == (FigureKind.DATE, fault)


@pytest.mark.parametrize(
    ("text", "kind", "number", "unit"),
    [
        ("two open invoices", FigureKind.COUNT, 2, "invoice"),
        ("both are late", FigureKind.COUNT, 2, "item"),
        ("a couple of reminders", FigureKind.COUNT, 2, "item"),
        ("all three are open", FigureKind.COUNT, 3, "item"),
        ("only one is open", FigureKind.COUNT, 1, "item"),
        ("second reminder", FigureKind.ORDINAL, 2, "reminder"),
        ("2nd notice", FigureKind.ORDINAL, 2, "reminder"),
        ("Reminder II", FigureKind.ORDINAL, 2, "reminder"),
        ("15 days overdue", FigureKind.DURATION, 15, "days"),
        ("a week late", FigureKind.DURATION, 1, "weeks"),
        ("a couple of months late", FigureKind.DURATION, 2, "months"),
        ("a 30-minute call", FigureKind.DURATION, 30, "minutes"),
    ],
)
def test_a_quantity_is_read(text: str, kind: FigureKind, number: int, unit: str) -> None:
    (figure,) = _read(text)
    assert (figure.kind, figure.numbers, figure.unit) == (kind, (Decimal(number),), unit)


@pytest.mark.parametrize("text", ["5%", "5 per cent", "five percent", "500 basis points", "500 bps"])
def test_a_percentage_is_read(text: str) -> None:
    (figure,) = _read(text)
    assert (figure.kind, figure.numbers) == (FigureKind.PERCENT, (Decimal(5),))


@pytest.mark.parametrize(
    "text", ["$5 to $7", "$5-$7", "between 5 and 7 days", "half", "two-thirds", "a third of it", "3 x", "twice", "2x"]
)
def test_a_range_a_fraction_and_a_multiple_are_derived(text: str) -> None:
    assert _read(text)[0].kind is FigureKind.DERIVED


@pytest.mark.parametrize(
    "text",
    [
        "You may pay, and we march on.",
        "A second look, on second thought, shows it. First, thank you.",
        "No one asked. This one is ours. One of us will call you, one by one, in one transfer.",
        "Please double-check. Thanks a million. Let us zero in on it.",
        "The grand total is here.",
        "I am CC'd.",
    ],
)
def test_words_that_only_look_like_figures_are_none(text: str) -> None:
    assert _read(text) == ()


def test_a_numbered_list_counts_and_is_no_figure() -> None:
    assert [figure.cents for figure in _read("1. first at $5\n2. then at $6\n7. at $8")] == [
        (500,),
        (600,),
        (700,),
        (800,),
    ]


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("about $5", "about"),
        ("more than two weeks", "more than"),
        ("$5 or so", "or so"),
        ("~$5", "~"),
        ("we write about $5", ""),
        ("it adds up to $5", ""),
        ("$5", ""),
    ],
)
def test_a_hedge_is_noticed(text: str, hedge: str) -> None:
    assert _read(text)[0].hedge == hedge
