"""Let administrators, and nobody else, into the administration."""

from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url

from reviewhub.admin.auditing import audit

__all__ = ["site"]


class HubAdminSite(AdminSite):
    """Serve the administration under the hub's own sign-in."""

    site_header = "Reviewhub administration"
    site_title = "Reviewhub"
    index_title = "What may be set"

    def has_permission(self, request: HttpRequest) -> bool:
        """Tell whether the person is an administrator."""
        return bool(request.user.is_active and getattr(request.user, "is_superuser", False))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # noqa: ARG002
        """Send whoever is not signed in to the hub's sign-in; refuse whoever is and is no administrator."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied("The administration is for administrators. Ask one of them for the change.")
        target = request.GET.get("next") or resolve_url("admin:index")
        return redirect(f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': target})}")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Change one's own password, with its line in the audit trail."""
        user = cast("User", request.user)
        before = user.password
        answer = super().password_change(request, extra_context)
        if user.password != before:
            audit(request, "change", user, ["password"])
        return answer


site = HubAdminSite()
