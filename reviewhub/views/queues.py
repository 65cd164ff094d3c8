"""Show a person's queues, and the drafts of one by state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviewhub.models import (
    REVIEWABLE,
    BadKeyset,
    Draft,
    DraftQuerySet,
    Exemplar,
    ExemplarQuerySet,
    ExemplarState,
    Finding,
    Keyset,
    Queue,
    Role,
    State,
)
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["TABS", "Tab", "home", "queue_page"]

PAGE = 25
# A tab shows how many drafts it holds up to here, and "200+" beyond: counting stays cheap however many there are.
COUNTED = 200


@dataclass(frozen=True, slots=True)
class Tab:
    """Name a group of states that an operator looks at together."""

    slug: str
    label: str
    states: tuple[State, ...]
    empty_title: str
    empty_text: str
    newest_first: bool = False


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
_BY_SLUG: Mapping[str, Tab] = {tab.slug: tab for tab in TABS}


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
def queue_page(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """List one group of a queue's drafts, from a place on."""
    queue = get_object_or_404(Queue.objects.visible_to(request.user), slug=slug)
    tab = _BY_SLUG.get(request.GET.get("state", ""), TABS[0])
    after = request.GET.get("after", "")
    try:
        place = Keyset.parse(after) if after else None
    except BadKeyset as error:
        return show(request, "queue_place.html", {"queue": queue, "tab": tab, "error": error}, status=400)
    rows = _rows(queue, tab, place)
    role = queue.role_of(request.user)
    context = {
        "queue": queue,
        "tab": tab,
        "tabs": _counts(queue),
        "quarantined": _shown(Exemplar.objects.of_queue(queue).in_state(ExemplarState.QUARANTINED)),
        "rows": rows[:PAGE],
        "next": rows[PAGE - 1].keyset if len(rows) > PAGE else None,
        "is_first_page": place is None,
        "may_add": role is not None and role.covers(Role.OPERATOR),
        "now": timezone.now(),
    }
    return show(request, "queue.html", context, partials=("list",))


def _rows(queue: Queue, tab: Tab, place: Keyset | None) -> list[Draft]:
    problems = Prefetch("shown__findings", queryset=Finding.objects.worth_showing(), to_attr="problems")
    drafts = Draft.objects.of_queue(queue).in_states(tab.states).keyset_page(after=place, newest_first=tab.newest_first)
    return list(drafts.for_list().prefetch_related(problems)[: PAGE + 1])


def _counts(queue: Queue) -> list[dict[str, Any]]:
    drafts = Draft.objects.of_queue(queue)
    return [{"tab": tab, "count": _shown(drafts.in_states(tab.states))} for tab in TABS]


def _shown(rows: DraftQuerySet | ExemplarQuerySet) -> str:
    n = rows.count_up_to(COUNTED)
    return f"{COUNTED}+" if n > COUNTED else str(n)
