"""Cases, models and clocks that the tests of drafting share."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.attempt import Attempt, CallError
from agent.body import Body
from agent.domains import Case, open_case
from agent.fixtures import FIXTURES
from agent.llm.chat import Message, ModelError, Reply, Sampling
from agent.loop import Clock
from agent.outcome import Outcome, Status

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
GOOD = {
    "opening": "This is a friendly reminder of the open items on your account.",
    "request": "Please settle the total of [TOTAL_DUE] as soon as you can.",
    "closing": "If you have a question about any of the items, please reply to this message.",
}


def given(name: str = "client_101", **changes: Any) -> dict[str, Any]:
    """Return the facts of an example, with some keys changed."""
    facts = json.loads((FIXTURES / "billing" / name / "facts.json").read_text(encoding="utf-8"))
    return {**facts, **changes}


def case(name: str = "client_101", **options: Any) -> Case:
    return open_case("billing", given(name), **options)


def reply(**changes: str) -> str:
    """Return the JSON of a draft that passes, with some blocks changed."""
    return json.dumps({**GOOD, **changes})


class Steady:
    """A clock that moves only when it is told to sleep."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def clock(self) -> Clock:
        return Clock(lambda: NOW + timedelta(seconds=self.seconds), lambda: self.seconds, self.sleep)


class Model:
    """A model that gives replies and raises errors in order, takes time, and keeps what it was asked."""

    name = "test-model"

    def __init__(self, *answers: str | ModelError, clock: Steady | None = None, seconds: float = 2.0) -> None:
        self.answers = list(answers)
        self.clock = clock or Steady()
        self.seconds = seconds
        self.asked: list[tuple[Message, ...]] = []
        self.schemas: list[Any] = []
        self.deadlines: list[float] = []
        self.samplings: list[Sampling] = []

    def chat(self, messages: Sequence[Message], *, sampling: Sampling, schema: Any, deadline_seconds: float) -> Reply:
        self.asked.append(tuple(messages))
        self.schemas.append(schema)
        self.deadlines.append(deadline_seconds)
        self.samplings.append(sampling)
        self.clock.seconds += self.seconds
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ModelError):
            raise answer
        return Reply(answer, 500, 80, self.seconds, self.name, "stop")


def outcome(
    error: str = "", *, severity: float = 0.9, blocking: bool = True, confidence: float = 1.0, **more: Any
) -> Outcome:
    return Outcome(
        status=Status.FAIL,
        error_type=error or ("LITERAL_FIGURE" if blocking else "PUNCTUATION"),
        evidence="the words seen",
        critique="What is wrong with them.",
        severity=severity,
        validator_source="invented@1",
        validator_confidence=confidence,
        metadata={"blocking": blocking, **more},
        timestamp=NOW,
    )


def attempt(number: int, *outcomes: Outcome, **more: Any) -> Attempt:
    """Return a saved attempt; without outcomes it passed, with error=... the call failed."""
    settings: dict[str, Any] = {"reply": f"reply {number}", "body": Body.free(f"text {number}"), "seconds": 10.0}
    settings |= {"outcomes": outcomes or (Outcome.passed("invented@1", now=NOW),), "tokens_in": 500, "tokens_out": 100}
    if "error" in more:
        settings |= {"reply": "", "body": None, "outcomes": (), "tokens_in": 0, "tokens_out": 0}
    settings |= more
    return Attempt(number, (Message("user", "write"),), "billing-1", Sampling(), "test-model", NOW, **settings)


def failed_call(*, retryable: bool = True) -> CallError:
    return CallError("timeout", "the model did not finish its answer", retryable)
