"""Show whether the parts work, how far learning has come, and what went wrong how often."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from reviewhub.answering import broker_answers, database_answers, store_answers
from reviewhub.models import Decision, Draft, Exemplar, ExemplarState, Queue, State, Tally
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["Backlog", "Part", "status_page"]

# Beyond this a state shows "5000+": counting stays cheap however many drafts there are.
COUNTED = 5_000
# The sweeper is due every 10 s.
_SWEEP_LATE = timedelta(seconds=60)
_LEARNING_LATE = timedelta(minutes=10)
# It is due once a day, and looked for every 5 minutes.
_COMPARISON_LATE = timedelta(hours=26)
_TALLIES = {
    "recall-exact": "Drafts whose exemplars were found by exact search, because the vector store did not answer",
    "store-away": "Texts that waited because the vector store did not take them; they are sent again",
    "store-refused": "Texts or collections that the vector store refused though it answers: run rebuild_memory",
    "reconcile-repaired": "Vectors that the store lacked, or held though they did not belong there; repaired",
    "recall-starters": "Drafts written from starters, because the embedding model could not be used",
    "ring-failed": "Messages to workers that the broker did not take; the sweeper sends them again",
}
_SWEPT = "swept"
_RECONCILED = "reconciled"


@dataclass(frozen=True, slots=True)
class Part:
    """Say of one part whether it works, and what that means for people; `where` is for administrators."""

    name: str
    works: bool
    says: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Backlog:
    """Say how many texts wait to be learned from, and since when the oldest does."""

    count: str
    oldest: datetime | None
    is_late: bool


@never_cache
@require_safe
@signed_in
def status_page(request: SignedInRequest) -> HttpResponseBase:
    """Show the state of every part, and counts over the queues that the person may read."""
    now = timezone.now()
    tallies = {tally.name: tally for tally in Tally.objects.all()}
    queues = Queue.objects.visible_to(request.user)
    is_admin = request.user.is_superuser
    context = {
        "parts": [*_parts(), _sweeper(tallies.get(_SWEPT), now), _index(tallies.get(_RECONCILED), now)],
        "backlog": _backlog(queues, now),
        "drafts": [(state.label, _count(Draft.objects.visible_to(request.user).in_state(state))) for state in State],
        "exemplars": [
            (state.label, _count(Exemplar.objects.visible_to(request.user).in_state(state))) for state in ExemplarState
        ],
        "tallies": list(_went_wrong(tallies)),
        "is_admin": is_admin,
        "by_queue": [_of_queue(queue) for queue in queues] if is_admin else [],
        "model": settings.REVIEWHUB_MODEL.rpartition("@")[2] if is_admin else "",
        "now": now,
    }
    return show(request, "status.html", context, partials=("status",))


def _parts() -> Iterator[Part]:
    yield _part(
        "Database",
        database_answers(),
        "answers",
        "does not answer",
        settings.DATABASES["default"]["ENGINE"].rpartition(".")[2],
    )
    yield _part(
        "Broker",
        broker_answers(settings.CELERY_BROKER_URL),
        "answers",
        "does not answer: nothing is lost, work is sent again once it does",
        _place(settings.CELERY_BROKER_URL),
    )
    yield _part(
        "Vector store",
        store_answers(settings.REVIEWHUB_CHROMA_URL),
        "answers",
        "does not answer: exact search in the database finds the exemplars meanwhile",
        _place(settings.REVIEWHUB_CHROMA_URL),
    )


def _part(name: str, works: bool, good: str, bad: str, where: str) -> Part:
    return Part(name, works, good if works else bad, where)


def _sweeper(tally: Tally | None, now: datetime) -> Part:
    if tally is None:
        return Part("Sweeper", works=False, says="has not swept yet: are beat and the workers running?")
    works = now - tally.last_at < _SWEEP_LATE
    asks = "" if works else ": are beat and the workers running?"
    return Part("Sweeper", works, f"last swept {_ago(tally, now)}{asks}")


def _index(tally: Tally | None, now: datetime) -> Part:
    """Say when the vector store was last compared with the database, and drift repaired."""
    if tally is None:
        return Part("Index", works=True, says="is compared with the database within minutes, then once a day")
    works = now - tally.last_at < _COMPARISON_LATE
    asks = "" if works else ": do the vector store, beat and the learning worker run?"
    return Part("Index", works, f"compared with the database, and repaired where it drifted, {_ago(tally, now)}{asks}")


def _ago(tally: Tally, now: datetime) -> str:
    seconds = max(0, int((now - tally.last_at).total_seconds()))
    if seconds < 120:
        return f"{seconds} s ago"
    return f"{seconds // 60} minutes ago" if seconds < 7200 else f"{seconds // 3600} hours ago"


def _backlog(queues: Any, now: datetime) -> Backlog:
    decisions = Decision.objects.to_learn_from(now).filter(draft__queue__in=queues)
    steps = (ExemplarState.WAITING, ExemplarState.READY)
    waiting = Exemplar.objects.filter(queue__in=queues).in_state(*steps)
    leaving = Exemplar.objects.filter(queue__in=queues).stale_in_store()
    counts = [rows.order_by()[: COUNTED + 1].count() for rows in (decisions, waiting, leaving)]
    firsts = [
        decisions.order_by("effects_at").values_list("effects_at", flat=True).first(),
        waiting.order_by("state_since").values_list("state_since", flat=True).first(),
        leaving.order_by("state_since").values_list("state_since", flat=True).first(),
    ]
    oldest = min((at for at in firsts if at is not None), default=None)
    return Backlog(_shown(sum(counts)), oldest, oldest is not None and now - oldest > _LEARNING_LATE)


def _went_wrong(tallies: dict[str, Tally]) -> Iterator[tuple[str, int, datetime | None]]:
    for name, label in _TALLIES.items():
        tally = tallies.get(name)
        yield label, tally.count if tally else 0, tally.last_at if tally else None


def _of_queue(queue: Queue) -> dict[str, Any]:
    drafts, exemplars = Draft.objects.of_queue(queue), Exemplar.objects.of_queue(queue)
    return {
        "queue": queue,
        "waiting": _count(drafts.in_states((State.QUEUED, State.DRAFTING))),
        "review": _count(drafts.in_states((State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED))),
        "quarantined": _count(exemplars.in_state(ExemplarState.QUARANTINED)),
        "indexed": _count(exemplars.in_state(ExemplarState.INDEXED)),
    }


def _count(rows: Any) -> str:
    return _shown(rows.count_up_to(COUNTED))


def _shown(count: int) -> str:
    return f"{COUNTED}+" if count > COUNTED else str(count)


def _place(url: str) -> str:
    """Return host and port alone: the rest of an address may hold a password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
