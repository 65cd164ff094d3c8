"""Measure whether the verifier bites: spoil true drafts in every way a domain knows, and count what gets through.

A kind that is wrong only in meaning and that code does not catch is undecided without a model, not missed. With one,
its advisers are asked, and how often they doubt a true draft is counted beside.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from agent.advice import Adviser
from agent.attempt import Attempt
from agent.budget import limits_for
from agent.decision import Write, decide
from agent.domains import Case, Corruption, body_of
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, Gate, run_draft
from agent.outcome import Outcome, Status
from agent.validators.verify import verify_body

__all__ = ["Bite", "Teeth", "bite"]


@dataclass(frozen=True, slots=True)
class Bite:
    """Hold what became of one spoilt draft.

    `caught` is None where only a model could tell and none was asked. `state` is where the draft goes when every output
    is the spoilt one.
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
    """Hold the table of spoilt drafts and how many true ones were refused.

    `clean_doubted` are the true texts that an adviser warned about, None when none was asked.
    """

    cases: tuple[Bite, ...]
    clean: int
    clean_rejected: int
    clean_doubted: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "cases": [asdict(item) for item in self.cases],
            "clean": self.clean,
            "clean_rejected": self.clean_rejected,
            "clean_doubted": self.clean_doubted,
        }

    @property
    def missed(self) -> tuple[Bite, ...]:
        """Return the spoilt drafts that passed although code could have told."""
        return tuple(item for item in self.cases if item.caught is False and not item.semantic)


def bite(cases: Mapping[str, Case], *, clock: Clock, advisers: Sequence[Adviser] = ()) -> Teeth:
    """Spoil a true draft of each case in every way that applies to it, and verify true and spoilt ones.

    `advisers` are asked about what is wrong only in meaning and passed, and about one true text of each case.
    """
    spoilt = tuple(item for name, case in cases.items() for item in _spoilt(name, case, clock, advisers))
    clean = [verdict for case in cases.values() for verdict in _clean(case, clock.now())]
    doubted = sum(_is_doubted(case, clock, advisers) for case in cases.values()) if advisers else None
    return Teeth(spoilt, len(clean), sum(verdict == "FAIL" for verdict in clean), doubted)


def _spoilt(name: str, case: Case, clock: Clock, advisers: Sequence[Adviser]) -> Iterator[Bite]:
    free = replace(case, framed=False)
    true_text = case.domain.true_text(free)
    for corruption in case.domain.corruptions:
        ours = case if corruption.framed else free
        true = json.dumps(dict(case.starters()[0].prose)) if corruption.framed else true_text
        bad = corruption.spoil(ours, true)
        if bad is not None and bad != true:
            yield _bite(name, ours, corruption, bad, clock, advisers if corruption.semantic else ())


def _bite(name: str, case: Case, corruption: Corruption, text: str, clock: Clock, advisers: Sequence[Adviser]) -> Bite:
    limits = limits_for(case)
    first = _first(case, text, clock, advisers)
    # The same output again and again is judged the same each time, so it is verified once.
    history = [first]
    while isinstance(decision := decide(history, limits), Write):
        history.append(replace(first, number=len(history) + 1))
    is_undecided = corruption.semantic and not advisers
    return Bite(
        id=f"{case.domain.name}/{name}/{corruption.kind}",
        domain=case.domain.name,
        kind=corruption.kind,
        semantic=corruption.semantic,
        caught=True if first.failures or _alarms(first) else None if is_undecided else False,
        state=str(decision.state),
        errors=tuple(sorted({outcome.error_type or "" for outcome in (*first.failures, *_alarms(first))})),
    )


def _first(case: Case, text: str, clock: Clock, advisers: Sequence[Adviser]) -> Attempt:
    once = replace(limits_for(case), attempts=1)
    return run_draft(case, ScriptedModel([text]), limits=once, clock=clock, gate=Gate(advisers=advisers)).attempts[0]


def _alarms(attempt: Attempt) -> tuple[Outcome, ...]:
    """Return what an adviser holds against a text: a low score, or a statement below the threshold of support."""
    return tuple(
        outcome
        for outcome in attempt.outcomes
        if outcome.status is Status.WARN and (outcome.error_type == "SCORE_LOW" or outcome.metadata.get("flagged"))
    )


def _is_doubted(case: Case, clock: Clock, advisers: Sequence[Adviser]) -> bool:
    free = replace(case, framed=False)
    return bool(_alarms(_first(free, case.domain.true_text(free), clock, advisers)))


def _clean(case: Case, now: datetime) -> Sequence[str]:
    """Verify the true text, and every starter that fits the case, in its frame."""
    true = body_of(replace(case, framed=False), case.domain.true_text(case))
    verdicts = [verify_body(true, sheet=case.sheet, now=now, checks=case.checks()).verdict]
    for starter in case.starters() if case.framed else ():
        body, values = case.domain.frame(case, starter.prose), case.slot_values()
        verdicts.append(
            verify_body(
                body, sheet=case.sheet, slots=case.slots(), values=values, now=now, checks=case.checks()
            ).verdict
        )
    return verdicts
