"""Hold the queues where teams' cases arrive, and who may do what in each."""

from datetime import date, datetime
from typing import Self
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

__all__ = ["Membership", "Queue", "QueueQuerySet", "Role", "check_time_zone"]


class Role(models.TextChoices):
    """Say what a member of a queue may do; each role may also do what the ones before it may."""

    VIEWER = "viewer", "Viewer"
    OPERATOR = "operator", "Operator"
    LEAD = "lead", "Lead"

    def covers(self, needed: "Role") -> bool:
        """Tell whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


def check_time_zone(name: str) -> None:
    """Refuse a time zone that the system's database does not know."""
    if name not in available_timezones():
        raise ValidationError(f"{name!r} is no time zone. Give a name such as Europe/Dublin.")


class QueueQuerySet(models.QuerySet["Queue"]):
    """Ask for queues."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Keep the queues that a person may read: an administrator all, others their own."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        if isinstance(user, User) and user.is_superuser:
            return self
        return self.filter(memberships__user_id=user.pk)


class Queue(models.Model):
    """Hold one team's queue with the defaults of its cases."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    team = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=60, default="UTC", validators=[check_time_zone])
    locale = models.CharField(max_length=20, default="en_US")
    currency = models.CharField(max_length=3, default="USD")
    sender = models.JSONField(
        default=dict, blank=True, help_text="Who signs, when a case does not say: name, team, email, phone, pay_to."
    )
    policy = models.JSONField(default=dict, blank=True, help_text="The policy of cases that bring none.")
    facts_max_age_days = models.PositiveSmallIntegerField(
        default=3,
        null=True,
        blank=True,
        help_text="Older facts must be refreshed or confirmed at approval; empty for no limit.",
    )
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = QueueQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def today(self, now: datetime) -> date:
        """Return the calendar date in the queue's zone."""
        return now.astimezone(ZoneInfo(self.time_zone)).date()

    def is_stale(self, as_of: date, now: datetime) -> bool:
        """Tell whether facts of this day are older than the queue allows; a demo queue's never are."""
        if self.is_demo or self.facts_max_age_days is None:
            return False
        return (self.today(now) - as_of).days > self.facts_max_age_days

    def role_of(self, user: AbstractBaseUser | AnonymousUser) -> Role | None:
        """Return the role that a person has here; an administrator has the highest, a stranger none."""
        if not user.is_authenticated or not user.is_active:
            return None
        if isinstance(user, User) and user.is_superuser:
            return Role.LEAD
        membership = self.memberships.filter(user_id=user.pk).first()
        return Role(membership.role) if membership else None


class Membership(models.Model):
    """Give a person a role in a queue."""

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    may_export = models.BooleanField(
        default=False, help_text="Whether they may export the queue's decisions; leads and administrators always may."
    )

    history = HistoricalRecords()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["queue", "user"], name="one_role_per_queue"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.get_role_display().lower()} of {self.queue}"
