"""Import a file of cases into a queue."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reviewhub.importing import FileInvalid, import_file
from reviewhub.models import Queue

_EXPLAIN = """Each line of FILE is a JSON object
{external_id, domain, title?, subject?, situation?, difficulty?, message?, facts}.
Either every case is saved or, when a line is wrong, none: each fault is named with its line, field and what to do."""


class Command(BaseCommand):
    help = "Import a JSONL file of cases into a queue, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = _EXPLAIN
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--queue", required=True, metavar="Q", help="the queue's short name, as in its address")
        parser.add_argument("--domain", metavar="D", help="the domain of lines that name none")

    def handle(self, *_args: Any, file: Path, queue: str, domain: str | None, **_options: Any) -> None:
        row = Queue.objects.filter(slug=queue).first()
        if row is None:
            known = ", ".join(Queue.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no queue {queue!r}. Queues: {known}.")
        try:
            done = import_file(file, queue=row, domain=domain, now=timezone.now())
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}. Check the path.") from error
        except FileInvalid as error:
            raise CommandError(f"{error}\nNothing was saved.") from error
        self.stdout.write(f"{done.created} new, {done.new_facts} with new facts, {done.same} already here")
