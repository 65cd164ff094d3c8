"""Leave a line in the audit trail for every change made in the administration, and lose none to another's."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from simple_history.admin import SimpleHistoryAdmin

from reviewhub.models import Actor, AuditEvent, Queue, Who

__all__ = ["AuditedAdmin", "VersionedAdmin", "VersionedForm", "audit"]

_UNTOLD = frozenset({"id", "version"})


def audit(request: HttpRequest, act: str, row: models.Model, fields: Iterable[str] = ()) -> None:
    """Write down who did what to which row, with the names of the fields and never their values."""
    AuditEvent.of_row(
        f"admin_{act}",
        row,
        queue_ref=row.pk if isinstance(row, Queue) else getattr(row, "queue_id", None),
        by=Actor(Who.ADMIN, request.user.pk),
        now=timezone.now(),
        fields=sorted(fields),
    )


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # takes its parameters in the stubs alone
    """Audit what is added, changed and deleted, in the page's own row and in the rows inside it."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the row with its line."""
        fields = _changed(obj) if change else set(form.cleaned_data) - {"seen_version"}
        super().save_model(request, obj, form, change)
        if fields:
            audit(request, "change" if change else "add", obj, fields)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete the row with its line."""
        with transaction.atomic():
            audit(request, "delete", obj)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete each of the rows with its line."""
        with transaction.atomic():
            for row in queryset:
                self.delete_model(request, row)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the rows inside the page, each with its line."""
        for gone in formset.deleted_forms if formset.can_delete else ():
            if gone.instance.pk:
                audit(request, "delete", gone.instance)
        super().save_formset(request, form, formset, change)
        for row in formset.new_objects:
            audit(request, "add", row, _names(row))
        for row, fields in formset.changed_objects:
            audit(request, "change", row, fields)


class VersionedForm(forms.ModelForm):  # type: ignore[type-arg] # same
    """Refuse to save over what somebody else saved since the page was loaded."""

    seen_version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    fixed: tuple[str, ...] = ()
    """What stays as it is once the row exists."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.instance.pk:
            self.fields["seen_version"].initial = _rows(self.instance).values_list("version", flat=True).first()
            for name in self.fields.keys() & set(self.fixed):  # a page that is only looked at has none of them
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        """Compare what was seen with what stands, and hold the row until it is saved."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk:
            standing = _rows(self.instance).select_for_update().values_list("version", flat=True).first()
            if standing is None:
                raise ValidationError("This was deleted since you loaded the page. Add it anew if it is still needed.")
            if cleaned.get("seen_version") != standing:
                raise ValidationError(
                    "Somebody else changed this since you loaded the page. Load the page again to see how it stands; "
                    "History says who it was. What you typed is still in the form below."
                )
        return cleaned


class VersionedAdmin(AuditedAdmin, SimpleHistoryAdmin):  # type: ignore[misc] # it ships no types
    """Keep every version of a row, and let an older one be brought back."""

    form = VersionedForm
    object_history_template = "admin/history.html"
    object_history_list_template = "admin/history_list.html"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the row as the next version."""
        if change:
            obj.version = form.cleaned_data["seen_version"] + 1
        super().save_model(request, obj, form, change)

    def history_form_view(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Show an older version, or bring it back, all or nothing."""
        with transaction.atomic():
            answer: HttpResponse = super().history_form_view(request, *args, **named)
            return answer


def _rows(row: models.Model) -> Any:
    return type(row)._default_manager.filter(pk=row.pk)  # noqa: SLF001 - the documented way to a model's manager


def _names(row: models.Model) -> set[str]:
    return {field.name for field in row._meta.concrete_fields} - _UNTOLD  # noqa: SLF001 - documented


def _changed(row: models.Model) -> set[str]:
    """Return the names of the fields in which a row differs from how it is stored."""
    stored = _rows(row).first()
    if stored is None:
        return _names(row)
    attributes = {field.name: field.attname for field in row._meta.concrete_fields}  # noqa: SLF001 - documented
    return {name for name in _names(row) if getattr(row, attributes[name]) != getattr(stored, attributes[name])}
