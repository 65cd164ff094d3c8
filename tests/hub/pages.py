"""Visit pages as one of the people of the tests, and fill in their forms."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from reviewhub.models import Draft

__all__ = ["form", "visit"]


@pytest.fixture
def visit(people: dict[str, User]) -> Any:
    """Return a browser, without scripts, in which a person is signed in: `visit("operator").get(...)`."""

    def sign_in(name: str) -> Client:
        client = Client()
        client.force_login(people[name])
        return client

    return sign_in


def form(draft: Draft, **fields: Any) -> dict[str, Any]:
    """Return what a form of the draft's page sends."""
    return {"version": draft.version, "key": uuid.uuid4().hex, **fields}
