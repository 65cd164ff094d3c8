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
from reviewhub.doorbell import _bell
from reviewhub.models import AuditEvent, Exemplar
from reviewhub.remembering import store
from reviewhub.sweeping import sweep
from tests.hub.learned import approve
from tests.hub.working import children, until, worker

pytestmark = pytest.mark.django_db(transaction=True)

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
        until(lambda: state() == "indexed", log=log)
    assert store().ids(collection) == {str(Exemplar.objects.get().pk)}
    said = log.read_text()
    assert "Acme" not in said
    assert "still open" not in said


@pytest.mark.chaos
def test_an_edit_whose_worker_is_killed_is_taken_over_and_learned_once(approved, broker, collection, tmp_path):
    sweep(now=timezone.now())
    log = tmp_path / "log"
    with worker("learning", log) as process:
        # The models take seconds to load, and the lease is taken before.
        until(lambda: Exemplar.objects.get().lease_token is not None, log=log)
        [child] = children(process)
        os.kill(child, signal.SIGKILL)
        assert state() == "waiting"
        # Three minutes later: the lease is over, and the message of the dead is older than a sweep waits.
        past = timezone.now() - timedelta(seconds=31)
        Exemplar.objects.update(lease_until=past, rung_at=past)
        assert sweep(now=timezone.now()).learning == 1
        until(lambda: state() == "indexed", log=log)
    exemplar = Exemplar.objects.get()
    assert store().ids(collection) == {str(exemplar.pk)}
    acts = AuditEvent.objects.filter(act__startswith="exemplar").order_by("id").values_list("act", flat=True)
    assert list(acts) == ["exemplar_wait", "exemplar_ready", "exemplar_indexed"]


def taken(times):
    return Exemplar.objects.get().takes == times


def released():
    return Exemplar.objects.get().lease_token is None


def killed(times, log):
    return log.read_text().count("Hard time limit") >= times


@pytest.mark.parametrize(("limit", "error"), [("soft", "SoftTimeLimitExceeded"), ("hard", "the worker was lost")])
def test_a_sanitiser_that_takes_too_long_ends_in_quarantine_and_indexes_nothing(
    approved, broker, collection, tmp_path, limit, error
):
    exemplar = Exemplar.of_decision(approved, now=timezone.now())
    # Loading the models takes longer than this, so each take runs into the limit just as a long text would.
    limits = {"soft_time_limit": 1, "time_limit": 60} if limit == "soft" else {"time_limit": 1}
    log = tmp_path / "log"
    with worker("learning", log):
        for takes in (1, 2, 3):
            _bell.send_task("learning.index", kwargs={"exemplar_id": exemplar.pk}, **limits)
            until(partial(taken, takes), log=log)
            until(released if limit == "soft" else partial(killed, takes, log), log=log)
            past = timezone.now() - timedelta(seconds=1)
            Exemplar.objects.filter(lease_token__isnull=False).update(lease_until=past)
            Exemplar.objects.filter(not_before__isnull=False).update(not_before=past)
    sweep(now=timezone.now())
    exemplar = Exemplar.objects.get()
    assert (exemplar.state, exemplar.reason, exemplar.last_error) == ("quarantined", "not_sanitised", error)
    assert store().ids(collection) == set()


@pytest.mark.parametrize("program", ["reviewhub.tasks", "reviewhub.sweeping", "reviewhub.wsgi"])
def test_neither_pages_nor_the_sweeper_nor_the_parent_of_the_workers_load_a_model(program):
    code = (
        "import sys, reviewhub.celery; reviewhub.celery.app.loader.import_default_modules(); "
        f"import {program}; print(sorted({{'torch', 'spacy', 'sentence_transformers', 'chromadb'}} & set(sys.modules)))"
    )
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert listed.stdout.strip() == "[]"
