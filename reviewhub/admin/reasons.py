"""Let administrators say for which reasons drafts may be declined."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from reviewhub.admin.access import site
from reviewhub.admin.auditing import VersionedAdmin, VersionedForm
from reviewhub.models import DeclineReason, Review

__all__ = ["DeclineReasonAdmin"]


class DeclineReasonForm(VersionedForm):
    """Set one reason."""

    fixed = ("queue", "code")

    class Meta:
        model = DeclineReason
        fields = ("queue", "code", "label", "needs_note", "is_active", "position")

    def clean_is_active(self) -> bool:
        """Refuse to retire the last reason that everybody is offered: nobody could decline any more."""
        offered: bool = self.cleaned_data["is_active"]
        if not offered and self.instance.is_last_for_everybody():
            raise ValidationError("This is the last reason that everybody is offered. Offer another one first.")
        return offered


@admin.register(DeclineReason, site=site)
class DeclineReasonAdmin(VersionedAdmin):
    """Add and retire reasons."""

    form = DeclineReasonForm
    fields = (*DeclineReasonForm.Meta.fields, "seen_version")
    list_display = ("label", "code", "queue", "needs_note", "is_active", "position")
    list_filter = ("is_active", "queue")
    list_select_related = ("queue",)
    actions = None  # each is deleted on its own page, if it may be

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep what a review has given, and the last one that everybody is offered; those can be retired."""
        if isinstance(obj, DeclineReason) and (
            obj.is_last_for_everybody() or Review.objects.filter(reason=obj.code).exists()
        ):
            return False
        return super().has_delete_permission(request, obj)
