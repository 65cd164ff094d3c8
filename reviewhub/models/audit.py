"""Hold what happened to whom and when, in ids, field names and hashes, never in text."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from reviewhub.models.transitions import Actor

__all__ = ["AuditEvent", "NotForAudit", "Tally"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_HASH = re.compile(r"[0-9a-f]{64}")


class NotForAudit(ValueError):
    """Refuse to write anything but names and hashes into the audit trail."""


class AuditEvent(models.Model):
    """Hold one thing that was done. Rows are only ever added; ids stay when what they name is gone."""

    at = models.DateTimeField()
    act = models.CharField(max_length=60)
    who = models.CharField(max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    queue_ref = models.BigIntegerField(null=True, blank=True)
    case_ref = models.BigIntegerField(null=True, blank=True)
    draft_ref = models.BigIntegerField(null=True, blank=True)
    row_kind = models.CharField(max_length=60, blank=True, help_text="Which kind of row an administrator changed.")
    row_ref = models.BigIntegerField(null=True, blank=True)
    before = models.CharField(max_length=20, blank=True)
    after = models.CharField(max_length=20, blank=True)
    fields = models.JSONField(default=list)
    hashes = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["draft_ref", "id"], name="audit_of_draft"),
            models.Index(fields=["at"], name="audit_by_time"),
            models.Index(fields=["row_kind", "row_ref", "id"], name="audit_of_row"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(row_kind="", draft_ref__isnull=False, case_ref__isnull=False, queue_ref__isnull=False)
                | (~Q(row_kind="") & Q(row_ref__isnull=False, draft_ref__isnull=True, case_ref__isnull=True)),
                name="audit_is_of_draft_or_row",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.act} of {self.row_kind or 'draft'} {self.row_ref or self.draft_ref}"

    @classmethod
    def line(
        cls,
        act: str,
        *,
        refs: Mapping[str, int],
        by: Actor,
        now: datetime,
        before: str = "",
        after: str = "",
        fields: Sequence[str] = (),
        hashes: Mapping[str, str] | None = None,
    ) -> "AuditEvent":
        """Return one line, not yet saved; raise NotForAudit for a field that is no name or a hash that is none."""
        hashes = hashes or {}
        if not all(_NAME.fullmatch(name) for name in (act, *fields, *hashes)):
            raise NotForAudit("the audit trail takes names of acts and fields only")
        if not all(_HASH.fullmatch(value) for value in hashes.values()):
            raise NotForAudit("the audit trail takes sha256 digests only")
        given = {"before": before, "after": after, "fields": list(fields), "hashes": dict(hashes)}
        return cls(at=now, act=act, who=by.who, user_id=by.user_id, **refs, **given)

    @classmethod
    def of_row(
        cls, act: str, row: models.Model, *, queue_ref: int | None, by: Actor, now: datetime, fields: Sequence[str]
    ) -> None:
        """Add one line about a row that an administrator changed; raise NotForAudit for anything but names."""
        kind = row.__class__.__name__.lower()  # not type(): the signed-in user comes behind a proxy
        if not all(_NAME.fullmatch(name) for name in (act, kind, *fields)):
            raise NotForAudit("the audit trail takes names of acts, rows and fields only")
        cls.objects.create(
            at=now,
            act=act,
            who=by.who,
            user_id=by.user_id,
            queue_ref=queue_ref,
            row_kind=kind,
            row_ref=row.pk,
            fields=list(fields),
        )


class Tally(models.Model):
    """Count something that goes wrong now and then, so that an administrator sees it."""

    name = models.SlugField(max_length=60, unique=True)
    count = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"

    @classmethod
    def add(cls, name: str, *, now: datetime, times: int = 1) -> None:
        """Count so many more."""
        cls.objects.get_or_create(name=name, defaults={"last_at": now})
        cls.objects.filter(name=name).update(count=F("count") + times, last_at=now)
