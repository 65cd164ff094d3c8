"""What becomes of an approved edit, with the real sanitiser, embedding model and vector store."""

import json
import struct
from datetime import timedelta
from threading import Thread

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from memory.embed import Embedder
from memory.sanitize import MAX_CHARACTERS
from memory.store import collection_name
from reviewhub import examining, learning, remembering
from reviewhub.curating import take_word_back
from reviewhub.learning import advance
from reviewhub.models import (
    Actor,
    AuditEvent,
    Case,
    Decision,
    Exemplar,
    ExemplarChanged,
    FactSheet,
    Queue,
    Tally,
    VocabularyWord,
    Who,
)
from reviewhub.models.exemplars import PART_BACKOFF
from reviewhub.remembering import store
from reviewhub.reviewing import undo
from tests.hub.acting import race
from tests.hub.learned import approve, learn

pytestmark = pytest.mark.django_db(transaction=True)

CLEAN = {
    "opening": "I am writing about your account again. The oldest item was due on [OLDEST_DUE].",
    "request": "Please settle the total of [TOTAL_DUE] when it suits you, or tell us what holds it up.",
}


@pytest.fixture
def collection(queue, chroma):
    name = collection_name(queue.pk, "billing")
    store().drop(name)  # left by a test whose queue had the same number
    return name


@pytest.fixture(autouse=True)
def no_clients_of_other_tests():
    """Forget the clients that this process read: the rows of another test may have had the same ids."""
    examining._clients.clear()


@pytest.fixture
def edit(make_draft, people, now):
    """Approve an edit whose time to be taken back is over."""

    def make(**prose: str) -> Decision:
        return approve(make_draft, people["operator"], now=now - timedelta(seconds=15), **(CLEAN | prose))

    return make


@pytest.fixture
def clock(now):
    return lambda: now


def at(moment):
    return lambda: moment


def stored(decision, body):
    Decision.objects.filter(pk=decision.pk).update(body=body)
    return decision


def prose(name, text):
    return {"kind": "prose", "name": name, "text": text}


def test_a_clean_edit_is_in_the_index_with_its_id_and_vector_alone(edit, clock, collection, now):
    decision = edit()
    assert learn(decision_id=decision.pk, clock=clock) == "indexed"
    exemplar = Exemplar.objects.get()
    assert exemplar.prose == {
        **CLEAN,
        "closing": "If you have a question about any of the items, please reply to this message.",
    }
    assert (exemplar.situation, exemplar.indexed_at, exemplar.takes) == ("gentle_reminder", now, 0)
    vector = struct.unpack("<384f", exemplar.vector)
    assert sum(number * number for number in vector) == pytest.approx(1, abs=1e-5)
    assert store().ids(collection) == {str(exemplar.pk)}
    acts = AuditEvent.objects.filter(draft_ref=decision.draft_id, act__startswith="exemplar").order_by("id")
    assert [event.act for event in acts] == ["exemplar_wait", "exemplar_ready", "exemplar_indexed"]


def test_a_word_taken_back_while_a_text_is_examined_keeps_it_out_of_the_index(
    edit, collection, people, queue, now, monkeypatch
):
    word = VocabularyWord.confirm("zorbing", queue=queue, by=people["operator"], now=now)
    decision = edit(opening="Thank you for the zorbing plan. The items below are still open.")
    real = learning.embed_exemplars

    def embed_and_lose_the_word(rows):
        """Another connection takes the word back after the text was examined by it."""
        made = real(rows)
        thread = Thread(target=take_back)
        thread.start()
        thread.join()
        return made

    def take_back():
        take_word_back(word, by=Actor(Who.ADMIN, people["admin"].pk), now=now)
        connection.close()

    monkeypatch.setattr(learning, "embed_exemplars", embed_and_lose_the_word)
    assert learn(decision_id=decision.pk, clock=at(now)) == "waiting"
    monkeypatch.undo()
    exemplar = Exemplar.objects.get()
    assert (exemplar.takes, exemplar.last_error, exemplar.indexed_at) == (0, "VocabularyChanged", None)
    assert learn(decision_id=decision.pk, clock=at(now + PART_BACKOFF)) == "quarantined"
    assert [doubt["words"] for doubt in Exemplar.objects.get().doubts] == ["zorbing"]
    assert store().ids(collection) == set()


def test_a_word_confirmed_while_a_text_is_examined_is_not_asked_for_again(
    edit, collection, people, queue, now, monkeypatch
):
    decision = edit(opening="Thank you for the zorbing plan. The items below are still open.")
    real = learning.doubts_about

    def doubt_and_confirm(*given):
        found = real(*given)
        VocabularyWord.confirm("zorbing", queue=queue, by=people["operator"], now=now)
        return found

    monkeypatch.setattr(learning, "doubts_about", doubt_and_confirm)
    assert learn(decision_id=decision.pk, clock=at(now)) == "waiting"
    assert learn(decision_id=decision.pk, clock=at(now + PART_BACKOFF)) == "indexed"


def test_whoever_takes_words_back_and_whoever_learns_from_them_at_once_leave_no_text_with_a_word_that_is_none(
    edit, collection, people, queue, now
):
    openings = [f"Thank you for the zorbing plan {words}. The items are open." for words in ("so far", "again")]
    rows = [Exemplar.of_decision(edit(opening=opening), now=now) for opening in openings]
    word = VocabularyWord.confirm("zorbing", queue=queue, by=people["operator"], now=now)
    advance(exemplar_id=rows[0].pk, clock=at(now))  # the models are loaded

    def work(number):
        if number == 0:
            take_word_back(word, by=Actor(Who.ADMIN, people["admin"].pk), now=now)
        else:
            advance(exemplar_id=rows[number % 2].pk, clock=at(now))

    assert race(work) == [None] * 8
    later = now + PART_BACKOFF
    for row in rows:
        advance(exemplar_id=row.pk, clock=at(later))
    assert [row.state for row in Exemplar.objects.all()] == ["quarantined"] * 2
    assert not VocabularyWord.objects.exists()


def test_a_sheet_that_cannot_be_read_holds_learning_up_and_counts_against_no_text(
    edit, collection, make_draft, now, caplog
):
    decision, other = edit(), make_draft()
    whole = other.sheet.facts
    FactSheet.objects.filter(pk=other.sheet_id).update(facts={"client": "Zaphod Beeblebrox"})
    assert learn(decision_id=decision.pk, clock=at(now)) == "waiting"
    exemplar = Exemplar.objects.get()
    assert (exemplar.takes, exemplar.last_error) == (0, "SheetUnreadable")
    assert f"sheet {other.sheet_id} of case {other.case_id} cannot be read (AttributeError)" in caplog.text
    assert "Zaphod" not in caplog.text
    FactSheet.objects.filter(pk=other.sheet_id).update(facts=whole)
    assert learn(decision_id=decision.pk, clock=at(now + PART_BACKOFF)) == "indexed"


def test_a_decision_that_is_taken_back_before_it_is_learned_from_is_not(make_draft, people, now, collection):
    decision = approve(make_draft, people["operator"], now=now, **CLEAN)
    later = now + timedelta(seconds=15)
    [due] = Decision.objects.to_learn_from(later).select_related("draft__case")
    undo(decision_id=decision.pk, user=people["operator"], now=later - timedelta(seconds=1))
    with pytest.raises(ExemplarChanged):
        Exemplar.of_decision(due, now=later)
    assert not Exemplar.objects.exists()


def test_a_decision_that_is_taken_back_late_is_unlearned(make_draft, people, now, clock, collection):
    """Whoever pressed in time may have waited for a lock meanwhile."""
    decision = approve(make_draft, people["operator"], now=now, **CLEAN)
    later = now + timedelta(seconds=15)
    assert learn(decision_id=decision.pk, clock=at(later)) == "indexed"
    undo(decision_id=decision.pk, user=people["operator"], now=later - timedelta(seconds=1))
    exemplar = Exemplar.objects.get()
    assert (exemplar.state, exemplar.prose) == ("forgotten", {})
    advance(exemplar_id=exemplar.pk, clock=at(later))
    assert store().ids(collection) == set()


def test_learning_twice_changes_nothing(edit, clock, collection):
    decision = edit()
    learn(decision_id=decision.pk, clock=clock)
    before = Exemplar.objects.values().get()
    assert learn(decision_id=decision.pk, clock=clock) == "indexed"
    assert Exemplar.objects.values().get() == before


def test_eight_workers_at_once_make_one_exemplar(edit, clock, collection):
    decision = edit()
    ends = race(lambda _: learn(decision_id=decision.pk, clock=clock))
    assert "indexed" in ends
    assert not [end for end in ends if isinstance(end, Exception)]
    exemplar = Exemplar.objects.get()
    assert exemplar.state == "indexed"
    assert store().ids(collection) == {str(exemplar.pk)}


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("it may still be taken back", {"effects_at": "2026-05-04T09:30:01Z"}),
        ("it was taken back", {"undone_at": "2026-05-04T09:29:50Z"}),
        ("a lead approved it over failing checks", {"overridden": True, "override_reason": "The check is wrong."}),
    ],
)
def test_nothing_is_learned_from_a_decision_when(edit, clock, why, changes):
    decision = edit()
    Decision.objects.filter(pk=decision.pk).update(**changes)
    assert learn(decision_id=decision.pk, clock=clock) is None
    assert not Exemplar.objects.exists()


def test_what_was_typed_for_a_fact_becomes_its_slot(edit, clock, collection):
    typed = "I am writing about your account again. The oldest item was due on 15 April 2026."
    decision = stored(edit(), {"framed": True, "blocks": [prose("opening", typed)]})
    assert learn(decision_id=decision.pk, clock=clock) == "indexed"
    assert Exemplar.objects.get().prose == {"opening": CLEAN["opening"]}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Thank you for your help, Ana.", "slot"),  # the contact's name, for which the letter has no slot
        ("Thank you, Ms Quillfeather.", None),
        ("The items are for the flumox.", "word"),
        ("The items for Brightwater are still open.", None),
    ],
)
def test_what_is_not_provably_clean_waits_for_a_person_and_goes_nowhere_else(edit, clock, collection, words, code):
    decision = edit(opening=f"{CLEAN['opening']} {words}")
    assert learn(decision_id=decision.pk, clock=clock) == "quarantined"
    exemplar = Exemplar.objects.get()
    assert (exemplar.reason, exemplar.vector) == ("doubts", None)
    for doubt in exemplar.doubts:
        assert exemplar.prose[doubt["block"]][doubt["start"] : doubt["end"]] == doubt["words"]
        assert doubt["reason"]
    assert code in {doubt["code"] for doubt in exemplar.doubts} or code is None
    assert "Ana" not in json.dumps(exemplar.prose)
    assert store().ids(collection) == set()


def test_the_name_of_another_client_of_the_queue_is_in_doubt_though_its_words_are_plain(
    edit, clock, collection, queue, facts, now
):
    decision = edit(opening="The items below are still open, as they are for green valley farms.")
    other = Case.objects.create(
        queue=queue,
        domain="billing",
        external_id="other",
        title="Other",
        subject="gvf",
        difficulty=1,
        difficulty_reason="one line",
        created_at=now,
    )
    client = {"id": "gvf", "name": "Green Valley Farms"}
    FactSheet.objects.create(case=other, version=1, facts=facts | {"client": client}, hash="0" * 64, created_at=now)
    assert learn(decision_id=decision.pk, clock=clock) == "quarantined"
    assert "known" in {doubt["code"] for doubt in Exemplar.objects.get().doubts}


def test_a_confirmed_word_lets_the_text_in(edit, clock, collection, queue, people, now):
    decision = edit(opening="The items for the flumox below are still open.")
    assert learn(decision_id=decision.pk, clock=clock) == "quarantined"
    exemplar = Exemplar.objects.get()
    [doubt] = exemplar.doubts
    assert (doubt["words"], doubt["code"]) == ("flumox", "word")
    VocabularyWord.confirm("flumox", queue=queue, by=people["operator"], now=now)
    exemplar.wait_again(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    assert advance(exemplar_id=exemplar.pk, clock=clock) == "indexed"
    assert store().ids(collection) == {str(exemplar.pk)}


def test_a_corrected_text_is_examined_as_strictly_and_takes_the_place_of_the_old(edit, clock, collection, people, now):
    decision = edit()
    learn(decision_id=decision.pk, clock=clock)
    exemplar = Exemplar.objects.get()
    by = Actor(Who.OPERATOR, people["operator"].pk)
    exemplar.wait_again(by=by, now=now, prose=CLEAN | {"opening": "Ring Ana Ortega on +1 555 0142 about it."})
    assert advance(exemplar_id=exemplar.pk, clock=clock) == "quarantined"
    assert store().ids(collection) == set()
    exemplar = Exemplar.objects.get()
    assert exemplar.indexed_at is None
    exemplar.wait_again(by=by, now=now, prose=CLEAN)
    assert advance(exemplar_id=exemplar.pk, clock=clock) == "indexed"
    assert store().ids(collection) == {str(exemplar.pk)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The items are still open. " * (200_000 // 26), "too_long"),
        ("x" * MAX_CHARACTERS, "doubts"),
        ("".join(map(chr, range(1, 32))) + "\x7f\x80\x9f\u200b\u202e\ufeff", "doubts"),
        ("\u2400\ufffd" * 400, "doubts"),
        ("   ", "empty"),
    ],
)
def test_bad_input_ends_in_quarantine_with_its_reason(edit, clock, collection, text, reason):
    decision = stored(edit(), {"framed": True, "blocks": [prose("opening", text)]})
    assert learn(decision_id=decision.pk, clock=clock) == "quarantined"
    assert Exemplar.objects.get().reason == reason
    assert store().ids(collection) == set()


def test_a_text_that_was_written_freely_is_one_block(edit, clock, collection):
    text = "Dear [CLIENT_NAME],\n\nplease settle the total of $1,975.00 for TX-1001 and TX-1002 when you can."
    decision = edit()
    Decision.objects.filter(pk=decision.pk).update(
        written="by_hand", body={"framed": False, "blocks": [prose("text", text)]}
    )
    learn(decision_id=decision.pk, clock=clock)
    exemplar = Exemplar.objects.get()
    assert list(exemplar.prose) == ["free"]
    for value in ("1,975", "TX-1001", "TX-1002"):
        assert value not in exemplar.prose["free"]


def test_while_the_store_is_away_the_text_is_ready_and_gets_there_later(edit, clock, collection, settings, now):
    at_work = settings.REVIEWHUB_CHROMA_URL
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:1"
    decision = edit()
    for _ in range(5):
        assert learn(decision_id=decision.pk, clock=at(now)) == "ready"
        exemplar = Exemplar.objects.get()
        assert (exemplar.takes, exemplar.last_error) == (0, "StoreUnavailable")
        now += PART_BACKOFF
    settings.REVIEWHUB_CHROMA_URL = at_work
    assert advance(exemplar_id=exemplar.pk, clock=at(now)) == "indexed"
    assert store().ids(collection) == {str(exemplar.pk)}


def test_a_collection_that_the_store_refuses_holds_up_its_own_texts_alone(
    edit, clock, collection, make_draft, people, now, caplog
):
    """A collection of vectors of another length, as an older embedding model would have left it."""
    store().upsert(collection, ["1"], np.ones((1, 3), dtype=np.float32))
    refused, other = (Exemplar.of_decision(edit(), now=now) for _ in range(2))
    elsewhere = Queue.objects.create(slug="billing-north", name="Billing North", team="Accounts Receivable")
    Exemplar.objects.filter(pk=other.pk).update(queue=elsewhere)
    name = collection_name(elsewhere.pk, "billing")
    store().drop(name)
    learning._load_models()
    learning._do(learning._sanitise, Exemplar.objects.get(pk=other.pk), clock)

    assert advance(exemplar_id=refused.pk, clock=clock) == "ready"
    refused.refresh_from_db()
    assert (refused.takes, refused.last_error, refused.not_before) == (0, "StoreRefused", now + PART_BACKOFF)
    assert f"exemplar {refused.pk} waits: Chroma at" in caplog.text
    assert Tally.objects.get().name == "store-refused"
    assert Exemplar.objects.to_be_sent(now).get() == other
    assert advance(exemplar_id=other.pk, clock=clock) == "indexed"

    call_command("rebuild_memory", queue="billing-east")
    assert advance(exemplar_id=refused.pk, clock=at(now + PART_BACKOFF)) == "indexed"
    assert store().ids(collection) == {str(refused.pk)}
    assert store().ids(name) == {str(other.pk)}
    store().drop(name)


def test_what_is_forgotten_leaves_the_store_also_when_that_was_away(edit, clock, collection, people, settings, now):
    learn(decision_id=edit().pk, clock=clock)
    exemplar = Exemplar.objects.get()
    exemplar.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    at_work = settings.REVIEWHUB_CHROMA_URL
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:1"
    assert advance(exemplar_id=exemplar.pk, clock=clock) == "forgotten"
    assert Exemplar.objects.get().is_stale_in_store
    settings.REVIEWHUB_CHROMA_URL = at_work
    assert advance(exemplar_id=exemplar.pk, clock=at(now + PART_BACKOFF)) == "forgotten"
    assert not Exemplar.objects.get().is_stale_in_store
    assert store().ids(collection) == set()


def test_a_model_whose_files_were_changed_keeps_the_text_waiting_and_indexes_nothing(
    edit, clock, collection, tmp_path, monkeypatch, now
):
    broken = Embedder(tmp_path)
    monkeypatch.setattr(remembering, "embedder", lambda: broken)
    decision = edit()
    for _ in range(4):
        assert learn(decision_id=decision.pk, clock=at(now)) == "waiting"
        exemplar = Exemplar.objects.get()
        assert (exemplar.takes, exemplar.last_error) == (0, "ModelFolderInvalid")
        now += PART_BACKOFF
    assert store().ids(collection) == set()


def test_the_log_names_the_exemplar_and_nothing_of_it(edit, clock, collection, caplog):
    learn(decision_id=edit(opening="The items for Ms Quillfeather are still open.").pk, clock=clock)
    assert "Quillfeather" not in caplog.text


def test_nobody_needs_to_be_signed_in_for_a_worker_to_learn(edit, clock, collection):
    decision = edit()
    User.objects.all().update(is_active=False)
    assert learn(decision_id=decision.pk, clock=clock) == "indexed"
