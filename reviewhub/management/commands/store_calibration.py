"""Store how far a judge may be trusted."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reviewhub.models import JudgeCalibration

__all__ = ["Command"]


class Command(BaseCommand):
    help = (
        "Store what `python -m agent calibrate --json` printed: while it holds, that model's scores may fail a draft."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the report, one JSON object")
        parser.add_argument("--model", required=True, help="the judge, as REVIEWHUB_JUDGE_MODEL names it")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            report = json.loads(options["file"].read_text(encoding="utf-8"))
            row = JudgeCalibration.of(options["model"], report, now=timezone.now())
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['file']} cannot be stored: {error}") from error
        row.save(force_insert=True)
        self.stdout.write(f"{row.model}: {'it may fail drafts' if row.holds else 'it only advises'}")
