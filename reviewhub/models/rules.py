"""Hold how a queue's drafts are verified: the validators as set for it, and the patterns that were entered for it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

import re2
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from pydantic import ValidationError as ParamsInvalid
from simple_history.models import HistoricalRecords

from agent.budget import CONFIDENCE_THRESHOLD
from agent.validators.catalogue import CATALOGUE
from agent.validators.check import Check
from agent.validators.patterns import PatternParams, Search, pattern_check
from reviewhub.models.attempts import Finding
from reviewhub.models.cases import DOMAINS
from reviewhub.models.parameters import parameter_problems, read_params, told
from reviewhub.models.queues import Queue
from reviewhub.models.storable import storable

__all__ = [
    "PatternRule",
    "PatternRuleQuerySet",
    "RuleInvalid",
    "ValidatorRule",
    "ValidatorRuleQuerySet",
    "validators_of",
]

_SHIPPED = [*CATALOGUE.values(), *(check for domain in DOMAINS.values() for check in domain.checks)]
_CORE = sorted({check.name for check in _SHIPPED if check.core})
_BLOCKING = sorted({check.name for check in _SHIPPED if check.blocking})
_MOST_PATTERN = 500
_PATTERN_MEMORY_BYTES = 1 << 20
_SHARE = [MinValueValidator(0), MaxValueValidator(1)]
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = _PATTERN_MEMORY_BYTES


class RuleInvalid(ValueError):
    """Refuse to make a validator of a rule that does not hold together; the text names the field."""


def domain_choices() -> list[tuple[str, str]]:
    """Return the domains that a rule may be for."""
    return [(name, name.capitalize()) for name in sorted(DOMAINS)]


def validator_choices() -> list[tuple[str, str]]:
    """Return the validators of all domains and of the catalogue, each once."""
    return [(check.name, f"{check.name} (core)" if check.core else check.name) for check in validators_of().values()]


def validators_of(domain: str = "") -> dict[str, Check]:
    """Return by name what a rule may set: the domain's own validators in their order, then the catalogue's others.

    Those others run in a queue that has a rule for them. Without a domain it is those of all.
    """
    domains = [DOMAINS[domain]] if domain in DOMAINS else DOMAINS.values()
    own = {check.name: check for one in domains for check in one.checks}
    return own | {name: check for name, check in CATALOGUE.items() if name not in own}


class ValidatorRuleQuerySet(models.QuerySet["ValidatorRule"]):
    """Ask for rules about validators."""

    def of(self, queue_id: int, domain: str) -> Self:
        """Keep the rules for a queue's cases of one domain."""
        return self.filter(queue_id=queue_id, domain=domain).order_by("id")

    def with_alarms(self) -> Self:
        """Give each rule `alarms`: how often people held what its validator found for a false alarm."""
        of_rule = Finding.objects.misread().filter(
            draft__queue=OuterRef("queue"),
            draft__case__domain=OuterRef("domain"),
            validator_source__startswith=Concat(OuterRef("validator"), Value("@")),
        )
        counted = of_rule.order_by().values(all=Value(1)).annotate(n=Count("pk")).values("n")
        return self.annotate(alarms=Coalesce(Subquery(counted), 0))


class ValidatorRule(models.Model):
    """Hold how one validator is set for a queue's cases of one domain; without a row it is as it ships.

    A validator of the catalogue that the domain does not run by itself runs where it has a row.
    """

    queue = models.ForeignKey(
        Queue, on_delete=models.CASCADE, related_name="validator_rules", help_text="Whose drafts the rule is for."
    )
    domain = models.CharField(max_length=30, choices=domain_choices, help_text="Which kind of cases it is for.")
    validator = models.CharField(
        max_length=60,
        choices=validator_choices,
        help_text="Which validator it sets; one rule for each. Core validators hold figures, ids, payment details, "
        "status and completeness to the facts.",
    )
    enabled = models.BooleanField(
        default=True, help_text="Whether the validator runs. Core validators cannot be switched off."
    )
    severity = models.FloatField(
        null=True,
        blank=True,
        validators=_SHARE,
        help_text="From 0 (a trifle) to 1 (a wrong amount); empty = as each error type has it. Below 0.3 a failure "
        "is accepted as a trifle, unless the validator blocks.",
    )
    confidence = models.FloatField(
        null=True,
        blank=True,
        validators=_SHARE,
        help_text="How sure the validator is, from 0 to 1; empty = as it ships. Below 0.6 its failures only warn. "
        "Validators that block stay at 0.6 or more.",
    )
    parameters = models.JSONField(
        default=dict,
        blank=True,
        help_text='A JSON object of the parameters that differ from the defaults, such as {"max_words": 120}.',
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = ValidatorRuleQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["queue", "domain", "validator"]
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "domain", "validator"],
                name="one_rule_per_validator",
                violation_error_message="This queue and domain already have a rule for the validator. Change that one.",
            ),
            models.CheckConstraint(
                condition=Q(enabled=True) | ~Q(validator__in=_CORE),
                name="core_validator_is_on",
                violation_error_message="A core validator cannot be switched off.",
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True)
                | Q(confidence__gte=CONFIDENCE_THRESHOLD)
                | ~Q(validator__in=_BLOCKING),
                name="blocking_validator_is_sure",
                violation_error_message="A validator that blocks cannot be less than 0.6 sure.",
            ),
            models.CheckConstraint(
                condition=Q(severity__isnull=True) | Q(severity__gte=0, severity__lte=1), name="rule_severity_is_share"
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__gte=0, confidence__lte=1),
                name="rule_confidence_is_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.validator} in {self.domain} of {self.queue}"

    def clean(self) -> None:
        """Refuse what no validator can be made of; each fault goes to its field."""
        problems = self.problems()
        if problems:
            raise ValidationError({field: list(said) for field, said in problems.items()})

    def problems(self) -> dict[str, list[str]]:
        """Return what is wrong with the rule, by field, in words for whoever set it."""
        known = validators_of(self.domain)
        check = known.get(self.validator)
        if check is None:
            return {"validator": [f"There is no validator {self.validator!r}. Choose one of: {', '.join(known)}."]}
        found: dict[str, list[str]] = {}
        if check.core and not self.enabled:
            found["enabled"] = [f"{check.name} is a core validator and cannot be switched off. Tick it again."]
        if check.blocking and self.confidence is not None and self.confidence < CONFIDENCE_THRESHOLD:
            least = f"{CONFIDENCE_THRESHOLD:g}"
            found["confidence"] = [f"{check.name} blocks: below {least} it would only warn. Give {least} or more."]
        if wrong := list(parameter_problems(check, self.parameters, self.domain)):
            found["parameters"] = wrong
        return found

    def build(self) -> Check | None:
        """Return the validator as the rule sets it, None when it is off; raise RuleInvalid when none can be made."""
        problems = self.problems()
        if problems:
            said = "; ".join(f"{field}: {' '.join(messages)}" for field, messages in problems.items())
            raise RuleInvalid(f"Rule {self.pk} for {self.validator} cannot be used. {said}")
        if not self.enabled:
            return None
        check = validators_of(self.domain)[self.validator]
        return replace(
            check,
            version=_version(check.version, self.pk, self.version),
            params=read_params(check, self.parameters),
            severity=self.severity,
            confidence=check.confidence if self.confidence is None else self.confidence,
        )


class PatternRuleQuerySet(models.QuerySet["PatternRule"]):
    """Ask for patterns."""

    def of(self, queue_id: int, domain: str) -> Self:
        """Keep the patterns in use for a queue's cases of one domain."""
        return self.filter(queue_id=queue_id, domain=domain, enabled=True).order_by("id")


class PatternRule(models.Model):
    """Hold a pattern that a queue's prose is searched for, and what is said where it is found."""

    queue = models.ForeignKey(
        Queue, on_delete=models.CASCADE, related_name="pattern_rules", help_text="Whose drafts are searched."
    )
    domain = models.CharField(max_length=30, choices=domain_choices, help_text="Which kind of cases it is for.")
    name = models.CharField(
        max_length=40,
        validators=[
            RegexValidator(
                r"\A[a-z][a-z0-9_-]*\Z", "Use small letters, digits, - and _, beginning with a letter: no-guarantees."
            )
        ],
        help_text="A short name in small letters, such as no-guarantees. Findings are shown under it.",
    )
    enabled = models.BooleanField(default=True, help_text="Whether drafts are searched for it.")
    pattern = models.CharField(
        max_length=_MOST_PATTERN,
        help_text=r"A regular expression in RE2 syntax, such as (?i)\bguarantee[ds]?\b. (?i) ignores letter case; "
        "there are no look-arounds and no back-references. Prose is searched, never what code renders.",
    )
    fails = models.BooleanField(
        "fails the draft",
        default=True,
        help_text="Ticked: a draft with it is sent back, a person's text is not approved. Not ticked: it only warns.",
    )
    severity = models.FloatField(
        default=0.6,
        validators=_SHARE,
        help_text="From 0 (a trifle) to 1 (a wrong amount). Below 0.3 a failure of the model is accepted as a trifle.",
    )
    critique = models.CharField(
        max_length=300, help_text="What is wrong with it, in a sentence. The model and people read it."
    )
    suggested_fix = models.CharField(
        max_length=300, blank=True, help_text="What to write instead, in a sentence. May be left empty."
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = PatternRuleQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["queue", "domain", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "domain", "name"],
                name="one_pattern_per_name",
                violation_error_message="This queue and domain already have a pattern of that name. Choose another.",
            ),
            models.CheckConstraint(condition=Q(severity__gte=0, severity__lte=1), name="pattern_severity_is_share"),
            models.CheckConstraint(condition=~Q(pattern="") & ~Q(critique="") & ~Q(name=""), name="pattern_is_whole"),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.domain} of {self.queue}"

    def clean(self) -> None:
        """Refuse a pattern that cannot be searched for, or that is found everywhere."""
        if not self.pattern:
            return
        try:
            search = _search_for(self.pattern)
        except RuleInvalid as error:
            raise ValidationError({"pattern": str(error)}) from error
        if any(start == end for text in ("", "One word.") for start, end in search(text)):
            raise ValidationError({"pattern": "This finds a place without a character in it. Ask for at least one."})

    def build(self) -> Check:
        """Return the validator that searches for it; raise RuleInvalid when none can be made."""
        search = _search_for(self.pattern)
        try:
            params = PatternParams(
                pattern=self.pattern,
                critique=self.critique,
                fix=self.suggested_fix.strip() or None,
                severity=self.severity,
                fails=self.fails,
            )
        except ParamsInvalid as error:
            raise RuleInvalid(
                f"Pattern {self.pk} ({self.name}) cannot be used. {'; '.join(told(error, PatternParams))}"
            ) from error
        return pattern_check(self.name, search, params, version=_version("1", self.pk, self.version))


def _version(shipped: str, row: int, version: int) -> str:
    """Return the version that findings name: what shipped, then which row of the rules in which of its versions."""
    return f"{shipped}.r{row}v{version}"


def _search_for(pattern: str) -> Search:
    try:
        expression = re2.compile(storable(pattern), _OPTIONS)
    except re2.error as error:
        why = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise RuleInvalid(f"This is no pattern that can be searched for: {why}. Correct it there.") from error

    def search(text: str) -> Iterator[tuple[int, int]]:
        for found in expression.finditer(text):
            yield found.span()

    return search
