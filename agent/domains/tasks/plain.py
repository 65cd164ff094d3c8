"""Write a true text for a task without a model, out of its hard checks and of what its function does."""

from collections.abc import Iterator

from agent.domains.domain import Case
from agent.domains.tasks.schema import TasksFacts
from agent.functions import Function, call, read_function
from agent.rubric import HardCheck, Rubric

__all__ = ["true_text"]

_UNITS = {"percent": " %", "number": ""}


def true_text(case: Case) -> str:
    """Return a text that passes the hard checks of the case's rubric and says nothing else."""
    facts: TasksFacts = case.facts
    if facts.function:
        return "\n\n".join(_docstring(read_function(facts.function)))
    rubric: Rubric = facts.graded_by
    return " ".join(sentence for hard in rubric.hard_checks for sentence in _answer(hard)) or "The task is done."


def _docstring(function: Function) -> Iterator[str]:
    yield f"Work out {function.results[0]} from {', '.join(function.params)}."
    yield "Args:\n" + "\n".join(f"    {name}: The {name.replace('_', ' ')}." for name in function.params)
    yield f"Returns:\n    The {function.results[0]} as they are worked out."
    raised = list(_raises(function))
    if raised:
        yield "Raises:\n" + "\n".join(f"    {line}" for line in raised)


def _raises(function: Function) -> Iterator[str]:
    """Tell for each parameter what its being 0, or negative, raises."""
    for place, name in enumerate(function.params):
        for word, value in (("0", 0), ("negative", -1)):
            made = tuple(value if at == place else 1 for at in range(len(function.params)))
            (result,) = call(function.id, (made,))
            if result.raised:
                yield f"{result.raised}: If {name} is {word}."


def _answer(hard: HardCheck) -> Iterator[str]:
    params = hard.check.params.model_dump()
    unit = _UNITS.get(params.get("unit", ""), "")
    match hard.check.name:
        case "answer_value":
            yield f"The answer is {params['value']}{unit}."
        case "shows_value":
            yield f"Put together, the steps make {params['value']}."
        case "refuses_value":
            yield f"It is tempting to say {params['value']}{unit}. That is wrong."
