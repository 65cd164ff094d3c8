"""Export what people approved as data to train on."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.model_folder import ModelFolderInvalid
from reviewhub.examining import SheetUnreadable
from reviewhub.export_files import NoExport
from reviewhub.exporting import FORMATS, Settings, export
from reviewhub.management.queues import queues_named

_LATER = ("kto", "openai")


class Command(BaseCommand):
    help = "Write approved texts, sanitised, as JSONL files to train on, with a manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", default=",".join(FORMATS), metavar="F,F", help="dpo, sft or both (default)")
        parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder, made if need be")
        parser.add_argument("--queue", metavar="SLUG", help="one queue (default: all)")
        parser.add_argument("--validation-percent", type=int, default=10, metavar="N", help="share of subjects (10)")
        parser.add_argument(
            "--least-words-changed", type=int, default=2, metavar="N", help="a smaller edit makes no pair (2)"
        )

    def handle(self, *_args: Any, output: Path, queue: str | None, **options: Any) -> None:
        chosen = Settings(
            formats=_formats(options["format"]),
            validation_percent=_within("--validation-percent", options["validation_percent"], 0, 100),
            least_words_changed=_within("--least-words-changed", options["least_words_changed"], 1, 1000),
        )
        try:
            manifest = export(queues=queues_named(queue), folder=output, chosen=chosen, now=timezone.now())
        except ModelFolderInvalid as error:
            raise CommandError(f"Nothing was exported: {error}") from error
        except SheetUnreadable as error:
            raise CommandError(f"Nothing was exported: {error}. Repair the case's facts, or forget the case.") from None
        except NoExport as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            why = error.strerror or error
            message = f"{output} cannot be written: {why}. Give a folder that you may write to, on a disk with room."
            raise CommandError(message) from error
        for name, counted in manifest["counts"].items():
            split = ", ".join(f"{lines} {of}" for of, lines in counted["out"].items())
            left = ", ".join(f"{why} {lines}" for why, lines in counted["left_out"].items())
            self.stdout.write(f"{name}: {split}; left out: {left or 'none'}")
        self.stdout.write(f"The files and their manifest are in {output}.")


def _formats(given: str) -> list[str]:
    names = list(dict.fromkeys(name.strip().lower() for name in given.split(",")))
    for name in names:
        if name in _LATER:
            raise CommandError(f"--format: {name} cannot be exported yet. Give {' or '.join(FORMATS)}, or both.")
        if name not in FORMATS:
            raise CommandError(f"--format: {name!r} is no format. Give {' or '.join(FORMATS)}, or both with a comma.")
    return names


def _within(option: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise CommandError(f"{option}: {value} is out of range. Give a number from {least} to {most}.")
    return value
