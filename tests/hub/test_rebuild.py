"""The two commands that bring the vector store in line with the database."""

from datetime import timedelta
from fnmatch import fnmatch

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from memory.store import collection_name
from reviewhub import reindexing, tasks
from reviewhub.curating import edit_exemplar, stamp
from reviewhub.doorbell import RECONCILE
from reviewhub.learning import advance
from reviewhub.models import Actor, Exemplar, Queue, Tally, Who
from reviewhub.remembering import as_matrix, store
from tests.hub.learned import approve, learn

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def collection(queue, chroma):
    for name in store().collections():  # left by tests whose queues are gone
        store().drop(name)
    return collection_name(queue.pk, "billing")


@pytest.fixture
def three(make_draft, people, now, collection):
    """Learn from three edits and return their ids."""
    for opening in (
        "The items below are still open, as you know.",
        "Your account is open with us.",
        "I hope this finds you well.",
    ):
        decision = approve(make_draft, people["operator"], now=now - timedelta(seconds=15), opening=opening)
        assert learn(decision_id=decision.pk, clock=lambda: now) == "indexed"
    return sorted(Exemplar.objects.values_list("pk", flat=True))


def ids(rows):
    return {str(pk) for pk in rows}


def test_the_store_is_filled_anew_from_the_database_alone(three, collection, capsys):
    store().drop(collection)
    for _ in range(2):
        call_command("rebuild_memory")
        assert store().ids(collection) == ids(three)
    said = capsys.readouterr().out.splitlines()
    assert said == ["billing-east, billing: 0 dropped, 3 put in", "billing-east, billing: 3 dropped, 3 put in"]


def test_a_rebuilt_vector_finds_its_own_row(three, collection):
    call_command("rebuild_memory")
    for pk in three:
        [vector] = as_matrix([Exemplar.objects.get(pk=pk).vector])
        assert store().nearest(collection, vector, 1)[0].id == str(pk)


def test_only_clean_rows_are_put_in(three, collection, people, now):
    forgotten, doubtful, kept = Exemplar.objects.order_by("pk")
    forgotten.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    changes = {"state": "quarantined", "reason": "doubts", "vector": None, "embedder": "", "indexed_at": None}
    Exemplar.objects.filter(pk=doubtful.pk).update(**changes)
    call_command("rebuild_memory")
    assert store().ids(collection) == {str(kept.pk)}
    assert not Exemplar.objects.stale_in_store().exists()


def test_one_queue_can_be_rebuilt_and_a_name_that_is_none_is_refused(three, collection, capsys):
    Queue.objects.create(slug="empty", name="Empty", team="None")
    call_command("rebuild_memory", queue="empty")
    assert capsys.readouterr().out == ""
    call_command("rebuild_memory", queue="billing-east")
    assert "3 put in" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no queue 'billing-east2'"):
        call_command("rebuild_memory", queue="billing-east2")


def test_drift_is_reported_and_repaired(three, collection, capsys):
    first, second, third = three
    store().delete(collection, [str(first)])
    vector = as_matrix([Exemplar.objects.get(pk=second).vector])
    store().upsert(collection, ["999999"], vector)
    Exemplar.objects.filter(pk=third).update(embedder="another model", vector=bytes(384 * 4))
    call_command("reconcile_memory")
    assert capsys.readouterr().out == (
        "billing-east, billing: 3 belong there; 1 were missing, 1 did not belong there, 1 were of another model; "
        "repaired\n"
    )
    assert store().ids(collection) == ids(three)
    row = Exemplar.objects.get(pk=third)
    assert row.embedder == Exemplar.objects.get(pk=first).embedder
    assert store().nearest(collection, as_matrix([row.vector])[0], 1)[0].similarity == pytest.approx(1, abs=1e-4)
    call_command("reconcile_memory")
    assert capsys.readouterr().out == "billing-east, billing: 3 belong there and are there\n"


def test_what_a_forgotten_one_left_behind_is_found(three, collection, people, now, capsys):
    Exemplar.objects.get(pk=three[0]).forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    call_command("reconcile_memory")
    assert "1 did not belong there" in capsys.readouterr().out
    assert store().ids(collection) == ids(three[1:])
    assert not Exemplar.objects.stale_in_store().exists()


def test_what_becomes_clean_while_the_store_is_compared_stays_in_it(three, collection, people, now, monkeypatch):
    """A worker indexes a corrected text after it was read what belongs there, and before the rest is taken out."""
    row = Exemplar.objects.get(pk=three[0])
    later = now + timedelta(seconds=1)
    corrected = {"seen": stamp(row), "texts": list(row.prose.values()), "user": people["operator"], "now": later}
    edit_exemplar(exemplar_id=row.pk, **corrected)
    real = reindexing._take_out

    def learn_first(*given):
        assert advance(exemplar_id=row.pk, clock=lambda: later) == "indexed"
        return real(*given)

    monkeypatch.setattr(reindexing, "_take_out", learn_first)
    call_command("reconcile_memory")
    assert store().ids(collection) == ids(three)
    vector = as_matrix([Exemplar.objects.get(pk=row.pk).vector])[0]
    assert store().nearest(collection, vector, 1)[0].similarity == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("command", ["rebuild_memory", "reconcile_memory"])
def test_a_collection_without_any_row_is_dropped_and_one_of_others_is_left_alone(three, collection, command, capsys):
    one = as_matrix([Exemplar.objects.get(pk=three[0]).vector])
    for name in ("queue-987654-billing", "somebody-elses"):
        store().drop(name)
        store().upsert(name, ["7"], one)
    call_command(command, queue="billing-east")
    assert store().ids("queue-987654-billing") == {"7"}
    capsys.readouterr()
    call_command(command)
    said = capsys.readouterr().out
    assert "queue-987654-billing: no exemplars in the database; dropped with 1 vectors" in said
    assert "somebody-elses" not in said
    assert store().ids("queue-987654-billing") == set()
    assert store().ids("somebody-elses") == {"7"}
    assert store().ids(collection) == ids(three)
    store().drop("somebody-elses")


def test_the_store_is_compared_once_a_day_and_after_trouble(three, collection, now, settings):
    def due(at):
        return reindexing.reconcile_when_due(now=at)

    assert due(now)
    assert [due(now + timedelta(hours=hours)) for hours in (1, 23)] == [False, False]
    store().drop(collection)
    Tally.add("recall-exact", now=now + timedelta(hours=2))
    place, settings.REVIEWHUB_CHROMA_URL = settings.REVIEWHUB_CHROMA_URL, "http://127.0.0.1:1"
    assert not due(now + timedelta(hours=2))
    settings.REVIEWHUB_CHROMA_URL = place
    assert due(now + timedelta(hours=3))
    assert store().ids(collection) == ids(three)
    assert Tally.objects.get(name="reconcile-repaired").count == 3
    assert not due(now + timedelta(hours=4))
    Tally.add("store-away", now=now + timedelta(hours=5))
    assert due(now + timedelta(hours=6))
    assert [due(now + timedelta(hours=hours)) for hours in (29, 30)] == [False, True]


def test_a_collection_that_the_store_refuses_keeps_no_other_from_being_repaired(three, collection, now, people, caplog):
    """The first of two collections holds vectors of another length; the second lost what it had."""
    later = Queue.objects.create(slug="billing-north", name="Billing North", team="Accounts Receivable")
    name = collection_name(later.pk, "billing")
    store().drop(collection)
    store().upsert(collection, ["1"], np.ones((1, 3), dtype=np.float32))
    Exemplar.objects.filter(pk=three[2]).update(queue=later)
    with pytest.raises(CommandError, match=r"\AThe memory was not reconciled to the end: [^\n]* rebuild_memory\.\Z"):
        call_command("reconcile_memory")
    assert store().ids(name) == {str(three[2])}
    store().drop(name)
    assert reindexing.reconcile_when_due(now=now)
    assert store().ids(name) == {str(three[2])}
    counts = dict(Tally.objects.values_list("name", "count"))
    assert (counts["store-refused"], counts["reconcile-repaired"], counts["reconciled"]) == (1, 1, 1)
    assert "a collection was not reconciled: Chroma at" in caplog.text
    assert not reindexing.reconcile_when_due(now=now + timedelta(hours=1))
    call_command("rebuild_memory")
    assert store().ids(collection) == ids(three[:2])
    store().drop(name)


def test_beat_rings_for_the_comparison_and_the_learning_worker_hears_it(settings):
    rung = settings.CELERY_BEAT_SCHEDULE["reconcile"]
    assert rung["task"] == RECONCILE == tasks.reconcile.name
    assert rung["schedule"] <= 300
    [queue] = [to["queue"] for pattern, to in settings.CELERY_TASK_ROUTES.items() if fnmatch(RECONCILE, pattern)]
    assert queue == "learning"


@pytest.mark.parametrize("command", ["rebuild_memory", "reconcile_memory"])
def test_a_store_that_is_away_is_said_in_one_line(three, settings, command):
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:1"
    with pytest.raises(CommandError, match=r"\AThe memory was not re(built|conciled) to the end: Chroma at [^\n]+\Z"):
        call_command(command)
    assert Exemplar.objects.in_state("indexed").count() == 3
