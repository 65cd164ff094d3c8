import base64
from datetime import timedelta

import pytest
from django.db import connection

from reviewhub.models import BadKeyset, Draft, Keyset, State

pytestmark = pytest.mark.django_db


def pages(rows, *, newest_first):
    """Page through all rows three at a time and return their ids."""
    seen, place = [], None
    while page := list(rows.keyset_page(after=place, newest_first=newest_first)[:3]):
        seen += [row.pk for row in page]
        place = Keyset.parse(str(page[-1].keyset))
    return seen


@pytest.mark.parametrize("newest_first", [False, True])
def test_every_row_is_seen_once_in_order_also_where_times_are_equal(make_draft, now, newest_first):
    offsets = [0, 0, 5, 5, 5, 1, 0, 9]
    made = [make_draft(state_since=now + timedelta(microseconds=offset)) for offset in offsets]
    expected = [draft.pk for draft in sorted(made, key=lambda draft: (draft.state_since, draft.pk))]
    seen = pages(Draft.objects.in_state(State.QUEUED), newest_first=newest_first)
    assert seen == (expected[::-1] if newest_first else expected)


def test_a_row_that_leaves_the_list_makes_no_other_be_skipped(make_draft, now):
    made = [make_draft(state_since=now + timedelta(seconds=second)) for second in range(6)]
    first = list(Draft.objects.in_state(State.QUEUED).keyset_page()[:3])
    Draft.objects.filter(pk=first[1].pk).update(state="superseded")
    rest = Draft.objects.in_state(State.QUEUED).keyset_page(after=first[-1].keyset)
    assert [row.pk for row in rest] == [row.pk for row in made[3:]]


def test_a_page_is_read_along_an_index_and_never_sorted(make_draft, queue, now):
    place = make_draft().keyset
    rows = Draft.objects.filter(queue=queue).in_state(State.QUEUED).keyset_page(after=place, newest_first=True)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = rows.explain()
    assert "draft_by_" in plan  # a small table may be read by time alone
    assert "sort" not in plan.lower()
    assert "b-tree" not in plan.lower()
    assert "state_since" in plan  # the place bounds the range that is read


def test_a_list_shows_the_number_of_attempts_with_one_query(make_draft, now, django_assert_num_queries):
    draft = make_draft()
    make_draft()
    for number in (1, 2):
        draft.attempts.create(number=number, prompt=[], model="m", prompt_version="v", started_at=now)
    with django_assert_num_queries(1):
        rows = list(Draft.objects.for_list().order_by("id"))
        assert [(row.case.title, row.queue.name, row.attempt_count) for row in rows] == [
            ("Acme Ltd", "Billing East", 2),
            ("Acme Ltd", "Billing East", 0),
        ]


def test_states_are_counted_with_none_left_out(make_draft):
    make_draft(State.ESCALATED)
    make_draft(State.QUEUED)
    counts = Draft.objects.all().counts_by_state()
    assert set(counts) == set(State)
    assert {state: count for state, count in counts.items() if count} == {State.ESCALATED: 1, State.QUEUED: 1}


@pytest.mark.parametrize(
    "text", ["", "x", "MTIz", "!!!", "\u00e9", "MS4xLng", "OTk5OTk5OTk5OTk5OTk5OTk5OTkuMC4x", "a" * 5000]
)
def test_a_place_that_no_page_gave_out_is_refused(text):
    with pytest.raises(BadKeyset):
        Keyset.parse(text)


@pytest.mark.parametrize("row_id", [-1, 2**63, 10**30])
def test_an_id_that_no_database_holds_is_refused(row_id):
    text = base64.urlsafe_b64encode(f"1.0.{row_id}".encode()).decode()
    with pytest.raises(BadKeyset):
        Keyset.parse(text)
