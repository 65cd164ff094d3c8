"""Make a body of what a person wrote, and check it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from agent.body import Body, Prose
from agent.budget import CONFIDENCE_THRESHOLD
from agent.outcome import Outcome, Status
from agent.text import nfc
from agent.typed import with_slots
from agent.validators.check import Kind
from agent.validators.reading import Author
from agent.validators.runner import Verdict, is_blocking, softened
from agent.validators.verify import verify_body
from reviewhub.models import Draft, storable
from reviewhub.rulebook import checks_for, graded

__all__ = ["Edit", "EditMismatch", "Refused", "check_edit"]


class Refused(Exception):
    """Base of what a person can put right; the text says what to do."""


class EditMismatch(Refused):
    """Refuse an edit that does not fit the parts of the shown draft."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Hold what a person wrote: the text of each prose block of the shown draft in order, or one free text."""

    prose: tuple[str, ...] = ()
    free: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as the draft keeps it."""
        if self.free is not None:
            return {"free": storable(self.free)}
        return {"prose": [storable(text) for text in self.prose]}


def check_edit(draft: Draft, edit: Edit, *, now: datetime) -> tuple[Body, Verdict]:
    """Return the body that a person's text makes, and what the deterministic checks say of it.

    The body of an edited frame is in slot language: what was typed just as a slot renders is that slot again. The
    checks read the text as it was typed, so that a figure is no better for having been folded.
    """
    case = graded(draft.sheet.as_case(), draft.queue_id)
    values = case.slot_values()
    body = _body(draft, edit)
    checks = case.checks(checks_for(draft.queue_id, draft.case.domain))
    checked = verify_body(
        body,
        sheet=case.sheet,
        now=now,
        slots=case.slots(),
        values=values,
        text_by=Author.PERSON,
        checks=checks,
    )
    # What would only warn in the agent's text only warns in a person's, and so does what is but a guess.
    guessing = {check.source for check in checks if check.kind is not Kind.DETERMINISTIC}
    outcomes = tuple(_advice(softened(item, CONFIDENCE_THRESHOLD), guessing) for item in checked.outcomes)
    checked = replace(checked, outcomes=outcomes)
    return _in_slots(body, values) if body.framed else body, checked


def _advice(outcome: Outcome, guessing: Collection[str]) -> Outcome:
    is_guess = outcome.validator_source in guessing and not is_blocking(outcome)
    return outcome.model_copy(update={"status": Status.WARN}) if is_guess and outcome.status is Status.FAIL else outcome


def _body(draft: Draft, edit: Edit) -> Body:
    """Put a person's prose into the frame of the shown draft; free text is one block.

    Code blocks stay; a passage that the person emptied is left out.
    """
    if edit.free is not None:
        return Body.free(nfc(edit.free.strip()))
    shown = draft.shown.stored_body() if draft.shown else None
    if shown is None or shown.record is not None:
        raise EditMismatch("There is no draft to edit. Write the text freely, or decline.")
    prose = {at: block for at, block in enumerate(shown.blocks) if isinstance(block, Prose)}
    if len(prose) != len(edit.prose):
        raise EditMismatch("The draft has changed its parts. Load the page again; your text is still in the form.")
    blocks = list(shown.blocks)
    for (at, block), text in zip(prose.items(), edit.prose, strict=True):
        blocks[at] = replace(block, text=nfc(text.strip()))
    return replace(shown, blocks=tuple(block for block in blocks if not isinstance(block, Prose) or block.text))


def _in_slots(body: Body, values: Mapping[str, str]) -> Body:
    blocks = (
        replace(block, text=with_slots(block.text, values)) if isinstance(block, Prose) else block
        for block in body.blocks
    )
    return replace(body, blocks=tuple(blocks))
