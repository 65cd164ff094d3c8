"""Import a file of cases into a queue."""

from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reviewhub.importing import ColumnMap, FileInvalid, LedgerOptions, MapInvalid, import_file, read_map
from reviewhub.management.queues import queue_named

_EXPLAIN = """FILE.jsonl has a JSON object on each line:
{external_id, domain, title?, subject?, situation?, difficulty?, message?, facts}.
FILE.csv has a row for each transaction, under a header; the rows of one client.id become one case.
Either every case is saved or, when a line is wrong, none: each fault is named with its line, column and what to do.
docs/importing.md lists the columns and shows a map."""


class Command(BaseCommand):
    help = "Import a JSONL file of cases, or a ledger as CSV, into a queue, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.epilog = _EXPLAIN
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--queue", required=True, metavar="Q", help="the queue's short name, as in its address")
        parser.add_argument("--domain", metavar="D", help="the domain of lines that name none")
        parser.add_argument("--map", type=Path, metavar="M.toml", help="what the CSV file calls the columns")
        parser.add_argument("--as-of", type=_day, metavar="D", help="the day that the CSV file describes: today")

    def handle(self, *_args: Any, **options: Any) -> None:
        file: Path = options["file"]
        row = queue_named(options["queue"])
        ledger = _ledger(options["map"], options["as_of"])
        try:
            done = import_file(file, queue=row, domain=options["domain"], now=timezone.now(), ledger=ledger)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}. Check the path.") from error
        except FileInvalid as error:
            raise CommandError(f"{error}\nNothing was saved.") from error
        self.stdout.write(f"{done.created} new, {done.new_facts} with new facts, {done.same} already here")


def _ledger(path: Path | None, as_of: date | str | None) -> LedgerOptions | None:
    """Read what is said about a CSV file; None when nothing is."""
    # A caller in Python gives a day as it is.
    day = _day(as_of) if isinstance(as_of, str) else as_of
    if path is None:
        return LedgerOptions(as_of=day) if day else None
    try:
        columns: ColumnMap = read_map(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}. Check the path.") from error
    except MapInvalid as error:
        told = "\n".join(f"{path}: {problem}" for problem in error.problems)
        raise CommandError(f"{told}\nNothing was saved.") from error
    return LedgerOptions(columns, day)


def _day(text: str) -> date:
    try:
        if len(text) == len("2026-05-04"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ArgumentTypeError(f"{text!r} is no day. Write it as YYYY-MM-DD.")
