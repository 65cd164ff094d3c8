"""Describe a journal entry: what a draft has to be, what a model's reply may hold, and what its fields are called."""

from typing import Annotated, Any

from pydantic import Field, StrictInt

from agent.domains.domain import Case, RecordForm
from agent.domains.fields import Date, Name, Shape, Text
from agent.domains.journal.schema import Code, JournalFacts
from agent.facts import FactType

__all__ = ["ENTRY", "Entry", "amounts_of", "dates_of"]

_MOST_LINES = 200
_MOST_LISTED = 120  # a longer list of codes makes a grammar that servers take seconds to prepare
_Side = Annotated[StrictInt, Field(ge=0, le=10**15)]


class Line(Shape):
    """Hold one line: an account with a debit or a credit, in minor units."""

    code: Code
    debit_cents: _Side = 0
    credit_cents: _Side = 0


class Entry(Shape):
    """Hold a journal entry; whether it balances is for the validators to say."""

    date: Date
    memo: Annotated[Text, Field(max_length=500)]
    lines: Annotated[tuple[Line, ...], Field(max_length=_MOST_LINES)]
    prepared_by: Name
    approved_by: Name | None = None


def amounts_of(case: Case) -> tuple[int, ...]:
    """Return the amounts that the description states, in minor units, and their sum where they are several."""
    stated = [fact.value for fact in case.sheet.of_type(FactType.MONEY) if isinstance(fact.value, int)]
    return tuple(dict.fromkeys((*stated, sum(stated)) if len(stated) > 1 else stated))


def dates_of(case: Case) -> tuple[str, ...]:
    """Return the days that the entry may bear: the description's, then the day of the facts, in open periods."""
    days = [fact.value for fact in case.sheet.of_type(FactType.DATE)]
    facts: JournalFacts = case.facts
    told = [str(day) for day in (*days, facts.as_of) if str(day)[:7] in facts.open_periods]
    return tuple(dict.fromkeys(told)) or (str(facts.as_of),)


def _schema(case: Case) -> dict[str, Any]:
    facts: JournalFacts = case.facts
    codes = [account.code for account in facts.chart]
    code = {"type": "string", "enum": codes} if len(codes) <= _MOST_LISTED else {"type": "string", "maxLength": 20}
    cents = {"type": "integer", "enum": [0, *amounts_of(case)]}
    line = {"code": code, "debit_cents": cents, "credit_cents": cents}
    approvers = [name for name in facts.duties.approve if name != facts.actor] or [*facts.duties.approve]
    fields = {
        "date": {"type": "string", "enum": [*dates_of(case)]},
        "memo": {"type": "string", "minLength": 1, "maxLength": 120},
        "lines": {"type": "array", "minItems": 2, "maxItems": 12, "items": _object(line)},
        "prepared_by": {"type": "string", "enum": [facts.actor]},
        "approved_by": {"type": "string", "enum": approvers},
    }
    return _object(fields)


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


ENTRY = RecordForm(
    shape=Entry,
    schema=_schema,
    labels={
        "date": "Date",
        "memo": "Memo",
        "lines[].code": "Account",
        "lines[].debit_cents": "Debit",
        "lines[].credit_cents": "Credit",
        "prepared_by": "Prepared by",
        "approved_by": "Approved by",
    },
)
"""The record of the domain."""
