"""Read a file with one case as a JSON object on each line."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from agent.facts import Problem
from agent.strict_json import read_json
from reviewhub.importing.faults import Faults
from reviewhub.intake import CaseInvalid, NewCase, read_case
from reviewhub.models import Queue

__all__ = ["read_jsonl"]

_MAX_LINE_BYTES = 1_000_000


def read_jsonl(file: BinaryIO, *, queue: Queue, domain: str | None) -> list[tuple[int, NewCase]]:
    """Return every case with the number of its line; `domain` is that of lines which name none.

    Raise FileInvalid that holds the faults of every line, up to a thousand.
    """
    cases: dict[str, tuple[int, NewCase]] = {}
    faults = Faults()
    for number, raw in _lines(file):
        if faults.is_full:
            break
        try:
            case = read_case(_with_domain(_parse(raw), domain), queue=queue)
        except CaseInvalid as error:
            faults.add(number, error)
            continue
        if case.external_id in cases:
            message = f"{case.external_id!r} stands on line {cases[case.external_id][0]} too."
            faults.note(number, "external_id", message, "Give every case an id of its own.")
        else:
            cases[case.external_id] = (number, case)
    if not cases and not faults:
        faults.note(1, "file", "holds no case.", "Put one case as a JSON object on each line.")
    faults.check()
    return list(cases.values())


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
