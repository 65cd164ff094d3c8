"""What holds when cases come in at once, each over a connection of its own."""

import pytest

from reviewhub.intake import Result, Submitted, read_case, submit_case
from reviewhub.models import Actor, Case, Draft, FactSheet, Who
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
