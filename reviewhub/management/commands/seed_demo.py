"""Fill an empty hub with the demo."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reviewhub import demo


class Command(BaseCommand):
    help = "Make the demo queue with its three people (passwords in var/logins) and its cases, once."

    def handle(self, *_args: Any, verbosity: int, **_options: Any) -> None:
        fixtures = Path(settings.BASE_DIR) / "fixtures" / "billing"
        logins = settings.VAR_DIR / "logins"
        try:
            new = demo.seed(fixtures=fixtures, logins=logins, now=timezone.now())
        except demo.DemoRefused as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self.stdout.write(f"{new} new cases; logins are in {logins}")
