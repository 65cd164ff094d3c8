"""What is known of a queue's clients is complete, whatever broke or came late."""

from datetime import timedelta

import pytest

from memory.sanitize.gate import examine
from reviewhub import examining
from reviewhub.examining import SheetUnreadable, clients_of, known_of, sanitizer, vocabulary_of
from reviewhub.models import Case, FactSheet, Queue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_read():
    examining._clients.clear()


def is_known(queue, words: str) -> bool:
    return any(clients_of(queue.pk).find(words))


def is_doubted(queue, text: str) -> bool:
    """Tell whether the gate doubts a text for what is known of a client."""
    known = clients_of(queue.pk)
    doubts = examine(text, known=known, sanitizer=sanitizer(), vocabulary=vocabulary_of(queue.pk))
    return "known" in {doubt.code for doubt in doubts}


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
    with pytest.raises(SheetUnreadable, match=rf"\Asheet 9000 of case {case.pk} cannot be read \(AttributeError\)\Z"):
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


@pytest.mark.parametrize(
    ("label", "telling"),
    [
        ("Statement for Brightwater Mill", "Brightwater"),
        ("Zephyrine Quillfeather, payment reminder", "Zephyrine Quillfeather"),
        ("QUILLHAVEN-4711", "QUILLHAVEN"),
        ("brackenfell_2026", "brackenfell"),
        ("Blue Ocean Ltd", "blue ocean ltd"),
    ],
)
def test_what_a_title_or_an_id_tells_is_known_whatever_else_it_says(queue, make_draft, label, telling):
    case = make_draft().case
    for field in ("title", "external_id"):
        Case.objects.filter(pk=case.pk).update(title="Acme Ltd", external_id="case-1")
        Case.objects.filter(pk=case.pk).update(**{field: label})
        examining._clients.clear()
        assert is_doubted(queue, f"As {telling} asked, the items are open.")
        assert label in known_of(FactSheet.objects.get(case=case))["CASE_LABEL"]


def test_an_attachment_is_known_without_its_ending(queue, make_draft, now):
    case = make_draft().case
    facts = {**case.newest_sheet().facts, "attachments": [{"name": "Quillhaven statement.pdf"}]}
    FactSheet.objects.create(case=case, version=2, facts=facts, hash="x", created_at=now)
    assert is_doubted(queue, "the quillhaven statement")
    assert not is_doubted(queue, "the attached pdf")


@pytest.mark.parametrize("label", ["Payment reminder", "reminder", "Statement May", "first letter", "case-42"])
def test_a_title_of_words_that_anybody_uses_makes_no_text_doubtful(queue, make_draft, label):
    case = make_draft().case
    Case.objects.filter(pk=case.pk).update(title=label)
    assert not is_doubted(queue, "This reminder of a payment may be the first letter with your statement.")


def test_a_further_client_is_added_to_those_that_are_known(queue, make_draft, now):
    case = make_draft().case
    assert is_known(queue, "Acme Ltd")
    before = clients_of(queue.pk)
    a_sheet(case, 9_000, "Quillhaven Saddlery", now)
    whole = clients_of(queue.pk)
    examining._clients.clear()
    assert clients_of(queue.pk) == whole != before


def test_a_process_holds_the_clients_of_a_few_queues(queue, make_draft):
    make_draft()
    for number in range(examining._MOST_QUEUES + 3):
        clients_of(Queue.objects.create(slug=f"q{number}", name="Q", team="T").pk)
        assert is_known(queue, "Acme Ltd")
    assert len(examining._clients) == examining._MOST_QUEUES
    assert queue.pk in examining._clients
