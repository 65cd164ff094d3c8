"""Measure whether the verifier bites: spoil true drafts in every way a domain knows, and count what gets through.

Covers the checks that need no model. A kind that is wrong only in meaning and that they do not catch is undecided, not
missed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from agent.body import Body
from agent.budget import limits_for
from agent.decision import Write, decide
from agent.domains import Case, Corruption
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, run_draft
from agent.validators.verify import verify_body

__all__ = ["Bite", "Teeth", "bite"]


@dataclass(frozen=True, slots=True)
class Bite:
    """Hold what became of one spoilt draft.

    `caught` is None where only a model could tell. `state` is where the draft goes when every output is the spoilt one.
    """

    id: str
    domain: str
    kind: str
    semantic: bool
    caught: bool | None
    state: str
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Teeth:
    """Hold the table of spoilt drafts and how many true ones were refused."""

    cases: tuple[Bite, ...]
    clean: int
    clean_rejected: int

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "cases": [asdict(item) for item in self.cases],
            "clean": self.clean,
            "clean_rejected": self.clean_rejected,
        }

    @property
    def missed(self) -> tuple[Bite, ...]:
        """Return the spoilt drafts that passed although code could have told."""
        return tuple(item for item in self.cases if item.caught is False)


def bite(cases: Mapping[str, Case], *, clock: Clock) -> Teeth:
    """Spoil a true draft of each case in every way that applies to it, and verify true and spoilt ones."""
    spoilt = tuple(item for name, case in cases.items() for item in _spoilt(name, case, clock))
    clean = [verdict for case in cases.values() for verdict in _clean(case, clock.now())]
    return Teeth(spoilt, len(clean), sum(verdict == "FAIL" for verdict in clean))


def _spoilt(name: str, case: Case, clock: Clock) -> Iterator[Bite]:
    free = replace(case, framed=False)
    for corruption in case.domain.corruptions:
        ours = case if corruption.framed else free
        true = json.dumps(dict(case.starters()[0].prose)) if corruption.framed else case.domain.true_text(free)
        bad = corruption.spoil(ours, true)
        if bad is not None and bad != true:
            yield _bite(name, ours, corruption, bad, clock)


def _bite(name: str, case: Case, corruption: Corruption, text: str, clock: Clock) -> Bite:
    limits = limits_for(case)
    first = run_draft(case, ScriptedModel([text]), limits=replace(limits, attempts=1), clock=clock).attempts[0]
    # The same output again and again is judged the same each time, so it is verified once.
    history = [first]
    while isinstance(decision := decide(history, limits), Write):
        history.append(replace(first, number=len(history) + 1))
    return Bite(
        id=f"{case.domain.name}/{name}/{corruption.kind}",
        domain=case.domain.name,
        kind=corruption.kind,
        semantic=corruption.semantic,
        caught=True if first.failures else None if corruption.semantic else False,
        state=str(decision.state),
        errors=tuple(sorted({outcome.error_type or "" for outcome in first.failures})),
    )


def _clean(case: Case, now: datetime) -> Sequence[str]:
    """Verify the true text, and every starter that fits the case, in its frame."""
    verdicts = [
        verify_body(Body.free(case.domain.true_text(case)), sheet=case.sheet, now=now, checks=case.checks()).verdict
    ]
    for starter in case.starters():
        body, values = case.domain.frame(case, starter.prose), case.slot_values()
        verdicts.append(
            verify_body(
                body, sheet=case.sheet, slots=case.slots(), values=values, now=now, checks=case.checks()
            ).verdict
        )
    return verdicts
