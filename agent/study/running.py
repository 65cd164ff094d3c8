"""Run the arms of the study over example cases, one record a run, going on where an earlier run ended."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from agent.attempt import Attempt
from agent.budget import limits_for, seconds_used, tokens_used
from agent.domains.domain import Case
from agent.fixtures import Fixture
from agent.llm.chat import ChatModel
from agent.loop import Clock, DraftRun, EndState, Gate, run_draft
from agent.study.arms import Arm, Feedback, Setting, arms_of, set_up, settings_of
from agent.study.feedback import Critic, revise_with
from agent.study.truth import wrong_in

__all__ = ["Run", "RunsUnreadable", "Studied", "read_runs", "study"]

_Key = tuple[str, str, Arm, int, str, str]


class RunsUnreadable(ValueError):
    """Refuse a file of runs; the text names the line."""


@dataclass(frozen=True, slots=True)
class Run:
    """Hold how one draft of the study ended.

    `errors` are the error types of each output that could be judged, in order; an output without any passed. `wrong` is
    what the check by the facts says of the draft that was let through, nothing when none was. `first` is the attempt
    that the other arms of the setting go on from, kept with the arm of one attempt alone.
    """

    domain: str
    fixture: str
    arm: Arm
    seed: int
    model: str
    prompt_version: str
    state: str
    stop_reason: str
    errors: tuple[tuple[str, ...], ...]
    wrong: tuple[str, ...]
    tokens: int
    seconds: float
    calls: int
    text: str = ""
    first: dict[str, Any] | None = None

    @property
    def key(self) -> _Key:
        """Return what tells the run from others; after a change of the prompt it is another one."""
        return self.domain, self.fixture, self.arm, self.seed, self.model, self.prompt_version

    @property
    def let_through(self) -> bool:
        """Tell whether the draft went on to a reviewer as one that passed."""
        return self.state == EndState.AWAITING_REVIEW

    @property
    def succeeded(self) -> bool:
        """Tell whether the draft went to a reviewer and is right by the facts."""
        return self.let_through and not self.wrong

    @property
    def retries(self) -> int:
        """Return how many outputs came after the first."""
        return max(len(self.errors) - 1, 0)

    def as_json(self) -> dict[str, Any]:
        """Return the run as plain data."""
        return {**asdict(self), "arm": [str(self.arm.setting), str(self.arm.feedback)]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read a kept run; raise KeyError, TypeError or ValueError when it is none."""
        setting, feedback = data["arm"]
        lists = {"errors": tuple(map(tuple, data["errors"])), "wrong": tuple(data["wrong"])}
        return cls(**{**data, **lists, "arm": Arm(Setting(setting), Feedback(feedback))})


def read_runs(file: Path) -> tuple[Run, ...]:
    """Return the runs kept in a file, none when there is no file; a line that was cut off at the end is left out."""
    if not file.exists():
        return ()
    lines = file.read_text(encoding="utf-8").split("\n")
    whole = lines[:-1]  # what follows the last line break was being written when the machine stopped
    return tuple(_read(line, f"{file}, line {number}") for number, line in enumerate(whole, start=1) if line.strip())


def _read(line: str, where: str) -> Run:
    try:
        return Run.from_json(json.loads(line))
    except (KeyError, TypeError, ValueError) as error:
        raise RunsUnreadable(
            f"{where} is no run of the study ({error}). Remove the line, and it is run again."
        ) from None


@dataclass(frozen=True, slots=True)
class Studied:
    """Hold one example with its case, as drafts are to be asked for."""

    fixture: Fixture
    case: Case


def study(
    examples: Sequence[Studied],
    *,
    model_for: Callable[[Fixture, int], ChatModel],
    kept: Iterable[Run] = (),
    arms: Callable[[Arm], bool] = lambda _arm: True,
    seeds: Sequence[int] = (0,),
    clock: Clock | None = None,
) -> Iterator[Run]:
    """Yield the runs that are not among those kept; case by case, so that arms stay comparable wherever it ends.

    All arms of a setting go on from one and the same first attempt, which the arm of one attempt makes: it is always
    run. `model_for` gives a model for an example of which so many outputs were taken already. Raises ModelError when
    the model criticises itself and does not answer.
    """
    done = {run.key: run for run in kept}
    for example in examples:
        for seed in seeds:
            for setting in settings_of(example.case):
                wanted = [arm for arm in arms_of(setting) if arm.feedback is Feedback.NONE or arms(arm)]
                if any(map(arms, wanted)):
                    yield from _arms(example, wanted, seed, model_for, done, clock or Clock())


def _arms(
    example: Studied,
    arms: Sequence[Arm],
    seed: int,
    model_for: Callable[[Fixture, int], ChatModel],
    done: dict[_Key, Run],
    clock: Clock,
) -> Iterator[Run]:
    case = set_up(example.case, arms[0].setting)
    first: tuple[Attempt, ...] = ()
    for arm in arms:
        model = model_for(example.fixture, len(first))
        key = (example.fixture.domain, example.fixture.name, arm, seed, model.name, case.domain.prompt_version)
        run = done.get(key)
        if run is None:
            run = _run(example.fixture, case, arm, seed, model, first, clock)
            yield run
        if run.first:
            first = (Attempt.from_json(run.first),)


def _run(
    fixture: Fixture, case: Case, arm: Arm, seed: int, model: ChatModel, first: Sequence[Attempt], clock: Clock
) -> Run:
    critic = Critic(model, seed)
    limits = limits_for(case)
    if arm.feedback is Feedback.NONE:
        limits = replace(limits, attempts=1)
    gate = Gate(revise=revise_with(arm.feedback, critic))
    draft = run_draft(case, model, limits=limits, history=first, clock=clock, seed=seed, gate=gate)
    return _recorded(fixture, arm, seed, model, draft, critic)


def _recorded(fixture: Fixture, arm: Arm, seed: int, model: ChatModel, draft: DraftRun, critic: Critic) -> Run:
    outputs = [attempt for attempt in draft.attempts if attempt.error is None]
    through = draft.best if draft.state is EndState.AWAITING_REVIEW else None
    alone = arm.feedback is Feedback.NONE and outputs
    return Run(
        domain=fixture.domain,
        fixture=fixture.name,
        arm=arm,
        seed=seed,
        model=model.name,
        prompt_version=draft.case.domain.prompt_version,
        state=str(draft.state),
        stop_reason=str(draft.stop.reason),
        errors=tuple(tuple(outcome.error_type or "" for outcome in attempt.failures) for attempt in outputs),
        wrong=wrong_in(fixture, through) if through else (),
        tokens=tokens_used(draft.attempts) + sum(reply.tokens_in + reply.tokens_out for reply in critic.replies),
        seconds=round(seconds_used(draft.attempts) + sum(reply.seconds for reply in critic.replies), 3),
        calls=sum(attempt.calls for attempt in draft.attempts) + len(critic.replies),
        text=through.text if through else "",
        first=outputs[0].as_json() if alone else None,
    )
