"""Explain every error type that a finding may name."""

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_safe

from agent.validators.register import REGISTER, UnknownErrorType, error_type
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["error_type_page", "error_types"]


@require_safe
@signed_in
def error_types(request: SignedInRequest) -> HttpResponseBase:
    """List the register by code."""
    return show(request, "error_types.html", {"entries": [REGISTER[code] for code in sorted(REGISTER)]})


@require_safe
@signed_in
def error_type_page(request: SignedInRequest, code: str) -> HttpResponseBase:
    """Explain one error type."""
    try:
        entry = error_type(code)
    except UnknownErrorType as error:
        raise Http404 from error
    return show(request, "error_type.html", {"entry": entry})
