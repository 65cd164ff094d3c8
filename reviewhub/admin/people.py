"""Let administrators make accounts, close them, and say who else is an administrator."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from reviewhub.admin.access import site
from reviewhub.admin.auditing import AuditedAdmin, audit

__all__ = ["PeopleAdmin"]


class _PersonForm(UserChangeForm):  # type: ignore[type-arg] # takes its parameters in the stubs alone
    """Change an account; nobody shuts themselves out."""

    acting_id: int | None = None

    class Meta(UserChangeForm.Meta):
        help_texts = {
            "first_name": "As colleagues read it beside a decision.",
            "last_name": "The family name; both stand beside what they decided.",
            "email": "Where colleagues reach them; the hub sends nothing there.",
            "is_active": "Untick to close the account: what they decided stays under their name.",
            "is_superuser": "Administrators see every queue and set everything on these pages.",
        }
        labels = {"is_superuser": "Administrator"}

    def clean(self) -> dict[str, Any]:
        """Refuse to take away one's own access."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk == self.acting_id:
            for name in ("is_active", "is_superuser"):
                if not cleaned.get(name):
                    self.add_error(name, "You cannot take this from yourself. Ask another administrator.")
        return cleaned


@admin.register(User, site=site)
class PeopleAdmin(AuditedAdmin, UserAdmin):  # type: ignore[type-arg] # same
    """Keep accounts; roles are given on the page of each queue."""

    form = _PersonForm
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Who they are", {"fields": ("first_name", "last_name", "email")}),
        ("What they may", {"fields": ("is_active", "is_superuser")}),
    )
    list_display = ("username", "first_name", "last_name", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    filter_horizontal = ()

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Let accounts be closed, never deleted: their decisions name them."""
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """Tell the form who is acting."""
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"acting_id": request.user.pk}) if obj else form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Let administrators, and nobody else, count as staff."""
        obj.is_staff = obj.is_superuser
        super().save_model(request, obj, form, change)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002 - Django's name
        """Set a password, with its line in the audit trail."""
        before = User.objects.filter(pk=id).values_list("password", flat=True).first() if id.isdigit() else None
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        user = User.objects.filter(pk=id).first() if before is not None else None
        if user and user.password != before:
            audit(request, "change", user, ["password"])
        return answer
