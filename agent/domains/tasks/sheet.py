"""Turn a task into a sheet, and say what is asked of every text about one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from agent.body import Body
from agent.domains.domain import Assessment, Case, Difficulty, Situation
from agent.domains.tasks.schema import TasksFacts
from agent.facts import Fact, FactType, Sheet, facts_hash
from agent.slots import Slot
from agent.validators import docstrings, language, text
from agent.validators.check import Check

__all__ = ["CHECKS", "SITUATIONS", "assess", "derive", "difficulty", "frame", "slot_values", "slots"]

SITUATIONS: Mapping[str, Situation] = {
    "task": Situation(
        name="task",
        purpose="do the task as it is set",
        tone="plain and exact",
        avoid="remarks about the task or the text itself",
        blocks=(),
        slots=(),
    )
}

CHECKS: tuple[Check, ...] = (
    text.CHECK,
    # Signatures and sums hold few common words; short runs of them are no foreign language.
    replace(language.CHECK, params=language.LanguageParams(min_words=12, min_english_share=0.15)),
    docstrings.BEHAVIOUR,
)
"""What every text about a task has to pass, before the hard checks of its rubric."""

_ALWAYS = date.max  # a task does not age


def derive(facts: TasksFacts, *, given: Mapping[str, Any] | None = None, version: int = 1) -> Sheet:
    """Freeze a task. The hash is of `given`, the facts as they came in, when passed."""
    told = [Fact("prompt", FactType.TEXT, "prompt", facts.prompt)]
    if facts.function:
        told.append(Fact("function", FactType.TEXT, "function", facts.function))
    own = {"prompt": facts.prompt, "rubric": facts.graded_by.as_json(), "function": facts.function}
    return Sheet(
        domain="tasks",
        locale="en_US",
        currency="USD",
        as_of=_ALWAYS,
        hash=facts_hash(given if given is not None else own),
        facts=tuple(told),
        situation="task",
        version=version,
    )


def assess(facts: TasksFacts, sheet: Sheet) -> Assessment:  # noqa: ARG001 - one shape for all domains
    """Find nothing in the way: facts that can be read can be written about."""
    return Assessment()


def difficulty(sheet: Sheet) -> Difficulty:  # noqa: ARG001 - see above
    """Return 1.0: a task says itself when it is harder."""
    return Difficulty(1.0, "a task of its own, with one rubric")


def slots(sheet: Sheet) -> Mapping[str, Slot]:  # noqa: ARG001 - see above
    """Return no slots: a task's text is free."""
    return {}


def slot_values(sheet: Sheet) -> Mapping[str, str]:  # noqa: ARG001 - see above
    """Return nothing to fill in."""
    return {}


def frame(case: Case, prose: Mapping[str, str]) -> Body:  # noqa: ARG001 - see above
    """Make one free block of what was written."""
    return Body.free("\n\n".join(prose.values()))
