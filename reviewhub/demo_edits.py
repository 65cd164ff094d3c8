"""Let a past edit of the examples happen as it would in life: a case, its draft, a person's text, their approval."""

import uuid
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from agent.body import Body
from agent.budget import limits_for
from agent.fixtures import PastEdit
from agent.llm.scripted import ScriptedModel
from agent.loop import Clock, Gate, run_draft
from reviewhub.edits import Edit
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Act, Actor, Attempt, Decision, Draft, Finding, Queue, State, StopReason, Who
from reviewhub.reviewing import approve_edited
from reviewhub.rulebook import checks_for

__all__ = ["replay"]

_DRAFTED_BEFORE = timedelta(minutes=20)


def replay(edit: PastEdit, *, external_id: str, queue: Queue, user: User) -> Decision:
    """Take the case in, draft it by its script and approve the person's text, all at the times that the edit names.

    What follows an approval starts when the workers do: the decision is like any other. Raise TextRefused for an edit
    that the checks of today refuse.
    """
    then = edit.decided_at - _DRAFTED_BEFORE
    given = {"external_id": external_id, "domain": edit.domain, "facts": edit.facts}
    case = read_case(given, queue=queue)
    draft = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=then, rings=False).draft
    _write(draft, edit, then)
    values = draft.sheet.as_case().slot_values()
    typed = tuple(Body.free(text).render(values).text for text in edit.person.values())
    return approve_edited(
        draft_id=draft.pk,
        version=draft.version,
        edit=Edit(prose=typed),
        user=user,
        key=uuid.uuid4().hex,
        now=edit.decided_at,
    )


def _write(draft: Draft, edit: PastEdit, now: datetime) -> None:
    """Write the draft as a worker would, with the edit's prose for the model's."""
    draft.start(worker="demo", now=now)
    case = draft.sheet.as_case()
    run = run_draft(
        case,
        ScriptedModel([dict(edit.draft)]),
        limits=limits_for(case),
        clock=Clock(now=lambda: now),
        seed=draft.pk,
        gate=Gate(checks_for(draft.queue_id, edit.domain)),
    )
    for attempt in run.attempts:
        row = Attempt.of(draft, attempt)
        row.save(force_insert=True)
        Finding.objects.bulk_create(
            Finding.of(outcome, draft=draft, attempt=row, position=at) for at, outcome in enumerate(attempt.outcomes)
        )
        draft.shown = row
    draft.move(
        Act.FINISH,
        State(run.state.value.lower()),
        by=Actor(Who.WORKER),
        now=now,
        changes={
            "shown": draft.shown,
            "stop_reason": StopReason(run.stop.reason.value),
            "stop_detail": run.stop.detail,
            "finished_at": now,
        },
    )
