"""Write a free text for a task and grade it against a rubric."""

from agent.domains.domain import Domain
from agent.domains.tasks.corruptions import CORRUPTIONS
from agent.domains.tasks.plain import true_text
from agent.domains.tasks.prompt import PROMPT_VERSION, circumstances, particulars, system
from agent.domains.tasks.schema import read_facts
from agent.domains.tasks.sheet import CHECKS, SITUATIONS, assess, derive, difficulty, frame, slot_values, slots

__all__ = ["TASKS"]


TASKS = Domain(
    name="tasks",
    read_facts=read_facts,
    derive=derive,
    assess=assess,
    difficulty=difficulty,
    situations=SITUATIONS,
    slots=slots,
    slot_values=slot_values,
    frame=frame,
    system=system,
    circumstances=circumstances,
    particulars=particulars,
    prompt_version=PROMPT_VERSION,
    true_text=true_text,
    checks=CHECKS,
    rubric=lambda facts: facts.graded_by,
    whole="the whole text",
    base_retries=3,
    corruptions=CORRUPTIONS,
)
"""The domain of free tasks: 3 retries."""
