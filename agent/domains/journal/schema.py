"""The shape of a journal case's facts, as they come in."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from agent.domains.fields import Cents, CurrencyCode, Date, Name, Period, Shape, Text, read_shape
from agent.facts import FactsInvalid, Problem
from agent.validators.postings import code_order, ranges_meant

__all__ = ["Account", "Code", "Duties", "JournalFacts", "Posting", "Range", "read_facts"]


def _as_code(value: Any) -> Any:
    """Take a code that is written as a number: most charts count in thousands."""
    return str(value) if type(value) is int and value >= 0 else value


def _as_list(value: Any) -> Any:
    """Take a duty that one person holds."""
    return [value] if isinstance(value, str) else value


Code = Annotated[
    str, BeforeValidator(_as_code), Field(min_length=1, max_length=20, pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]*$")
]
_People = Annotated[tuple[Name, ...], BeforeValidator(_as_list), Field(max_length=200)]


class Account(Shape):
    """Hold one account of the chart; `type` is asset, liability, equity, revenue, expense or what the firm calls it."""

    code: Code
    name: Name
    type: Name


class Range(Shape):
    """Hold which codes are for what: "office supplies" from 5100 to 5199."""

    for_: Annotated[Name, Field(alias="for")]
    from_: Annotated[Code, Field(alias="from")]
    to: Code


class Posting(Shape):
    """Hold one amount that was posted to an account before."""

    code: Code
    amount_cents: Cents


class Duties(Shape):
    """Hold who may prepare an entry and who may approve one."""

    prepare: _People
    approve: _People


class JournalFacts(Shape):
    """Hold what an entry is made from; money in minor units by ISO 4217."""

    description: Annotated[Text, Field(min_length=1, pattern=r"\S")]
    currency: CurrencyCode
    as_of: Date
    open_periods: Annotated[tuple[Period, ...], Field(max_length=120)]
    chart: Annotated[tuple[Account, ...], Field(max_length=2000)]
    ranges: Annotated[tuple[Range, ...], Field(max_length=500)]
    history: Annotated[tuple[Posting, ...], Field(max_length=10_000)]
    duties: Duties
    actor: Name

    @property
    def ranges_meant(self) -> tuple[Range, ...]:
        """Return the ranges that are set for what the description is about."""
        meant = ranges_meant(self.description, (one.for_ for one in self.ranges))
        return tuple(one for one in self.ranges if one.for_ in meant)


def read_facts(given: Any) -> JournalFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    facts = read_shape(JournalFacts, given, schema="journal")
    if problems := (*_repeated(facts), *_backward(facts)):
        raise FactsInvalid(problems)
    return facts


def _repeated(facts: JournalFacts) -> Iterator[Problem]:
    counts = Counter(account.code for account in facts.chart)
    for place, account in enumerate(facts.chart):
        if counts[account.code] > 1:
            yield Problem(
                f"chart.{place}.code", f"{account.code} stands twice.", "Give every account a code of its own."
            )


def _backward(facts: JournalFacts) -> Iterator[Problem]:
    for place, one in enumerate(facts.ranges):
        if code_order(one.from_) > code_order(one.to):
            message = f"{one.from_} comes after {one.to}."
            yield Problem(f"ranges.{place}", message, "Give the lower code as from, the higher one as to.")
