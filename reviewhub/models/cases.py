"""Hold the cases to answer, with every version of their facts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import PurePath
from typing import TYPE_CHECKING, Self

from babel.dates import format_date
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import OuterRef, Q, Subquery

from agent.domains.billing import BILLING
from agent.domains.domain import Case as AgentCase
from agent.domains.domain import Difficulty, Domain
from agent.facts import FactType, Sheet
from agent.text.writing import write_money
from reviewhub.models.queues import Queue

if TYPE_CHECKING:
    from reviewhub.models.drafts import Draft

__all__ = ["DOMAINS", "CapabilityGap", "Case", "CaseQuerySet", "FactSheet", "Source"]


DOMAINS: Mapping[str, Domain] = {BILLING.name: BILLING}
"""The domains whose cases come to queues, by name; free tasks are drafted from a shell or a notebook."""


class CaseQuerySet(models.QuerySet["Case"]):
    """Ask for cases."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Keep the cases of the queues that a person may read."""
        return self.filter(queue__in=Queue.objects.visible_to(user))

    def with_imported_hashes(self) -> "list[tuple[Case, str | None]]":
        """Return each case with the hash of its newest facts from outside, None for a case without any."""
        newest = FactSheet.objects.filter(case=OuterRef("pk"), source=Source.IMPORTED).order_by("-version")
        rows = self.annotate(imported_hash=Subquery(newest.values("hash")[:1]))
        return [(row, row.imported_hash) for row in rows]  # type: ignore[attr-defined] # what the annotation adds


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

    def identities(self) -> frozenset[str]:
        """Return what tells this client, and whoever signs, from others: names, addresses, numbers and ids of lines."""
        lines = (line.get("id") for line in self.facts.get("transactions", ()))
        named = (value for name, values in self._named() for value in values if name != "SENDER_TEAM")
        return frozenset((*named, *(str(line) for line in lines if line)))

    def labels(self) -> tuple[str, ...]:
        """Return what the case and its attachments are called: names of somebody, or words that anybody uses."""
        attachments = (PurePath(item.get("name") or "").stem for item in self.facts.get("attachments") or ())
        return tuple(dict.fromkeys(filter(None, (self.case.title, self.case.external_id, *attachments))))

    def known_values(self) -> dict[str, list[str]]:
        """Return what the record knows, by the slot that stands for it; each value belongs to the first that has it.

        First the slots that the situation offers, then the domain's others, then who is written to and who writes,
        then every id, description, amount and date of the sheet, under names of which the domain may have none.
        """
        case = self.as_case()
        values = case.slot_values()
        own = [(name, [values[name]]) for name in dict.fromkeys((*case.offered(), *values))]
        seen: set[str] = set()
        known: dict[str, list[str]] = {}
        for name, given in (*own, *self._named(), *_of_lines(case.sheet), *_of_facts(case.sheet)):
            new = [value for value in dict.fromkeys(given) if value and value not in seen]
            seen.update(new)
            if new:
                known.setdefault(name, []).extend(new)
        return known

    def _named(self) -> Iterator[tuple[str, list[str]]]:
        client, sender = self.facts.get("client") or {}, self.facts.get("sender") or {}
        pay_to = sender.get("pay_to") or {}
        name, contact = client.get("name"), client.get("contact")
        named = {
            "CLIENT_NAME": [contact or name],
            "CLIENT_ORG": [name if contact else None],
            "CLIENT_ID": [client.get("id"), self.case.subject],
            **{f"CLIENT_{key.upper()}": [client.get(key)] for key in ("email", "phone", "address", "account", "vat")},
            "SENDER_NAME": [sender.get("name")],
            "SENDER_TEAM": [sender.get("team")],
            "SENDER_EMAIL": [sender.get("email")],
            "SENDER_PHONE": [sender.get("phone")],
            "SENDER_ACCOUNT": [pay_to.get("account"), pay_to.get("link")],
        }
        for slot, values in named.items():
            yield slot, [str(value) for value in values if value]

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
            framed=any(kind.blocks for kind in domain.situations.values()),
            rubric=domain.rubric(facts),
        )


def _of_lines(sheet: Sheet) -> Iterator[tuple[str, list[str]]]:
    listed = [line for line in sheet.lines if line.is_listed]
    paid = [line for line in sheet.lines if not line.is_listed]
    named = [(f"LINE_{number}", line) for number, line in enumerate(listed, start=1)]
    named += [(f"PAID_LINE_{number}", line) for number, line in enumerate(paid, start=1)]
    for name, line in named:
        cents = (line.open_cents, line.amount_cents, line.paid_cents)
        yield name, [line.id, line.description]
        yield f"{name}_AMOUNT", [write_money(value, sheet.currency, sheet.locale) for value in cents if value]
        yield f"{name}_DUE", [text for day in (line.due, line.paid_on) if day for text in _as_dates(day, sheet)]
    yield "ATTACHMENT", list(sheet.attachments)


def _of_facts(sheet: Sheet) -> Iterator[tuple[str, list[str]]]:
    for fact in sheet.facts:
        if fact.type is FactType.MONEY and isinstance(fact.value, int) and fact.value:
            yield fact.role.upper(), [write_money(fact.value, sheet.currency, sheet.locale)]
        elif fact.type is FactType.DATE and isinstance(fact.value, date):
            yield fact.role.upper(), _as_dates(fact.value, sheet)


def _as_dates(day: date, sheet: Sheet) -> list[str]:
    return [format_date(day, format="long", locale=sheet.locale), day.isoformat()]


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
