"""Act on a draft as a page does, or eight at once."""

import threading
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import connection

from reviewhub import reviewing
from reviewhub.models import Draft


def key() -> str:
    return uuid.uuid4().hex


def act(verb: str, draft: Draft, user: User, now: datetime, **more: Any) -> Any:
    """Do one of the acts of `reviewing` with the version that this draft was read in."""
    given = {"draft_id": draft.pk, "version": draft.version, "user": user, "now": now, **more}
    if verb not in {"confirm_tone", "escalate", "redraft", "refuse_tone"}:
        given.setdefault("key", key())
    return getattr(reviewing, verb)(**given)


def state_of(draft: Draft) -> str:
    return Draft.objects.get(pk=draft.pk).state


def race(work: Callable[[int], Any]) -> list[Any]:
    """Run `work(number)` in eight threads at once and return what each gave or raised."""
    barrier = threading.Barrier(8)
    ends: list[Any] = []

    def run(number: int) -> None:
        try:
            barrier.wait()
            ends.append(work(number))
        except Exception as error:  # noqa: BLE001 - what it raised is part of what is compared
            ends.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 8
    return ends
