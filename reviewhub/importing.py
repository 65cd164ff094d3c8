"""Read a file of cases and save all of them or none."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.db import transaction

from agent.facts import Problem
from agent.strict_json import read_json
from reviewhub.doorbell import SWEEP, ring
from reviewhub.intake import CaseInvalid, NewCase, Result, read_case, submit_case
from reviewhub.models import Actor, Queue, Who

__all__ = ["BadLine", "FileInvalid", "Imported", "import_file", "import_lines"]

_MAX_LINE_BYTES = 1_000_000
_MOST_FAULTS_OF_A_LINE = 20


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


@dataclass(frozen=True, slots=True)
class Imported:
    """Count what became of the cases of a file."""

    created: int
    same: int
    new_facts: int


def import_file(path: Path, *, queue: Queue, domain: str | None, now: datetime) -> Imported:
    """Save every case of a JSONL file in one transaction, or raise FileInvalid and save none.

    `domain` is that of lines which name none. Raise OSError when the file cannot be read.
    """
    if path.suffix.lower() != ".jsonl":
        fix = "Give a .jsonl file: one case as a JSON object on each line. CSV files are not read yet."
        raise FileInvalid((BadLine(1, Problem("file", f"{path.name} is no JSONL file.", fix)),))
    with path.open("rb") as file:
        return import_lines(file, queue=queue, domain=domain, by=Actor(Who.INTAKE), now=now)


def import_lines(file: BinaryIO, *, queue: Queue, domain: str | None, by: Actor, now: datetime) -> Imported:
    """Save every case of an open JSONL file in one transaction, or raise FileInvalid and save none."""
    cases = _read(file, queue=queue, domain=domain)
    with transaction.atomic():
        # One import of a queue at a time: two that hold the same cases in another order would wait for each other.
        Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        results = Counter(_submit(number, case, queue=queue, by=by, now=now) for number, case in cases)
        # One ring for all: the sweeper sends as many as the workers can take.
        transaction.on_commit(lambda: ring(SWEEP))
    return Imported(results[Result.CREATED], results[Result.SAME], results[Result.NEW_FACTS])


def _read(file: BinaryIO, *, queue: Queue, domain: str | None) -> list[tuple[int, NewCase]]:
    cases: dict[str, tuple[int, NewCase]] = {}
    bad: list[BadLine] = []
    for number, raw in _lines(file):
        try:
            case = read_case(_with_domain(_parse(raw), domain), queue=queue)
        except CaseInvalid as error:
            bad += _bad_lines(number, error)
            continue
        if case.external_id in cases:
            message = f"{case.external_id!r} stands on line {cases[case.external_id][0]} too."
            bad.append(BadLine(number, Problem("external_id", message, "Give every case an id of its own.")))
        else:
            cases[case.external_id] = (number, case)
    if not cases and not bad:
        bad.append(BadLine(1, Problem("file", "holds no case.", "Put one case as a JSON object on each line.")))
    if bad:
        raise FileInvalid(tuple(bad))
    return list(cases.values())


def _submit(number: int, case: NewCase, *, queue: Queue, by: Actor, now: datetime) -> Result:
    try:
        return submit_case(queue=queue, case=case, by=by, now=now, rings=False).result
    except CaseInvalid as error:
        raise FileInvalid(tuple(_bad_lines(number, error))) from error


def _bad_lines(number: int, error: CaseInvalid) -> list[BadLine]:
    """Return a line's faults; of a line of another shape, which may have thousands, the first."""
    shown = [BadLine(number, problem) for problem in error.problems[:_MOST_FAULTS_OF_A_LINE]]
    if more := len(error.problems) - len(shown):
        shown.append(BadLine(number, Problem("line", f"has {more} more faults.", "Correct these first.")))
    return shown


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that hold something, with their numbers; of one that is too long only the beginning."""
    number = 0
    while raw := file.readline(_MAX_LINE_BYTES + 1):
        number += 1
        rest = raw
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(_MAX_LINE_BYTES)
        if raw.strip():
            yield number, raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw


def _parse(raw: bytes) -> Any:
    if len(raw.rstrip(b"\r\n")) > _MAX_LINE_BYTES:
        raise _bad_line("is longer than 1 MB.", "Split the case, or leave out what no mail needs.")
    try:
        return read_json(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _bad_line(f"is not UTF-8 at byte {error.start}.", "Save the file as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise _bad_line(f"is no JSON: {error.msg} at column {error.colno}.", "Put one object on a line.") from error
    except RecursionError as error:
        raise _bad_line("is nested too deeply.", "Use the keys of the domain's schema.") from error
    except ValueError as error:
        raise _bad_line(f"cannot be read: {error}.", "Correct the value.") from error


def _bad_line(message: str, fix: str) -> CaseInvalid:
    return CaseInvalid((Problem("line", message, fix),))


def _with_domain(given: Any, domain: str | None) -> Any:
    if not isinstance(given, dict):
        raise _bad_line("is no JSON object.", "Put one case as a JSON object on each line.")
    if domain is None or "domain" in given:
        return given
    return {**given, "domain": domain}
