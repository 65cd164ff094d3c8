"""What the database and the rows themselves promise about exemplars, before any worker looks at one."""

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from reviewhub.models import (
    Actor,
    AuditEvent,
    Decision,
    Exemplar,
    ExemplarChanged,
    ExemplarState,
    ExemplarUse,
    LeaseLost,
    Recall,
    State,
    Who,
)
from reviewhub.models.exemplars import LEARNING_LEASE, PART_BACKOFF
from tests.hub.acting import race
from tests.hub.learned import VECTOR, approve

pytestmark = pytest.mark.django_db(transaction=True)

PROSE = {"opening": "The items below are still open.", "request": "Please settle the total of [TOTAL_DUE]."}
CLEAN = {"prose": PROSE, "situation": "gentle_reminder", "vector": VECTOR, "embedder": "minilm"}


@pytest.fixture
def exemplar(make_draft, people, now):
    return Exemplar.of_decision(approve(make_draft, people["operator"], now=now, **PROSE), now=now)


def put(exemplar, **fields):
    Exemplar.objects.filter(pk=exemplar.pk).update(**fields)
    exemplar.refresh_from_db()
    return exemplar


@pytest.mark.parametrize(
    ("broken", "fields"),
    [
        ("exemplar_state_known", {"state": "lost"}),
        ("exemplar_takes_bounded", {"takes": 4}),
        ("exemplar_with_vector_is_clean", {"state": "ready"}),
        ("exemplar_with_vector_is_clean", {**CLEAN, "state": "ready", "vector": None}),
        ("exemplar_with_vector_is_clean", {**CLEAN, "state": "ready", "prose": {}}),
        ("exemplar_with_vector_is_clean", {**CLEAN, "state": "ready", "situation": ""}),
        ("exemplar_with_vector_is_clean", {**CLEAN, "state": "ready", "embedder": ""}),
        ("exemplar_with_vector_is_clean", {"vector": VECTOR, "embedder": "minilm"}),
        ("exemplar_indexed_since", {**CLEAN, "state": "indexed"}),
        ("exemplar_quarantined_with_reason", {"state": "quarantined"}),
        ("exemplar_quarantined_with_reason", {"reason": "doubts"}),
        ("exemplar_quarantined_with_reason", {"doubts": [{"words": "Ada"}]}),
        ("exemplar_forgotten_is_blank", {"state": "forgotten", "prose": PROSE}),
        ("exemplar_lease_is_whole", {"lease_token": "0" * 32}),
    ],
)
def test_the_database_refuses(exemplar, broken, fields):
    with pytest.raises(IntegrityError, match=broken), transaction.atomic():
        Exemplar.objects.filter(pk=exemplar.pk).update(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {**CLEAN, "state": "ready"},
        {"state": "quarantined", "reason": "doubts", "prose": PROSE, "doubts": [{"words": "Ada"}]},
        {"state": "forgotten"},
        {"prose": PROSE},
    ],
)
def test_the_database_takes_each_state_as_it_is_meant(exemplar, fields):
    assert put(exemplar, **fields).state == fields.get("state", "waiting")


def test_a_decision_has_one_exemplar_however_many_ask_at_once(make_draft, people, now):
    decision = approve(make_draft, people["operator"], now=now, **PROSE)
    rows = race(lambda _: Exemplar.of_decision(Decision.objects.get(pk=decision.pk), now=now).pk)
    assert len(set(rows)) == 1
    assert Exemplar.objects.count() == 1
    assert list(AuditEvent.objects.filter(act="exemplar_wait").values_list("draft_ref", flat=True)) == [
        decision.draft_id
    ]
    assert not Decision.objects.to_learn_from(now + timedelta(days=1)).exists()


def test_only_edits_that_can_no_longer_be_taken_back_are_learned_from(make_draft, people, now):
    kept = approve(make_draft, people["operator"], now=now, **PROSE)
    undone = approve(make_draft, people["operator"], now=now, **PROSE)
    Decision.objects.filter(pk=undone.pk).update(undone_at=now)
    as_is = approve(make_draft, people["operator"], now=now)
    assert as_is.verdict == "approved_as_is"
    assert list(Decision.objects.to_learn_from(now + timedelta(seconds=14))) == []
    assert list(Decision.objects.to_learn_from(now + timedelta(seconds=15))) == [kept]


def test_one_of_eight_workers_holds_it_and_only_that_one_settles_it(exemplar, now):
    ends = race(lambda _: Exemplar.objects.get(pk=exemplar.pk).take(now=now))
    tokens = [end for end in ends if not isinstance(end, Exception)]
    assert len(tokens) == 1
    assert [type(end) for end in ends if isinstance(end, Exception)] == [ExemplarChanged] * 7
    exemplar.refresh_from_db()
    assert exemplar.takes == 1
    with pytest.raises(LeaseLost):
        exemplar.settle(tokens[0], ExemplarState.READY, now=now + LEARNING_LEASE, **CLEAN)
    exemplar.settle(tokens[0], ExemplarState.READY, now=now, **CLEAN)
    exemplar.refresh_from_db()
    assert (exemplar.state, exemplar.prose, exemplar.takes, exemplar.lease_token) == ("ready", PROSE, 0, None)
    assert bytes(exemplar.vector) == VECTOR


def test_sanitising_that_fails_three_times_ends_in_quarantine_with_the_kind_of_the_failure(exemplar, now):
    for pause in (10, 60, 0):
        exemplar.put_back(exemplar.take(now=now), now=now, error="SoftTimeLimitExceeded")
        exemplar.refresh_from_db()
        if pause:
            assert exemplar.not_before == now + timedelta(seconds=pause)
            with pytest.raises(ExemplarChanged):
                exemplar.take(now=now)
        now += timedelta(seconds=pause)
    assert (exemplar.state, exemplar.reason, exemplar.last_error) == (
        "quarantined",
        "not_sanitised",
        "SoftTimeLimitExceeded",
    )
    assert (exemplar.vector, exemplar.takes) == (None, 3)


def test_the_store_being_away_uses_no_takes_and_leaves_all_alone_for_a_while(exemplar, now):
    put(exemplar, **CLEAN, state="ready")
    for _ in range(5):
        token = exemplar.take(now=now)
        exemplar.put_back(token, now=now, error="StoreUnavailable")
        assert (exemplar.state, exemplar.takes) == ("ready", 0)
        now += PART_BACKOFF
    put(exemplar, not_before=None)
    Exemplar.objects.leave_store_alone(now)
    assert not Exemplar.objects.to_be_sent(now + timedelta(seconds=59)).exists()
    assert Exemplar.objects.to_be_sent(now + timedelta(seconds=60)).count() == 1


def test_a_part_of_the_hub_that_is_not_there_uses_no_takes_of_a_text(exemplar, now):
    for _ in range(4):
        exemplar.put_back(exemplar.take(now=now), now=now, error="ModelFolderInvalid", counts=False)
        exemplar.refresh_from_db()
        assert (exemplar.state, exemplar.takes, exemplar.last_error) == ("waiting", 0, "ModelFolderInvalid")
        now += PART_BACKOFF


def test_it_is_known_to_be_in_the_store_from_before_it_is_sent_there(exemplar, now):
    put(exemplar, **CLEAN, state="ready")
    exemplar.take(now=now)
    exemplar.refresh_from_db()
    assert exemplar.indexed_at == now
    exemplar.forget(by=Actor(Who.OPERATOR), now=now)
    assert list(Exemplar.objects.stale_in_store()) == [exemplar]


def test_what_is_forgotten_is_blank_and_its_worker_cannot_bring_it_back(exemplar, people, now):
    token = exemplar.take(now=now)
    seen = Exemplar.objects.get(pk=exemplar.pk)
    seen.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    with pytest.raises(LeaseLost):
        exemplar.settle(token, ExemplarState.READY, now=now, **CLEAN)
    exemplar.refresh_from_db()
    assert (exemplar.state, exemplar.prose, exemplar.doubts, exemplar.vector) == ("forgotten", {}, [], None)
    exemplar.forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=now)
    assert AuditEvent.objects.filter(act="exemplar_forgotten").count() == 1
    with pytest.raises(ExemplarChanged):
        exemplar.wait_again(by=Actor(Who.OPERATOR, people["operator"].pk), now=now, prose=PROSE)


def test_a_quarantined_one_waits_again_with_fresh_takes(exemplar, people, now):
    by = Actor(Who.OPERATOR, people["operator"].pk)
    put(exemplar, state="quarantined", reason="doubts", prose=PROSE, doubts=[{"words": "Ada"}], takes=3)
    exemplar.wait_again(by=by, now=now)
    exemplar.refresh_from_db()
    assert (exemplar.state, exemplar.prose, exemplar.doubts, exemplar.takes) == ("waiting", PROSE, [], 0)
    with pytest.raises(ExemplarChanged):
        exemplar.wait_again(by=by, now=now)


def test_a_correction_of_a_clean_one_is_sanitised_before_it_is_used_again(exemplar, people, now):
    put(exemplar, **CLEAN, state="indexed", indexed_at=now)
    exemplar.wait_again(by=Actor(Who.OPERATOR, people["operator"].pk), now=now, prose={"opening": "Kind regards, Ada"})
    exemplar.refresh_from_db()
    assert (exemplar.state, exemplar.vector, exemplar.indexed_at) == ("waiting", None, now)
    assert not Exemplar.objects.recallable().exists()
    assert exemplar.texts() == {"opening": "Kind regards, Ada"}


def test_marking_it_bad_twice_counts_once(exemplar, make_draft, people, now):
    use = ExemplarUse.objects.create(draft=make_draft(), exemplar=exemplar, rank=1, similarity=0.9, reasons=["near"])
    marked = race(lambda _: ExemplarUse.objects.get(pk=use.pk).mark_bad(user_id=people["operator"].pk, now=now))
    assert sorted(marked) == [False] * 7 + [True]
    exemplar.refresh_from_db()
    assert exemplar.bad == 1


@pytest.mark.parametrize(
    ("broken", "fields"),
    [
        ("use_rank_from_one", {"rank": 0}),
        ("use_similarity", {"similarity": 1.1}),
        ("use_marked_bad_by_someone", {"marked_bad_at": "2026-05-04T09:30Z"}),
    ],
)
def test_a_use_holds_what_it_must(exemplar, make_draft, broken, fields):
    given = {"draft": make_draft(), "exemplar": exemplar, "rank": 1, "similarity": 0.9}
    with pytest.raises(IntegrityError, match=broken), transaction.atomic():
        ExemplarUse.objects.create(**(given | fields))


def test_a_draft_is_recalled_for_once_and_uses_an_exemplar_once(exemplar, make_draft, now):
    draft = make_draft()
    Recall.objects.create(draft=draft, way="store", at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recall.objects.create(draft=draft, way="exact", at=now)
    ExemplarUse.objects.create(draft=draft, exemplar=exemplar, rank=1, similarity=0.9)
    with pytest.raises(IntegrityError), transaction.atomic():
        ExemplarUse.objects.create(draft=draft, exemplar=exemplar, rank=2, similarity=0.9)


def test_what_a_person_wrote_freely_is_one_block(make_draft, people, now):
    decision = approve(make_draft, people["operator"], now=now, **PROSE)
    text = "Dear Ana,\n\nTX-1001 and TX-1002 are open."
    body = {"framed": False, "blocks": [{"kind": "prose", "name": "text", "text": text}]}
    Decision.objects.filter(pk=decision.pk).update(written="by_hand", body=body)
    decision.refresh_from_db()
    assert Exemplar.of_decision(decision, now=now).texts() == {"free": text}


def test_the_record_knows_every_value_once_and_gives_the_domain_s_slots_first(make_draft):
    sheet = make_draft(State.QUEUED).sheet
    known = sheet.known_values()
    assert known["TOTAL_DUE"] == ["$1,975.00"]
    assert known["OPEN_ITEMS"] == ["two open items"]
    assert (known["CLIENT_NAME"], known["CLIENT_ORG"], known["CLIENT_ID"]) == (["Ana Ortega"], ["Acme Ltd"], ["acme"])
    assert known["LINE_1"] == ["TX-1001", "Consulting"]
    assert known["LINE_1_AMOUNT"] == ["$1,200.00"]
    assert known["SENDER_NAME"] == ["Ana Ruiz"]
    values = [value for group in known.values() for value in group]
    assert len(values) == len(set(values))
    assert json.loads(json.dumps(known)) == known


def test_a_firm_without_a_contact_is_the_client_by_name(make_draft):
    sheet = make_draft().sheet
    sheet.facts["client"].pop("contact")
    known = sheet.known_values()
    assert known["CLIENT_NAME"] == ["Acme Ltd"]
    assert "CLIENT_ORG" not in known


def test_identities_are_names_and_numbers_and_no_words_that_anyone_may_use(make_draft):
    identities = make_draft().sheet.identities()
    assert {"Ana Ortega", "Acme Ltd", "acme", "ap@acme.example", "TX-1001", "TX-1002"} <= identities
    assert not {"Consulting", "Accounts Receivable"} & identities
