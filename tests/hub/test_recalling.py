"""Which past edits a draft is shown, how they were found, and what the attempt's prompt holds of them."""

from datetime import timedelta

import pytest

from memory.embed import Embedder
from memory.store import collection_name
from reviewhub import remembering
from reviewhub.drafting import draft_case
from reviewhub.models import Actor, Attempt, Case, Draft, Exemplar, ExemplarUse, Queue, Recall, State, Tally, Who
from reviewhub.recalling import exemplars_for
from reviewhub.remembering import as_matrix, store
from tests.hub.learned import approve, learn

pytestmark = pytest.mark.django_db(transaction=True)

REQUEST = "Please settle the total of [TOTAL_DUE] when it suits you, or tell us what holds it up."
OPENING = "I am writing about your account again. The oldest item was due on [OLDEST_DUE]."
OTHER = {
    "opening": "Your account is still open with us, as the list below shows.",
    "request": "Could you arrange for the total of [TOTAL_DUE] to be sent, or write to us about what holds it up?",
    "closing": "Thank you for your help with this.",
}


@pytest.fixture
def collection(queue, chroma):
    name = collection_name(queue.pk, "billing")
    store().drop(name)
    return name


@pytest.fixture
def taught(make_draft, people, now, collection):
    """Learn from an edit and return its exemplar."""

    def teach(**prose):
        given = {"opening": OPENING, "request": REQUEST} | prose
        decision = approve(make_draft, people["operator"], now=now - timedelta(seconds=15), **given)
        assert learn(decision_id=decision.pk, clock=lambda: now) == "indexed"
        return Exemplar.objects.get(decision=decision)

    return teach


@pytest.fixture
def recall(make_draft, now):
    """Look for past edits for a new draft, or this one."""

    def look(draft=None):
        draft = draft or make_draft()
        shown = exemplars_for(draft, draft.sheet.as_case(), clock=lambda: now)
        return draft, [item.id for item in shown]

    return look


def test_a_queue_that_taught_nothing_gives_nothing_and_loads_no_model(recall, monkeypatch):
    monkeypatch.setattr(remembering, "embedder", None)
    draft, shown = recall()
    assert shown == []
    assert draft.recall.way == "nothing"


def test_a_past_edit_is_shown_first_and_a_starter_fills_up(taught, make_draft, now):
    exemplar = taught()
    draft = make_draft()
    assert draft_case(draft_id=draft.pk, model_name="scripted", worker="w1", clock=lambda: now) == "awaiting_review"
    attempt = Attempt.objects.get(draft=draft)
    first, second = attempt.exemplars
    assert first == f"edit/{exemplar.pk}"
    assert second.startswith("billing/gentle_reminder/")
    answers = [message["content"] for message in attempt.prompt if message["role"] == "assistant"]
    assert OPENING in answers[0]
    assert attempt.body["blocks"][2]["text"] == OPENING or OPENING in str(attempt.body)
    [use] = draft.exemplar_uses.all()
    assert (use.exemplar, use.rank, draft.recall.way) == (exemplar, 1, "store")
    assert 0 < use.similarity <= 1
    assert use.reasons
    exemplar.refresh_from_db()
    assert exemplar.used == 1


@pytest.mark.parametrize("foreign", ["abc", "x y", "1" + "0" * 30, "-5", "٣"])
def test_an_id_that_is_no_rows_is_a_loss_that_exact_search_makes_up_for(taught, recall, collection, foreign):
    one = taught()
    store().upsert(collection, [foreign], as_matrix([one.vector]))
    draft, shown = recall()
    assert (shown, draft.recall.way) == ([f"edit/{one.pk}"], "exact")


def test_two_at_most_are_shown_and_no_starter_beside_them(taught, make_draft, now):
    for words in (OTHER, {}, {"closing": "A short reply is enough."}):
        taught(**words)
    draft = make_draft()
    draft_case(draft_id=draft.pk, model_name="scripted", worker="w1", clock=lambda: now)
    shown = Attempt.objects.get(draft=draft).exemplars
    assert len(shown) == 2
    assert all(name.startswith("edit/") for name in shown)
    assert list(draft.exemplar_uses.values_list("rank", flat=True)) == [1, 2]


def test_whoever_takes_the_draft_over_shows_the_same_ones(taught, recall):
    exemplar = taught()
    draft, shown = recall()
    taught(**OTHER)
    assert recall(draft) == (draft, shown)
    assert ExemplarUse.objects.count() == 1
    exemplar.refresh_from_db()
    assert exemplar.used == 1


def test_one_that_was_forgotten_meanwhile_is_shown_no_more(taught, recall, people, now):
    exemplar = taught()
    draft, shown = recall()
    assert shown == [f"edit/{exemplar.pk}"]
    exemplar.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    assert recall(draft) == (draft, [])
    assert recall()[1] == []


def test_another_queue_s_edits_are_never_shown(taught, make_draft, recall, people):
    taught()
    other = Queue.objects.get(slug="billing-west")
    draft = make_draft()
    Case.objects.filter(pk=draft.case_id).update(queue=other)
    Draft.objects.filter(pk=draft.pk).update(queue=other)
    draft = Draft.objects.get(pk=draft.pk)
    assert recall(draft) == (draft, [])


def test_one_whose_slot_the_letter_does_not_offer_is_skipped_and_the_draft_says_why(taught, recall, make_draft, facts):
    exemplar = taught()
    for line in facts["transactions"]:
        line["due"] = "2026-06-15"  # nothing is late, so that no oldest date can be named
    draft, shown = recall()
    assert shown == []
    assert draft.recall.skipped == [f"Edit {exemplar.pk} uses OLDEST_DUE, which this letter does not offer."]


def test_one_with_other_passages_is_skipped_and_the_draft_says_why(taught, recall):
    exemplar = taught(closing="")
    draft, shown = recall()
    assert shown == []
    assert draft.recall.skipped == [f"Edit {exemplar.pk} has other passages than this letter."]


@pytest.mark.parametrize(("used", "bad", "shown"), [(2, 2, 0), (3, 1, 1), (4, 2, 0), (5, 2, 1)])
def test_one_that_misled_two_drafts_must_have_served_more_to_be_shown(taught, recall, used, bad, shown):
    exemplar = taught()
    Exemplar.objects.filter(pk=exemplar.pk).update(used=used, bad=bad)
    draft, ids = recall()
    assert len(ids) == shown
    assert [exemplar.pk for _ in draft.recall.skipped] == [exemplar.pk] * (1 - shown)


def test_exact_search_gives_the_same_while_the_store_is_away_and_is_counted(taught, recall, settings, now):
    ids = [taught(**OTHER).pk, taught().pk]
    _, by_store = recall()
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:1"
    draft, by_exact = recall()
    assert sorted(by_exact) == sorted(f"edit/{pk}" for pk in ids)
    assert by_exact == by_store
    assert draft.recall.way == "exact"
    tally = Tally.objects.get(name="recall-exact")
    assert (tally.count, tally.last_at) == (1, now)


def test_exact_search_answers_when_the_store_has_lost_its_vectors(taught, recall, collection):
    exemplar = taught()
    store().drop(collection)
    draft, shown = recall()
    assert (shown, draft.recall.way) == ([f"edit/{exemplar.pk}"], "exact")


def test_an_edit_learned_after_a_loss_hides_none_of_the_earlier_ones(taught, recall, collection):
    earlier = taught()
    store().drop(collection)
    later = taught(**OTHER)
    draft, shown = recall()
    assert sorted(shown) == sorted([f"edit/{earlier.pk}", f"edit/{later.pk}"])
    assert draft.recall.way == "exact"


def test_one_that_waits_for_the_store_can_be_found_all_the_same(taught, recall, settings):
    exemplar = taught()
    Exemplar.objects.filter(pk=exemplar.pk).update(state="ready")
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:1"
    assert recall()[1] == [f"edit/{exemplar.pk}"]


def test_an_embedding_model_that_cannot_be_used_does_not_stop_drafting(taught, make_draft, now, monkeypatch, tmp_path):
    taught()
    broken = Embedder(tmp_path)
    monkeypatch.setattr(remembering, "embedder", lambda: broken)
    draft = make_draft()
    assert draft_case(draft_id=draft.pk, model_name="scripted", worker="w1", clock=lambda: now) == "awaiting_review"
    assert draft.recall.way == "starters"
    assert all(name.startswith("billing/") for name in Attempt.objects.get(draft=draft).exemplars)
    assert Tally.objects.get(name="recall-starters").count == 1


def test_nothing_is_looked_for_when_nothing_will_be_written(taught, make_draft, facts, now):
    taught()
    facts["transactions"] = []
    draft = make_draft()
    assert draft_case(draft_id=draft.pk, model_name="scripted", worker="w1", clock=lambda: now) == State.ABSTAINED
    assert not Recall.objects.exists()
