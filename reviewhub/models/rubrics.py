"""Hold the rubrics that a queue's drafts are graded by, version by version, and how far a judge may be trusted."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from agent.rubric import Rubric as AgentRubric
from agent.rubric import RubricInvalid
from reviewhub.models.queues import Queue
from reviewhub.models.rules import RuleInvalid, domain_choices

__all__ = ["JudgeCalibration", "Rubric", "RubricFixed", "RubricQuerySet"]

_FIXED = "This version is published, so it stays as it is. Begin a new version of it."


class RubricFixed(Exception):
    """Refuse to change a published version, or to put one into use that is not published."""


class RubricQuerySet(models.QuerySet["Rubric"]):
    """Ask for rubrics."""

    def in_use(self, queue_id: int, domain: str) -> "Rubric | None":
        """Return the version that the next drafts of a queue and domain are graded by, if any."""
        return self.filter(queue_id=queue_id, domain=domain, is_used=True).first()

    def named(self, queue_id: int, domain: str, rubric_id: str) -> "Rubric | None":
        """Return the version that a grade names as `name@number`."""
        name, _, number = rubric_id.partition("@")
        versions = self.filter(queue_id=queue_id, domain=domain, name=name)
        return versions.filter(number=int(number)).first() if number.isdecimal() else None


class Rubric(models.Model):
    """Hold one version of a rubric. A draft version can be edited; a published one never changes again."""

    queue = models.ForeignKey(
        Queue, on_delete=models.PROTECT, related_name="rubrics", help_text="Whose drafts it grades."
    )
    domain = models.CharField(max_length=30, choices=domain_choices, help_text="Which kind of cases it is for.")
    name = models.CharField(
        max_length=60,
        validators=[
            RegexValidator(r"\A[a-z][a-z0-9_]*\Z", "Use small letters, digits and _, beginning with a letter.")
        ],
        help_text="A short name in small letters, such as house_style. Grades are shown under name@number.",
    )
    number = models.PositiveIntegerField(default=1, editable=False)
    threshold = models.FloatField(
        default=0.8,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="The overall score, from 0 to 1, that a text has to reach.",
    )
    criteria = models.JSONField(
        help_text='A JSON list of {"id", "title", "description", "weight", "low", "high"}; low and high say what a '
        "text is like that earns 1 and 5."
    )
    hard_checks = models.JSONField(
        default=list,
        blank=True,
        help_text='A JSON list of {"id", "description", "validator", "params", "criterion"}: validators of the '
        "catalogue that a text has to pass whatever its scores.",
    )
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    is_used = models.BooleanField("in use", default=False, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = RubricQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["queue", "domain", "name", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["queue", "domain", "name", "number"], name="one_rubric_per_number"),
            models.UniqueConstraint(
                fields=["queue", "domain", "name"],
                condition=Q(published_at__isnull=True),
                name="one_rubric_to_edit",
                violation_error_message="A version of this rubric can be edited already. Change that one.",
            ),
            models.UniqueConstraint(
                fields=["queue", "domain"], condition=Q(is_used=True), name="one_rubric_in_use_per_domain"
            ),
            models.CheckConstraint(
                condition=Q(is_used=False) | Q(published_at__isnull=False), name="rubric_in_use_is_published"
            ),
            models.CheckConstraint(condition=Q(threshold__gte=0, threshold__lte=1), name="rubric_threshold_is_share"),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.number} for {self.domain} of {self.queue}"

    # Changes

    def clean(self) -> None:
        """Refuse a change of a published version, and what no rubric can be made of; each fault goes to its field."""
        if Rubric.objects.filter(pk=self.pk, published_at__isnull=False).exists():
            raise ValidationError(_FIXED)
        if faults := self.faults():
            raise ValidationError({field: list(said) for field, said in faults.items()})

    def publish(self, *, by: User, now: datetime) -> None:
        """Fix this version for good; raise RubricFixed when it is, RuleInvalid when no rubric can be made of it."""
        self.build()
        if self.published_at is not None:
            raise RubricFixed(_FIXED)
        self.published_at, self.published_by = now, by
        self.version += 1
        self.save()

    def put_into_use(self) -> None:
        """Have the next drafts of the queue and domain graded by this version and by no other; in a transaction."""
        if self.published_at is None:
            raise RubricFixed("Only a published version can be used. Publish it first.")
        self.build()
        for other in Rubric.objects.filter(queue=self.queue_id, domain=self.domain, is_used=True).exclude(pk=self.pk):
            other.take_out_of_use()
        self.is_used = True
        self.version += 1
        self.save()

    def take_out_of_use(self) -> None:
        """Have the next drafts graded by nothing."""
        self.is_used = False
        self.version += 1
        self.save()

    def begin_version(self) -> "Rubric":
        """Return the version that can be edited: the one there is, or a new one with what this one holds."""
        versions = Rubric.objects.filter(queue=self.queue_id, domain=self.domain, name=self.name)
        newest = versions.order_by("-number")[0]
        if newest.published_at is None:
            return newest
        return Rubric.objects.create(
            queue=self.queue,
            domain=self.domain,
            name=self.name,
            number=newest.number + 1,
            threshold=self.threshold,
            criteria=self.criteria,
            hard_checks=self.hard_checks,
        )

    # Queries

    def build(self) -> AgentRubric:
        """Return the rubric as the agent knows it; raise RuleInvalid when none can be made."""
        try:
            return self._read()
        except RubricInvalid as error:
            raise RuleInvalid(f"Rubric {self.pk} ({self.name}@{self.number}) cannot be used. {error}") from error

    def faults(self) -> dict[str, list[str]]:
        """Return what is wrong with it, by field, in words for whoever set it."""
        try:
            self._read()
        except RubricInvalid as error:
            found: dict[str, list[str]] = {}
            for problem in error.problems:
                field = problem.path.partition(".")[0]
                known = field if field in {"name", "threshold", "criteria", "hard_checks"} else "criteria"
                found.setdefault(known, []).append(str(problem))
            return found
        return {}

    def _read(self) -> AgentRubric:
        given: Mapping[str, Any] = {
            "name": self.name,
            "version": str(self.number),
            "domain": self.domain,
            "threshold": self.threshold,
            "criteria": self.criteria,
            "hard_checks": self.hard_checks,
        }
        return AgentRubric.from_json(given)


class JudgeCalibration(models.Model):
    """Hold how well a model's scores agreed with labels; the newest of a model says whether it may fail a draft."""

    model = models.CharField(max_length=200)
    texts = models.PositiveIntegerField()
    kappa = models.FloatField(null=True, blank=True)
    lower = models.FloatField(null=True, blank=True)
    upper = models.FloatField(null=True, blank=True)
    bar = models.FloatField()
    holds = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(holds=False) | Q(kappa__isnull=False, lower__gte=models.F("bar")),
                name="calibration_holds_above_its_bar",
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.at:%Y-%m-%d}"

    @classmethod
    def of(cls, model: str, report: Mapping[str, Any], *, now: datetime) -> Self:
        """Make the row of what `python -m agent calibrate --json` printed; raise ValueError for anything else."""
        try:
            interval = report["qwk_interval"]
            lower, upper = interval if interval is not None else (None, None)
            return cls(
                model=model,
                texts=int(report["texts"]),
                kappa=report["qwk"],
                lower=lower,
                upper=upper,
                bar=float(report["bar"]),
                holds=report["gates"] is True,
                at=now,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"this is no report of a calibration: {error!r}") from error

    @classmethod
    def allows(cls, model: str) -> bool:
        """Tell whether the newest calibration of a model lets it fail a draft; without one it only advises."""
        newest = cls.objects.filter(model=model).first()
        return newest is not None and newest.holds
