"""Run validators over a reading and make outcomes of what they find; fail closed when one breaks."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, ClassVar, Literal

from agent.outcome import Outcome, Status
from agent.validators.check import Check, Found
from agent.validators.reading import Reading
from agent.validators.register import REGISTER, error_type

__all__ = ["Verdict", "is_blocking", "printable", "run_checks", "softened", "stopped"]

_MAX_FOUND = 100
_RUNNER = "runner@1"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold what all validators said of one text; WARN alone is a PASS."""

    text: str
    outcomes: tuple[Outcome, ...]

    @property
    def verdict(self) -> Literal["PASS", "FAIL"]:
        """Return FAIL when any outcome is, else PASS."""
        return "FAIL" if self.failures else "PASS"

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Return the outcomes that fail the draft."""
        return tuple(outcome for outcome in self.outcomes if outcome.status is Status.FAIL)

    @property
    def warnings(self) -> tuple[Outcome, ...]:
        """Return the outcomes that only inform."""
        return tuple(outcome for outcome in self.outcomes if outcome.status is Status.WARN)

    @property
    def blocking(self) -> tuple[Outcome, ...]:
        """Return the failures that are never accepted as low severity."""
        return tuple(outcome for outcome in self.outcomes if is_blocking(outcome))


def is_blocking(outcome: Outcome) -> bool:
    """Tell whether an outcome is a failure of a blocking validator."""
    if outcome.status is not Status.FAIL:
        return False
    entry = REGISTER.get(outcome.error_type or "")
    return outcome.metadata.get("blocking") is True or (entry is not None and entry.blocking)


def softened(outcome: Outcome, threshold: float) -> Outcome:
    """Turn a failure that its validator is less than `threshold` sure of into a warning; never one that blocks."""
    if outcome.status is Status.FAIL and outcome.validator_confidence < threshold and not is_blocking(outcome):
        return outcome.model_copy(
            update={"status": Status.WARN, "metadata": {**outcome.metadata, "below_threshold": True}}
        )
    return outcome


def run_checks(reading: Reading, checks: Sequence[Check], *, now: datetime) -> tuple[Outcome, ...]:
    """Run every check in order; one that raises or takes too long, and an empty set, is FAIL VALIDATOR_ERROR.

    A text that is too long is not read any further.
    """
    if not checks:
        return (_broken(_RUNNER, "No validator is set for this draft.", now),)
    outcomes: list[Outcome] = []
    following = list(checks)
    while following:
        answers = _Worker(reading, following, now).answers()
        outcomes += chain.from_iterable(answers)
        if any(_is_too_long(answer) for answer in answers):
            break
        following = following[len(answers) :]
        if following:
            late = following.pop(0)
            outcomes.append(_broken(late.source, f"{late.name} gave no answer in {late.timeout_seconds:g} s.", now))
    return tuple(outcomes)


def _is_too_long(answer: Sequence[Outcome]) -> bool:
    return any(outcome.error_type == "TOO_LONG" for outcome in answer)


class _Worker:
    """Run checks one after the other in a thread, so that one that hangs is left behind and the rest still run."""

    def __init__(self, reading: Reading, checks: Sequence[Check], now: datetime) -> None:
        self._reading, self._checks, self._now = reading, checks, now
        self._answers: list[list[Outcome]] = []
        self._is_over = Event()
        self._running = (0, monotonic())
        _Hand.idle().give(self._work, self._is_over)

    def answers(self) -> list[list[Outcome]]:
        """Return what each check came to, up to one that gave no answer in its time or a text that is too long."""
        while not self._is_over.is_set():
            index, began = self._running
            left_seconds = self._checks[index].timeout_seconds - (monotonic() - began)
            if left_seconds <= 0:
                self._is_over.set()
                return self._answers[:index]
            self._is_over.wait(left_seconds)
        return self._answers

    def _work(self) -> None:
        for index, check in enumerate(self._checks):
            self._running = (index, monotonic())
            answer = _run(check, self._reading, self._now)
            if self._is_over.is_set():
                return  # left behind
            self._answers.append(answer)
            if _is_too_long(answer):
                break


class _Hand:
    """Hold a thread that does one piece of work after the other: to start one costs as much as several checks."""

    _idle: ClassVar[list["_Hand"]] = []

    def __init__(self) -> None:
        self._given: SimpleQueue[tuple[Callable[[], None], Event]] = SimpleQueue()
        Thread(target=self._serve, name="checks", daemon=True).start()

    @classmethod
    def idle(cls) -> "_Hand":
        """Return one that has nothing to do, a new one where all have."""
        try:
            return cls._idle.pop()
        except IndexError:
            return cls()

    @classmethod
    def forget(cls) -> None:
        """Drop those of the process that this one is a copy of: their threads were not copied."""
        cls._idle.clear()

    def give(self, work: Callable[[], None], is_over: Event) -> None:
        """Have work done, and the event set after it."""
        self._given.put((work, is_over))

    def _serve(self) -> None:
        while True:
            self._do(*self._given.get())

    def _do(self, work: Callable[[], None], is_over: Event) -> None:
        work()
        self._idle.append(self)
        is_over.set()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Hand.forget)


def _run(check: Check, reading: Reading, now: datetime) -> list[Outcome]:
    try:
        found = [_outcome(item, check, now) for item in islice(check.run(reading, check.params), _MAX_FOUND)]
    except Exception as error:  # noqa: BLE001 - a validator that breaks must fail the draft, whatever broke it
        return [_broken(check.source, f"{check.name} raised {type(error).__name__}: {error}", now)]
    return found or [Outcome.passed(check.source, now=now, confidence=check.effective_confidence)]


def _outcome(found: Found, check: Check, now: datetime) -> Outcome:
    entry = error_type(found.error)
    severity = check.severity if check.severity is not None else found.severity
    metadata = {"span": list(found.span) if found.span else None, "facts": list(found.facts), **found.more}
    if check.blocking and found.status is Status.FAIL:
        metadata["blocking"] = True
    if check.effective_confidence != check.confidence:
        metadata["declared_confidence"] = check.confidence
    return Outcome(
        status=found.status,
        error_type=found.error,
        evidence=printable(found.evidence),
        evidence_uri=entry.uri,
        critique=found.critique or entry.critique,
        severity=entry.severity if severity is None else severity,
        suggested_fix=found.fix or entry.remedy,
        validator_source=check.source,
        validator_confidence=check.effective_confidence,
        metadata=metadata,
        timestamp=now,
    )


def printable(text: str) -> str:
    """Return a text with unseen characters as U+ codes, so that evidence can be stored and shown."""
    return "".join(char if char.isprintable() or char in " \n" else f"<U+{ord(char):04X}>" for char in text)


def _broken(source: str, evidence: str, now: datetime) -> Outcome:
    return stopped("VALIDATOR_ERROR", source, printable(evidence), now)


def stopped(
    code: str,
    source: str,
    evidence: str,
    now: datetime,
    *,
    fix: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> Outcome:
    """Build the outcome of what keeps a draft from being judged, in the register's words; it blocks."""
    entry = error_type(code)
    return Outcome(
        status=Status.FAIL,
        error_type=entry.code,
        evidence=evidence,
        evidence_uri=entry.uri,
        critique=entry.critique,
        severity=entry.severity,
        suggested_fix=fix or entry.remedy,
        validator_source=source,
        metadata={**(more or {}), "blocking": True},
        timestamp=now,
    )
