"""Hold one output of the model with everything that led to it and what the verifier said."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Self

from agent.advice import Usage
from agent.body import Body
from agent.llm.chat import Message, ModelError, Sampling
from agent.outcome import Outcome, Status
from agent.rubric import Grade

__all__ = ["Attempt", "CallError"]


@dataclass(frozen=True, slots=True)
class CallError:
    """Hold why a call gave no answer; `retryable` when the same call may succeed later."""

    reason: str
    message: str
    retryable: bool

    @classmethod
    def of(cls, error: ModelError) -> Self:
        """Keep what a ModelError says."""
        return cls(str(error.reason), str(error), error.retryable)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Hold one call of the model: exact prompt, raw reply, body, rendered text, outcomes, or the error instead.

    `number` counts from 1 within the draft, failed calls included. `seconds` is the time of the whole attempt, call and
    verification. `body` is None when the call failed or the reply could not be read. `rules` is the fingerprint of the
    validators that judged it. `tokens_in` and `tokens_out` are of the call that wrote it, `advice` is what the calls
    about the finished text cost. `grade` holds the scores and hard checks of a rubric, where one was given.
    """

    number: int
    prompt: tuple[Message, ...]
    prompt_version: str
    sampling: Sampling
    model: str
    started_at: datetime
    seconds: float = 0.0
    reply: str = ""
    body: Body | None = None
    text: str = ""
    outcomes: tuple[Outcome, ...] = ()
    error: CallError | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    exemplars: tuple[str, ...] = ()
    rules: str = ""
    advice: Usage = field(default_factory=Usage)
    grade: Grade | None = None

    @property
    def calls(self) -> int:
        """Return how many calls of a model the attempt took."""
        return 1 + self.advice.calls

    @property
    def tokens(self) -> int:
        """Return the tokens of all calls, prompts and replies together."""
        return self.tokens_in + self.tokens_out + self.advice.tokens

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Return the outcomes that fail the draft."""
        return tuple(outcome for outcome in self.outcomes if outcome.status is Status.FAIL)

    @property
    def passed(self) -> bool:
        """Tell whether the verifier found nothing that fails the draft."""
        return self.error is None and bool(self.outcomes) and not self.failures

    def as_json(self) -> dict[str, Any]:
        """Return the attempt as plain data for storage."""
        return {
            "number": self.number,
            "prompt": [asdict(message) for message in self.prompt],
            "prompt_version": self.prompt_version,
            "sampling": asdict(self.sampling),
            "model": self.model,
            "started_at": self.started_at.isoformat(),
            "seconds": self.seconds,
            "reply": self.reply,
            "body": self.body.as_json() if self.body else None,
            "text": self.text,
            "outcomes": [outcome.model_dump(mode="json") for outcome in self.outcomes],
            "error": asdict(self.error) if self.error else None,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "exemplars": list(self.exemplars),
            "rules": self.rules,
            "calls": self.calls,
            "advice": self.advice.as_json(),
            "grade": self.grade.as_json() if self.grade else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a stored attempt."""
        return cls(
            number=data["number"],
            prompt=tuple(Message(**message) for message in data["prompt"]),
            prompt_version=data["prompt_version"],
            sampling=Sampling(**data["sampling"]),
            model=data["model"],
            started_at=datetime.fromisoformat(data["started_at"]),
            seconds=data["seconds"],
            reply=data["reply"],
            body=Body.from_json(data["body"]) if data["body"] else None,
            text=data["text"],
            outcomes=tuple(Outcome.model_validate(outcome) for outcome in data["outcomes"]),
            error=CallError(**data["error"]) if data["error"] else None,
            tokens_in=data["tokens_in"],
            tokens_out=data["tokens_out"],
            exemplars=tuple(data["exemplars"]),
            rules=data.get("rules", ""),
            advice=Usage.from_json(data.get("advice") or {}),
            grade=Grade.from_json(data["grade"]) if data.get("grade") else None,
        )
