"""What the sweeper does for what is learned: decisions that are due, messages that were lost, workers that died."""

import json
from base64 import b64decode
from datetime import timedelta

import pytest
import redis

from reviewhub import doorbell
from reviewhub.models import Actor, Decision, Exemplar, Who
from reviewhub.models.exemplars import LEARNING_LEASE
from reviewhub.sweeping import sweep
from tests.hub.learned import VECTOR, approve

pytestmark = pytest.mark.django_db(transaction=True)

PROSE = {"opening": "The items below are still open."}
CLEAN = {"prose": PROSE, "situation": "gentle_reminder", "vector": VECTOR, "embedder": "minilm"}


@pytest.fixture
def broker(redis_url):
    client = redis.Redis.from_url(redis_url)
    client.delete("drafting", "upkeep", "learning")
    return client


@pytest.fixture
def edit(make_draft, people, now):
    return lambda: approve(make_draft, people["operator"], now=now, **PROSE)


@pytest.fixture
def exemplar(edit, now):
    return Exemplar.of_decision(edit(), now=now)


def sent(broker):
    messages = reversed(broker.lrange("learning", 0, -1))
    return [json.loads(b64decode(json.loads(raw)["body"]))[1]["exemplar_id"] for raw in messages]


def test_an_approved_edit_becomes_an_exemplar_once_it_can_no_longer_be_taken_back(broker, edit, now):
    decision = edit()
    assert sweep(now=now + timedelta(seconds=14)).learning == 0
    assert not Exemplar.objects.exists()
    after = now + timedelta(seconds=15)
    assert sweep(now=after).learning == 1
    exemplar = Exemplar.objects.get()
    assert (exemplar.decision, exemplar.state, exemplar.approved_at) == (decision, "waiting", now)
    assert sent(broker) == [exemplar.pk]
    assert sweep(now=after).learning == 0


def test_what_was_taken_back_overridden_or_approved_as_it_was_becomes_none(broker, edit, make_draft, people, now):
    Decision.objects.filter(pk=edit().pk).update(undone_at=now)
    Decision.objects.filter(pk=edit().pk).update(overridden=True, override_reason="The check misreads a name.")
    approve(make_draft, people["operator"], now=now)
    assert sweep(now=now + timedelta(days=1)).learning == 0
    assert not Exemplar.objects.exists()


@pytest.mark.parametrize(
    ("step", "fields"),
    [
        ("to sanitise", {}),
        ("to index", {**CLEAN, "state": "ready"}),
        ("to take out of the index", {"state": "forgotten", "indexed_at": "2026-05-04T09:00Z"}),
        ("to take out, in quarantine", {"state": "quarantined", "reason": "doubts", "indexed_at": "2026-05-04T09:00Z"}),
        ("after a worker died", {"lease_token": "0" * 32, "lease_until": "2026-05-04T09:30Z", "takes": 1}),
        ("after a pause", {"not_before": "2026-05-04T09:30Z"}),
    ],
)
def test_a_step_that_waits_is_sent(broker, exemplar, now, step, fields):
    Exemplar.objects.filter(pk=exemplar.pk).update(**fields)
    assert sweep(now=now).learning == 1
    assert sent(broker) == [exemplar.pk]


@pytest.mark.parametrize(
    ("why", "fields"),
    [
        ("in the index", {**CLEAN, "state": "indexed", "indexed_at": "2026-05-04T09:00Z"}),
        ("out of the index", {"state": "forgotten"}),
        ("held", {"lease_token": "0" * 32, "lease_until": "2026-05-04T09:31Z"}),
        ("pausing", {"not_before": "2026-05-04T09:31Z"}),
        ("just sent", {"rung_at": "2026-05-04T09:29:31Z"}),
    ],
)
def test_nothing_is_sent_for_one_that_is(broker, exemplar, now, why, fields):
    Exemplar.objects.filter(pk=exemplar.pk).update(**fields)
    assert sweep(now=now).learning == 0


def test_a_text_that_three_workers_took_and_none_finished_goes_into_quarantine(broker, exemplar, now):
    for _ in range(3):
        Exemplar.objects.get().take(now=now)
        assert sweep(now=now).quarantined == 0
        now += LEARNING_LEASE
    swept = sweep(now=now)
    assert (swept.quarantined, swept.learning) == (1, 0)
    exemplar.refresh_from_db()
    assert (exemplar.state, exemplar.reason, exemplar.last_error) == (
        "quarantined",
        "not_sanitised",
        "the worker was lost",
    )


def test_no_more_than_twenty_steps_are_on_their_way(broker, edit, now):
    for _ in range(22):
        Exemplar.of_decision(edit(), now=now)
    assert sweep(now=now).learning == 20
    assert sweep(now=now).learning == 0
    Exemplar.objects.filter(rung_at__isnull=False).update(rung_at=now - timedelta(seconds=31))
    assert sweep(now=now).learning == 20  # the messages of half a minute ago are lost


def test_a_broker_that_is_away_is_tried_once_and_the_exemplars_stay(edit, now, monkeypatch):
    monkeypatch.setattr(doorbell, "_bell", doorbell._bell_at("redis://127.0.0.1:1/0"))
    for _ in range(3):
        edit()
    assert sweep(now=now + timedelta(seconds=15)).learning == 0
    assert Exemplar.objects.filter(state="waiting", rung_at=None).count() == 3


def test_one_forgotten_while_its_worker_holds_it_is_taken_out_afterwards(broker, exemplar, now):
    Exemplar.objects.filter(pk=exemplar.pk).update(**CLEAN, state="ready")
    Exemplar.objects.get().take(now=now)
    Exemplar.objects.get().forget(by=Actor(Who.OPERATOR), now=now)
    assert sweep(now=now).learning == 1
    assert sent(broker) == [exemplar.pk]
