"""The frozen sheet of facts that a draft is written from and checked against."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any

__all__ = [
    "Event",
    "Fact",
    "FactType",
    "FactsInvalid",
    "Line",
    "LineStatus",
    "OwnString",
    "Problem",
    "Sheet",
    "facts_hash",
]


class FactType(StrEnum):
    """Tell which readings of a text a fact can license."""

    MONEY = "money"  # integer minor units of the sheet's currency
    DATE = "date"
    MONTH = "month"  # "YYYY-MM"
    COUNT = "count"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    ORDINAL = "ordinal"
    PERCENT = "percent"  # Decimal
    TEXT = "text"


class LineStatus(StrEnum):
    """Say what a ledger line is. A disputed invoice is open but never demanded."""

    OPEN = "open"
    PAID = "paid"
    CREDIT = "credit"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Fact:
    """Hold one typed value with its id and role; `line` is the id of the ledger line it belongs to, if any."""

    id: str
    type: FactType
    role: str
    value: int | str | date | Decimal
    line: str | None = None
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one ledger line; `open_cents` is amount minus paid, `days_overdue` is 0 when it is not yet late."""

    id: str
    status: LineStatus
    description: str
    period: str
    amount_cents: int
    paid_cents: int
    due: date | None
    paid_on: date | None
    days_overdue: int

    @property
    def open_cents(self) -> int:
        """Return what is still open on the line, in minor units."""
        return self.amount_cents - self.paid_cents

    @property
    def is_listed(self) -> bool:
        """Tell whether a complete draft must name the line: it is open, credits and disputed lines included."""
        return self.open_cents > 0


@dataclass(frozen=True, slots=True)
class Event:
    """Hold something that happened: a call, a promise, an agreement."""

    kind: str
    on: date
    line: str | None
    text: str


@dataclass(frozen=True, slots=True)
class OwnString:
    """Hold a string of the sheet that a text may repeat though it holds figures: a name, a description, an address."""

    kind: str
    value: str


@dataclass(frozen=True)
class Sheet:
    """Hold everything that may be said, with its types and roles; immutable, versioned and hashed.

    `strings` are the sheet's own strings, to be masked before figures are read. `contacts` and `payment` may stand in
    code blocks only. `attached_lines` are the ids of lines whose documents go out. `policy` holds the sender's rules as
    given. Money is in minor units of `currency` (ISO 4217).
    """

    domain: str
    locale: str
    currency: str
    as_of: date
    hash: str
    facts: tuple[Fact, ...]
    lines: tuple[Line, ...] = ()
    events: tuple[Event, ...] = ()
    attachments: tuple[str, ...] = ()
    attached_lines: tuple[str, ...] = ()
    strings: tuple[OwnString, ...] = ()
    contacts: tuple[str, ...] = ()
    payment: tuple[str, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    situation: str = ""
    version: int = 1

    @cached_property
    def by_role(self) -> Mapping[str, tuple[Fact, ...]]:
        """Group the facts by role."""
        roles: dict[str, list[Fact]] = {}
        for fact in self.facts:
            roles.setdefault(fact.role, []).append(fact)
        return {role: tuple(facts) for role, facts in roles.items()}

    @cached_property
    def years(self) -> tuple[int, ...]:
        """Return the years that the sheet's day and its dates and months stand in, in order."""
        years = {self.as_of.year}
        for fact in self.facts:
            if fact.type is FactType.DATE and isinstance(fact.value, date):
                years.add(fact.value.year)
            if fact.type is FactType.MONTH:
                years.add(int(str(fact.value)[:4]))
        return tuple(sorted(years))

    def of_type(self, kind: FactType) -> tuple[Fact, ...]:
        """Return the facts of one type, in sheet order."""
        return tuple(fact for fact in self.facts if fact.type is kind)

    def line(self, line_id: str) -> Line | None:
        """Return the ledger line with this id, up to letter case."""
        return self._by_id.get(line_id.casefold())

    @cached_property
    def _by_id(self) -> Mapping[str, Line]:
        return {line.id.casefold(): line for line in reversed(self.lines)}  # of two that are alike the first

    def money(self, role: str) -> int:
        """Return the one amount that plays a role, in minor units; 0 when no fact plays it."""
        return next((fact.value for fact in self.by_role.get(role, ()) if isinstance(fact.value, int)), 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """Say what is wrong with one given fact: where (a dotted path), what, and what to do."""

    path: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" + (f" {self.fix}" if self.fix else "")


class FactsInvalid(ValueError):
    """Refuse facts that do not have the domain's shape; `problems` names every field that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


def facts_hash(facts: Mapping[str, Any]) -> str:
    """Return the sha256 of facts as canonical JSON (sorted keys, no spaces, UTF-8), so that equal facts hash equal."""
    canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "strict")).hexdigest()
