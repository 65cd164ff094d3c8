"""Give every template what every page shows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

__all__ = ["hub"]


def hub(_request: HttpRequest) -> dict[str, Any]:
    """Say whether drafts are canned, so that no page is read as a model's work when none wrote it."""
    return {"drafts_are_canned": settings.REVIEWHUB_MODEL.partition(":")[0] == "scripted"}
