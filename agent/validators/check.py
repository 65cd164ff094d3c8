"""Define what a validator is: a function from a reading of a draft to what it found, with its declared weight."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.confidence import TrackRecord, effective_confidence
from agent.outcome import Status
from agent.validators.reading import Reading

__all__ = ["Check", "Found", "Kind", "NoParams", "Params", "fingerprint"]


class Kind(StrEnum):
    """Tell how a validator judges: by a rule of code, by a guess of code, or by a model.

    Only a rule is beyond doubt: where it is wrong it is to be mended, and its confidence stays what it declares.
    """

    DETERMINISTIC = "deterministic"
    HEURISTIC = "heuristic"
    MODEL = "model"


class Params(BaseModel):
    """Base of every validator's parameters: frozen, unknown keys refused, described by a JSON schema."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoParams(Params):
    """Say that a validator has nothing to set."""


@dataclass(frozen=True, slots=True)
class Found:
    """Hold one thing that a validator saw; the runner makes an outcome of it.

    `error` is a code of the register, which gives critique and severity unless they are set here. `span` is
    `[start, end)` in `reading.text`.
    """

    error: str
    evidence: str
    span: tuple[int, int] | None = None
    facts: tuple[str, ...] = ()
    fix: str | None = None
    critique: str | None = None
    severity: float | None = None
    status: Status = Status.FAIL
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """Hold one validator with its parameters.

    `blocking`: what it finds is never accepted as low severity. `core`: it has parameters and no off switch.
    `severity`, where set, stands for every one that it would report. `confidence` is what it declares of itself;
    `record` how often people agreed with it.
    """

    name: str
    version: str
    run: Callable[[Reading, Any], Iterable[Found]]
    params: Params = field(default_factory=NoParams)
    blocking: bool = False
    core: bool = False
    kind: Kind = Kind.DETERMINISTIC
    confidence: float = 1.0
    timeout_seconds: float = 10.0
    severity: float | None = None
    record: TrackRecord | None = None

    @property
    def source(self) -> str:
        """Return `name@version`, as outcomes name it."""
        return f"{self.name}@{self.version}"

    @property
    def effective_confidence(self) -> float:
        """Return what the validator's findings count for: its declared confidence, less where its record is bad."""
        if self.kind is Kind.DETERMINISTIC:
            return self.confidence
        return effective_confidence(self.confidence, self.record)


def fingerprint(checks: Sequence[Check]) -> str:
    """Return 16 hexadecimal digits that change with the order, version, weight or parameters of any check."""
    rules = [
        [check.source, check.params.model_dump(mode="json"), check.severity, check.effective_confidence, check.blocking]
        for check in checks
    ]
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]
