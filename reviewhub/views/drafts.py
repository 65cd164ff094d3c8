"""Show one draft: the facts beside the text, every finding in its place, every attempt."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from agent.body import Body, Rendered
from agent.rubric import Rubric as AgentRubric
from reviewhub.models import Attempt, Decision, Draft, Finding, Role, Rubric, State, StopReason
from reviewhub.reviewing import Hurdle, hurdle_of
from reviewhub.views.facts import show_added, show_facts
from reviewhub.views.marks import free, mark, number
from reviewhub.views.recalled import exemplars_shown
from reviewhub.views.runs import show_run
from reviewhub.views.showing import SignedInRequest, htmx_of, show
from reviewhub.views.signing_in import signed_in

__all__ = ["draft_context", "draft_page", "visible_draft"]


@require_safe
@signed_in
def draft_page(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Show a draft with what the person may do to it; while it is being written, htmx asks whether there is news."""
    draft = visible_draft(request, draft_id)
    if htmx_of(request) and request.GET.get("seen") == _seen(draft):
        return HttpResponse(status=204)  # nothing is replaced under the reader's eyes
    return show(request, "draft.html", draft_context(request, draft), partials=("draft",))


def visible_draft(request: SignedInRequest, draft_id: int) -> Draft:
    """Return a draft that the person may read, with what its pages show; anything else is a 404."""
    rows = Draft.objects.visible_to(request.user).select_related("case", "queue", "sheet__case", "shown", "claimed_by")
    return get_object_or_404(rows, pk=draft_id)


def draft_context(request: SignedInRequest, draft: Draft) -> dict[str, Any]:
    """Gather what the review page shows of a draft, for this person, now."""
    now = timezone.now()
    case = draft.sheet.as_case()
    role = draft.queue.role_of(request.user)
    decision = draft.current_decision()
    hurdle = hurdle_of(draft, role)
    findings = _findings(draft, decision)
    rendered = _rendered(draft, decision, case.slot_values())
    numbered = number(findings, rendered.text) if rendered else ()
    return {
        "draft": draft,
        "seen": _seen(draft),
        "queue": draft.queue,
        "facts": show_facts(case.sheet, draft.sheet.facts),
        "added": show_added(draft.case.added_facts.select_related("added_by"), case.sheet.locale),
        "is_stale": draft.is_open and draft.is_stale(now),
        "blocks": mark(rendered, numbered) if rendered else (),
        "text": rendered.text if rendered else "",
        "findings": [shown for shown in numbered if not shown.is_to_read],
        "read_first": [shown for shown in numbered if shown.is_to_read],
        "run": show_run(attempts := _attempts(draft), case.rubric or _rubric_of(draft, attempts)),
        "gaps": list(draft.gaps.all()),
        "decision": decision,
        "reviews": list(draft.reviews.with_words()),
        "kept_in": _kept_in(draft),
        "next_draft": _next(draft) if decision else None,
        "newest": draft.case.newest_draft() if draft.state == State.SUPERSEDED else None,
        "now": now,
        "key": uuid.uuid4().hex,
        "may_curate": role is not None and role.covers(Role.OPERATOR),
        **exemplars_shown(draft, case),
        "tone_in_doubt": [shown for shown in numbered if shown.finding.is_tone_in_doubt] if _asks_tone(draft) else [],
        "may_approve": hurdle is Hurdle.NONE,
        "may_override": hurdle is Hurdle.BLOCKED and role is Role.LEAD,
        "needs_override": hurdle is Hurdle.BLOCKED,
        **_rights(request, draft, role, decision, now),
    }


def _asks_tone(draft: Draft) -> bool:
    return draft.stop_reason == StopReason.TONE_ONLY and draft.state == State.AWAITING_REVIEW


def _next(draft: Draft) -> Draft | None:
    """Return the draft of the queue that has waited longest for a review."""
    waiting = Draft.objects.of_queue(draft.queue).in_states([State.AWAITING_REVIEW])
    return waiting.keyset_page().select_related("case").first()


def _kept_in(draft: Draft) -> str:
    """Return the name of the page where a text that was refused can be gone on with; empty when there is none."""
    if not draft.is_reviewable or not draft.pending:
        return ""
    return "write" if "free" in draft.pending else "edit"


def _seen(draft: Draft) -> str:
    return f"{draft.version}.{draft.attempts.count()}"


def _rights(
    request: SignedInRequest, draft: Draft, role: Role | None, decision: Decision | None, now: datetime
) -> Mapping[str, Any]:
    may_decide = role is not None and role.covers(Role.OPERATOR)
    may_undo = decision is not None and decision.can_undo(user_id=request.user.pk, now=now)
    held = draft.is_claimed_by_other(request.user.pk, now)
    return {
        "may_decide": may_decide and draft.is_reviewable,
        "may_take_out": may_decide,
        "is_lead": role is Role.LEAD,
        "held_by_other": held,
        "is_mine": draft.claimed_by_id == request.user.pk
        and not held
        and draft.claimed_until is not None
        and draft.claimed_until > now,
        "undo_seconds": decision.seconds_to_undo(now) + 1 if decision and may_undo else 0,
    }


def _place_blocks(body: Body | None, text: str, values: Mapping[str, str]) -> Rendered:
    """Return a text with the places of its blocks; one block when the stored body does not give the stored text."""
    rendered = body.render(values) if body is not None and body.record is None else None
    return rendered if rendered is not None and rendered.text == text else free(text)


def _rendered(draft: Draft, decision: Decision | None, values: Mapping[str, str]) -> Rendered | None:
    if decision is not None and decision.is_approval:
        body = Body.from_json(decision.body) if decision.body is not None else None
        return _place_blocks(body, decision.text, values)
    if draft.shown is None or not draft.shown.text:
        return None
    return _place_blocks(draft.shown.stored_body(), draft.shown.text, values)


def _findings(draft: Draft, decision: Decision | None) -> list[Finding]:
    if decision is not None and decision.findings.exists():
        return list(decision.findings.worth_showing())
    if draft.shown is not None:
        return list(draft.shown.findings.worth_showing())
    return list(Finding.objects.filter(draft=draft).about_facts().worth_showing())


def _rubric_of(draft: Draft, attempts: Sequence[Attempt]) -> AgentRubric | None:
    """Return the version that graded the newest graded attempt, for the titles of its criteria."""
    names = [attempt.grade["rubric"] for attempt in attempts if attempt.grade]
    row = Rubric.objects.named(draft.queue_id, draft.case.domain, names[-1]) if names else None
    return row.build() if row is not None and not row.faults() else None


def _attempts(draft: Draft) -> list[Attempt]:
    return list(draft.attempts.order_by("number").prefetch_related("findings"))
