"""Read the example cases that come with the product: facts, scripted outputs, the stated end, past edits."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from agent.domains import Case, open_case

__all__ = ["FIXTURES", "Fixture", "PastEdit", "draftable", "fixture_beside", "fixtures", "past_edits"]

FIXTURES = Path(__file__).parents[1] / "fixtures"
"""Where the examples are in a checkout; an installed package has none."""


@dataclass(frozen=True, slots=True)
class PastEdit:
    """Hold a letter to the same client that a person once corrected: what was drafted and what was approved.

    `draft` and `person` hold prose by block in slot language; a person typed it with the slots filled.
    """

    name: str
    domain: str
    facts: Any
    draft: Mapping[str, str]
    person: Mapping[str, str]
    decided_at: datetime

    def case(self) -> Case:
        """Make a case of the facts of that day."""
        return open_case(self.domain, self.facts)


@dataclass(frozen=True, slots=True)
class Fixture:
    """Hold one example. `expect` names the end state, stop reason, attempts and whether the draft is framed.

    `truth` are the right answers of a record, as they were written down by hand; of most examples there are none.
    """

    name: str
    domain: str
    facts: Any
    scripted: list[Any]
    expect: dict[str, Any]
    truth: dict[str, Any] | None = None

    @property
    def framed(self) -> bool:
        """Tell whether the scripted outputs are prose for a frame."""
        return bool(self.expect.get("frame", True))

    def case(self) -> Case:
        """Make a case of the facts."""
        return open_case(self.domain, self.facts, framed=self.framed)


def fixtures(domain: str, root: Path = FIXTURES) -> Iterator[Fixture]:
    """Yield the examples of a domain in the order of their names."""
    for folder in sorted((root / domain).glob("*/")):
        yield _read(folder, domain)


def draftable(domain: str, root: Path = FIXTURES) -> dict[str, Fixture]:
    """Return by name the examples that a draft can be written for, each ledger once.

    Those whose right draft is rightly doubted are left out.
    """
    found: dict[object, Fixture] = {}
    for fixture in fixtures(domain, root):
        case = fixture.case()
        assessment = case.domain.assess(case.facts, case.sheet)
        if not assessment.conflicts and not assessment.gaps and not fixture.expect.get("doubtful"):
            found.setdefault((case.sheet.lines, case.sheet.events) if case.sheet.lines else case.sheet.hash, fixture)
    return {fixture.name: fixture for fixture in found.values()}


def fixture_beside(facts: Path, domain: str) -> Fixture | None:
    """Return the example that a file of facts belongs to, if it is one."""
    folder = facts.resolve().parent
    whole = all((folder / name).is_file() for name in ("facts.json", "scripted.json", "expect.json"))
    return _read(folder, domain) if whole and facts.name == "facts.json" else None


def past_edits(folder: Path, domain: str) -> tuple[PastEdit, ...]:
    """Return the past edits that lie beside an example, oldest first; of most there are none."""
    file = folder / "edits.json"
    if not file.is_file():
        return ()
    items = json.loads(file.read_text(encoding="utf-8"))
    edits = (
        PastEdit(domain=domain, decided_at=datetime.fromisoformat(item.pop("decided_at")), **item) for item in items
    )
    return tuple(sorted(edits, key=lambda edit: edit.decided_at))


def _read(folder: Path, domain: str) -> Fixture:
    facts, scripted, expect = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("facts", "scripted", "expect")
    )
    told = folder / "truth.json"
    truth = json.loads(told.read_text(encoding="utf-8")) if told.is_file() else None
    return Fixture(folder.name, domain, facts, scripted, expect, truth)
