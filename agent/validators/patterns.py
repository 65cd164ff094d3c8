"""Hold prose to the patterns of a queue: what a pattern finds is reported in the words of who wrote it.

Covers prose blocks only; what code renders is not searched. The search itself comes in prepared, so that whoever
accepts patterns from people also chooses an engine whose time is bounded.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, StringConstraints

from agent.outcome import Status
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading

__all__ = ["PatternParams", "Search", "pattern_check"]

Search = Callable[[str], Iterable[tuple[int, int]]]
"""Return the `[start, end)` places of what is found in a text, in order."""

_AROUND = 20
_MOST_EVIDENCE = 300
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class PatternParams(Params):
    """Set what is searched for, as whoever wrote it sees it, and what is said of it."""

    pattern: _Words
    critique: _Words
    fix: _Words | None = None
    severity: float = Field(default=0.6, ge=0, le=1)
    fails: bool = True


@dataclass(frozen=True, slots=True)
class _Pattern:
    search: Search

    def __call__(self, reading: Reading, params: PatternParams) -> Iterator[Found]:
        status = Status.FAIL if params.fails else Status.WARN
        for block in reading.prose:
            prose = reading.text[block.start : block.end]
            for first, last in self.search(prose):
                start, end = block.start + first, block.start + last
                around = reading.text[max(block.start, start - _AROUND) : min(end + _AROUND, block.end)]
                yield Found(
                    "PATTERN_FOUND",
                    around[:_MOST_EVIDENCE].strip() or params.pattern,
                    (start, end) if end > start else None,
                    fix=params.fix,
                    critique=params.critique,
                    severity=params.severity,
                    status=status,
                )


def pattern_check(name: str, search: Search, params: PatternParams, *, version: str = "1") -> Check:
    """Return the validator `pattern.NAME` of one pattern."""
    return Check(name=f"pattern.{name}", version=version, run=_Pattern(search), params=params)
