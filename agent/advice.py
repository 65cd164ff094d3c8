"""Define what may be asked of a model about a finished text, once code has judged it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from agent.body import Body
from agent.domains.domain import Case
from agent.outcome import Outcome
from agent.rubric import Grade

__all__ = ["Advice", "Adviser", "Subject", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Hold what calls of a model cost; tokens count prompts and replies apart."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """Return the tokens of prompts and replies together."""
        return self.tokens_in + self.tokens_out

    def as_json(self) -> dict[str, Any]:
        """Return the costs as plain data for storage."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read stored costs."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Subject:
    """Hold a text that is to be advised on: the case, its body and rendered text, and what code found in it.

    `outcomes` are those of the validators and of the advisers before this one. The calls of an adviser together have
    `deadline_seconds`.
    """

    case: Case
    body: Body
    text: str
    outcomes: tuple[Outcome, ...]
    deadline_seconds: float
    now: datetime
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """Hold what an adviser says: outcomes, what it cost, and a grade if it gave one."""

    outcomes: tuple[Outcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    grade: Grade | None = None


class Adviser(Protocol):
    """Judge a readable text with the help of a model.

    It is asked about a text that no validator failed; with `always` also about one that fails nothing but hard checks
    of its rubric, so that scores and hard checks are kept side by side for every attempt. It never raises for what a
    text or a model says: a call that fails is an outcome.
    """

    @property
    def always(self) -> bool:
        """Tell whether texts that failed hard checks are asked about too."""

    def __call__(self, subject: Subject) -> Advice:
        """Return what is to be said of the text."""
