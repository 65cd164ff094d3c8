"""Take cases in: save the row first, ring the doorbell once it is committed."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from django.db import transaction
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from agent.domains.domain import Domain
from agent.facts import FactsInvalid, Problem, facts_hash
from reviewhub.doorbell import DRAFT_CASE, ring
from reviewhub.models import (
    DOMAINS,
    Act,
    Actor,
    AddedFact,
    Case,
    Draft,
    FactSheet,
    Queue,
    Source,
    State,
    StopReason,
    with_added,
)

__all__ = ["CaseInvalid", "NewCase", "Result", "Submitted", "read_case", "submit_case", "submit_many"]

_MAX_LINE = 200
_MOST_SHOWN = 300  # of a path or message: a key may be as long as the file
_LOST = "\ufffd"  # stands where a character was lost on the way
_FIXES = {
    "extra_forbidden": "Remove it, or check its spelling.",
    "missing": "Add it.",
    "string_too_long": "Shorten it.",
    "string_too_short": "Fill it in.",
    "dict_type": "Give an object.",
}


class CaseInvalid(ValueError):
    """Refuse a case that cannot be saved; `problems` names every field that is wrong and what to do."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        # A path may repeat a key as it came, and half a surrogate pair can neither be printed nor put on a page.
        self.problems = tuple(Problem(_printable(item.path), _printable(item.message), item.fix) for item in problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class Result(StrEnum):
    """Say what became of a submitted case."""

    CREATED = "created"
    SAME = "same"
    NEW_FACTS = "new facts"


@dataclass(frozen=True, slots=True)
class Submitted:
    """Hold the case as it now stands, with its newest draft."""

    case: Case
    draft: Draft
    result: Result


def _printable(text: str) -> str:
    shown = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text[:_MOST_SHOWN])
    return shown if len(text) <= _MOST_SHOWN else f"{shown}..."


def _refuse(text: str, categories: frozenset[str]) -> None:
    for char in text:
        if char == _LOST or (unicodedata.category(char) in categories and char not in "\n\t"):
            raise ValueError(f"holds U+{ord(char):04X}, a control or broken character. Remove it.")


def _one_line(value: str) -> str:
    text = unicodedata.normalize("NFC", value)
    _refuse(text, frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"}))
    if "\n" in text or "\t" in text or text != text.strip():
        raise ValueError("is more than one line, or has space around it. Give one line.")
    # Some composed characters come apart into several, so a text may grow.
    if len(text) > _MAX_LINE:
        raise ValueError(f"has {len(text)} characters, more than {_MAX_LINE}. Shorten it.")
    return text


def _message(value: str) -> str:
    # Other people's words: the joiners of emoji and of other scripts stay.
    text = unicodedata.normalize("NFC", value).replace("\r\n", "\n").replace("\r", "\n")
    _refuse(text, frozenset({"Cc", "Cs"}))
    return text


_Line = Annotated[str, Field(min_length=1, max_length=_MAX_LINE), AfterValidator(_one_line)]
_Message = Annotated[str, Field(max_length=100_000), AfterValidator(_message)]


class _Given(BaseModel):
    """Hold a case as it comes in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    external_id: _Line
    domain: str
    facts: dict[str, Any]
    title: _Line | None = None
    subject: _Line | None = None
    message: _Message | None = None
    situation: _Line | None = None
    difficulty: Annotated[Decimal, Field(gt=0, le=10, max_digits=4, decimal_places=2)] | None = None


@dataclass(frozen=True, slots=True)
class NewCase:
    """Hold a case that was read and found sound, as it will be saved."""

    external_id: str
    domain: str
    facts: Mapping[str, Any]
    hash: str
    title: str
    subject: str
    message: str
    situation: str
    difficulty: Decimal
    difficulty_reason: str


def read_case(given: Any, *, queue: Queue) -> NewCase:
    """Read a case that came in: external_id, domain, title?, subject?, situation?, difficulty?, message? and facts.

    The queue's sender and policy stand in for absent ones; null counts as absent. Raise CaseInvalid that names every
    wrong field.
    """
    try:
        case = _Given.model_validate(given)
    except ValidationError as error:
        raise CaseInvalid(tuple(_problems(error))) from None
    domain = DOMAINS.get(case.domain)
    if domain is None:
        raise _wrong("domain", f"{case.domain!r} is not known.", f"Give one of: {', '.join(DOMAINS)}.")
    if case.situation is not None and case.situation not in domain.situations:
        known = ", ".join(domain.situations)
        raise _wrong("situation", f"{case.situation!r} is not known.", f"Give one of: {known}; or leave it out.")
    facts = _with_defaults(case.facts, queue)
    read = _read_facts(domain, facts)
    facts = _without_nulls(facts)
    derived = domain.difficulty(domain.derive(read, given=facts))
    return NewCase(
        external_id=case.external_id,
        domain=case.domain,
        facts=facts,
        hash=facts_hash(facts),
        title=case.title or facts["client"]["name"],
        subject=case.subject or facts["client"]["id"],
        message=case.message or "",
        situation=case.situation or "",
        difficulty=case.difficulty or Decimal(str(derived.factor)),
        difficulty_reason="given with the case" if case.difficulty else derived.reason,
    )


def submit_case(*, queue: Queue, case: NewCase, by: Actor, now: datetime, rings: bool = True) -> Submitted:
    """Save a case with a queued draft and ring for it once that is committed.

    The same external id with the same facts is the same case and changes nothing; with new facts, message or situation
    it is the same case with a new version, and its open draft is superseded. A caller that submits many passes
    `rings=False` and rings once for all.
    """
    with transaction.atomic():
        row, created = Case.objects.get_or_create(
            queue=queue,
            external_id=case.external_id,
            defaults={**_own_fields(case), "domain": case.domain, "created_at": now},
        )
        if not created:
            row.lock()
        if created:
            submitted = _queue(row, case, by=by, now=now, version=1, result=Result.CREATED)
        elif _is_same(row, case):
            return Submitted(row, row.newest_draft(), Result.SAME)
        else:
            submitted = _renew(row, case, by=by, now=now)
        if rings:
            transaction.on_commit(partial(ring, DRAFT_CASE, submitted.draft.pk))
    return submitted


def submit_many(*, queue: Queue, cases: Sequence[NewCase], by: Actor, now: datetime) -> dict[str, Result]:
    """Save those of the cases that the queue does not have, in a few statements; return what became of these by id.

    Those that it has as they are stand there as SAME. The others, with news, are left to `submit_case`. Call it in a
    transaction, and ring once it is committed.
    """
    rows = [
        Case(queue=queue, external_id=case.external_id, domain=case.domain, created_at=now, **_own_fields(case))
        for case in cases
    ]
    Case.objects.bulk_create(rows, ignore_conflicts=True)
    given = {case.external_id: case for case in cases}
    there = Case.objects.filter(queue=queue, external_id__in=given).with_imported_hashes()
    # A case and its first sheet are saved in one transaction, so one without a sheet was made here.
    made = [row for row, known in there if known is None]
    sheets = FactSheet.objects.bulk_create(_sheet(row, given[row.external_id], 1, by, now) for row in made)
    Draft.queue_up_all(sheets, queue=queue, by=by, now=now)
    same = [row for row, known in there if _says(row, known) == _says(given[row.external_id])]
    return {row.external_id: Result.CREATED for row in made} | {row.external_id: Result.SAME for row in same}


def _says(case: Case | NewCase, imported_hash: str | None = None) -> tuple[str, str, str, str]:
    """Return what makes a case the same as another of its id."""
    known = case.hash if isinstance(case, NewCase) else imported_hash or ""
    return case.domain, case.message, case.situation, known


def _sheet(row: Case, case: NewCase, version: int, by: Actor, now: datetime) -> FactSheet:
    """Return imported facts, not yet saved."""
    return FactSheet(
        case=row, version=version, facts=dict(case.facts), hash=case.hash, created_by_id=by.user_id, created_at=now
    )


def _own_fields(case: NewCase) -> dict[str, Any]:
    names = ("title", "subject", "message", "situation", "difficulty", "difficulty_reason")
    return {name: getattr(case, name) for name in names}


def _is_same(row: Case, case: NewCase) -> bool:
    if row.domain != case.domain:
        message = f"{row.external_id!r} is already a case of domain {row.domain}."
        raise _wrong("external_id", message, "Give the new case an id of its own.")
    return _says(row, row.last_imported().hash) == _says(case)


def _renew(row: Case, case: NewCase, *, by: Actor, now: datetime) -> Submitted:
    for name, value in _own_fields(case).items():
        setattr(row, name, value)
    row.save(update_fields=list(_own_fields(case)))
    for draft in row.drafts.undecided().select_for_update():
        draft.move(Act.SUPERSEDE, State.SUPERSEDED, by=by, now=now, changes={"stop_reason": StopReason.FACTS_CHANGED})
    version = row.newest_sheet().version + 1
    return _queue(row, case, by=by, now=now, version=version, result=Result.NEW_FACTS)


def _queue(row: Case, case: NewCase, *, by: Actor, now: datetime, version: int, result: Result) -> Submitted:
    imported = _sheet(row, case, version, by, now)
    imported.save(force_insert=True)
    # To a new case nobody can have added anything.
    sheet, dropped = (imported, []) if result is Result.CREATED else _carry_over(imported, by=by, now=now)
    draft = Draft.queue_up(case=row, sheet=sheet, by=by, now=now)
    if dropped:
        draft.note("drop_added_facts", by=by, now=now, fields=sorted({fact.kind for fact in dropped}))
    return Submitted(row, draft, result)


def _carry_over(imported: FactSheet, *, by: Actor, now: datetime) -> tuple[FactSheet, list[AddedFact]]:
    """Return the facts to draft from, with those that people added, and the added ones that the import ends.

    Carried facts make a version of their own, so that the imported one stays as it came.
    """
    facts: dict[str, Any] = dict(imported.facts)
    carried, dropped = [], []
    for added in imported.case.added_facts.standing():
        clash = added.clash_with(facts)
        if clash is None:
            facts = with_added(facts, [added])
            carried.append(added)
        else:
            added.end(clash, by=by, now=now)
            dropped.append(added)
    if not carried:
        return imported, dropped
    sheet = FactSheet.objects.create(
        case=imported.case,
        version=imported.version + 1,
        facts=facts,
        hash=facts_hash(facts),
        source=Source.PERSON,
        created_by_id=by.user_id,
        created_at=now,
    )
    return sheet, dropped


def _with_defaults(facts: dict[str, Any], queue: Queue) -> dict[str, Any]:
    given = {name: value for name, value in facts.items() if value is not None}
    return {**({"sender": queue.sender} if queue.sender else {}), "policy": queue.policy, **given}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _read_facts(domain: Domain, facts: Mapping[str, Any]) -> Any:
    try:
        return domain.read_facts(facts)
    except FactsInvalid as error:
        raise CaseInvalid(
            tuple(
                replace(item, path="facts" if item.path == "facts" else f"facts.{item.path}") for item in error.problems
            )
        ) from None


def _wrong(path: str, message: str, fix: str) -> CaseInvalid:
    return CaseInvalid((Problem(path, message, fix),))


def _problems(error: ValidationError) -> Iterator[Problem]:
    for item in error.errors(include_url=False, include_input=False):
        path = ".".join(str(part) for part in item["loc"]) or "case"
        known = item["type"] == "extra_forbidden"
        message = "is no key of a case." if known else item["msg"].removeprefix("Value error, ").rstrip(".") + "."
        yield Problem(path, message, _FIXES.get(item["type"], ""))
