"""Let administrators see which words a queue's people confirmed, add one and take one back."""

import re
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from reviewhub.admin.access import site
from reviewhub.admin.auditing import AuditedAdmin
from reviewhub.models import Actor, Exemplar, ExemplarState, VocabularyWord, Who

__all__ = ["VocabularyWordAdmin"]


@admin.register(VocabularyWord, site=site)
class VocabularyWordAdmin(AuditedAdmin):
    """Keep confirmed words."""

    fields = ("queue", "word")
    list_display = ("word", "queue", "confirmed_by", "at")
    list_display_links = ("word",)
    list_filter = ("queue",)
    list_select_related = ("queue", "confirmed_by")
    search_fields = ("word",)

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Let a word be added or taken back, never turned into another."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Note who confirmed the word and when."""
        obj.confirmed_by, obj.at = request.user, timezone.now()
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Take the word back, and have every text that holds it examined again."""
        with transaction.atomic():
            super().delete_model(request, obj)
            self._examine_again(request, obj)

    def _examine_again(self, request: HttpRequest, obj: VocabularyWord) -> None:
        by, now = Actor(Who.ADMIN, request.user.pk), timezone.now()
        # As the gate reads it: a small letter covers a capital that opens a sentence, one apostrophe the other.
        written = re.escape(obj.word).replace("’", "'").replace("'", "['’]")
        alone = re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)
        learned = Exemplar.objects.of_queue(obj.queue).in_state(ExemplarState.READY, ExemplarState.INDEXED)
        for exemplar in learned.select_for_update().select_related("decision"):
            texts = exemplar.texts()
            if any(alone.search(text) for text in texts.values()):
                exemplar.wait_again(by=by, now=now, prose=texts)  # the sweeper rings for it
