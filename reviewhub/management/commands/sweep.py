"""Sweep once, as beat does every ten seconds."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from reviewhub import sweeping


class Command(BaseCommand):
    help = "Take over what dead workers held, give up what is worn out and send what waits, once: drafts and edits."

    def handle(self, *_args: Any, **_options: Any) -> None:
        swept = sweeping.sweep(now=timezone.now())
        drafts = f"{swept.put_back} put back, {swept.given_up} given up, {swept.sent} sent"
        self.stdout.write(f"{drafts}; of what is learned {swept.quarantined} quarantined, {swept.learning} sent")
