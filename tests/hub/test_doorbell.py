import base64
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import redis

from reviewhub import doorbell
from reviewhub.doorbell import DRAFT_CASE, INDEX, RING_FAILED, ring
from reviewhub.models import Exemplar, Tally
from tests.hub.learned import approve

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def frozen_port() -> Iterator[int]:
    """Accept every connection and never answer."""
    server = socket.create_server(("127.0.0.1", 0))
    taken: list[socket.socket] = []

    def accept() -> None:
        while True:
            try:
                taken.append(server.accept()[0])
            except OSError:
                return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    for connection in taken:
        connection.close()


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def queued(make_draft):
    return make_draft()


@pytest.mark.parametrize("kind", ["frozen_port", "closed_port"])
def test_a_broker_that_does_not_answer_holds_the_caller_for_a_few_seconds_and_is_counted(
    kind, request, monkeypatch, queued
):
    port = request.getfixturevalue(kind)
    monkeypatch.setattr(doorbell, "_bell", doorbell._bell_at(f"redis://127.0.0.1:{port}/0"))
    started = time.monotonic()
    assert ring(DRAFT_CASE, queued.pk) is False
    assert ring(DRAFT_CASE, queued.pk) is False
    assert time.monotonic() - started < 10
    assert Tally.objects.get(name=RING_FAILED).count == 2
    queued.refresh_from_db()
    assert queued.rung_at is None


def test_the_broker_gets_the_task_by_name_with_an_id_and_nothing_else(redis_url, queued):
    client = redis.Redis.from_url(redis_url)
    client.delete("drafting")
    assert ring(DRAFT_CASE, queued.pk) is True
    message = json.loads(client.lpop("drafting"))
    assert message["headers"]["task"] == "drafting.draft_case"
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert (args, kwargs) == ([], {"draft_id": queued.pk})
    queued.refresh_from_db()
    assert queued.rung_at is not None


def test_what_is_learned_is_rung_for_by_id_and_the_ring_is_noted_on_the_exemplar(redis_url, make_draft, people, now):
    client = redis.Redis.from_url(redis_url)
    client.delete("learning")
    decision = approve(make_draft, people["operator"], now=now, opening="The items below are still open.")
    exemplar = Exemplar.of_decision(decision, now=now)
    assert ring(INDEX, exemplar.pk) is True
    message = json.loads(client.lpop("learning"))
    assert message["headers"]["task"] == "learning.index"
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert (args, kwargs) == ([], {"exemplar_id": exemplar.pk})
    exemplar.refresh_from_db()
    assert exemplar.rung_at is not None
