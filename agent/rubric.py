"""Grade a text against a rubric: weighted criteria from 1 to 5, hard checks by code, one gate with its reason."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StringConstraints, ValidationError

from agent.facts import Problem
from agent.outcome import Outcome, Status
from agent.validators.catalogue import CATALOGUE
from agent.validators.check import Check, Found
from agent.validators.reading import Reading

__all__ = [
    "MAX_SCORE",
    "MIN_SCORE",
    "Criterion",
    "GateVerdict",
    "Grade",
    "HardCheck",
    "Rubric",
    "RubricInvalid",
    "ScoreInvalid",
    "aggregate",
    "gate",
]

MIN_SCORE = 1
MAX_SCORE = 5
_DIGITS = 9  # what floating sums are off by must not decide a gate


class RubricInvalid(ValueError):
    """Refuse a rubric that does not have the right form; `problems` names every field that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


class ScoreInvalid(ValueError):
    """Refuse a score that is not a whole number from 1 to 5."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """Hold one question of a rubric; `low` and `high` say what a text is like that earns 1 and 5."""

    id: str
    title: str
    description: str
    weight: float
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class HardCheck:
    """Hold one validator that a text must pass whatever its scores; `criterion` asks the same of the judge, if any."""

    id: str
    description: str
    check: Check
    criterion: str = ""

    @property
    def validator(self) -> Check:
        """Return the validator as it is run: whatever fails it is reported as HARD_CHECK_FAILED."""
        return replace(self.check, name=f"rubric.{self.id}", run=_AsHardCheck(self), blocking=True, confidence=1.0)

    def held(self, outcomes: Iterable[Outcome]) -> bool:
        """Tell whether the text passed; a check that broke or never ran did not hold."""
        ours = [outcome for outcome in outcomes if outcome.validator_source == self.validator.source]
        return bool(ours) and all(outcome.status is not Status.FAIL for outcome in ours)


@dataclass(frozen=True, slots=True)
class _AsHardCheck:
    hard: HardCheck

    def __call__(self, reading: Reading, params: Any) -> Iterator[Found]:
        for found in self.hard.check.run(reading, params):
            more = {**found.more, "check": self.hard.id, "cause": found.error}
            if found.status is Status.FAIL:
                yield replace(found, error="HARD_CHECK_FAILED", critique=self._reason(found), severity=None, more=more)
            else:
                yield replace(found, more=more)

    def _reason(self, found: Found) -> str:
        return found.critique or f"The draft does not meet: {self.hard.description.rstrip('.')}."


@dataclass(frozen=True, slots=True)
class Rubric:
    """Hold what a text is graded by: weighted criteria, hard checks and the score that it must reach (0 to 1)."""

    name: str
    version: str
    domain: str
    criteria: tuple[Criterion, ...]
    hard_checks: tuple[HardCheck, ...] = ()
    threshold: float = 0.80

    @property
    def id(self) -> str:
        """Return `name@version`, as grades name it."""
        return f"{self.name}@{self.version}"

    @property
    def validators(self) -> tuple[Check, ...]:
        """Return the hard checks as validators, to be run after the domain's."""
        return tuple(hard.validator for hard in self.hard_checks)

    def checks_held(self, outcomes: Iterable[Outcome]) -> dict[str, bool]:
        """Return by id which hard checks held, read from the outcomes of a text."""
        known = tuple(outcomes)
        return {hard.id: hard.held(known) for hard in self.hard_checks}

    def as_json(self) -> dict[str, Any]:
        """Return the rubric as plain data; `from_json` reads it back."""
        return {
            "name": self.name,
            "version": self.version,
            "domain": self.domain,
            "threshold": self.threshold,
            "criteria": [
                {key: getattr(item, key) for key in ("id", "title", "description", "weight", "low", "high")}
                for item in self.criteria
            ],
            "hard_checks": [
                {
                    "id": hard.id,
                    "description": hard.description,
                    "validator": hard.check.name,
                    "params": hard.check.params.model_dump(mode="json"),
                    "criterion": hard.criterion,
                }
                for hard in self.hard_checks
            ],
        }

    @classmethod
    def from_json(cls, data: Any, *, catalogue: Mapping[str, Check] = CATALOGUE) -> Self:
        """Read a rubric from plain data; raise RubricInvalid that names every wrong field by its path."""
        form = _read_form(data)
        problems: list[Problem] = [*_repeated("criteria", form.criteria), *_repeated("hard_checks", form.hard_checks)]
        problems += _strangers(form)
        checks: list[HardCheck] = []
        for place, item in enumerate(form.hard_checks):
            try:
                check = _built(item, catalogue, f"hard_checks.{place}")
                checks.append(HardCheck(item.id, item.description, check, item.criterion))
            except RubricInvalid as error:
                problems += error.problems
        if problems:
            raise RubricInvalid(tuple(problems))
        criteria = tuple(Criterion(**{**item.model_dump(), "weight": float(item.weight)}) for item in form.criteria)
        return cls(form.name, form.version, form.domain, criteria, tuple(checks), float(form.threshold))


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """Hold whether a text passes a rubric and, in words, why."""

    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Grade:
    """Hold how one text was graded: scores and quotes by criterion, hard checks by id, the gate and its reason.

    `rubric` is `name@version`; `judge` the model that scored, empty when none did. `gates` tells whether the judge's
    calibration held, so that its scores could fail the text; otherwise they are advice.
    """

    rubric: str
    scores: Mapping[str, int] = field(default_factory=dict)
    quotes: Mapping[str, str] = field(default_factory=dict)
    overall: float = 0.0
    checks: Mapping[str, bool] = field(default_factory=dict)
    passed: bool = False
    reason: str = ""
    judge: str = ""
    gates: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the grade as plain data for storage."""
        return {
            "rubric": self.rubric,
            "scores": dict(self.scores),
            "quotes": dict(self.quotes),
            "overall": self.overall,
            "checks": dict(self.checks),
            "passed": self.passed,
            "reason": self.reason,
            "judge": self.judge,
            "gates": self.gates,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a stored grade."""
        return cls(**data)


def aggregate(rubric: Rubric, scores: Mapping[str, int]) -> float:
    """Return the overall score, 0 to 1: the sum of weight x (score - 1) / 4 over the sum of weights.

    An omitted criterion counts as 1; an unknown id is ignored. Raise ScoreInvalid for a score that is not 1 to 5.
    """
    total = sum(item.weight * (_score(item.id, scores) - MIN_SCORE) for item in rubric.criteria)
    span = (MAX_SCORE - MIN_SCORE) * sum(item.weight for item in rubric.criteria)
    return round(total / span, _DIGITS)


def gate(rubric: Rubric, overall: float, checks: Mapping[str, bool]) -> GateVerdict:
    """Pass a text whose overall score reaches the threshold and whose hard checks all held; say why else.

    A hard check that `checks` does not name did not hold. NaN reaches no threshold.
    """
    if not overall >= rubric.threshold:
        return GateVerdict(
            False, f"score below threshold ({_shown(overall, rubric.threshold)} < {rubric.threshold:.2f})"
        )
    failed = [hard.id for hard in rubric.hard_checks if not checks.get(hard.id, False)]
    if failed:
        return GateVerdict(False, f"score OK but hard checks failed: {', '.join(failed)}")
    return GateVerdict(True, "passed")


def _shown(overall: float, threshold: float) -> str:
    # .7996 would read as .80 < .80
    digits = 2 if f"{overall:.2f}" != f"{threshold:.2f}" else 4
    return f"{overall:.{digits}f}"


def _score(criterion: str, scores: Mapping[str, int]) -> int:
    score = scores.get(criterion, MIN_SCORE)
    if type(score) is not int or not MIN_SCORE <= score <= MAX_SCORE:
        raise ScoreInvalid(f"{criterion}: {score!r} is no score. Give a whole number from {MIN_SCORE} to {MAX_SCORE}.")
    return score


_Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _CriterionForm(_Form):
    id: _Id
    title: _Words
    description: _Words
    weight: Annotated[StrictFloat | StrictInt, Field(gt=0, le=100, allow_inf_nan=False)]
    low: _Words
    high: _Words


class _HardCheckForm(_Form):
    id: _Id
    description: _Words
    validator: str
    params: Mapping[str, Any] = Field(default_factory=dict)
    criterion: str = ""


class _RubricForm(_Form):
    name: _Id
    version: Annotated[str, StringConstraints(pattern=r"^[0-9][0-9A-Za-z.]{0,31}$")]
    domain: _Id
    threshold: Annotated[StrictFloat | StrictInt, Field(ge=0, le=1, allow_inf_nan=False)] = 0.80
    criteria: Annotated[tuple[_CriterionForm, ...], Field(min_length=1, max_length=20)]
    hard_checks: Annotated[tuple[_HardCheckForm, ...], Field(max_length=20)] = ()


_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
    "string_pattern_mismatch": "Give an id of small letters, digits and _, or a version such as 1 or 1.2.",
}


def _read_form(data: Any) -> _RubricForm:
    if not isinstance(data, Mapping):
        raise RubricInvalid((Problem("rubric", "is no JSON object.", "Give name, version, domain and criteria."),))
    try:
        return _RubricForm.model_validate(data)
    except ValidationError as error:
        raise RubricInvalid(tuple(_problems(error, ()))) from None


def _problems(error: ValidationError, where: tuple[str, ...]) -> Iterator[Problem]:
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        path = ".".join((*where, *map(str, item["loc"]))) or "rubric"
        unknown = item["type"] == "extra_forbidden"
        message = "is no key here." if unknown else item["msg"].removeprefix("Value error, ").rstrip(".") + "."
        yield Problem(path, message, _FIXES.get(item["type"], ""))


def _repeated(where: str, items: Iterable[_CriterionForm | _HardCheckForm]) -> Iterator[Problem]:
    for item_id, count in Counter(item.id for item in items).items():
        if count > 1:
            yield Problem(where, f"{item_id} stands {count} times.", "Give each an id of its own.")


def _strangers(form: _RubricForm) -> Iterator[Problem]:
    known = {item.id for item in form.criteria}
    for place, item in enumerate(form.hard_checks):
        if item.criterion and item.criterion not in known:
            fix = f"Give one of: {', '.join(sorted(known))}, or leave it out."
            yield Problem(f"hard_checks.{place}.criterion", f"{item.criterion!r} is no criterion of this rubric.", fix)


def _built(item: _HardCheckForm, catalogue: Mapping[str, Check], path: str) -> Check:
    known = catalogue.get(item.validator)
    if known is None:
        fix = f"Give one of: {', '.join(sorted(catalogue))}."
        raise RubricInvalid((Problem(f"{path}.validator", f"{item.validator!r} is no validator.", fix),))
    try:
        return replace(known, params=type(known.params).model_validate(dict(item.params)))
    except ValidationError as error:
        raise RubricInvalid(tuple(_problems(error, (path, "params")))) from None
