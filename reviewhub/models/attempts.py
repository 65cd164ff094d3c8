"""Hold each output of the model with the verdicts about it, as it happened."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q

from agent.advice import Usage
from agent.attempt import Attempt as AgentAttempt
from agent.attempt import CallError
from agent.body import Body
from agent.confidence import TrackRecord
from agent.llm.chat import Message, Sampling
from agent.outcome import Outcome, Status
from agent.rubric import Grade
from agent.validators.runner import Verdict, is_blocking
from reviewhub.models.drafts import Draft
from reviewhub.models.reviews import Decision, Written
from reviewhub.models.storable import storable

__all__ = ["Attempt", "Finding", "FindingQuerySet", "Ruling"]

_TONE = "tone@"


class Ruling(models.TextChoices):
    """Say what a person made of a finding that they were asked about."""

    RIGHT = "right", "Right"
    WRONG = "wrong", "False alarm"


class Attempt(models.Model):
    """Hold one model output: what was asked, what came back, what it became."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    prompt = models.JSONField(help_text="The exact messages: a list of role and content.")
    raw_reply = models.TextField(blank=True)
    sampling = models.JSONField(default=dict)
    body = models.JSONField(null=True, blank=True)
    text = models.TextField(blank=True)
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=60)
    rules = models.CharField(max_length=16, blank=True, help_text="The fingerprint of the validators that judged it.")
    prompt_tokens = models.PositiveIntegerField(default=0)
    reply_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    calls = models.PositiveSmallIntegerField(
        default=1, help_text="How often a model was called: once to write it, then about the finished text."
    )
    advice_prompt_tokens = models.PositiveIntegerField(default=0)
    advice_reply_tokens = models.PositiveIntegerField(default=0)
    advice_seconds = models.FloatField(default=0)
    grade = models.JSONField(
        null=True, blank=True, help_text="Scores and hard checks of a rubric, where one was given."
    )
    error = models.CharField(max_length=60, blank=True, help_text="The code of what the call failed with.")
    error_message = models.TextField(blank=True)
    error_retryable = models.BooleanField(default=False)
    exemplars = models.JSONField(default=list, blank=True)
    started_at = models.DateTimeField()
    rendered_from = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="The output whose prose this is, rendered and verified again on newer facts; empty for an output.",
    )

    class Meta:
        ordering = ["draft", "number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="one_attempt_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="attempt_number_from_one"),
            models.CheckConstraint(condition=Q(seconds__gte=0), name="attempt_seconds_positive"),
            models.CheckConstraint(
                condition=Q(calls__gte=1, rendered_from__isnull=True) | Q(calls=0, rendered_from__isnull=False),
                name="attempt_is_called_for",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of draft {self.draft_id}"

    @classmethod
    def of(cls, draft: Draft, attempt: AgentAttempt) -> Self:
        """Make the row of an attempt of this draft; the caller saves it with its findings."""
        error = attempt.error
        return cls(
            draft=draft,
            number=attempt.number,
            prompt=[{"role": message.role, "content": storable(message.content)} for message in attempt.prompt],
            raw_reply=storable(attempt.reply),
            sampling=asdict(attempt.sampling),
            body=attempt.body.as_json() if attempt.body else None,
            text=storable(attempt.text),
            model=storable(attempt.model)[:200],
            prompt_version=attempt.prompt_version,
            rules=attempt.rules,
            prompt_tokens=attempt.tokens_in,
            reply_tokens=attempt.tokens_out,
            seconds=attempt.seconds,
            calls=attempt.calls,
            advice_prompt_tokens=attempt.advice.tokens_in,
            advice_reply_tokens=attempt.advice.tokens_out,
            advice_seconds=attempt.advice.seconds,
            grade=_graded(attempt.grade) if attempt.grade else None,
            error=error.reason if error else "",
            error_message=storable(error.message) if error else "",
            error_retryable=bool(error and error.retryable),
            exemplars=list(attempt.exemplars),
            started_at=attempt.started_at,
        )

    def again(self, body: Body, *, number: int, checked: Verdict, rules: str, now: datetime) -> Self:
        """Make the row of the same prose in `body`, rendered anew and checked; save it with its findings yourself."""
        return type(self)(
            draft_id=self.draft_id,
            number=number,
            prompt=[],
            body=body.as_json(),
            text=checked.text,
            model=self.model,
            prompt_version=self.prompt_version,
            rules=rules,
            started_at=now,
            calls=0,
            rendered_from_id=self.rendered_from_id or self.pk,
        )

    def stored_body(self) -> Body | None:
        """Return the body that the reply became, None when it became none."""
        return Body.from_json(self.body) if self.body is not None else None

    def attempt(self) -> AgentAttempt:
        """Return the attempt as the loop knows it, to go on from."""
        return AgentAttempt(
            number=self.number,
            prompt=tuple(Message(**message) for message in self.prompt),
            prompt_version=self.prompt_version,
            sampling=Sampling(**self.sampling),
            model=self.model,
            started_at=self.started_at,
            seconds=self.seconds,
            reply=self.raw_reply,
            body=self.stored_body(),
            text=self.text,
            outcomes=tuple(finding.outcome() for finding in self.findings.all()),
            error=CallError(self.error, self.error_message, self.error_retryable) if self.error else None,
            tokens_in=self.prompt_tokens,
            tokens_out=self.reply_tokens,
            exemplars=tuple(self.exemplars),
            rules=self.rules,
            advice=Usage(self.calls - 1, self.advice_prompt_tokens, self.advice_reply_tokens, self.advice_seconds),
            grade=self.stored_grade(),
        )

    def stored_grade(self) -> Grade | None:
        """Return how the text was graded, None when it was not."""
        return Grade.from_json(self.grade) if self.grade is not None else None

    @property
    def tokens(self) -> int:
        """Return the tokens of all calls, prompts and replies together."""
        return self.prompt_tokens + self.reply_tokens + self.advice_prompt_tokens + self.advice_reply_tokens


def _graded(grade: Grade) -> dict[str, Any]:
    quotes = {name: storable(words) for name, words in grade.quotes.items()}
    return {**grade.as_json(), "quotes": quotes, "judge": storable(grade.judge)}


class FindingQuerySet(models.QuerySet["Finding"]):
    """Ask for findings."""

    def failed(self) -> Self:
        """Keep what sends a draft back, gravest first."""
        return self.filter(status=Status.FAIL).order_by("-severity", "position")

    def blocking(self) -> Self:
        """Keep failures that no text is approved over, unless a lead overrides them."""
        return self.filter(blocking=True)

    def about_facts(self) -> Self:
        """Keep what is about the facts themselves, so that no text was written."""
        return self.filter(attempt__isnull=True, decision__isnull=True)

    def overridden(self) -> Self:
        """Keep what leads overrode with approvals that stand."""
        return self.filter(overridden_by__isnull=False, overridden_by__undone_at__isnull=True)

    def misread(self) -> Self:
        """Keep what people held for false alarms: what leads overrode with approvals that stand, tones they refused."""
        standing = Q(overridden_by__isnull=False, overridden_by__undone_at__isnull=True)
        return self.filter(standing | Q(ruling=Ruling.WRONG))

    def agreed(self) -> Self:
        """Keep what people agreed with: tones they confirmed, and failures of shown texts that they corrected.

        A text that was approved as somebody edited it, over no check, has what failed corrected; one that was written
        anew says nothing about the old.
        """
        corrected = Decision.objects.filter(
            draft=OuterRef("draft"),
            draft__shown=OuterRef("attempt"),
            written=Written.EDITED,
            overridden=False,
            undone_at__isnull=True,
        )
        return self.filter(Q(ruling=Ruling.RIGHT) | (Q(status=Status.FAIL, ruling="") & Exists(corrected)))

    def of_outputs_since(self, then: datetime, queue_id: int) -> Self:
        """Keep failures of what models wrote for a queue since then; no false alarm, and nothing that broke with us."""
        recent = self.filter(draft__queue=queue_id, draft__state_since__gte=then, timestamp__gte=then)
        written = recent.filter(status=Status.FAIL, attempt__isnull=False, attempt__rendered_from__isnull=True)
        written = written.exclude(ruling=Ruling.WRONG).exclude(error_type="VALIDATOR_ERROR")
        return written.exclude(overridden_by__isnull=False, overridden_by__undone_at__isnull=True)

    def of_validators(self, names: Iterable[str]) -> Self:
        """Keep what these validators found, in whichever version."""
        named = Q(pk__in=[])
        for name in names:
            named |= Q(validator_source__startswith=f"{name}@")
        return self.filter(named)

    def tone_in_doubt(self) -> Self:
        """Keep failures of tone that nobody has confirmed or refused."""
        return self.filter(status=Status.FAIL, validator_source__startswith=_TONE, ruling="")

    def false_alarms(self) -> dict[str, int]:
        """Count by validator, without its version, what people held for false alarms."""
        return self._by_validator(self.misread())

    def records(self, queue_id: int, domain: str, names: Sequence[str]) -> dict[str, TrackRecord]:
        """Return by name how often people of a queue agreed with these validators about cases of one domain."""
        ours = self.filter(draft__queue=queue_id, draft__case__domain=domain).of_validators(names)
        right, wrong = self._by_validator(ours.agreed()), self._by_validator(ours.misread())
        counts = {name: (right.get(name, 0), wrong.get(name, 0)) for name in names}
        return {name: TrackRecord(agreed, agreed + refused) for name, (agreed, refused) in counts.items()}

    @staticmethod
    def _by_validator(rows: "FindingQuerySet") -> dict[str, int]:
        sources = rows.order_by().values_list("validator_source").annotate(n=Count("pk"))
        counted: Counter[str] = Counter()
        for source, n in sources:
            counted[source.partition("@")[0]] += n
        return dict(counted)

    def worth_showing(self) -> Self:
        """Keep failures and warnings, failures first, then by severity."""
        return self.exclude(status=Status.PASS).order_by("status", "-severity", "position")


class Finding(models.Model):
    """Hold one outcome: about an attempt, about the text that a person decided on, or about the facts themselves."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="findings")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, null=True, blank=True, related_name="findings")
    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, null=True, blank=True, related_name="findings")
    overridden_by = models.ForeignKey(
        Decision,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="overrides",
        help_text="The approval of a lead who held it for a false alarm.",
    )
    ruling = models.CharField(
        max_length=5, choices=Ruling.choices, blank=True, help_text="What a person who was asked about it made of it."
    )
    position = models.PositiveSmallIntegerField()
    blocking = models.BooleanField(default=False)

    status = models.CharField(max_length=4, choices=[(status.value, status.value) for status in Status])
    error_type = models.CharField(max_length=60, blank=True)
    evidence = models.TextField(blank=True)
    evidence_uri = models.CharField(max_length=500, blank=True)
    critique = models.TextField(blank=True)
    severity = models.FloatField()
    suggested_fix = models.TextField(blank=True)
    validator_source = models.CharField(max_length=120)
    validator_confidence = models.FloatField()
    metadata = models.JSONField(default=dict)
    timestamp = models.DateTimeField()

    objects = FindingQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        indexes = [
            models.Index(fields=["ruling", "draft"], condition=~Q(ruling=""), name="finding_ruled_on"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ruling="") | (Q(ruling__in=Ruling.values) & Q(status="FAIL")),
                name="finding_ruled_on_is_a_failure",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[status.value for status in Status]), name="finding_status_known"
            ),
            models.CheckConstraint(condition=Q(severity__gte=0, severity__lte=1), name="finding_severity_is_share"),
            models.CheckConstraint(
                condition=Q(validator_confidence__gte=0, validator_confidence__lte=1),
                name="finding_confidence_is_share",
            ),
            models.CheckConstraint(
                condition=Q(attempt__isnull=True) | Q(decision__isnull=True),
                name="finding_about_one_text",
            ),
            models.CheckConstraint(
                condition=Q(overridden_by__isnull=True) | Q(status="FAIL"), name="finding_overridden_is_a_failure"
            ),
            models.CheckConstraint(
                condition=Q(status="PASS", severity=0, suggested_fix="")
                | (~Q(status="PASS") & ~Q(error_type="") & ~Q(evidence="") & ~Q(critique="")),
                name="finding_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.error_type or self.validator_source}"

    @classmethod
    def of(
        cls,
        outcome: Outcome,
        *,
        draft: Draft,
        position: int,
        attempt: Attempt | None = None,
        decision: Decision | None = None,
    ) -> Self:
        """Make the row of an outcome about an attempt, a decided text or, with neither, the facts; save it yourself."""
        return cls(
            draft=draft,
            attempt=attempt,
            decision=decision,
            position=position,
            blocking=is_blocking(outcome),
            status=outcome.status.value,
            error_type=outcome.error_type or "",
            evidence=outcome.evidence or "",
            evidence_uri=outcome.evidence_uri or "",
            critique=outcome.critique or "",
            severity=outcome.severity,
            suggested_fix=outcome.suggested_fix or "",
            validator_source=outcome.validator_source,
            validator_confidence=outcome.validator_confidence,
            metadata=dict(outcome.metadata),
            timestamp=outcome.timestamp,
        )

    @property
    def is_tone_in_doubt(self) -> bool:
        """Tell whether it is a failure of tone that nobody has confirmed or refused."""
        return self.status == Status.FAIL and self.validator_source.startswith(_TONE) and not self.ruling

    def outcome(self) -> Outcome:
        """Return the outcome that the row holds."""
        return Outcome(
            status=Status(self.status),
            error_type=self.error_type or None,
            evidence=self.evidence or None,
            evidence_uri=self.evidence_uri or None,
            critique=self.critique or None,
            severity=self.severity,
            suggested_fix=self.suggested_fix or None,
            validator_source=self.validator_source,
            validator_confidence=self.validator_confidence,
            metadata=self.metadata,
            timestamp=self.timestamp,
        )
