"""Let administrators write rubrics, publish them, and say which one a queue's drafts are graded by."""

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join

from agent.validators.catalogue import CATALOGUE
from agent.validators.describe import described
from reviewhub.admin.access import site
from reviewhub.admin.auditing import VersionedAdmin, VersionedForm, audit
from reviewhub.admin.fields import JsonListField
from reviewhub.models import Rubric, RubricFixed, RubricQuerySet, RuleInvalid

__all__ = ["RubricAdmin"]


class RubricForm(VersionedForm):
    """Write one version of a rubric."""

    fixed = ("queue", "domain", "name")

    class Meta:
        model = Rubric
        fields = ("queue", "domain", "name", "threshold", "criteria", "hard_checks")
        field_classes = {"criteria": JsonListField, "hard_checks": JsonListField}
        widgets = {name: forms.Textarea({"rows": 18, "cols": 90}) for name in ("criteria", "hard_checks")}


@admin.register(Rubric, site=site)
class RubricAdmin(VersionedAdmin):
    """Edit drafts of rubrics; what is published is only looked at, used or continued in a new version."""

    form = RubricForm
    fields = (*RubricForm.Meta.fields, "published_at", "published_by", "is_used", "what_can_be_checked", "seen_version")
    readonly_fields = ("published_at", "published_by", "is_used", "what_can_be_checked")
    list_display = ("name", "number", "queue", "domain", "threshold", "published_at", "is_used")
    list_filter = ("queue", "domain", "is_used")
    list_select_related = ("queue",)
    actions = ("publish", "put_into_use", "take_out_of_use", "begin_version")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody change a published version."""
        return super().has_change_permission(request, obj) and not _is_published(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody delete a published version: grades name it."""
        return super().has_delete_permission(request, obj) and obj is not None and not _is_published(obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave what a form carries out of a page without one."""
        fields = super().get_fields(request, obj)
        return [name for name in fields if name != "seen_version"] if _is_published(obj) else fields

    @admin.action(description="Publish: it stays as it is from then on", permissions=["view"])
    def publish(self, request: HttpRequest, rubrics: RubricQuerySet) -> None:
        """Publish each of the chosen versions."""
        by = cast("User", request.user)
        self._each(request, rubrics, "publish", lambda row: row.publish(by=by, now=timezone.now()))

    @admin.action(description="Put into use: the next drafts are graded by it", permissions=["view"])
    def put_into_use(self, request: HttpRequest, rubrics: RubricQuerySet) -> None:
        """Use each of the chosen versions in its queue and domain."""
        self._each(request, rubrics, "put_into_use", Rubric.put_into_use)

    @admin.action(description="Take out of use", permissions=["view"])
    def take_out_of_use(self, request: HttpRequest, rubrics: RubricQuerySet) -> None:
        """Grade nothing by the chosen versions any more."""
        self._each(request, rubrics.filter(is_used=True), "take_out_of_use", Rubric.take_out_of_use)

    @admin.action(description="Begin a new version", permissions=["view"])
    def begin_version(self, request: HttpRequest, rubrics: RubricQuerySet) -> None:
        """Make a version that can be edited of each of the chosen ones."""
        self._each(request, rubrics, "begin_version", Rubric.begin_version)

    def _each(self, request: HttpRequest, rubrics: RubricQuerySet, act: str, do: Callable[[Rubric], Any]) -> None:
        done = 0
        for key in list(rubrics.order_by("pk").values_list("pk", flat=True)):
            with transaction.atomic():
                row = Rubric.objects.select_for_update().select_related(None).get(pk=key)
                try:
                    made = do(row)
                except (RubricFixed, RuleInvalid) as error:
                    self.message_user(request, f"{row.name}@{row.number}: {error}", messages.ERROR)
                    continue
                audit(request, act, made if isinstance(made, Rubric) else row, ["is_used", "published_at"])
                done += 1
        if done:
            self.message_user(request, f"Done for {done} version{'' if done == 1 else 's'}.")

    @admin.display(description="Hard checks there are")
    def what_can_be_checked(self, _rubric: Rubric) -> str:
        """Return every validator of the catalogue with its parameters."""
        lines = [(check.name, line) for check in CATALOGUE.values() for line in described(check.params)]
        bare = [(check.name, "") for check in CATALOGUE.values() if not list(described(check.params))]
        return format_html_join("\n", "<p><strong>{}</strong> {}</p>", sorted([*lines, *bare]))


def _is_published(obj: Any) -> bool:
    return isinstance(obj, Rubric) and Rubric.objects.filter(pk=obj.pk, published_at__isnull=False).exists()
