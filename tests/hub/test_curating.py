import pytest
from django.db import transaction
from django.utils import timezone

from reviewhub import curating, doorbell
from reviewhub.curating import ExemplarMoved, NothingLeft, NothingToConfirm
from reviewhub.models import AuditEvent, Exemplar, ExemplarState, State, VocabularyWord
from reviewhub.permissions import NotAllowed
from tests.hub.acting import race
from tests.hub.remembered import PROSE, remember, use_in

WORDS = ("retainer", "Zorblatt")
IN_QUARANTINE = ExemplarState.QUARANTINED


@pytest.fixture
def exemplar(make_draft, people):
    return remember(make_draft(State.AWAITING_REVIEW), people["operator"])


@pytest.fixture
def rung(monkeypatch):
    """What was rung for, as the workers would hear it: the broker of these tests is away."""
    heard = []
    monkeypatch.setattr(doorbell._bell, "send_task", lambda name, kwargs, **_: heard.append((name, kwargs)))
    return heard


def fresh(exemplar):
    return Exemplar.objects.get(pk=exemplar.pk)


def confirm(exemplar, user, *words, seen=None):
    given = {"exemplar_id": exemplar.pk, "seen": seen or curating.stamp(exemplar), "words": words}
    return curating.confirm_words(**given, user=user, now=timezone.now())


def edit(exemplar, user, *texts, seen=None):
    given = {"exemplar_id": exemplar.pk, "seen": seen or curating.stamp(exemplar), "texts": texts}
    return curating.edit_exemplar(**given, user=user, now=timezone.now())


def forget(exemplar, user):
    return curating.forget_exemplar(exemplar_id=exemplar.pk, user=user, now=timezone.now())


def mark(use, user, act=curating.mark_bad):
    return act(use_id=use.pk, user=user, now=timezone.now())


def test_confirmed_words_join_the_vocabulary_and_the_text_is_examined_again(exemplar, people, queue):
    confirm(exemplar, people["operator"], "retainer")
    assert VocabularyWord.objects.of(queue.pk) == {"retainer"}
    assert VocabularyWord.objects.get().confirmed_by == people["operator"]
    row = fresh(exemplar)
    assert (row.state, row.doubts, row.prose) == ("waiting", [], PROSE)


def test_the_audit_trail_says_who_confirmed_but_not_which_word(exemplar, people, queue):
    confirm(exemplar, people["operator"], "retainer")
    line = AuditEvent.objects.get(act="word_confirmed")
    assert (line.user, line.who, line.queue_ref) == (people["operator"], "operator", queue.pk)
    assert line.row_ref == VocabularyWord.objects.get().pk


def test_a_text_that_waits_for_the_same_word_is_examined_again_too(exemplar, make_draft, people, rung):
    same = remember(make_draft(State.ESCALATED), people["lead"], prose={"opening": "A retainer."})
    other = remember(make_draft(State.ESCALATED), people["lead"], prose={"opening": "A Zorblatt."})
    confirm(exemplar, people["operator"], "retainer")
    assert (fresh(same).state, fresh(other).state) == ("waiting", "quarantined")


@pytest.mark.parametrize("words", [(), ("settle",), ("retainer", "settle"), ("Zorblatt about",)])
def test_only_words_in_doubt_that_a_person_may_confirm_are_taken(exemplar, people, words):
    with pytest.raises(NothingToConfirm):
        confirm(exemplar, people["operator"], *words)
    assert not VocabularyWord.objects.exists()
    assert fresh(exemplar).state == "quarantined"


def test_another_queues_vocabulary_stays_as_it_is(exemplar, people):
    confirm(exemplar, people["operator"], "retainer")
    assert {word.queue.slug for word in VocabularyWord.objects.all()} == {"billing-east"}


def test_a_correction_takes_the_texts_place_and_is_examined(exemplar, people):
    edit(exemplar, people["operator"], "Thank you for your time.\u00a0", "")
    row = fresh(exemplar)
    assert (row.state, row.prose, row.doubts) == ("waiting", {"opening": "Thank you for your time."}, [])


def test_a_text_in_the_index_may_be_corrected_and_is_not_recalled_meanwhile(make_draft, people):
    exemplar = remember(make_draft(State.AWAITING_REVIEW), people["operator"], ExemplarState.INDEXED)
    edit(exemplar, people["operator"], "Thank you.", "Please settle [TOTAL_DUE].")
    assert fresh(exemplar).state == "waiting"
    assert not Exemplar.objects.recallable().exists()


def test_what_no_database_stores_is_marked_not_lost(exemplar, people):
    edit(exemplar, people["operator"], "Thank\x00 you.", "")
    assert fresh(exemplar).prose == {"opening": "Thank\ufffd you."}


def test_a_correction_that_leaves_nothing_is_refused(exemplar, people):
    with pytest.raises(NothingLeft):
        edit(exemplar, people["operator"], " ", "\n")
    assert fresh(exemplar).prose == PROSE


@pytest.mark.parametrize("state", [ExemplarState.WAITING, ExemplarState.FORGOTTEN])
def test_what_is_examined_or_forgotten_cannot_be_corrected(make_draft, people, state):
    exemplar = remember(make_draft(State.AWAITING_REVIEW), people["operator"], state)
    with pytest.raises(ExemplarMoved):
        edit(exemplar, people["operator"], "Thank you.", "Please.")
    assert fresh(exemplar).state == state


@pytest.mark.parametrize(("act", "given"), [(confirm, ["retainer"]), (edit, ["Thank you.", "Please."])])
def test_what_changed_since_it_was_seen_is_left_alone(exemplar, people, act, given):
    seen = curating.stamp(exemplar)
    edit(exemplar, people["lead"], "Thank you for the retainer.", "")
    Exemplar.objects.filter(pk=exemplar.pk).update(
        state=IN_QUARANTINE, reason="doubts", doubts=exemplar.doubts, state_since=timezone.now()
    )
    with pytest.raises(ExemplarMoved, match="in quarantine"):
        act(exemplar, people["operator"], *given, seen=seen)
    assert fresh(exemplar).prose == {"opening": "Thank you for the retainer."}
    assert not VocabularyWord.objects.exists()


@pytest.mark.parametrize("act", [confirm, edit])
def test_the_same_act_twice_is_done_once(exemplar, people, act):
    seen, words = curating.stamp(exemplar), {confirm: ["retainer"], edit: ["Thank you.", "Please."]}[act]
    act(exemplar, people["operator"], *words, seen=seen)
    with pytest.raises(ExemplarMoved):
        act(exemplar, people["operator"], *words, seen=seen)
    assert AuditEvent.objects.filter(act="exemplar_again").count() == 1


@pytest.mark.parametrize("state", list(ExemplarState))
def test_a_text_is_forgotten_in_whatever_state_it_is_and_again_changes_nothing(make_draft, people, state):
    exemplar = remember(make_draft(State.AWAITING_REVIEW), people["operator"], state)
    for _ in range(2):
        forget(exemplar, people["operator"])
    row = fresh(exemplar)
    assert (row.state, row.prose, row.doubts, row.vector) == ("forgotten", {}, [], None)
    once = 0 if state is ExemplarState.FORGOTTEN else 1
    assert AuditEvent.objects.filter(act="exemplar_forgotten").count() == once


def test_a_bad_mark_is_counted_once_and_taken_back_once(exemplar, make_draft, people):
    use = use_in(make_draft(State.AWAITING_REVIEW), exemplar)
    for _ in range(2):
        mark(use, people["operator"])
    assert fresh(exemplar).bad == 1
    use.refresh_from_db()
    assert use.marked_bad_by == people["operator"]
    for _ in range(2):
        mark(use, people["lead"], curating.unmark_bad)
    use.refresh_from_db()
    assert (fresh(exemplar).bad, use.marked_bad_by, use.marked_bad_at) == (0, None, None)
    acts = list(
        AuditEvent.objects.filter(draft_ref=use.draft_id, act__startswith="exemplar").values_list("act", "user")
    )
    assert acts == [
        ("exemplar_marked_bad", people["operator"].pk),
        ("exemplar_unmarked", people["lead"].pk),
    ]


@pytest.mark.parametrize("name", ["viewer", "stranger"])
def test_only_operators_of_the_queue_may_do_any_of_it(exemplar, make_draft, people, name):
    use = use_in(make_draft(State.AWAITING_REVIEW), exemplar)
    for attempt in (
        lambda user: confirm(exemplar, user, "retainer"),
        lambda user: edit(exemplar, user, "Thank you.", "Please."),
        lambda user: forget(exemplar, user),
        lambda user: mark(use, user),
        lambda user: mark(use, user, curating.unmark_bad),
    ):
        with pytest.raises(NotAllowed):
            attempt(people[name])
    assert fresh(exemplar).state == "quarantined"
    assert fresh(exemplar).bad == 0


@pytest.mark.parametrize(("act", "given"), [(confirm, ["retainer"]), (edit, ["Thank you.", "Please."]), (forget, [])])
def test_the_workers_hear_of_it_once_it_is_committed(
    exemplar, people, rung, act, given, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        with transaction.atomic():
            act(exemplar, people["operator"], *given)
        assert rung == []
    assert rung == [("learning.index", {"exemplar_id": exemplar.pk})]


def test_no_line_of_the_audit_trail_holds_a_word_of_a_text(exemplar, make_draft, people):
    use = use_in(make_draft(State.AWAITING_REVIEW), exemplar)
    confirm(exemplar, people["operator"], "retainer")
    mark(use, people["operator"])
    forget(exemplar, people["operator"])
    lines = [str(row) for row in AuditEvent.objects.values()]
    assert len(lines) >= 3
    assert not [line for line in lines if "retainer" in line or "Zorblatt" in line]


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_confirm_at_once_one_does_and_the_others_are_told(exemplar, people):
    seen = curating.stamp(exemplar)
    ends = race(lambda _: confirm(exemplar, people["operator"], "retainer", seen=seen))
    assert sum(isinstance(end, ExemplarMoved) for end in ends) == 7
    assert VocabularyWord.objects.count() == 1
    assert AuditEvent.objects.filter(act="exemplar_again").count() == 1


@pytest.mark.django_db(transaction=True)
def test_eight_marks_at_once_are_one_and_so_is_taking_them_back(exemplar, make_draft, people):
    use = use_in(make_draft(State.AWAITING_REVIEW), exemplar)
    race(lambda _: mark(use, people["operator"]))
    assert fresh(exemplar).bad == 1
    race(lambda _: mark(use, people["operator"], curating.unmark_bad))
    assert fresh(exemplar).bad == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_confirm_words_that_each_others_texts_wait_for_both_get_through(make_draft, people, queue, rung):
    """Each locks its own text and then frees the other's: on PostgreSQL they would wait for each other."""
    for _ in range(5):
        rows = [
            remember(make_draft(State.ESCALATED), people["lead"], prose={"opening": "A retainer of Zorblatt."})
            for _ in range(8)
        ]
        seen = {row.pk: curating.stamp(row) for row in rows}
        ends = race(
            lambda number, rows=rows, seen=seen: confirm(
                rows[number], people["operator"], WORDS[number % 2], seen=seen[rows[number].pk]
            )
        )
        # The first frees every text that waits for its word; whoever comes later is told that theirs has moved.
        assert {type(end) for end in ends} <= {Exemplar, ExemplarMoved}
        assert [type(end) for end in ends].count(Exemplar) == 1
        assert [fresh(row).state for row in rows] == ["waiting"] * 8
        assert VocabularyWord.objects.of(queue.pk) < set(WORDS)
        VocabularyWord.objects.all().delete()
