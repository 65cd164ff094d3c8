"""Fill an empty hub with two demo queues, their people, their cases and what people corrected before."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from agent.fixtures import past_edits
from reviewhub.demo_edits import replay
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Case, Membership, Queue, Role, Who

__all__ = ["DemoRefused", "seed"]

_PEOPLE = {"operator": False, "lead": False, "admin": True}  # by name, whether an administrator


@dataclass(frozen=True, slots=True)
class _Plan:
    """Say what a demo queue is like, and who belongs to it in which role."""

    slug: str
    fields: Mapping[str, Any]
    members: Mapping[str, Role]


_BILLING = _Plan(
    slug="demo-billing",
    fields={
        "name": "Demo billing",
        "team": "Accounts Receivable",
        "time_zone": "America/New_York",
        "locale": "en_US",
        "currency": "USD",
        "sender": {"name": "Ana Ruiz", "team": "Accounts Receivable", "email": "billing@northwind.example"},
    },
    members={"operator": Role.OPERATOR, "lead": Role.LEAD},
)
_CREDIT_CONTROL = _Plan(
    slug="demo-credit-control",
    fields={
        "name": "Demo credit control",
        "team": "Credit Control",
        "time_zone": "Europe/Dublin",
        "locale": "en_IE",
        "currency": "EUR",
        "sender": {"name": "Tom Becker", "team": "Credit Control", "email": "credit@harbourline.example"},
    },
    members={"lead": Role.LEAD},
)
_PLANS = (_BILLING, _CREDIT_CONTROL)


class DemoRefused(Exception):
    """Refuse to put demo people into a hub where others already have their names."""


def seed(*, fixtures: Path, logins: Path, now: datetime) -> int:
    """Make the demo queues, their three people, cases and past edits; return how many cases are new.

    Again changes nothing. The passwords are drawn once and written to `logins`, readable by its owner alone; when that
    file is gone, or left from another database, the three get new ones. No bell is rung: nothing may run yet, and the
    first sweep sends what waits.
    """
    passwords: dict[str, str] = {}
    with transaction.atomic():
        is_new = not Queue.objects.filter(slug=_BILLING.slug).exists()
        if is_new:
            _refuse_namesakes()
        if is_new or not logins.exists():
            passwords = {name: _person(name, is_admin) for name, is_admin in _PEOPLE.items()}
        queues = {plan.slug: _queue(plan, joins=bool(passwords)) for plan in _PLANS}
        known = set(Case.objects.filter(queue__in=queues.values()).values_list("external_id", flat=True))
        folders = [path.parent for path in sorted(fixtures.glob("*/facts.json"))]
        # Reading every case again would slow each start down.
        new = sum(_submit(folder, queues, now) for folder in folders if folder.name not in known)
        new += sum(_replay(folder, queues, known) for folder in folders)
    # Only what is committed is written down: a file of people who are not there would keep them from being made.
    if passwords:
        _write(logins, passwords)
    return new


def _refuse_namesakes() -> None:
    taken = User.objects.filter(username__in=_PEOPLE).values_list("username", flat=True)
    if taken:
        raise DemoRefused(f"This hub has people of its own named {', '.join(taken)}. The demo is for an empty hub.")


def _person(name: str, is_admin: bool) -> str:
    """Make a person, or give them a new password, and return it."""
    password = secrets.token_urlsafe(12)
    user = User.objects.filter(username=name).first() or User(username=name)
    user.is_staff = user.is_superuser = is_admin
    user.set_password(password)
    user.save()
    return password


def _queue(plan: _Plan, *, joins: bool) -> Queue:
    """Return a demo queue, made when it is not there; its members join then, or when they are made anew."""
    queue, created = Queue.objects.get_or_create(slug=plan.slug, defaults={**plan.fields, "is_demo": True})
    if created or joins:
        for user in User.objects.filter(username__in=plan.members):
            Membership.objects.get_or_create(
                queue=queue, user=user, defaults={"role": plan.members[user.get_username()]}
            )
    return queue


def _write(path: Path, passwords: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    part.write_text("".join(f"{name} {password}\n" for name, password in passwords.items()), encoding="utf-8")
    part.replace(path)


def _plan_for(facts: Mapping[str, Any]) -> _Plan:
    return _BILLING if facts.get("currency") == _BILLING.fields["currency"] else _CREDIT_CONTROL


def _submit(folder: Path, queues: Mapping[str, Queue], now: datetime) -> int:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    queue = queues[_plan_for(facts).slug]
    case = read_case({"external_id": folder.name, "domain": "billing", "facts": facts}, queue=queue)
    submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)
    return 1


def _replay(folder: Path, queues: Mapping[str, Queue], known: set[str]) -> int:
    """Let the past edits of a client be made once; without a member who may decide there are none."""
    edits = {f"{folder.name}: {edit.name}": edit for edit in past_edits(folder, "billing")}
    new = 0
    for external_id, edit in edits.items():
        if external_id in known:
            continue
        plan = _plan_for(edit.facts)
        decider = _decider(plan, queues[plan.slug])
        if decider:
            replay(edit, external_id=external_id, queue=queues[plan.slug], user=decider)
            new += 1
    return new


def _decider(plan: _Plan, queue: Queue) -> User | None:
    """Return the demo person with the lowest role that decides in a queue."""
    may_decide = (role for role in Role if role.covers(Role.OPERATOR))
    by_role = {member.role: member.user for member in queue.memberships.filter(user__username__in=plan.members)}
    return next((by_role[role] for role in may_decide if role in by_role), None)
