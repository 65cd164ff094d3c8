"""Tell a supervisor or load balancer that the site answers and reaches its database."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

__all__ = ["healthz"]


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer `ok` when the database answers; a database that does not is a 500."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")
