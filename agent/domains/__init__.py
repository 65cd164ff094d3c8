"""Hold what drafts may be written about: one domain for each kind of case."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent.body import Body, Record
from agent.domains.billing import BILLING
from agent.domains.domain import Case, Corruption, Difficulty, Domain
from agent.domains.journal import JOURNAL
from agent.domains.support import SUPPORT
from agent.domains.tasks import TASKS
from agent.record import read_record

__all__ = ["DOMAINS", "Case", "Corruption", "Domain", "UnknownDomain", "UnknownSituation", "body_of", "open_case"]

DOMAINS: Mapping[str, Domain] = {domain.name: domain for domain in (BILLING, JOURNAL, SUPPORT, TASKS)}
"""The domains by name."""


class UnknownDomain(ValueError):
    """Refuse a domain that does not exist."""


class UnknownSituation(ValueError):
    """Refuse a kind of letter that the domain does not know."""


def open_case(
    domain: str,
    given: Any,
    *,
    situation: str | None = None,
    message: str = "",
    difficulty: float | None = None,
    version: int = 1,
    framed: bool = True,
) -> Case:
    """Make a case of facts as they came in.

    Raise FactsInvalid for facts of a wrong shape, UnknownDomain and UnknownSituation. Situation and difficulty are
    derived from the facts where they are not given.
    """
    if domain not in DOMAINS:
        raise UnknownDomain(f"{domain!r} is no domain. Give one of: {', '.join(sorted(DOMAINS))}.")
    found = DOMAINS[domain]
    facts = found.read_facts(given)
    sheet = found.derive(facts, given=given, version=version)
    if situation and situation not in found.situations:
        known = ", ".join(found.situations)
        raise UnknownSituation(f"{situation!r} is no situation of {domain}. Give one of: {known}.")
    return Case(
        domain=found,
        facts=facts,
        sheet=replace(sheet, situation=situation) if situation else sheet,
        difficulty=found.difficulty(sheet) if difficulty is None else Difficulty(difficulty, "given with the case"),
        message=message,
        framed=framed and any(kind.blocks for kind in found.situations.values()),
        rubric=found.rubric(facts),
    )


def body_of(case: Case, draft: str) -> Body:
    """Return a draft that is not framed as a body: one free text, or a record; raise RecordInvalid."""
    if case.domain.record is None:
        return Body.free(draft)
    return Body((Record(read_record(draft, case.domain.record.shape)),))
