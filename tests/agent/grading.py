"""Rubrics, tasks and judges that the tests of grading share."""

import json
from typing import Any

from agent.advice import Subject
from agent.body import Body
from agent.domains import Case, open_case
from agent.fixtures import FIXTURES
from agent.validators.runner import Verdict
from agent.validators.verify import verify_body
from agent.verify import verify
from tests.agent.drafting import NOW

SPLIT = {
    "prompt": "Write the docstring of split_payment(total_cents, num_people).",
    "rubric": "docstring",
    "function": "split_payment",
}
DISCOUNT = {
    "prompt": "A price is cut by 20 % and the new price by 10 %. By how much is the first price cut in all?",
    "rubric": "discount",
}
FIVES = dict.fromkeys(("summary", "args_returns", "edge_cases", "raises", "precision"), 5)


def task(facts: dict[str, Any] = SPLIT) -> Case:
    return open_case("tasks", facts)


def verdict(text: str, facts: dict[str, Any]) -> Verdict:
    return verify(text, domain="tasks", facts=facts, now=NOW)


def failed(text: str, facts: dict[str, Any]) -> set[str]:
    """The hard checks that a text fails, and the codes of what else fails it."""
    return {
        str(one.metadata["check"]) if one.error_type == "HARD_CHECK_FAILED" else str(one.error_type)
        for one in verdict(text, facts).failures
    }


def subject(text: str, case: Case | None = None) -> Subject:
    """A text that its validators have judged, as an adviser sees it."""
    case = case or task()
    body = Body.free(text)
    checked = verify_body(body, sheet=case.sheet, now=NOW, checks=case.checks())
    return Subject(case, body, checked.text, checked.outcomes, 60.0, NOW)


def reply_of(scores: dict[str, int], quote: str) -> str:
    """What a judge answers that gives these scores, each with the same quote."""
    return json.dumps({name: {"quote": quote, "score": score} for name, score in scores.items()})


def judge_outputs(name: str) -> list[Any]:
    """The scripted judge of an example."""
    outputs: list[Any] = json.loads((FIXTURES / "tasks" / name / "judge.json").read_text(encoding="utf-8"))
    return outputs
