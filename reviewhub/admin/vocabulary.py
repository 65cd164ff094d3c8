"""Let administrators see which words a queue's people confirmed, add one and take one back."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from reviewhub.admin.access import site
from reviewhub.admin.auditing import AuditedAdmin, audit
from reviewhub.curating import take_word_back
from reviewhub.models import Actor, VocabularyWord, Who

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
        VocabularyWord.objects.held_of(obj.queue_id)
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Take the word back, with its line in the audit trail."""
        with transaction.atomic():
            audit(request, "delete", obj)
            take_word_back(obj, by=Actor(Who.ADMIN, request.user.pk), now=timezone.now())
