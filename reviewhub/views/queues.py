"""Show a person's queues, and the drafts of one by state."""

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from reviewhub.models import (
    REVIEWABLE,
    Draft,
    Exemplar,
    ExemplarState,
    Finding,
    Queue,
    Role,
    State,
)
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in
from reviewhub.views.tabs import PAGE, Listed, Tab, lists, shown_count

__all__ = ["TABS", "home", "queue_page"]


TABS = (
    Tab(
        "awaiting",
        "Awaiting review",
        (State.AWAITING_REVIEW,),
        "Nothing awaits you",
        "Every draft that passed its checks has been decided. New ones appear here by themselves.",
    ),
    Tab(
        "escalated",
        "Escalated",
        (State.ESCALATED,),
        "Nothing is escalated",
        "A draft comes here when its facts contradict each other, or when it still fails after its last attempt.",
    ),
    Tab(
        "abstained",
        "Abstained",
        (State.ABSTAINED,),
        "The agent wrote about every case",
        "A case comes here when there is nothing safe to write from; its page says what is missing.",
    ),
    Tab(
        "drafting",
        "Being drafted",
        (State.QUEUED, State.DRAFTING),
        "Nothing is being drafted",
        "Add a case, or import a file of cases, and its draft appears here at once.",
    ),
    Tab(
        "done",
        "Done",
        (State.APPROVED, State.DECLINED, State.SUPERSEDED),
        "Nothing is decided yet",
        "Approved and declined drafts stay here, newest first.",
        newest_first=True,
    ),
)


@require_safe
@signed_in
def home(request: SignedInRequest) -> HttpResponseBase:
    """Show every queue that the person may read; with a single one, go there."""
    waiting = Draft.objects.in_states(REVIEWABLE).filter(queue=OuterRef("pk"))
    queues = list(Queue.objects.visible_to(request.user).annotate(has_work=Exists(waiting)))
    if len(queues) == 1:
        return redirect("queue", slug=queues[0].slug)
    return show(request, "home.html", {"queues": queues})


@require_safe
@signed_in
@lists("queue", TABS)
def queue_page(request: SignedInRequest, asked: Listed[State]) -> HttpResponseBase:
    """List one group of a queue's drafts, from a place on."""
    role = asked.queue.role_of(request.user)
    context = {
        **asked.page(_rows(asked)),
        "tabs": _counts(asked.queue),
        "quarantined": shown_count(Exemplar.objects.of_queue(asked.queue).in_state(ExemplarState.QUARANTINED)),
        "may_add": role is not None and role.covers(Role.OPERATOR),
    }
    return show(request, "queue.html", context, partials=("list",))


def _rows(asked: Listed[State]) -> list[Draft]:
    problems = Prefetch("shown__findings", queryset=Finding.objects.worth_showing(), to_attr="problems")
    drafts = Draft.objects.of_queue(asked.queue).in_states(asked.tab.states)
    rows = drafts.keyset_page(after=asked.after, newest_first=asked.tab.newest_first)
    return list(rows.for_list().prefetch_related(problems)[: PAGE + 1])


def _counts(queue: Queue) -> list[dict[str, Any]]:
    drafts = Draft.objects.of_queue(queue)
    return [{"tab": tab, "count": shown_count(drafts.in_states(tab.states))} for tab in TABS]
