"""Show how a draft came about: what each attempt cost, fixed and broke, and both trails of a graded one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.progress import Failure, Progress, progress
from agent.rubric import Grade, Rubric
from reviewhub.models import Attempt, Finding

__all__ = ["CriterionShown", "RunShown", "Step", "Trail", "show_run"]

_HARD = "rubric."


@dataclass(frozen=True, slots=True)
class CriterionShown:
    """Hold what a judge gave for one criterion, and the words of the text that it went by."""

    title: str
    score: int
    quote: str


@dataclass(frozen=True, slots=True)
class Trail:
    """Hold where a trail stands after an attempt, and by how much it moved; `change` is None at its beginning."""

    value: float
    change: float | None


@dataclass(frozen=True, slots=True)
class Step:
    """Hold one attempt with what became of the failures before it, and where score and hard checks stand after it.

    `progress` is None for a text that was only rendered again. `checks` tells by id which hard checks held.
    """

    row: Attempt
    progress: Progress | None = None
    grade: Grade | None = None
    criteria: tuple[CriterionShown, ...] = ()
    checks: tuple[tuple[str, bool], ...] = ()
    score: Trail | None = None
    held: Trail | None = None

    @property
    def by_progress(self) -> tuple[tuple[str, tuple[Failure, ...]], ...]:
        """Return what was fixed, what is new and what came back, each under its label; nothing that is empty."""
        if self.progress is None:
            return ()
        listed = (
            ("Fixed", self.progress.fixed),
            ("New", self.progress.new),
            ("Came back", self.progress.resurfaced),
        )
        return tuple((label, failures) for label, failures in listed if failures)


@dataclass(frozen=True, slots=True)
class RunShown:
    """Hold the attempts of a draft in order, with what they cost together."""

    steps: tuple[Step, ...]

    @property
    def outputs(self) -> int:
        """Return how many of them a model was asked for."""
        return sum(step.row.rendered_from_id is None for step in self.steps)

    @property
    def calls(self) -> int:
        """Return how many calls of a model they took."""
        return sum(step.row.calls for step in self.steps)

    @property
    def tokens(self) -> int:
        """Return the tokens of all these calls."""
        return sum(step.row.tokens for step in self.steps)

    @property
    def seconds(self) -> float:
        """Return the time of all attempts."""
        return sum(step.row.seconds for step in self.steps)

    @property
    def trail(self) -> tuple[Step, ...]:
        """Return the steps that have a score or hard checks; none for a draft without a rubric."""
        return tuple(step for step in self.steps if step.score or step.held)


def show_run(rows: Sequence[Attempt], rubric: Rubric | None) -> RunShown:
    """Compare each attempt, fetched with its findings, with those before it; `rubric` gives criteria their titles."""
    return RunShown(tuple(_steps(rows, rubric)))


def _steps(rows: Sequence[Attempt], rubric: Rubric | None) -> Iterator[Step]:
    outputs = [row for row in rows if row.rendered_from_id is None]
    made = dict(zip((row.pk for row in outputs), progress([row.attempt() for row in outputs]), strict=True))
    score: Trail | None = None
    held: Trail | None = None
    for row in rows:
        grade, checks = row.stored_grade(), _hard_checks(row.findings.all())
        score_here = _moved(score, round(grade.overall, 2)) if grade else None
        held_here = _moved(held, sum(checks.values())) if checks else None
        yield Step(
            row,
            made.get(row.pk),
            grade,
            _criteria(grade, rubric) if grade else (),
            tuple(checks.items()),
            score_here,
            held_here,
        )
        score, held = score_here or score, held_here or held


def _moved(before: Trail | None, value: float) -> Trail:
    return Trail(value, None if before is None else round(value - before.value, 2))


def _hard_checks(findings: Iterable[Finding]) -> Mapping[str, bool]:
    """Return by id which hard checks held; one that failed anywhere did not."""
    held: dict[str, bool] = {}
    for finding in findings:
        if finding.validator_source.startswith(_HARD):
            name = finding.validator_source.removeprefix(_HARD).partition("@")[0]
            held[name] = held.get(name, True) and finding.status != "FAIL"
    return held


def _criteria(grade: Grade, rubric: Rubric | None) -> tuple[CriterionShown, ...]:
    known = {item.id: item.title for item in rubric.criteria} if rubric and rubric.id == grade.rubric else {}
    return tuple(
        CriterionShown(known.get(name, name.replace("_", " ")), score, grade.quotes.get(name, ""))
        for name, score in grade.scores.items()
    )
