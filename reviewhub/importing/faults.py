"""Say what is wrong with a file, and where."""

from collections.abc import Iterable
from dataclasses import dataclass

from agent.facts import Problem
from reviewhub.intake import CaseInvalid

__all__ = ["BadLine", "Faults", "FileInvalid"]

_MOST_FAULTS_OF_A_LINE = 20
_MOST_FAULTS = 1_000


@dataclass(frozen=True, slots=True)
class BadLine:
    """Hold one thing that is wrong, and the line of the file that it is in."""

    number: int
    problem: Problem

    def __str__(self) -> str:
        return f"line {self.number}: {self.problem}"


class FileInvalid(ValueError):
    """Refuse a file of which nothing was saved; `bad` holds the faults of every line."""

    def __init__(self, bad: tuple[BadLine, ...]) -> None:
        super().__init__("\n".join(str(line) for line in bad))
        self.bad = bad


class Faults:
    """Gather what is wrong with a file, up to a thousand faults; more would help nobody."""

    def __init__(self) -> None:
        self._bad: dict[tuple[int, str], BadLine] = {}

    def __bool__(self) -> bool:
        return bool(self._bad)

    @property
    def is_full(self) -> bool:
        """Tell whether reading on would tell nothing new."""
        return len(self._bad) >= _MOST_FAULTS

    def note(self, number: int, path: str, message: str, fix: str) -> None:
        """Add a fault of a line; of one place the first is told."""
        if self.is_full:
            return
        # A case's faults are made printable, whatever the file holds; so is this one.
        (problem,) = CaseInvalid((Problem(path, message, fix),)).problems
        self._bad.setdefault((number, problem.path), BadLine(number, problem))

    def add(self, number: int, error: CaseInvalid) -> None:
        """Add a line's faults; of a line of another shape, which may have thousands, the first."""
        for place, problem in enumerate(error.problems[:_MOST_FAULTS_OF_A_LINE]):
            self._bad[number, f"{place}:{problem.path}"] = BadLine(number, problem)
        if (more := len(error.problems) - _MOST_FAULTS_OF_A_LINE) > 0:
            self.note(number, "line", f"has {more} more faults.", "Correct these first.")

    def check(self) -> None:
        """Raise FileInvalid, with the faults in the order of their lines, when there are any."""
        if self._bad:
            raise FileInvalid(tuple(sorted(self._bad.values(), key=_number)))

    def extend(self, number: int, problems: Iterable[Problem]) -> None:
        """Add what is wrong with one line as a whole, such as the header."""
        for problem in problems:
            self.note(number, problem.path, problem.message, problem.fix)


def _number(line: BadLine) -> int:
    return line.number
