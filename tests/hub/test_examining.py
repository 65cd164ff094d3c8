"""What is known of a queue's clients is complete, whatever broke or came late."""

from datetime import timedelta

import pytest

from reviewhub import examining
from reviewhub.examining import clients_of
from reviewhub.models import FactSheet

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_read():
    examining._clients.clear()


def is_known(queue, words: str) -> bool:
    return any(clients_of(queue.pk).find(words))


def a_sheet(case, number: int, name: str, created_at) -> None:
    facts = case.newest_sheet().facts
    given = {**facts, "client": {**facts["client"], "name": name}}
    FactSheet.objects.create(pk=number, case=case, version=number, facts=given, hash=name, created_at=created_at)


def test_clients_whose_reading_broke_are_read_the_next_time(queue, make_draft, now):
    case = make_draft().case
    a_sheet(case, 8_000, "Quillhaven Saddlery", now)
    a_sheet(case, 9_000, "Brackenfell Glazing", now)
    whole = FactSheet.objects.get(pk=9_000).facts
    FactSheet.objects.filter(pk=9_000).update(facts={"client": "no record"})
    with pytest.raises(AttributeError):
        clients_of(queue.pk)
    FactSheet.objects.filter(pk=9_000).update(facts=whole)
    assert is_known(queue, "Quillhaven Saddlery")
    assert is_known(queue, "Brackenfell Glazing")


def test_a_sheet_that_is_seen_after_newer_ones_is_read(queue, make_draft, now):
    """An import is one transaction: its rows have lower ids than others that were committed meanwhile."""
    case = make_draft().case
    a_sheet(case, 9_000, "Brackenfell Glazing", now)
    assert is_known(queue, "Brackenfell Glazing")
    a_sheet(case, 8_000, "Quillhaven Saddlery", now - timedelta(minutes=5))
    assert is_known(queue, "the Quillhaven Saddlery order")
    assert is_known(queue, "Brackenfell Glazing")
