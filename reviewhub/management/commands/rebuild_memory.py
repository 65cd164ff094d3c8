"""Fill the vector store anew from the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.model_folder import ModelFolderInvalid
from memory.store import StoreUnavailable
from reviewhub import reindexing
from reviewhub.management.queues import queue_named


class Command(BaseCommand):
    help = "Drop the collections of the vector store and fill them from the database, which holds the truth."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queue", help="the slug of the one queue to do it for; all of them if absent")

    def handle(self, *_args: Any, queue: str | None = None, **_options: Any) -> None:
        chosen = queue_named(queue) if queue else None
        try:
            for done in reindexing.rebuild(queue=chosen, now=timezone.now()):
                if not done.domain:
                    self.stdout.write(f"{done.queue}: no exemplars in the database; dropped with {done.extra} vectors")
                    continue
                other = f", {done.other_model} of them embedded anew" if done.other_model else ""
                self.stdout.write(f"{done.queue}, {done.domain}: {done.extra} dropped, {done.missing} put in{other}")
        except (StoreUnavailable, ModelFolderInvalid) as error:
            raise CommandError(f"The memory was not rebuilt to the end: {error}") from error
