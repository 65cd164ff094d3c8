"""Freeze a journal case into a sheet: what its description states, and the reference data that entries are held to."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from agent.body import Body
from agent.domains.domain import Case, Situation
from agent.domains.journal.schema import JournalFacts
from agent.facts import Fact, FactType, Sheet, facts_hash
from agent.slots import Slot
from agent.text import fold
from agent.text import sentences as sentences_of
from agent.text.figure import Figure, FigureKind
from agent.text.figures import read_figures
from agent.text.writing import write_money
from agent.validators import duties, memos, postings, reasonable, text
from agent.validators.check import Check
from agent.validators.manner import manner_of

__all__ = ["CHECKS", "LOCALE", "SITUATIONS", "derive", "figures_of", "frame", "sentences", "slot_values", "slots"]

LOCALE = "en_US"
"""How the amounts of a description are written; the facts of this domain name no locale."""

SITUATIONS: Mapping[str, Situation] = {
    "entry": Situation(
        name="entry",
        purpose="record what the description says",
        tone="plain",
        avoid="accounts that the description gives no reason for",
        blocks=(),
        slots=(),
    )
}

CHECKS: tuple[Check, ...] = (text.CHECK, *postings.POSTINGS, *duties.DUTIES, *memos.MEMOS, *reasonable.REASONABLE)
"""What every entry has to pass."""


def derive(facts: JournalFacts, *, given: Mapping[str, Any] | None = None, version: int = 1) -> Sheet:
    """Freeze the facts. The hash is of `given`, the facts as they came in, when passed."""
    bare = Sheet(
        domain="journal",
        locale=LOCALE,
        currency=facts.currency,
        as_of=facts.as_of,
        hash=facts_hash(given if given is not None else facts.model_dump(mode="json", by_alias=True)),
        facts=(Fact("description", FactType.TEXT, "description", facts.description),),
        policy={**facts.model_dump(mode="json"), "description": facts.description},
        situation="entry",
        version=version,
    )
    return replace(bare, facts=(*bare.facts, *_stated(facts, bare)))


def figures_of(facts: JournalFacts, sheet: Sheet) -> tuple[Figure, ...]:
    """Return the figures of the description, in order."""
    folded = fold(facts.description)
    return read_figures(folded, folded.text, tuple(sentences_of(folded)), manner_of(sheet))


def _stated(facts: JournalFacts, sheet: Sheet) -> Iterator[Fact]:
    count = 0
    for figure in figures_of(facts, sheet):
        if figure.kind is FigureKind.MONEY and len(figure.cents) == 1 and figure.cents[0] > 0:
            count += 1
            yield Fact(f"amount_{count}", FactType.MONEY, "amount", figure.cents[0])
        elif figure.kind is FigureKind.DATE and len(figure.days) == 1 and figure.days[0].first == figure.days[0].last:
            day: date = figure.days[0].first
            yield Fact(f"date_{day.isoformat()}", FactType.DATE, "stated_on", day)


def slots(sheet: Sheet) -> Mapping[str, Slot]:  # noqa: ARG001 - one shape for all domains
    """Return no slots: an entry's amounts are chosen among the stated ones."""
    return {}


def slot_values(sheet: Sheet) -> Mapping[str, str]:  # noqa: ARG001 - see above
    """Return nothing to fill in."""
    return {}


def frame(case: Case, prose: Mapping[str, str]) -> Body:  # noqa: ARG001 - see above
    """Make one free block of what was written."""
    return Body.free("\n\n".join(prose.values()))


def sentences(case: Case) -> tuple[str, ...]:
    """Return the facts of a case as sentences; the first says who asks."""
    facts: JournalFacts = case.facts
    told = [
        f"{facts.actor} prepares a journal entry in {facts.currency}: {facts.description}",
        f"Today is {facts.as_of}.",
    ]
    told += [f"Account {account.code} is {account.name}, a kind of {account.type}." for account in facts.chart[:40]]
    told += [f"The codes for {one.for_} run from {one.from_} to {one.to}." for one in facts.ranges[:20]]
    amounts = (fact.value for fact in case.sheet.of_type(FactType.MONEY) if isinstance(fact.value, int))
    told += [f"An amount is {write_money(value, facts.currency, LOCALE)}." for value in amounts]
    return tuple(told)
