"""The shape of a task's facts, as they come in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from agent.facts import FactsInvalid, Problem
from agent.functions import UnknownFunction, read_function
from agent.rubric import Rubric, RubricInvalid

__all__ = ["RUBRICS", "TaskForm", "TasksFacts", "read_facts"]

RUBRICS = Path(__file__).parents[3] / "fixtures" / "rubrics"
"""Where the rubrics that come with the product are; an installed package has none."""

_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
}


@dataclass(frozen=True, slots=True)
class TasksFacts:
    """Hold a task: what is asked for, the rubric that grades it, and the shipped function that it is about, if any."""

    prompt: str
    graded_by: Rubric
    function: str | None = None


class TaskForm(BaseModel):
    """Hold a task as it comes in: a rubric by name or whole, a function by id."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]
    rubric: str | Mapping[str, Any]
    function: str | None = None


def read_facts(given: Any) -> TasksFacts:
    """Read facts as they came in; raise FactsInvalid that names every wrong field by its path."""
    if not isinstance(given, Mapping):
        raise FactsInvalid((Problem("facts", "are no JSON object.", "Give an object with prompt and rubric."),))
    try:
        form = TaskForm.model_validate(given)
    except ValidationError as error:
        raise FactsInvalid(tuple(_problems(error))) from None
    if form.function is not None:
        try:
            read_function(form.function)
        except UnknownFunction as error:
            raise FactsInvalid((Problem("function", str(error)),)) from None
    return TasksFacts(form.prompt, _rubric(form.rubric), form.function)


def _rubric(given: str | Mapping[str, Any]) -> Rubric:
    try:
        rubric = Rubric.from_json(_shipped(given) if isinstance(given, str) else given)
    except RubricInvalid as error:
        wrong = (Problem(_within(problem.path), problem.message, problem.fix) for problem in error.problems)
        raise FactsInvalid(tuple(wrong)) from None
    if rubric.domain != "tasks":
        message = f"{rubric.domain!r} is not the domain of tasks."
        raise FactsInvalid((Problem("rubric.domain", message, "Give a rubric whose domain is tasks."),))
    return rubric


def _shipped(name: str) -> Any:
    files = {file.stem: file for file in RUBRICS.glob("*.json")}
    if name not in files:
        known = ", ".join(sorted(files)) or "none, in this installation"
        message = f"{name!r} is no rubric that comes with the product. There are: {known}."
        raise FactsInvalid((Problem("rubric", message, "Give one of these, or the rubric itself."),))
    return json.loads(files[name].read_text(encoding="utf-8"))


def _within(path: str) -> str:
    return path if path == "rubric" else f"rubric.{path}"


def _problems(error: ValidationError) -> list[Problem]:
    found: dict[str, Problem] = {}
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        path = str(item["loc"][0]) if item["loc"] else "facts"
        unknown = item["type"] == "extra_forbidden"
        message = "is no key of a task." if unknown else item["msg"].rstrip(".") + "."
        if path == "rubric" and item["type"] != "missing":
            message = "is no name of a rubric and no rubric."
        found.setdefault(path, Problem(path, message, _FIXES.get(item["type"], "")))
    return list(found.values())
