"""Fill an empty hub with a demo queue, its people and its cases."""

import json
import secrets
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Membership, Queue, Role, Who

__all__ = ["DemoRefused", "seed"]

_SLUG = "demo-billing"
_ROLES: dict[str, Role | None] = {"operator": Role.OPERATOR, "lead": Role.LEAD, "admin": None}


class DemoRefused(Exception):
    """Refuse to put demo people into a hub where others already have their names."""


def seed(*, fixtures: Path, logins: Path, now: datetime) -> int:
    """Make the demo queue, its three people and its cases; return how many cases are new. Again changes nothing.

    The passwords are drawn once and written to `logins`, readable by its owner alone; when that file is gone, or left
    from another database, the three get new ones. No bell is rung: nothing may run yet, and the first sweep sends the
    cases.
    """
    passwords: dict[str, str] = {}
    with transaction.atomic():
        queue = Queue.objects.filter(slug=_SLUG).first()
        is_new = queue is None
        if queue is None:
            _refuse_namesakes()
            queue = Queue.objects.create(slug=_SLUG, name="Demo billing", team="Accounts Receivable", is_demo=True)
        if is_new or not logins.exists():
            passwords = {name: _person(name, role, queue) for name, role in _ROLES.items()}
        known = set(queue.cases.values_list("external_id", flat=True))
        # Reading every case again would slow each start down.
        new = [path for path in sorted(fixtures.glob("*/facts.json")) if path.parent.name not in known]
        for path in new:
            _submit(path, queue, now)
    # Only what is committed is written down: a file of people who are not there would keep them from being made.
    if passwords:
        _write(logins, passwords)
    return len(new)


def _refuse_namesakes() -> None:
    taken = User.objects.filter(username__in=_ROLES).values_list("username", flat=True)
    if taken:
        raise DemoRefused(f"This hub has people of its own named {', '.join(taken)}. The demo is for an empty hub.")


def _person(name: str, role: Role | None, queue: Queue) -> str:
    """Make a person, or give them a new password, and return it."""
    password = secrets.token_urlsafe(12)
    user = User.objects.filter(username=name).first() or User(username=name)
    user.is_staff = user.is_superuser = role is None
    user.set_password(password)
    user.save()
    if role is not None:
        Membership.objects.get_or_create(queue=queue, user=user, defaults={"role": role})
    return password


def _write(path: Path, passwords: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    part.write_text("".join(f"{name} {password}\n" for name, password in passwords.items()), encoding="utf-8")
    part.replace(path)


def _submit(path: Path, queue: Queue, now: datetime) -> None:
    facts = json.loads(path.read_text(encoding="utf-8"))
    case = read_case({"external_id": path.parent.name, "domain": "billing", "facts": facts}, queue=queue)
    submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)
