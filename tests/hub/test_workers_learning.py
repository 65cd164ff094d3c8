"""What a real learning worker does with a real broker, sanitiser and vector store, and when it is killed at work."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from functools import partial

import pytest
import redis
from django.utils import timezone

from memory.store import collection_name
from reviewhub.doorbell import INDEX, _bell, ring
from reviewhub.models import AuditEvent, Decision, Exemplar
from reviewhub.remembering import store
from reviewhub.sweeping import sweep
from tests.hub.learned import approve
from tests.hub.working import children, until, worker

pytestmark = pytest.mark.django_db(transaction=True)

# What loading three models may take on a machine that is busy with other tests.
LOADED_SECONDS = 300
PROSE = {"opening": "The items below are still open, as you know."}


@pytest.fixture
def broker(redis_url):
    client = redis.Redis.from_url(redis_url)
    client.flushdb()
    return client


@pytest.fixture
def collection(queue, chroma):
    name = collection_name(queue.pk, "billing")
    store().drop(name)
    return name


@pytest.fixture
def approved(make_draft, people):
    return approve(make_draft, people["operator"], now=timezone.now() - timedelta(seconds=15), **PROSE)


def state():
    return Exemplar.objects.get().state


def test_an_approved_edit_is_swept_up_and_learned_by_a_worker(approved, broker, collection, tmp_path):
    assert sweep(now=timezone.now()).learning == 1
    log = tmp_path / "log"
    with worker("learning", log):
        until(lambda: state() == "indexed", log=log, seconds=LOADED_SECONDS)
    assert store().ids(collection) == {str(Exemplar.objects.get().pk)}
    said = log.read_text()
    assert "Acme" not in said
    assert "still open" not in said


# Some 1,300 personal details: half a minute of work, within the length that is looked at.
SLOW = "".join(f"Call Mr Quill {n} at 555-0142 or write to ada{n}@x.example. " for n in range(450))


def is_in(pk, state):
    return Exemplar.objects.get(pk=pk).state == state


def killed(log):
    return "Hard time limit" in log.read_text()


@pytest.fixture
def slow(make_draft, people):
    """Let a text wait that holds a worker for seconds, as if it had just been sent: nobody sends it but the test."""

    def make(text, **changes):
        decision = approve(make_draft, people["operator"], now=timezone.now() - timedelta(seconds=15), **PROSE)
        body = {"framed": True, "blocks": [{"kind": "prose", "name": "opening", "text": text}]}
        Decision.objects.filter(pk=decision.pk).update(body=body)
        exemplar = Exemplar.of_decision(decision, now=timezone.now())
        changes = {"rung_at": timezone.now() + timedelta(hours=1)} | changes
        Exemplar.objects.filter(pk=exemplar.pk).update(**changes)
        return exemplar

    return make


@pytest.mark.chaos
def test_an_edit_whose_worker_is_killed_is_taken_over_and_learned_once(slow, broker, collection, tmp_path):
    exemplar = slow("The items below are still open, as you know. " * 400)
    ring(INDEX, exemplar.pk)
    log = tmp_path / "log"
    with worker("learning", log) as process:
        until(lambda: Exemplar.objects.get().lease_token is not None, log=log, seconds=LOADED_SECONDS)
        [child] = children(process)
        os.kill(child, signal.SIGKILL)
        exemplar.refresh_from_db()
        assert (exemplar.state, exemplar.takes) == ("waiting", 1)
        # Three minutes later: the lease is over, and the message of the dead is older than a sweep waits.
        past = timezone.now() - timedelta(seconds=31)
        Exemplar.objects.update(lease_until=past, rung_at=past)
        assert sweep(now=timezone.now()).learning == 1
        until(partial(is_in, exemplar.pk, "indexed"), log=log, seconds=LOADED_SECONDS)
    assert store().ids(collection) == {str(Exemplar.objects.get().pk)}
    acts = AuditEvent.objects.filter(act__startswith="exemplar").order_by("id").values_list("act", flat=True)
    assert list(acts) == ["exemplar_wait", "exemplar_ready", "exemplar_indexed"]


def test_a_text_that_takes_too_long_for_the_third_time_ends_in_quarantine_and_is_not_indexed(
    approved, slow, broker, collection, tmp_path
):
    quick, endless = Exemplar.of_decision(approved, now=timezone.now()), slow(SLOW, takes=2)
    log = tmp_path / "log"
    with worker("learning", log):
        ring(INDEX, quick.pk)  # loads the models, so that the next text alone runs into the limit
        until(partial(is_in, quick.pk, "indexed"), log=log, seconds=LOADED_SECONDS)
        _bell.send_task(INDEX, kwargs={"exemplar_id": endless.pk}, time_limit=1)
        until(partial(killed, log), log=log, seconds=LOADED_SECONDS)
    past = timezone.now() - timedelta(seconds=1)
    Exemplar.objects.filter(lease_token__isnull=False).update(lease_until=past)
    assert sweep(now=timezone.now()).quarantined == 1
    endless.refresh_from_db()
    assert (endless.state, endless.reason, endless.last_error) == (
        "quarantined",
        "not_sanitised",
        "the worker was lost",
    )
    assert store().ids(collection) == {str(quick.pk)}
    assert "ada1@x.example" not in log.read_text()
    assert "Quill" not in log.read_text()


@pytest.mark.parametrize("program", ["reviewhub.tasks", "reviewhub.sweeping", "reviewhub.wsgi"])
def test_neither_pages_nor_the_sweeper_nor_the_parent_of_the_workers_load_a_model(program):
    code = (
        "import sys, reviewhub.celery; reviewhub.celery.app.loader.import_default_modules(); "
        f"import {program}; print(sorted({{'torch', 'spacy', 'sentence_transformers', 'chromadb'}} & set(sys.modules)))"
    )
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert listed.stdout.strip() == "[]"
