"""Say what went wrong, where, and what to do, when a request cannot be served."""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template import loader
from django.views.decorators.csrf import requires_csrf_token

from reviewhub.views.showing import show
from reviewhub.views.signing_in import is_from_this_site, show_kept, typed

__all__ = ["bad_request", "csrf_failure", "forbidden", "not_found", "server_error"]


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show what is wrong with a request that could not be read."""
    return show(request, "400.html", {"too_big": type(exception).__name__ == "RequestDataTooBig"}, status=400)


@requires_csrf_token
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say which right is missing and who can give it."""
    return show(request, "403.html", {"reason": str(exception)}, status=403)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django passes it by name
    """Say that the page does not exist for this person."""
    return show(request, "404.html", status=404)


@requires_csrf_token
def server_error(_request: HttpRequest) -> HttpResponse:
    """Say that the fault is ours; this page asks nothing of the database, which may be what failed."""
    return HttpResponse(loader.render_to_string("500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it by name
    """Offer a form again when its guard was too old, as after a sign-in in another tab; refuse one from elsewhere."""
    get_token(request)
    if is_from_this_site(request):
        kept = typed(request.POST)
        response = show_kept(request, request.path, kept)
        response.status_code = 403
        return response
    return show(request, "csrf.html", status=403)
