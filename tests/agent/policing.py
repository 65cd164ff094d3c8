"""Short ways to ask the policy check, and to ask it about many sentences at once."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent.body import Body
from agent.domains import open_case
from agent.facts import Sheet
from agent.outcome import Status
from agent.validators import policy
from agent.validators.reading import Reading
from tests.agent.judging import OPENING, ledger

_SHEET = open_case("billing", ledger()).sheet
_IN_A_DRAFT = 8  # sentences that stay below the most words of a mail


def refusals(text: str, sheet: Sheet = _SHEET) -> list[tuple[str, str]]:
    """Ask the policy check alone about what follows a true opening: error types with their evidence."""
    reading = Reading(sheet, Body.free(OPENING + text).render({}))
    found = policy.CHECK.run(reading, policy.CHECK.params)
    return [(one.error, one.evidence) for one in found if one.status is Status.FAIL]


def listed(table: str) -> list[str]:
    return [text.strip() for text in table.strip().splitlines()]


def drafts(texts: Sequence[str]) -> Iterator[str]:
    """Set a list of sentences into drafts, a few in each."""
    for start in range(0, len(texts), _IN_A_DRAFT):
        yield OPENING + " ".join(texts[start : start + _IN_A_DRAFT])


def shown(cases: Sequence[object]) -> str:
    return "\n" + "\n".join(str(case) for case in cases)


def event(kind: str, text: str = "noted", *, on: str = "2026-05-12", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "on": on, "text": text} | more
