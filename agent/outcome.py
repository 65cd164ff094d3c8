"""The verdict of one validator about one draft."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, model_validator

__all__ = ["Outcome", "Status"]

_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Status(StrEnum):
    """Say what an outcome means: FAIL sends a draft back, WARN informs and never blocks, PASS found nothing."""

    PASS = "PASS"  # noqa: S105 - a verdict, no password
    FAIL = "FAIL"
    WARN = "WARN"


class Outcome(BaseModel):
    """Hold a validator's verdict: exactly eleven fields, frozen, refused when they contradict each other.

    `severity` and `validator_confidence` are shares from 0 to 1. `metadata` carries `span` (`[start, end)` offsets into
    the checked text), `block` and `facts` (fact ids), so that a page can underline what is meant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Status
    error_type: _Words | None = None
    evidence: _Words | None = None
    evidence_uri: _Words | None = None
    critique: _Words | None = None
    severity: _Share = 0.0
    suggested_fix: _Words | None = None
    validator_source: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_.-]*@[0-9][0-9A-Za-z.]*$")]
    validator_confidence: _Share = 1.0
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    timestamp: AwareDatetime

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.status is Status.PASS:
            if self.severity or self.suggested_fix or self.error_type:
                raise ValueError("a PASS has severity 0, no suggested_fix and no error_type")
        elif not (self.error_type and self.evidence and self.critique):
            raise ValueError(f"a {self.status} needs error_type, evidence and critique")
        return self

    @classmethod
    def passed(cls, source: str, *, now: datetime, confidence: float = 1.0) -> Self:
        """Build the outcome of a validator that found nothing."""
        if now.utcoffset() is None:
            raise ValueError("an outcome's timestamp needs its time zone")
        return cls(status=Status.PASS, validator_source=source, validator_confidence=confidence, timestamp=now)
