"""Find where the vector store drifted from the database, and repair it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.model_folder import ModelFolderInvalid
from memory.store import StoreUnavailable
from reviewhub import reindexing
from reviewhub.management.queues import queue_named


class Command(BaseCommand):
    help = "Compare the collections of the vector store with the database, report what differs, and repair it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queue", help="the slug of the one queue to do it for; all of them if absent")

    def handle(self, *_args: Any, queue: str | None = None, **_options: Any) -> None:
        chosen = queue_named(queue) if queue else None
        try:
            for found in reindexing.reconcile(queue=chosen, now=timezone.now()):
                if not found.domain:
                    self.stdout.write(
                        f"{found.queue}: no exemplars in the database; dropped with {found.extra} vectors"
                    )
                    continue
                self.stdout.write(
                    f"{found.queue}, {found.domain}: {found.total} belong there; {found.missing} were missing, "
                    f"{found.extra} did not belong there, {found.other_model} were of another model; repaired"
                    if found.missing or found.extra or found.other_model
                    else f"{found.queue}, {found.domain}: {found.total} belong there and are there"
                )
        except (StoreUnavailable, ModelFolderInvalid) as error:
            raise CommandError(f"The memory was not reconciled to the end: {error}") from error
