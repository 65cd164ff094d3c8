"""What real worker processes do with a real broker, and what is left when they are killed at work."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AuditEvent, Draft, Who
from reviewhub.sweeping import sweep
from tests.hub.working import children, until, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker(redis_url):
    client = redis.Redis.from_url(redis_url)
    client.flushdb()
    return client


@pytest.fixture
def submitted(queue, facts, broker):
    """Submit a case as a page does, so that the bell is rung when it is committed."""
    given = {"external_id": "acme:1", "domain": "billing", "facts": facts}
    case = read_case(given, queue=queue)
    return submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=timezone.now()).draft


def state(draft: Draft) -> str:
    return Draft.objects.get(pk=draft.pk).state


def test_a_submitted_case_is_written_by_a_worker_that_was_rung(submitted, tmp_path):
    log = tmp_path / "log"
    with worker("drafting", log, REVIEWHUB_MODEL="scripted"):
        until(lambda: state(submitted) == "awaiting_review", log=log)
    assert Draft.objects.get(pk=submitted.pk).attempts.count() == 1
    assert "Acme" not in log.read_text()
    assert "1,975" not in log.read_text()


@pytest.mark.chaos
@pytest.mark.parametrize("killed", ["child", "parent"])
def test_a_draft_whose_worker_is_killed_is_taken_over_and_ends_once(submitted, held, tmp_path, killed):
    log = tmp_path / "log"
    with worker("drafting", log, REVIEWHUB_MODEL=held.model) as process:
        until(held.asked.is_set, log=log)
        held.asked.clear()
        for pid in children(process) if killed == "child" else [process.pid, *children(process)]:
            os.kill(pid, signal.SIGKILL)
        # Half a minute later: the lease is over, and the message of the dead is older than a sweep waits.
        past = timezone.now() - timedelta(seconds=31)
        Draft.objects.filter(pk=submitted.pk, state="drafting").update(lease_until=past, rung_at=past)
        swept = sweep(now=timezone.now())
        assert (swept.put_back, swept.sent) == (1, 1)
        with worker("drafting", log, REVIEWHUB_MODEL=held.model):
            until(held.asked.is_set, log=log)
            held.may_answer.set()
            until(lambda: state(submitted) == "awaiting_review", log=log)
    row = Draft.objects.get(pk=submitted.pk)
    assert (row.takes, row.attempts.count()) == (2, 1)
    acts = list(AuditEvent.objects.filter(draft_ref=row.pk).order_by("id").values_list("act", flat=True))
    assert acts == ["queue", "start", "put_back", "start", "finish"]


def test_a_message_that_comes_twice_does_nothing_the_second_time(submitted, broker, tmp_path):
    message = broker.lindex("drafting", 0)
    broker.lpush("drafting", message, message)
    log = tmp_path / "log"
    with worker("drafting", log, REVIEWHUB_MODEL="scripted"):
        until(lambda: state(submitted) == "awaiting_review" and not broker.llen("drafting"), log=log)
        until(lambda: log.read_text().count("is not waiting") == 2, log=log)
    assert Draft.objects.get(pk=submitted.pk).attempts.count() == 1


def test_the_tasks_have_the_names_that_the_doorbell_rings(settings):
    program = "from reviewhub.celery import app; app.loader.import_default_modules(); print(*app.tasks)"
    listed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert {"drafting.draft_case", "learning.index", "learning.reconcile", "sweeping.sweep"} <= set(listed.split())
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled <= set(listed.split())
