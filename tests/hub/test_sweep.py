import json
from base64 import b64decode
from datetime import timedelta

import pytest
import redis
from django.core.management import call_command

from reviewhub import doorbell
from reviewhub.models import Draft, State, Tally
from reviewhub.sweeping import Swept, sweep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker(redis_url):
    client = redis.Redis.from_url(redis_url)
    client.delete("drafting", "upkeep")
    return client


@pytest.fixture
def slots(settings):
    def give(number: int) -> None:
        settings.REVIEWHUB_DRAFTING_SLOTS = number

    return give


def sent(broker):
    """Return the ids of the drafts that the broker was told of, oldest first."""
    messages = reversed(broker.lrange("drafting", 0, -1))
    return [json.loads(b64decode(json.loads(raw)["body"]))[1]["draft_id"] for raw in messages]


def ago(now, seconds):
    return now - timedelta(seconds=seconds)


def test_a_waiting_draft_whose_message_was_lost_is_sent_again(broker, make_draft, now):
    never, lost = make_draft(), make_draft(rung_at=ago(now, 31))
    make_draft(not_before=now + timedelta(seconds=1))
    assert sweep(now=now) == Swept(sent=2)
    assert sent(broker) == [never.pk, lost.pk]


def test_a_draft_that_was_just_sent_is_not_sent_again(broker, make_draft, now):
    make_draft(rung_at=ago(now, 29))
    assert sweep(now=now) == Swept()
    assert sent(broker) == []


@pytest.mark.parametrize(
    ("slots_set", "in_work", "in_wait", "expected"),
    [(1, 0, 0, 2), (2, 0, 0, 4), (2, 2, 1, 1), (1, 1, 1, 0), (1, 3, 0, 0)],
)
def test_no_more_is_sent_than_the_workers_can_take(
    broker, make_draft, now, slots, slots_set, in_work, in_wait, expected
):
    slots(slots_set)
    for _ in range(in_work):
        make_draft(State.DRAFTING, lease_until=now + timedelta(seconds=20))
    for _ in range(in_wait):
        make_draft(rung_at=ago(now, 1))
    for _ in range(6):
        make_draft()
    assert sweep(now=now).sent == expected
    assert len(sent(broker)) == expected


@pytest.mark.parametrize("takes", [1, 2])
def test_a_draft_of_a_dead_worker_is_taken_over(broker, make_draft, now, takes):
    draft = make_draft(State.DRAFTING, lease_until=now, takes=takes, rung_at=ago(now, 5))
    assert sweep(now=now) == Swept(put_back=1, sent=1)
    draft.refresh_from_db()
    assert (draft.state, draft.takes, draft.lease_token) == ("queued", takes, None)
    assert sent(broker) == [draft.pk]


def test_a_draft_of_a_living_worker_is_left_alone(broker, make_draft, now):
    draft = make_draft(State.DRAFTING, lease_until=now + timedelta(seconds=1), takes=1)
    assert sweep(now=now) == Swept()
    draft.refresh_from_db()
    assert draft.state == "drafting"


@pytest.mark.parametrize(("state", "lease"), [(State.DRAFTING, {"lease_until": "expired"}), (State.QUEUED, {})])
def test_after_three_takes_it_goes_to_a_person(broker, make_draft, now, state, lease):
    draft = make_draft(state, takes=3, **({"lease_until": now} if lease else {}))
    assert sweep(now=now) == Swept(given_up=1)
    draft.refresh_from_db()
    assert (draft.state, draft.stop_reason, draft.finished_at) == ("escalated", "takes", now)
    assert sent(broker) == []


def test_a_broker_that_is_away_is_tried_once_and_the_drafts_stay(make_draft, now, monkeypatch, slots):
    slots(3)
    monkeypatch.setattr(doorbell, "_bell", doorbell._bell_at("redis://127.0.0.1:1/0"))
    drafts = [make_draft() for _ in range(4)]
    assert sweep(now=now).sent == 0
    assert Tally.objects.get(name="ring-failed").count == 1
    assert Draft.objects.filter(pk__in=[draft.pk for draft in drafts], state="queued", rung_at=None).count() == 4


def test_the_command_sweeps_once_and_says_what_it_did(broker, make_draft, capsys):
    make_draft()
    make_draft(State.DRAFTING, takes=1)
    call_command("sweep")
    assert capsys.readouterr().out == "1 put back, 0 given up, 2 sent; of what is learned 0 quarantined, 0 sent\n"


def test_each_sweep_is_counted_so_that_a_page_can_tell_that_the_sweeper_runs(broker, db, now):
    sweep(now=now)
    sweep(now=now + timedelta(seconds=10))
    tally = Tally.objects.get(name="swept")
    assert (tally.count, tally.last_at) == (2, now + timedelta(seconds=10))
