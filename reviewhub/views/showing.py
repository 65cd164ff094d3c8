"""Show a template, whole or the part of it that htmx asked for."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

__all__ = ["SignedInRequest", "htmx_of", "show"]


class SignedInRequest(HttpRequest):
    """A request whose user is known: what a view behind `signed_in` receives."""

    user: User
    htmx: HtmxDetails


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """Return what htmx said about the request, false without htmx; works before the middleware ran, too."""
    return HtmxDetails(request)


def show(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    partials: tuple[str, ...] = (),
    status: int = 200,
) -> TemplateResponse:
    """Render the whole page, or the partial named like the element that htmx wants to replace.

    `partials` lists the parts that may be asked for alone; every other request, and every refusal, gets the page.
    """
    htmx = htmx_of(request)
    wanted = htmx.target if htmx and not htmx.history_restore_request and status < 400 else None
    name = f"{template}#{wanted}" if wanted in partials else template
    response = TemplateResponse(request, name, dict(context or {}), status=status)
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    if status >= 400:
        # The address of a refused POST answers no GET: the address bar keeps the page that the person came from.
        response.headers["HX-Push-Url"] = "false"
    return response
