"""What holds when cases come in at once, each over a connection of its own."""

import io
import json
import threading
import time

import pytest
from django.db import connection, transaction

from reviewhub.importing import import_lines
from reviewhub.intake import Result, Submitted, read_case, submit_case
from reviewhub.models import Actor, CapabilityGap, Case, Draft, FactSheet, Who
from tests.hub.acting import race

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def submit(queue, facts, now):
    def call(external_id: str, **changed) -> Submitted:
        given = {"external_id": external_id, "domain": "billing", "facts": {**facts, **changed}}
        case = read_case(given, queue=queue)
        return submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False)

    return call


def counts():
    return (Case.objects.count(), FactSheet.objects.count(), Draft.objects.count())


def test_one_case_sent_eight_times_at_once_is_one_case(submit):
    ends = race(lambda _: submit("acme:1"))
    assert sorted(end.result for end in ends) == [Result.CREATED] + [Result.SAME] * 7
    assert len({end.case.pk for end in ends}) == 1
    assert counts() == (1, 1, 1)


def test_eight_versions_of_the_facts_at_once_leave_one_open_draft(submit):
    submit("acme:1")
    ends = race(lambda number: submit("acme:1", reminders_sent=number + 2))
    assert {end.result for end in ends} == {Result.NEW_FACTS}
    assert counts() == (1, 9, 9)
    assert list(FactSheet.objects.order_by("version").values_list("version", flat=True)) == list(range(1, 10))
    still_open = Draft.objects.undecided().get()
    assert still_open.sheet.version == 9


def test_eight_writers_at_once_all_get_through(submit):
    ends = race(lambda number: [submit(f"acme:{number}:{at}").result for at in range(10)])
    assert ends == [[Result.CREATED] * 10] * 8
    assert counts() == (80, 80, 80)


def test_files_that_hold_the_same_cases_in_another_order_are_all_imported(queue, facts, now):
    names = [f"acme:{at}" for at in range(12)]

    def work(number):
        order = names if number % 2 else reversed(names)
        changed = {**facts, "reminders_sent": number}
        lines = [json.dumps({"external_id": name, "facts": changed}) for name in order]
        file = io.BytesIO("\n".join(lines).encode())
        done = import_lines(file, queue=queue, domain="billing", by=Actor(Who.INTAKE), now=now)
        return done.created, done.new_facts

    ends = race(work)
    assert sorted(ends) == [(0, 12)] * 7 + [(12, 0)]
    assert counts() == (12, 96, 96)
    assert Draft.objects.undecided().count() == 12


def test_new_facts_wait_for_a_worker_that_ends_its_draft_and_do_not_hold_it_up(submit, now):
    draft = submit("acme:1").draft
    ends = []

    def renew():
        try:
            ends.append(submit("acme:1", reminders_sent=5).result)
        finally:
            connection.close()

    thread = threading.Thread(target=renew)
    with transaction.atomic():
        # What a worker does at the end: first the draft, then a row that points at the case.
        Draft.objects.filter(pk=draft.pk).update(stop_detail="ending")
        thread.start()
        until_waiting()
        CapabilityGap.objects.create(case=draft.case, draft=draft, domain="billing", code="NOTHING_DUE", at=now)
    thread.join()
    assert ends == [Result.NEW_FACTS]
    assert list(Draft.objects.undecided().values_list("sheet__version", flat=True)) == [2]


def until_waiting():
    """Wait until another connection waits for a lock; on SQLite it cannot even begin, so there is nothing to see."""
    deadline = time.monotonic() + 30
    while connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        assert time.monotonic() < deadline, "nobody waits"
        time.sleep(0.02)
