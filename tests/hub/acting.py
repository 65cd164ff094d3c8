"""Act on a draft as a page does."""

import uuid
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from reviewhub import reviewing
from reviewhub.models import Draft


def key() -> str:
    return uuid.uuid4().hex


def act(verb: str, draft: Draft, user: User, now: datetime, **more: Any) -> Any:
    """Do one of the acts of `reviewing` with the version that this draft was read in."""
    given = {"draft_id": draft.pk, "version": draft.version, "user": user, "now": now, **more}
    if verb not in {"escalate", "redraft"}:
        given.setdefault("key", key())
    return getattr(reviewing, verb)(**given)


def state_of(draft: Draft) -> str:
    return Draft.objects.get(pk=draft.pk).state
