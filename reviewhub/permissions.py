"""Decide what a person may do in a queue."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied

from reviewhub.models import Actor, Queue, Role, Who

__all__ = ["NotAllowed", "acting"]


class NotAllowed(PermissionDenied):
    """Refuse a person whose role in the queue does not cover what they try."""


def acting(user: AbstractBaseUser | AnonymousUser, queue: Queue, needed: Role = Role.OPERATOR) -> Actor:
    """Return the part in which a person acts on a draft; raise NotAllowed when their role does not cover `needed`."""
    role = queue.role_of(user)
    if role is None or not role.covers(needed):
        raise NotAllowed(f"This needs the role {needed.label.lower()} in {queue.name}. Ask a lead of the queue.")
    return Actor(Who.LEAD if role is Role.LEAD else Who.OPERATOR, user.pk)
