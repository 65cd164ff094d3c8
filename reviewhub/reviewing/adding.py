"""Let people add a fact to a case, with where they know it from; the draft under review moves to the new facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from agent.body import Body, Prose
from agent.budget import CONFIDENCE_THRESHOLD
from agent.facts import FactsInvalid, facts_hash
from agent.validators.check import fingerprint
from agent.validators.runner import Verdict as Checked
from agent.validators.runner import softened
from agent.validators.verify import verify_body
from reviewhub.edits import Refused
from reviewhub.models import (
    DOMAINS,
    Actor,
    AddedFact,
    AddedKind,
    Attempt,
    Draft,
    EndReason,
    FactSheet,
    Finding,
    Source,
    StateChanged,
    storable,
    with_added,
)
from reviewhub.permissions import acting
from reviewhub.reviewing.beginning import AlreadyDecided, KeyReused, already_decided, begin, load
from reviewhub.rulebook import checks_for, graded

__all__ = ["FactRefused", "NewFact", "add_fact", "withdraw_fact"]

_FARTHEST = timedelta(days=366)
_CLASHES = {
    EndReason.IMPORTED: "The facts hold it already.",
    EndReason.OTHER_DATE: "The imported facts give a pay-by date. If it is wrong, correct it there and import anew.",
    EndReason.PASSED: "The day lies before the day of the facts. Give one that is still to come.",
    EndReason.LINE_GONE: "There is no such line in the ledger. Choose one of its lines.",
    EndReason.OTHER_LINE: "There is an attachment of this name for another line. Give it another name.",
    EndReason.NO_ROOM: "The case holds as many of these as it may.",
}


class FactRefused(Refused):
    """Refuse a fact that cannot stand; `field` names what is wrong with it, empty for the whole."""

    def __init__(self, message: str, field: str = "") -> None:
        self.field = field
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class NewFact:
    """Hold a fact that a person gives, and where they know it from.

    `value` is {pay_by}, a promise's {on, line, text} or an attachment's {name, line}; days are ISO text.
    """

    kind: AddedKind
    value: Mapping[str, Any]
    known_from: str


@dataclass(frozen=True, slots=True)
class _Change:
    """Hold what counts from now on, what counts no longer and why, and what is new."""

    standing: Sequence[AddedFact]
    ended: Sequence[AddedFact]
    reason: EndReason
    new: AddedFact | None = None


@dataclass(frozen=True, slots=True)
class _Rendered:
    """Hold the shown prose rendered on other facts, with what the checks say of it."""

    body: Body
    checked: Checked
    rules: str


def add_fact(*, draft_id: int, version: int, fact: NewFact, user: User, key: str, now: datetime) -> Draft:
    """Add a fact as a new version of the facts, and render and verify the draft under review on it.

    A pay-by date replaces the one that a person gave before. The same `key` again changes nothing. Raise FactRefused,
    AlreadyDecided, ClaimedByOther, KeyReused or NotAllowed.
    """
    if earlier := _made_before(key, draft_id, user):
        return earlier
    draft, by, _ = begin(draft_id, version, user, "", now)
    _check_day(fact, draft.queue.today(now))
    row = _row_of(fact, draft, user=user, key=key, now=now)
    standing = list(draft.case.added_facts.standing())
    replaced = [one for one in standing if one.kind == row.kind == AddedKind.PAY_BY]
    kept = [one for one in standing if one not in replaced]
    clash = row.clash_with(with_added(draft.case.last_imported().facts, kept))
    if clash is not None:
        raise FactRefused(_CLASHES[clash], "line" if clash is EndReason.LINE_GONE else "")
    try:
        _renew(draft, _Change([*kept, row], replaced, EndReason.REPLACED, row), by=by, now=now)
    except AlreadyDecided:
        # The same form sent twice at once: the other request has just added this very fact.
        if earlier := _made_before(key, draft_id, user):
            return earlier
        raise
    return draft


def withdraw_fact(*, draft_id: int, version: int, added_id: int, user: User, now: datetime) -> Draft:
    """Take an added fact back, as a new version of the facts; again changes nothing.

    Raise FactRefused, AlreadyDecided, ClaimedByOther or NotAllowed.
    """
    row = AddedFact.objects.filter(pk=added_id, case__drafts=draft_id).first()
    if row is not None and row.end_reason == EndReason.WITHDRAWN and row.ended_by_id == user.pk:
        before = load(draft_id)
        acting(user, before.queue)
        return before
    draft, by, _ = begin(draft_id, version, user, "", now)
    standing = list(draft.case.added_facts.standing())
    if row is None or row not in standing:
        raise FactRefused("This fact does not stand any more. Load the page again.")
    kept = [one for one in standing if one != row]
    _renew(draft, _Change(kept, [row], EndReason.WITHDRAWN), by=by, now=now)
    return draft


def _made_before(key: str, draft_id: int, user: User) -> Draft | None:
    earlier = AddedFact.objects.filter(idempotency_key=key).first()
    if earlier is None:
        return None
    draft = load(draft_id)
    acting(user, draft.queue)
    if (earlier.case_id, earlier.added_by_id) != (draft.case_id, user.pk):
        raise KeyReused("This form was already used for another fact. Load the page again.")
    return draft


def _check_day(fact: NewFact, today: date) -> None:
    """Refuse a deadline that has passed or is more than a year away, and a call that is still to come."""
    if fact.kind == AddedKind.PAY_BY:
        day = date.fromisoformat(fact.value["pay_by"])
        if not today <= day <= today + _FARTHEST:
            raise FactRefused("Give a day from today on, within a year.", "pay_by")
    if fact.kind == AddedKind.PROMISE and date.fromisoformat(fact.value["on"]) > today:
        raise FactRefused("This day is still to come. Give the day of the call.", "on")


def _row_of(fact: NewFact, draft: Draft, *, user: User, key: str, now: datetime) -> AddedFact:
    known_from = storable(fact.known_from.strip())
    if not known_from:
        raise FactRefused("Say where you know it from.", "known_from")
    value = {name: storable(part) for name, part in fact.value.items() if part}
    return AddedFact(
        case=draft.case,
        kind=fact.kind,
        value={"kind": "promise", **value} if fact.kind == AddedKind.PROMISE else value,
        known_from=known_from,
        added_by=user,
        added_at=now,
        idempotency_key=key,
    )


def _renew(draft: Draft, change: _Change, *, by: Actor, now: datetime) -> None:
    """Make the next version of the facts and move the draft to it, all or nothing."""
    facts = with_added(draft.case.last_imported().facts, change.standing)
    sheet = FactSheet(
        case=draft.case,
        version=draft.case.newest_sheet().version + 1,
        facts=facts,
        hash=facts_hash(facts),
        source=Source.PERSON,
        created_by_id=by.person_id,
        created_at=now,
    )
    # As everywhere, the verifier runs outside the transaction: the draft's version pins what it read.
    again = _render_again(draft, sheet, now)
    try:
        with transaction.atomic():
            _save(draft, sheet, change, again, by=by, now=now)
    except StateChanged:
        raise already_decided(draft.pk) from None


def _save(
    draft: Draft, sheet: FactSheet, change: _Change, again: _Rendered | None, *, by: Actor, now: datetime
) -> None:
    draft.case.lock()
    draft.require_unchanged("add_fact")
    sheet.save(force_insert=True)
    for row in change.ended:
        row.end(change.reason, by=by, now=now)
    if change.new is not None:
        change.new.sheet = sheet
        change.new.save(force_insert=True)
    shown = _save_again(draft, again, now) if again else draft.shown
    touched = [change.new] if change.new else change.ended
    act = "add_fact" if change.new else "withdraw_fact"
    draft.move_to(sheet, shown=shown, act=act, fields=sorted({row.kind for row in touched}), by=by, now=now)


def _render_again(draft: Draft, sheet: FactSheet, now: datetime) -> _Rendered | None:
    """Set the shown prose into the frame of other facts and check it; None when nothing is shown."""
    try:
        DOMAINS[draft.case.domain].read_facts(sheet.facts)
    except FactsInvalid as error:
        raise FactRefused(" ".join(f"{item.message} {item.fix}".strip() for item in error.problems)) from error
    shown = draft.shown.stored_body() if draft.shown else None
    if shown is None:
        return None
    case = graded(sheet.as_case(), draft.queue_id)
    body = shown
    if shown.framed:
        prose = {block.name: block.text for block in shown.blocks if isinstance(block, Prose)}
        framed = case.domain.frame(case, {**{task.name: "" for task in case.blocks()}, **prose})
        body = replace(framed, blocks=tuple(b for b in framed.blocks if not isinstance(b, Prose) or b.text))
        if prose.keys() - {block.name for block in body.blocks if isinstance(block, Prose)}:
            raise FactRefused("With this fact the letter has other parts. Ask for a new draft after you have added it.")
    checks = case.checks(checks_for(draft.queue_id, draft.case.domain))
    checked = verify_body(body, sheet=case.sheet, now=now, slots=case.slots(), values=case.slot_values(), checks=checks)
    outcomes = tuple(softened(outcome, CONFIDENCE_THRESHOLD) for outcome in checked.outcomes)
    return _Rendered(body, replace(checked, outcomes=outcomes), fingerprint(checks))


def _save_again(draft: Draft, again: _Rendered, now: datetime) -> Attempt | None:
    if draft.shown is None:
        return None
    number = draft.attempts.latest("number").number + 1
    row = draft.shown.again(again.body, number=number, checked=again.checked, rules=again.rules, now=now)
    row.save(force_insert=True)
    Finding.objects.bulk_create(
        Finding.of(outcome, draft=draft, position=at, attempt=row) for at, outcome in enumerate(again.checked.outcomes)
    )
    return row
