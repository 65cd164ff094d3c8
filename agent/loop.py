"""Write, verify, decide and revise until a draft passes or its budget ends."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from agent.advice import Adviser, Subject, Usage
from agent.attempt import Attempt, CallError
from agent.body import Body
from agent.budget import Limits, estimated_tokens, expected_advice_tokens, seconds_used, tokens_used
from agent.decision import EndState, Stop, StopReason, Write, best_of, decide
from agent.domains import body_of
from agent.domains.domain import Case, Conflict, Gap
from agent.frame import ReplyInvalid, read_reply, reply_schema
from agent.llm.chat import ChatModel, ModelError, Reply, Sampling
from agent.outcome import Outcome, Status
from agent.progress import progress
from agent.record import RecordInvalid
from agent.reflection import Request, first_request, revision_request
from agent.validators.check import Check, fingerprint
from agent.validators.runner import softened, stopped
from agent.validators.verify import verify_body

__all__ = [
    "Clock",
    "DraftRun",
    "EndState",
    "Gate",
    "Revise",
    "Stop",
    "StopReason",
    "Write",
    "best_of",
    "decide",
    "run_draft",
]

Revise = Callable[[Case, Attempt, Sequence[Attempt]], Request]
"""Makes the next request of a case, its best attempt and all attempts."""

_PAUSES_SECONDS = (5.0, 15.0)
_TEMPERATURES = (0.2, 0.4, 0.6)


@dataclass(frozen=True, slots=True)
class Clock:
    """Hold the time that the loop lives by."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Gate:
    """Hold what judges an output: validators, and advisers that ask a model about what the validators let pass.

    Without `checks` they are the domain's. The hard checks of the case's rubric come after them. `revise` asks for a
    refused draft anew.
    """

    checks: Sequence[Check] | None = None
    advisers: Sequence[Adviser] = ()
    revise: Revise = revision_request


@dataclass(frozen=True, slots=True)
class _Means:
    """Hold what every attempt of a run is made with."""

    clock: Clock
    seed: int
    checks: Sequence[Check]
    advisers: Sequence[Adviser]
    rules: str


@dataclass(frozen=True, slots=True)
class DraftRun:
    """Hold how a draft ended: `best` is the attempt to show, `findings` are verdicts about the facts themselves."""

    case: Case
    stop: Stop
    limits: Limits
    attempts: tuple[Attempt, ...] = ()
    findings: tuple[Outcome, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def state(self) -> EndState:
        """Return where the draft goes."""
        return self.stop.state

    @property
    def best(self) -> Attempt | None:
        """Return the attempt to show, if any could be read."""
        return best_of(self.attempts)

    def as_json(self) -> dict[str, Any]:
        """Return the whole run as plain data."""
        best = self.best
        return {
            "domain": self.case.domain.name,
            "situation": self.case.sheet.situation,
            "framed": self.case.framed,
            "difficulty": asdict(self.case.difficulty),
            "facts_hash": self.case.sheet.hash,
            "state": str(self.state),
            "stop_reason": str(self.stop.reason),
            "detail": self.stop.detail,
            "text": best.text if best else "",
            "best": best.number if best else None,
            "limits": asdict(self.limits),
            "calls": sum(attempt.calls for attempt in self.attempts),
            "tokens": tokens_used(self.attempts),
            "seconds": round(seconds_used(self.attempts), 3),
            "findings": [outcome.model_dump(mode="json") for outcome in self.findings],
            "gaps": [asdict(gap) for gap in self.gaps],
            "attempts": [
                {**attempt.as_json(), "progress": asdict(step)}
                for attempt, step in zip(self.attempts, progress(self.attempts), strict=True)
            ],
        }


def run_draft(
    case: Case,
    model: ChatModel,
    *,
    limits: Limits,
    history: Sequence[Attempt] = (),
    on_attempt: Callable[[Attempt], None] | None = None,
    clock: Clock | None = None,
    seed: int = 0,
    gate: Gate | None = None,
) -> DraftRun:
    """Write a draft for a case and return how it ended.

    `history` are the saved attempts of a run that was interrupted. `on_attempt` gets every finished attempt, failed
    calls included, before the next one starts; what it raises ends the run. Each run may meet `limits.errors` failed
    calls of its own. `gate` is what every output has to pass: the domain's validators unless others are given.
    """
    clock = clock or Clock()
    assessment = case.domain.assess(case.facts, case.sheet)
    if assessment.conflicts:
        findings = tuple(_irreconcilable(conflict, clock.now()) for conflict in assessment.conflicts)
        return DraftRun(
            case, Stop(StopReason.IRRECONCILABLE, assessment.conflicts[0].evidence), limits, findings=findings
        )
    if assessment.gaps:
        stop = Stop(StopReason.ABSTAINED, f"cannot tell {assessment.gaps[0].missing}")
        return DraftRun(case, stop, limits, gaps=assessment.gaps)
    attempts = list(history)
    limits = replace(limits, errors=limits.errors + sum(attempt.error is not None for attempt in history))
    gate = gate or Gate()
    checks = case.checks(gate.checks)
    means = _Means(clock, seed, checks, gate.advisers, fingerprint(checks))
    while isinstance(decision := _decide_within(case, attempts, limits, gate.revise), Request):
        _pause(attempts, clock)
        attempts.append(_attempt(case, model, decision, attempts, limits, means))
        if on_attempt:
            on_attempt(attempts[-1])
    return DraftRun(case, decision, limits, tuple(attempts))


def _decide_within(case: Case, attempts: Sequence[Attempt], limits: Limits, revise: Revise) -> Request | Stop:
    decision = decide(attempts, limits)
    if isinstance(decision, Stop):
        return decision
    best = best_of(attempts) or next((attempt for attempt in attempts if attempt.error is None), None)
    request = revise(case, best, attempts) if best else first_request(case)
    needed = tokens_used(attempts) + estimated_tokens(request.prompt, _sampling(case, attempts, 0))
    needed += expected_advice_tokens(attempts)
    if needed > limits.tokens:
        return Stop(StopReason.TOKENS, f"another attempt would come to {needed} tokens of {limits.tokens}")
    return request


def _pause(attempts: Sequence[Attempt], clock: Clock) -> None:
    failed = 0
    for attempt in reversed(attempts):
        if attempt.error is None:
            break
        failed += 1
    if failed:
        clock.sleep(_PAUSES_SECONDS[min(failed, len(_PAUSES_SECONDS)) - 1])


def _sampling(case: Case, attempts: Sequence[Attempt], seed: int) -> Sampling:
    outputs = sum(attempt.error is None for attempt in attempts)
    return Sampling(
        temperature=_TEMPERATURES[min(outputs, len(_TEMPERATURES) - 1)],
        seed=seed + len(attempts),
        max_tokens=400 if case.framed else 900,
    )


def _attempt(
    case: Case, model: ChatModel, request: Request, attempts: Sequence[Attempt], limits: Limits, means: _Means
) -> Attempt:
    clock = means.clock
    began = clock.monotonic()
    attempt = Attempt(
        number=len(attempts) + 1,
        prompt=request.prompt,
        prompt_version=case.domain.prompt_version,
        rules=means.rules,
        sampling=_sampling(case, attempts, means.seed),
        model=model.name,
        started_at=clock.now(),
        exemplars=request.exemplars,
    )
    left = limits.seconds - seconds_used(attempts)
    try:
        reply = model.chat(
            request.prompt,
            sampling=attempt.sampling,
            schema=_schema(case, request),
            deadline_seconds=min(limits.call_seconds, left),
        )
    except ModelError as error:
        return replace(attempt, error=CallError.of(error), seconds=clock.monotonic() - began)
    written = _written(case, request, attempt, reply, limits, means)
    written = _advised(case, written, limits, means, left=left - (clock.monotonic() - began))
    return replace(written, seconds=clock.monotonic() - began)


def _schema(case: Case, request: Request) -> dict[str, Any] | None:
    if case.domain.record:
        return case.domain.record.schema(case)
    slots = case.slots()
    return reply_schema(request.tasks, [slots[name] for name in case.offered()]) if case.framed else None


def _written(case: Case, request: Request, attempt: Attempt, reply: Reply, limits: Limits, means: _Means) -> Attempt:
    attempt = replace(
        attempt, reply=reply.text, model=reply.model, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out
    )
    try:
        body = _body(case, request, reply.text)
    except ReplyInvalid as error:
        return replace(attempt, outcomes=(_unreadable(error, means.clock.now()),))
    verdict = verify_body(
        body,
        sheet=case.sheet,
        slots=case.slots(),
        values=case.slot_values(),
        now=means.clock.now(),
        checks=means.checks,
    )
    outcomes = tuple(softened(outcome, limits.confidence_threshold) for outcome in verdict.outcomes)
    return replace(attempt, body=body, text=verdict.text, outcomes=outcomes)


def _advised(case: Case, attempt: Attempt, limits: Limits, means: _Means, *, left: float) -> Attempt:
    """Ask the advisers about a text that could be read; what they say joins its outcomes."""
    if attempt.body is None:
        return attempt
    began = means.clock.monotonic()
    outcomes, usage, grade = attempt.outcomes, Usage(), attempt.grade
    for adviser in means.advisers:
        spent = means.clock.monotonic() - began
        if not _is_asked(adviser, outcomes) or spent >= left:
            continue
        deadline = min(limits.call_seconds, left - spent)
        subject = Subject(
            case, attempt.body, attempt.text, outcomes, deadline, means.clock.now(), attempt.sampling.seed
        )
        advice = adviser(subject)
        outcomes += tuple(softened(outcome, limits.confidence_threshold) for outcome in advice.outcomes)
        usage, grade = usage + advice.usage, advice.grade or grade
    return replace(attempt, outcomes=outcomes, advice=usage, grade=grade)


def _is_asked(adviser: Adviser, outcomes: Sequence[Outcome]) -> bool:
    failures = [outcome for outcome in outcomes if outcome.status is Status.FAIL]
    return not failures or (adviser.always and all(outcome.error_type == "HARD_CHECK_FAILED" for outcome in failures))


def _body(case: Case, request: Request, reply: str) -> Body:
    if not case.framed:
        try:
            return body_of(case, reply.strip())
        except RecordInvalid as error:
            raise ReplyInvalid(str(error)) from None
    prose = {**request.kept, **read_reply(reply, request.tasks, case.slots())}
    return case.domain.frame(case, prose)


def _unreadable(error: ReplyInvalid, now: datetime) -> Outcome:
    return stopped("REPLY_INVALID", "frame@1", str(error), now, more={"facts": []})


def _irreconcilable(conflict: Conflict, now: datetime) -> Outcome:
    more = {"facts": list(conflict.facts)}
    return stopped("FACTS_IRRECONCILABLE", "facts@1", conflict.evidence, now, fix=conflict.fix, more=more)
