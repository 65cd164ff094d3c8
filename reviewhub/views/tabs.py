"""List a queue's rows one tab, a group of states, at a time, and from a place on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, TypeVar

from django.db.models import TextChoices
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone

from reviewhub.models import BadKeyset, Draft, DraftQuerySet, Exemplar, ExemplarQuerySet, Keyset, Queue
from reviewhub.views.showing import SignedInRequest, show

__all__ = ["PAGE", "Listed", "Tab", "lists", "shown_count"]

PAGE = 25
# A tab shows how many rows it holds up to here, and "200+" beyond: counting stays cheap however many there are.
_COUNTED = 200

_State = TypeVar("_State", bound=TextChoices)


@dataclass(frozen=True, slots=True)
class Tab(Generic[_State]):
    """Name a group of states that a person looks at together."""

    slug: str
    label: str
    states: tuple[_State, ...]
    empty_title: str
    empty_text: str
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class Listed(Generic[_State]):
    """Say what a person asked for: a tab of a queue's list, from a place on or from its first row."""

    queue: Queue
    tab: Tab[_State]
    after: Keyset | None

    def page(self, rows: Sequence[Draft] | Sequence[Exemplar]) -> dict[str, Any]:
        """Return what every list's template gets; `rows` are one more than a page holds when others follow."""
        return {
            "queue": self.queue,
            "tab": self.tab,
            "rows": rows[:PAGE],
            "next": rows[PAGE - 1].keyset if len(rows) > PAGE else None,
            "is_first_page": self.after is None,
            "now": timezone.now(),
        }


def lists(
    url_name: str, tabs: Sequence[Tab[_State]]
) -> Callable[
    [Callable[[SignedInRequest, Listed[_State]], HttpResponseBase]], Callable[[SignedInRequest, str], HttpResponseBase]
]:
    """Let a view list what was asked for; a queue that the person may not read, or no place of ours, is answered here.

    The view under `url_name` gets the queue's slug, and `state` and `after` of the query.
    """
    by_slug = {tab.slug: tab for tab in tabs}

    def decorate(
        view: Callable[[SignedInRequest, Listed[_State]], HttpResponseBase],
    ) -> Callable[[SignedInRequest, str], HttpResponseBase]:
        @wraps(view)
        def listed(request: SignedInRequest, slug: str) -> HttpResponseBase:
            queue = get_object_or_404(Queue.objects.visible_to(request.user), slug=slug)
            tab = by_slug.get(request.GET.get("state", ""), tabs[0])
            after = request.GET.get("after", "")
            try:
                place = Keyset.parse(after) if after else None
            except BadKeyset as error:
                context = {"list": url_name, "queue": queue, "tab": tab, "error": error}
                return show(request, "list_place.html", context, status=400)
            return view(request, Listed(queue, tab, place))

        return listed

    return decorate


def shown_count(rows: DraftQuerySet | ExemplarQuerySet) -> str:
    """Count rows as a tab shows it."""
    n = rows.count_up_to(_COUNTED)
    return f"{_COUNTED}+" if n > _COUNTED else str(n)
