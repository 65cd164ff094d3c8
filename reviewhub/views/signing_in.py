"""Sign people in and out, and keep what they typed when their session ended meanwhile."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login as start_session
from django.contrib.auth import logout as end_session
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from reviewhub.views.showing import SignedInRequest, htmx_of, show

__all__ = ["is_from_this_site", "login", "logout", "show_kept", "signed_in", "typed"]

_P = ParamSpec("_P")
_KEPT_NAME, _KEPT_VALUE = "kept_name", "kept_value"

Kept = list[tuple[str, str]]


def signed_in(
    view: Callable[Concatenate[SignedInRequest, _P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, _P], HttpResponseBase]:
    """Let a view serve signed-in people only; a form sent after the session ended is kept and offered again."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(cast("SignedInRequest", request), *args, **kwargs)
        if request.method == "POST":
            return _ask_and_keep(request)
        return _ask(request)

    return guarded


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponseBase:
    """Check name and password, then go where the person was going."""
    target = _local(request, request.POST.get("next") or request.GET.get("next") or "") or resolve_url(
        settings.LOGIN_REDIRECT_URL
    )
    if request.method == "GET" and request.user.is_authenticated:
        return redirect(target)
    form = AuthenticationForm(request, data=request.POST or None)
    kept = list(zip(request.POST.getlist(_KEPT_NAME), request.POST.getlist(_KEPT_VALUE), strict=False))
    if request.method == "POST" and form.is_valid():
        start_session(request, form.get_user())
        return show_kept(request, target, kept) if kept else redirect(target)
    status = 200 if request.method == "GET" else 422
    return show(request, "login.html", {"form": form, "next": target, "kept": kept}, status=status)


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """End the session, and tell the browser to forget the pages that it kept."""
    end_session(request)
    response = redirect(settings.LOGOUT_REDIRECT_URL)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def show_kept(request: HttpRequest, path: str, kept: Kept) -> HttpResponse:
    """Show a form again that could not be taken, so that the person sends it anew with one press."""
    shown = [(name, value) for name, value in kept if len(value) > 60 or "\n" in value]
    hidden = [pair for pair in kept if pair not in shown]
    response = show(request, "kept.html", {"path": path, "shown": shown, "hidden": hidden})
    response.headers["HX-Push-Url"] = "false"
    return response


def is_from_this_site(request: HttpRequest) -> bool:
    """Tell whether the browser says that one of our own pages sent the request."""
    site = request.headers.get("Sec-Fetch-Site")
    return (
        site == "same-origin" if site else request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    )


def typed(post: QueryDict) -> Kept:
    """Return the fields of a form in their order, without the token that guards it and without passwords."""
    kept = [name for name in post if name != "csrfmiddlewaretoken" and "password" not in name]
    return [(name, value) for name in kept for value in post.getlist(name)]


def _ask(request: HttpRequest) -> HttpResponse:
    htmx = htmx_of(request)
    here = (htmx.current_url_abs_path or "/") if htmx else request.get_full_path()
    to = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': here})}"
    if not htmx:
        return redirect(to)
    return HttpResponse(status=204, headers={"HX-Redirect": to})


def _ask_and_keep(request: HttpRequest) -> HttpResponse:
    context = {
        "form": AuthenticationForm(request),
        "next": request.path,
        "kept": typed(request.POST),
        "session_ended": True,
    }
    response = show(request, "login.html", context, status=401)
    response.headers["HX-Retarget"] = "body"
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def _local(request: HttpRequest, url: str) -> str:
    allowed = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return url if allowed else ""
