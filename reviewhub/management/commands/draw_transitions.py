"""Draw docs/transitions.md from the table that the code obeys."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from reviewhub.models import table_as_markdown

_HEAD = """# What may happen to a draft

Drawn from the table in `reviewhub/models/transitions.py` by `manage.py draw_transitions`; a test compares the two. Each
change is one conditional update that names the state and the version it expects, with a line of the audit trail. An
act that is not in the table raises `TransitionRefused`; a draft that changed meanwhile raises `StateChanged`.

A person is an operator or a lead of the draft's queue; an administrator counts as a lead everywhere. A worker holds a
draft by a lease of 30 seconds that it renews every 10; a draft is taken at most three times.

"""


class Command(BaseCommand):
    help = "Draw docs/transitions.md from the transition table."

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "transitions.md"
        path.write_text(_HEAD + table_as_markdown(), encoding="utf-8")
        self.stdout.write(f"wrote {path.relative_to(settings.BASE_DIR)}")
