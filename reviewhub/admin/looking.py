"""Let administrators look at rows that only the hub itself may write."""

from typing import Any

from django.contrib import admin

from reviewhub.admin.access import site
from reviewhub.models import AuditEvent, CapabilityGap, Case, Draft, Tally

__all__ = ["AuditEventAdmin", "CapabilityGapAdmin", "CaseAdmin", "DraftAdmin", "TallyAdmin"]


class _ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # takes its parameters in the stubs alone
    """Show rows that change through the hub's acts alone, so that no act goes by without its audit line."""

    show_full_result_count = False

    # Django passes request and object, by place or by name.
    def has_add_permission(self, *_args: Any, **_named: Any) -> bool:
        return False

    def has_change_permission(self, *_args: Any, **_named: Any) -> bool:
        return False

    def has_delete_permission(self, *_args: Any, **_named: Any) -> bool:
        return False


@admin.register(Case, site=site)
class CaseAdmin(_ReadOnlyAdmin):
    """Look a case up by its ids."""

    list_display = ("external_id", "title", "queue", "domain", "created_at")
    list_filter = ("queue", "domain")
    list_select_related = ("queue",)
    search_fields = ("external_id", "subject")


@admin.register(Draft, site=site)
class DraftAdmin(_ReadOnlyAdmin):
    """Look at the state of drafts, their leases and claims."""

    list_display = ("id", "case", "queue", "state", "stop_reason", "state_since", "takes", "lease_worker", "claimed_by")
    list_filter = ("queue", "state", "stop_reason")
    list_select_related = ("case", "queue", "claimed_by")
    search_fields = ("case__external_id",)


@admin.register(CapabilityGap, site=site)
class CapabilityGapAdmin(_ReadOnlyAdmin):
    """See what abstained cases lacked."""

    list_display = ("code", "case", "domain", "missing", "at")
    list_filter = ("domain", "code")
    list_select_related = ("case",)


@admin.register(AuditEvent, site=site)
class AuditEventAdmin(_ReadOnlyAdmin):
    """Read the trail of acts; it holds ids, field names and hashes, never text."""

    list_display = (
        "at",
        "act",
        "who",
        "user",
        "row_kind",
        "row_ref",
        "fields",
        "draft_ref",
        "before",
        "after",
        "case_ref",
        "queue_ref",
    )
    list_filter = ("act", "who", "row_kind")
    list_select_related = ("user",)
    search_fields = ("=draft_ref", "=case_ref", "=row_ref")


@admin.register(Tally, site=site)
class TallyAdmin(_ReadOnlyAdmin):
    """See what went wrong how often."""

    list_display = ("name", "count", "last_at")
