"""What real worker processes do with a real broker, and what is left when they are killed at work."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from django.db import connection
from django.utils import timezone

from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AuditEvent, Draft, Who
from reviewhub.sweeping import sweep

pytestmark = pytest.mark.django_db(transaction=True)


def database_url() -> str:
    """Return the address of the database that this test uses."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["REVIEWHUB_DATABASE_URL"])._replace(path=f"/{name}").geturl()


@contextmanager
def worker(model: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker of one child for the drafting queue."""
    options = [
        "--queues",
        "drafting",
        "--concurrency",
        "1",
        "--loglevel",
        "INFO",
        "--without-gossip",
        "--without-mingle",
    ]
    command = [sys.executable, "-m", "celery", "--app", "reviewhub", "worker", *options]
    environment = {**os.environ, "REVIEWHUB_DATABASE_URL": database_url(), "REVIEWHUB_MODEL": model}
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
    try:
        yield process
    finally:
        for child in children(process):
            os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def children(process: subprocess.Popen[bytes]) -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def until(holds: Callable[[], bool], *, log: Path) -> None:
    deadline = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < deadline, log.read_text(errors="replace")[-3000:]
        time.sleep(0.1)


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
    with worker("scripted", log):
        until(lambda: state(submitted) == "awaiting_review", log=log)
    assert Draft.objects.get(pk=submitted.pk).attempts.count() == 1
    assert "Acme" not in log.read_text()
    assert "1,975" not in log.read_text()


@pytest.mark.chaos
@pytest.mark.parametrize("killed", ["child", "parent"])
def test_a_draft_whose_worker_is_killed_is_taken_over_and_ends_once(submitted, held, tmp_path, killed):
    log = tmp_path / "log"
    with worker(held.model, log) as process:
        until(held.asked.is_set, log=log)
        held.asked.clear()
        for pid in children(process) if killed == "child" else [process.pid, *children(process)]:
            os.kill(pid, signal.SIGKILL)
        # Half a minute later: the lease is over, and the message of the dead is older than a sweep waits.
        past = timezone.now() - timedelta(seconds=31)
        Draft.objects.filter(pk=submitted.pk, state="drafting").update(lease_until=past, rung_at=past)
        swept = sweep(now=timezone.now())
        assert (swept.put_back, swept.sent) == (1, 1)
        with worker(held.model, log):
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
    with worker("scripted", log):
        until(lambda: state(submitted) == "awaiting_review" and not broker.llen("drafting"), log=log)
        until(lambda: log.read_text().count("is not waiting") == 2, log=log)
    assert Draft.objects.get(pk=submitted.pk).attempts.count() == 1


def test_the_tasks_have_the_names_that_the_doorbell_rings(settings):
    program = "from reviewhub.celery import app; app.loader.import_default_modules(); print(*app.tasks)"
    listed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert {"drafting.draft_case", "sweeping.sweep"} <= set(listed.split())
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled <= set(listed.split())
