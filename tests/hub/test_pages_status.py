import re
import socket
import threading
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviewhub.answering import broker_answers, store_answers
from reviewhub.models import Decision, ExemplarState, State, Tally
from tests.hub.remembered import remember
from tests.servers.process import free_port

URL = "/status/"


@contextmanager
def server(answer):
    """Listen on a port and hand each connection to `answer`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            while True:
                try:
                    wire, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=[wire], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


def says(words):
    def answer(wire):
        wire.recv(1000)
        wire.sendall(words)
        wire.close()

    return answer


def drips(wire):
    stop = threading.Event()
    for letter in b"HTTP/1.1 200 OK":
        if stop.wait(0.3):
            return
        try:
            wire.send(bytes([letter]))
        except OSError:
            return


def is_silent(wire):
    threading.Event().wait(20)


def part(page, name):
    """Return whether a part is said to work, and what is said of it."""
    found = re.search(
        rf"<strong>{name}</strong> <span class=\"badge (pass|fail)\">[^<]*</span> <span[^>]*>([^<]*)", page
    )
    return found[1] == "pass", found[2]


def number(page, label):
    return re.search(rf"<dt>{label}</dt><dd>([^<]*)</dd>", page)[1]


@pytest.fixture
def store(settings):
    with server(says(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as place:
        settings.REVIEWHUB_CHROMA_URL = f"http://{place}"
        yield place


@pytest.mark.parametrize(
    ("answer", "works"),
    [
        (says(b"HTTP/1.1 200 OK\r\n\r\n{}"), True),
        (says(b"HTTP/1.1 503 Service Unavailable\r\n\r\n"), False),
        (says(b"220 mail.example ESMTP\r\n"), False),
        (says(b""), False),
        (drips, False),
        (is_silent, False),
    ],
)
def test_the_store_answers_only_with_200_and_within_a_second(answer, works):
    with server(answer) as place:
        assert store_answers(f"http://{place}") is works


@pytest.mark.parametrize(
    "url",
    ["", "http://", "http://127.0.0.1:99999", f"http://127.0.0.1:{free_port()}"],
    ids=["no address", "no host", "no port there can be", "nobody listens"],
)
def test_a_place_where_no_store_is_does_not_answer(url):
    assert store_answers(url) is False


def test_a_broker_that_is_away_or_silent_does_not_answer():
    assert broker_answers(f"redis://127.0.0.1:{free_port()}/0") is False
    assert broker_answers("nonsense") is False
    with server(is_silent) as place:
        assert broker_answers(f"redis://{place}/0") is False


def test_a_broker_that_lets_us_in_answers(redis_url):
    assert broker_answers(redis_url) is True
    wrong = re.sub(r":[^:@]*@", ":a-wrong-one@", redis_url)
    assert broker_answers(wrong) is False


def test_the_page_says_which_part_works_and_what_follows_when_one_does_not(visit, store, redis_url, queue):
    Tally.add("swept", now=timezone.now())
    page = visit("viewer").get(URL).text
    for name in ("Database", "Broker", "Vector store", "Sweeper", "Learning"):
        assert part(page, name)[0], name


def test_a_part_that_is_away_is_said_to_be(visit, queue, settings):
    settings.REVIEWHUB_CHROMA_URL = f"http://127.0.0.1:{free_port()}"
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = visit("viewer").get(URL)
    assert response.status_code == 200
    assert part(response.text, "Database")[0]
    assert "exact search" in part(response.text, "Vector store")[1]
    assert "nothing is lost" in part(response.text, "Broker")[1]
    assert not part(response.text, "Broker")[0]
    assert part(response.text, "Sweeper") == (False, "has not swept yet: are beat and the workers running?")


@pytest.mark.parametrize(("ago", "works"), [(5, True), (59, True), (61, False), (7200, False)])
def test_a_sweeper_that_is_late_is_said_to_be(visit, store, queue, ago, works):
    Tally.add("swept", now=timezone.now() - timedelta(seconds=ago))
    assert part(visit("viewer").get(URL).text, "Sweeper")[0] is works


def test_drafts_and_exemplars_are_counted_by_state_in_ones_own_queues(visit, store, make_draft, people):
    for state in (State.QUEUED, State.ESCALATED, State.ESCALATED):
        make_draft(state)
    remember(make_draft(State.AWAITING_REVIEW), people["lead"])
    page = visit("viewer").get(URL).text
    assert [number(page, label) for label in ("Queued", "Escalated", "Approved", "In quarantine")] == list("1211")
    page = visit("stranger").get(URL).text
    assert [number(page, label) for label in ("Queued", "Escalated", "Approved", "In quarantine")] == list("0000")


def test_what_waits_to_be_learned_is_counted_from_the_decision_on(visit, store, make_draft, people):
    hour = timezone.now() - timedelta(hours=1)
    remember(make_draft(State.AWAITING_REVIEW), people["lead"], ExemplarState.WAITING)
    remember(make_draft(State.AWAITING_REVIEW), people["lead"], ExemplarState.READY)
    remember(make_draft(State.AWAITING_REVIEW), people["lead"], ExemplarState.INDEXED, then=hour)
    leaving = remember(make_draft(State.AWAITING_REVIEW), people["lead"], ExemplarState.FORGOTTEN)
    leaving.indexed_at = timezone.now()
    leaving.save()
    assert part(visit("viewer").get(URL).text, "Learning") == (True, "3 texts on the way, the oldest for 5 minutes")
    untaught = remember(make_draft(State.AWAITING_REVIEW), people["lead"], then=hour)
    decision = untaught.decision_id
    untaught.delete()
    Decision.objects.filter(pk=decision).update(taught=False)
    assert part(visit("viewer").get(URL).text, "Learning") == (False, "4 texts on the way, the oldest for 59 minutes")


def test_what_went_wrong_is_counted(visit, store, queue):
    for _ in range(3):
        Tally.add("recall-exact", now=timezone.now())
    Tally.add("ring-failed", now=timezone.now())
    page = visit("viewer").get(URL).text
    assert re.findall(r'data-label="How often:">(\d+)<', page) == ["3", "0", "0", "0", "0", "1"]


def test_an_administrator_sees_where_the_parts_are_and_every_queue_but_no_secret(visit, queue, settings, store):
    settings.CELERY_BROKER_URL = f"redis://worker:a-secret@127.0.0.1:{free_port()}/0"
    page = visit("admin").get(URL).text
    for shown in (store, "127.0.0.1", 'href="/queues/billing-west/"', 'href="/queues/billing-east/"'):
        assert shown in page
    assert "a-secret" not in page
    page = visit("viewer").get(URL).text
    assert store not in page
    assert "/queues/billing-west/" not in page


def test_the_queries_do_not_grow_with_the_drafts(visit, store, make_draft):
    client, counts = visit("viewer"), []
    for rows in (2, 20):
        for _ in range(rows):
            make_draft(State.ESCALATED)
        with CaptureQueriesContext(connection) as queries:
            client.get(URL)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_anybody_who_signed_in_may_read_it_and_nobody_else(visit, store, queue, django_user_model):
    assert visit("stranger").get(URL).status_code == 200
    assert visit("viewer").post(URL).status_code == 405
    assert unquote(Client().get(URL).url) == "/login/?next=/status/"


def test_htmx_gets_the_counts_alone(visit, store, queue):
    response = visit("viewer").get(URL, headers={"HX-Request": "true", "HX-Target": "status"})
    assert response.text.lstrip().startswith('<div id="status"')
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("ago", "works", "said"),
    [
        (timedelta(seconds=30), True, "compared with the database, and repaired where it drifted, 30 s ago"),
        (timedelta(hours=25), True, "repaired where it drifted, 25 hours ago"),
        (timedelta(hours=27), False, "27 hours ago: do the vector store, beat and the learning worker run?"),
    ],
)
def test_it_says_when_the_index_was_compared_with_the_database(visit, store, queue, ago, works, said):
    Tally.add("reconciled", now=timezone.now() - ago)
    is_fine, words = part(visit("viewer").get(URL).text, "Index")
    assert is_fine is works
    assert said in words.replace("31 s", "30 s")


def test_before_the_first_comparison_it_says_when_that_is(visit, store, queue):
    assert part(visit("viewer").get(URL).text, "Index") == (
        True,
        "is compared with the database within minutes, then once a day",
    )
