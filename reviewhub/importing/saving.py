"""Save the cases of a file, all of them or none."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path, PurePath
from typing import BinaryIO

from django.db import transaction

from reviewhub.doorbell import SWEEP, ring
from reviewhub.importing.columns import ColumnMap
from reviewhub.importing.faults import Faults
from reviewhub.importing.jsonl import read_jsonl
from reviewhub.importing.ledger import LEDGER_DOMAIN, read_ledger
from reviewhub.intake import CaseInvalid, NewCase, Result, submit_case, submit_many
from reviewhub.models import Actor, Queue, Who

__all__ = ["Imported", "LedgerOptions", "import_file", "import_lines", "import_named"]

_AT_ONCE = 500
_TABLES = (".csv", ".tsv", ".txt")


@dataclass(frozen=True, slots=True)
class Imported:
    """Count what became of the cases of a file."""

    created: int
    same: int
    new_facts: int


@dataclass(frozen=True, slots=True)
class LedgerOptions:
    """Say how a CSV file is read: what it calls our columns, and the day that it describes, today if not given."""

    columns: ColumnMap = field(default_factory=ColumnMap)
    as_of: date | None = None


def import_file(
    path: Path, *, queue: Queue, domain: str | None, now: datetime, ledger: LedgerOptions | None = None
) -> Imported:
    """Save every case of a JSONL or CSV file in one transaction, or raise FileInvalid and save none.

    `domain` is that of lines which name none. Raise OSError when the file cannot be read.
    """
    with path.open("rb") as file:
        by = Actor(Who.INTAKE)
        return import_named(file, name=path.name, queue=queue, domain=domain, by=by, now=now, ledger=ledger)


def import_named(
    file: BinaryIO,
    *,
    name: str,
    queue: Queue,
    domain: str | None,
    by: Actor,
    now: datetime,
    ledger: LedgerOptions | None = None,
) -> Imported:
    """Save every case of an open file, read as the end of its name says, or raise FileInvalid and save none."""
    suffix = PurePath(name).suffix.lower()
    faults = Faults()
    if suffix == ".jsonl":
        if ledger is not None:
            faults.note(1, "file", "is JSONL: its cases have their own days and keys.", "Give a map or day for CSV.")
        faults.check()
        return import_lines(file, queue=queue, domain=domain, by=by, now=now)
    if suffix not in _TABLES:
        fix = "Give a .jsonl file with one case as a JSON object on each line, or a .csv file with one transaction."
        faults.note(1, "file", f"{name} is neither JSONL nor CSV by its name.", fix)
    if domain not in (None, LEDGER_DOMAIN):
        faults.note(1, "file", f"holds a ledger, which is no case of {domain}.", f"Import it as {LEDGER_DOMAIN}.")
    options = ledger or LedgerOptions()
    as_of = options.as_of or queue.today(now)
    if as_of > queue.today(now):
        faults.note(1, "as-of", f"{as_of} is still to come.", "Give the day that the ledger describes.")
    faults.check()
    return _save(read_ledger(file, queue=queue, as_of=as_of, columns=options.columns), queue=queue, by=by, now=now)


def import_lines(file: BinaryIO, *, queue: Queue, domain: str | None, by: Actor, now: datetime) -> Imported:
    """Save every case of an open JSONL file in one transaction, or raise FileInvalid and save none."""
    return _save(read_jsonl(file, queue=queue, domain=domain), queue=queue, by=by, now=now)


def _save(cases: Sequence[tuple[int, NewCase]], *, queue: Queue, by: Actor, now: datetime) -> Imported:
    results: Counter[Result] = Counter()
    faults = Faults()
    with transaction.atomic():
        # One import of a queue at a time: two that hold the same cases in another order would wait for each other.
        Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        for start in range(0, len(cases), _AT_ONCE):
            some = cases[start : start + _AT_ONCE]
            done = submit_many(queue=queue, cases=[case for _, case in some], by=by, now=now)
            results.update(done.values())
            for number, case in some:
                if case.external_id not in done:
                    try:
                        results[submit_case(queue=queue, case=case, by=by, now=now, rings=False).result] += 1
                    except CaseInvalid as error:
                        faults.add(number, error)
        faults.check()
        # One ring for all: the sweeper sends as many as the workers can take.
        transaction.on_commit(lambda: ring(SWEEP))
    return Imported(results[Result.CREATED], results[Result.SAME], results[Result.NEW_FACTS])
