"""Put a written and verified attempt into a draft, as a worker would have left it, without a model."""

from collections.abc import Sequence

from agent.advice import Usage
from agent.attempt import Attempt as AgentAttempt
from agent.llm.chat import Message, Sampling
from agent.outcome import Outcome
from agent.rubric import Grade
from agent.validators.verify import verify_body
from reviewhub.models import Attempt, Draft, Finding

__all__ = ["CLOSING", "OPENING", "REQUEST", "write_attempt"]

OPENING = "I am writing about your account again, because the items below are still open."
REQUEST = "Please settle the total of [TOTAL_DUE] as soon as you can, or let us know if something is holding it up."
CLOSING = "If you have a question about any of the items, please reply to this message."


def write_attempt(
    draft: Draft,
    *,
    number: int = 1,
    raw_reply: str = "{}",
    grade: Grade | None = None,
    advice: Usage | None = None,
    more: Sequence[Outcome] = (),
    **prose: str,
) -> Attempt:
    """Save an attempt with true prose, or the given passages, and its real findings and `more`; show it."""
    case = draft.sheet.as_case()
    body = case.domain.frame(case, {"opening": OPENING, "request": REQUEST, "closing": CLOSING, **prose})
    verdict = verify_body(body, sheet=case.sheet, slots=case.slots(), values=case.slot_values(), now=draft.created_at)
    outcomes = (*verdict.outcomes, *more)
    row = Attempt.of(
        draft,
        AgentAttempt(
            number=number,
            prompt=(Message("system", "Write JSON."), Message("user", "Two items are open.")),
            prompt_version="billing-1",
            sampling=Sampling(),
            model="a small model",
            started_at=draft.created_at,
            seconds=3.4,
            reply=raw_reply,
            body=body,
            text=verdict.text,
            outcomes=outcomes,
            grade=grade,
            advice=advice or Usage(),
            tokens_in=512,
            tokens_out=96,
        ),
    )
    row.save()
    Finding.objects.bulk_create(
        Finding.of(outcome, draft=draft, attempt=row, position=place) for place, outcome in enumerate(outcomes)
    )
    Draft.objects.filter(pk=draft.pk).update(shown=row)
    draft.refresh_from_db()
    return row
