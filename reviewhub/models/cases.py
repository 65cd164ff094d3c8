"""Hold the cases to answer, with every version of their facts."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import Q

from agent.domains.billing import BILLING
from agent.domains.domain import Case as AgentCase
from agent.domains.domain import Difficulty, Domain
from reviewhub.models.queues import Queue

if TYPE_CHECKING:
    from reviewhub.models.drafts import Draft

__all__ = ["DOMAINS", "CapabilityGap", "Case", "CaseQuerySet", "FactSheet", "Source"]


DOMAINS: Mapping[str, Domain] = {BILLING.name: BILLING}


class CaseQuerySet(models.QuerySet["Case"]):
    """Ask for cases."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Keep the cases of the queues that a person may read."""
        return self.filter(queue__in=Queue.objects.visible_to(user))


class Case(models.Model):
    """Hold one thing to answer."""

    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="cases")
    domain = models.CharField(max_length=30)
    external_id = models.CharField(max_length=200)
    title = models.CharField(max_length=200)
    subject = models.CharField(max_length=200, help_text="The stable id of the person or firm that the case is about.")
    message = models.TextField(blank=True)
    situation = models.CharField(max_length=60, blank=True)
    difficulty = models.DecimalField(max_digits=4, decimal_places=2)
    difficulty_reason = models.CharField(max_length=200)
    created_at = models.DateTimeField()

    objects = CaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["queue", "external_id"], name="one_case_per_external_id"),
            models.CheckConstraint(condition=~Q(external_id=""), name="case_has_external_id"),
            models.CheckConstraint(condition=Q(difficulty__gt=0, difficulty__lte=10), name="case_difficulty_in_range"),
        ]
        indexes = [models.Index(fields=["queue", "subject"], name="case_by_subject")]

    def __str__(self) -> str:
        return self.title

    # Changes

    def lock(self) -> None:
        """Read the row anew and keep others from changing it or queueing drafts until the transaction ends.

        Whoever locks a case and a draft of it locks the case first, so that two cannot wait for each other. The lock
        lets rows that point at the case be added: a worker that ends a draft adds some with the draft locked.
        """
        self.refresh_from_db(from_queryset=Case.objects.select_for_update(no_key=True))

    # Queries

    def newest_sheet(self) -> "FactSheet":
        """Return the newest version of the facts."""
        return self.sheets.latest("version")

    def last_imported(self) -> "FactSheet":
        """Return the newest facts that came from outside: what a new import is compared with."""
        return self.sheets.filter(source=Source.IMPORTED).latest("version")

    def newest_draft(self) -> "Draft":
        """Return the newest draft: the case is open until that one is decided."""
        return self.drafts.latest("id")


class Source(models.TextChoices):
    """Say where a version of the facts came from."""

    IMPORTED = "imported", "Imported"
    PERSON = "person", "Added by a person"


class FactSheet(models.Model):
    """Hold one immutable version of a case's facts as they were given."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="sheets")
    version = models.PositiveIntegerField()
    facts = models.JSONField()
    hash = models.CharField(max_length=64)
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.IMPORTED)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "version"], name="one_sheet_per_version"),
            models.CheckConstraint(condition=Q(version__gte=1), name="sheet_version_from_one"),
            models.CheckConstraint(condition=Q(source__in=Source.values), name="sheet_source_known"),
            models.CheckConstraint(condition=~Q(hash=""), name="sheet_has_hash"),
        ]

    def __str__(self) -> str:
        return f"facts {self.version} of {self.case_id}"

    @property
    def as_of(self) -> date:
        """Return the day that the facts describe."""
        return date.fromisoformat(self.facts["as_of"])

    def as_case(self) -> AgentCase:
        """Build what the agent drafts and verifies: the case with this version of its facts."""
        domain = DOMAINS[self.case.domain]
        facts = domain.read_facts(self.facts)
        sheet = domain.derive(facts, given=self.facts, version=self.version)
        return AgentCase(
            domain=domain,
            facts=facts,
            sheet=replace(sheet, situation=self.case.situation or sheet.situation),
            difficulty=Difficulty(float(self.case.difficulty), self.case.difficulty_reason),
            message=self.case.message,
        )


class CapabilityGap(models.Model):
    """Hold what an abstained case lacked, so that someone can provide it."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="gaps")
    draft = models.ForeignKey("reviewhub.Draft", on_delete=models.CASCADE, related_name="gaps")
    domain = models.CharField(max_length=30)
    code = models.CharField(max_length=60)
    missing = models.TextField()
    looked_in = models.TextField()
    resolve_by = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["draft", "code"], name="one_gap_per_draft_and_code")]

    def __str__(self) -> str:
        return f"{self.code} in {self.case_id}"
