"""Bring the database, the demo and the static files up to date, in one process that loads Django once."""

import os
import sys

import django
from django.core.management import CommandError, call_command

from reviewhub.embedded.progress import step, stop_with

__all__ = ["main"]


def main() -> int:
    """Prepare what the web pages and the workers start from; safe to run again."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewhub.settings")
    django.setup()
    with step("database"):
        call_command("migrate", interactive=False, verbosity=0)
    try:
        with step("demo data"):
            call_command("seed_demo", verbosity=0)
    except CommandError as error:
        return stop_with(str(error))
    with step("static files"):
        call_command("collectstatic", interactive=False, verbosity=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
