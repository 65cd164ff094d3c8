"""Send the headers that keep a page from running, framing or leaking what it should not."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

__all__ = ["CONTENT_SECURITY_POLICY", "SecurityHeadersMiddleware"]

# Everything a page needs is a file of this site. No inline script, style or handler exists, the admin's pages included,
# so a text that slipped through escaping still could not run.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-read=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    # A browser may keep a page for its Back button, and typed text with it, but asks before showing it anew.
    "Cache-Control": "private, no-cache",
}


class SecurityHeadersMiddleware:
    """Add the headers to every response; a view that needs a stricter value sets its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with the headers added."""
        response = self._get_response(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response
