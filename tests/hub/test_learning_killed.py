"""Wherever a learning worker is killed, what it left is taken over and the store ends as the rows say."""

from datetime import timedelta

import pytest

from memory.store import Store, collection_name
from reviewhub import examining, learning
from reviewhub.learning import advance
from reviewhub.models import Actor, AuditEvent, Exemplar, Who
from reviewhub.models.exemplars import LEARNING_LEASE
from reviewhub.remembering import store
from tests.hub.learned import approve

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.chaos]

# What a step calls, and how often: sanitising and indexing both take, settle and note.
_TO_INDEX = [
    (learning, "_load_models", 1),
    (Exemplar, "take", 2),
    (learning, "sanitised", 1),
    (learning, "doubts_about", 1),
    (learning, "embed_exemplars", 1),
    (Exemplar, "settle", 2),
    (Exemplar, "note", 2),
    (Store, "upsert", 1),
]
_TO_TAKE_OUT = [(Exemplar, "take", 1), (Store, "delete", 1), (Exemplar, "removed", 1)]


class Killed(BaseException):
    """End a step as SIGKILL does: nothing of the worker runs on, and the database drops what was not committed."""


@pytest.fixture
def collection(queue, chroma):
    name = collection_name(queue.pk, "billing")
    store().drop(name)
    examining._clients.clear()
    return name


@pytest.fixture
def exemplar(make_draft, people, now):
    def make():
        earlier = now - timedelta(seconds=15)
        decision = approve(make_draft, people["operator"], now=earlier, opening="The items below are still open.")
        return Exemplar.of_decision(decision, now=now)

    return make


def killed_at(owner, name, *, after, call, exemplar, now):
    """Advance an exemplar and die at a call: before it, or as soon as it has returned."""
    real, calls = getattr(owner, name), []

    def die(*given, **more):
        calls.append(name)
        if len(calls) < call:
            return real(*given, **more)
        if after:
            real(*given, **more)
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, die)
        try:
            advance(exemplar_id=exemplar.pk, clock=lambda: now)
        except Killed:
            return True
    return False


def deaths(places):
    """Return every place: before and after each call."""
    return [
        (owner, name, after, call)
        for owner, name, calls in places
        for after in (False, True)
        for call in range(1, calls + 1)
    ]


def test_a_worker_killed_anywhere_on_the_way_into_the_index_leaves_one_exemplar_there(exemplar, collection, now):
    wrong, indexed = [], set()
    for owner, name, after, call in deaths(_TO_INDEX):
        row = exemplar()
        assert killed_at(owner, name, after=after, call=call, exemplar=row, now=now), name
        assert row.pk in Exemplar.objects.to_be_sent(now + LEARNING_LEASE).values_list("pk", flat=True) or in_index(row)
        advance(exemplar_id=row.pk, clock=lambda: now + LEARNING_LEASE)
        indexed.add(str(row.pk))
        acts = AuditEvent.objects.filter(draft_ref=row.decision.draft_id, act__startswith="exemplar").order_by("id")
        said = [event.act for event in acts]
        if not in_index(row) or said != ["exemplar_wait", "exemplar_ready", "exemplar_indexed"]:
            wrong.append((name, after, call, said))
    assert wrong == []
    assert store().ids(collection) == indexed


def test_a_worker_killed_anywhere_on_the_way_out_of_the_index_leaves_nothing_there(exemplar, collection, people, now):
    for owner, name, after, call in deaths(_TO_TAKE_OUT):
        row = exemplar()
        assert advance(exemplar_id=row.pk, clock=lambda: now) == "indexed"
        row.refresh_from_db()
        row.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
        assert killed_at(owner, name, after=after, call=call, exemplar=row, now=now), name
        advance(exemplar_id=row.pk, clock=lambda: now + LEARNING_LEASE)
        assert not Exemplar.objects.get(pk=row.pk).is_stale_in_store, (name, after)
        assert store().ids(collection) == set(), (name, after)


def in_index(exemplar):
    return Exemplar.objects.get(pk=exemplar.pk).state == "indexed"
