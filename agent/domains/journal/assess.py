"""Tell when no entry can be made of a description, when its facts contradict each other, and how hard it is."""

import re
from collections.abc import Iterator

from agent.domains.domain import Assessment, Conflict, Difficulty, Gap
from agent.domains.journal.schema import JournalFacts
from agent.domains.journal.sheet import figures_of
from agent.facts import FactType, Sheet
from agent.text.figure import FigureKind
from agent.validators.postings import within

__all__ = ["assess", "difficulty"]

_ENTITIES = re.compile(r"\b(?:entit(?:y|ies)|subsidiar(?:y|ies)|intercompany|consolidat\w+|branches)\b", re.IGNORECASE)
_HARD_LINES, _HARDER_LINES = 3, 6


def assess(facts: JournalFacts, sheet: Sheet) -> Assessment:
    """Find what is missing and what contradicts itself."""
    return Assessment(tuple(_conflicts(facts, sheet)), tuple(_gaps(facts, sheet)))


def _conflicts(facts: JournalFacts, sheet: Sheet) -> Iterator[Conflict]:
    if any(figure.fault == "currency" for figure in figures_of(facts, sheet)):
        yield Conflict(
            "CURRENCY_OTHER",
            f"the description states an amount that is not in {facts.currency}",
            "Give the amount in the ledger's currency, or the facts of the other ledger.",
            ("description",),
        )
    if facts.actor not in facts.duties.prepare:
        yield Conflict(
            "ACTOR_MAY_NOT_PREPARE",
            f"{facts.actor} is not among those who may prepare entries",
            "Correct the duties, or have somebody prepare it who may.",
            ("actor",),
        )


def _gaps(facts: JournalFacts, sheet: Sheet) -> Iterator[Gap]:
    figures = figures_of(facts, sheet)
    amounts = [figure for figure in figures if figure.kind is FigureKind.MONEY and figure.fault != "currency"]
    if not amounts:
        yield Gap("AMOUNT_UNKNOWN", "the amount", "the description", "A description that states the amount.")
    elif any(len(figure.cents) != 1 for figure in amounts) or any(
        figure.kind is FigureKind.DERIVED for figure in figures
    ):
        yield Gap(
            "AMOUNT_AMBIGUOUS",
            "one amount: the description states a range, or one that can be read in several ways",
            "the description",
            "A description that states each amount once, as figures.",
        )
    if len(facts.chart) < 2:
        yield Gap("CHART_EMPTY", "two accounts to post to", "the chart", "A chart with the accounts of this entry.")
    elif missing := _uncharted(facts):
        yield Gap(
            "ACCOUNT_TYPE_MISSING",
            f"an account for {missing}",
            "the chart, within the codes that are for it",
            f"A chart with an account for {missing}.",
        )
    if not facts.open_periods:
        yield Gap("PERIOD_UNKNOWN", "an open period", "open_periods", "A period that entries may be posted to.")
    if not [name for name in facts.duties.approve if name != facts.actor]:
        yield Gap("APPROVER_MISSING", "somebody else who may approve", "duties", "An approver who is not the preparer.")


def _uncharted(facts: JournalFacts) -> str:
    """Return what the description is about that has a range of codes and no account in it."""
    for one in facts.ranges_meant:
        if not any(within(account.code, one.from_, one.to) for account in facts.chart):
            return one.for_
    return ""


def difficulty(sheet: Sheet) -> Difficulty:
    """Return how much harder than a plain entry it is: by its amounts, and by whether several entities take part."""
    description = str(sheet.by_role["description"][0].value)
    amounts = len(sheet.of_type(FactType.MONEY))
    if _ENTITIES.search(description):
        return Difficulty(2.5, "several entities take part")
    if amounts >= _HARDER_LINES:
        return Difficulty(2.5, f"{amounts} amounts")
    return Difficulty(1.5, f"{amounts} amounts") if amounts >= _HARD_LINES else Difficulty(1.0, "a plain entry")
