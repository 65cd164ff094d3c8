"""Administrators write rubrics; a published one never changes, and the one in use grades the next drafts."""

import json

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from reviewhub import advising
from reviewhub.drafting import draft_case
from reviewhub.edits import Edit, check_edit
from reviewhub.models import AuditEvent, Draft, JudgeCalibration, Queue, Rubric, RubricFixed, State
from reviewhub.rulebook import checks_for, graded
from tests.hub.written import CLOSING, OPENING, REQUEST, write_attempt

PAGE = "/admin/reviewhub/rubric/"
CRITERIA = [
    {
        "id": "clear",
        "title": "Clear",
        "description": "Says what is asked for.",
        "weight": 2,
        "low": "one cannot tell",
        "high": "one can tell at once",
    }
]
HARD = [
    {
        "id": "no_settle",
        "description": "Does not say settle.",
        "validator": "phrases",
        "params": {"forbidden": ["settle"]},
        "criterion": "clear",
    }
]


def rubric_form(queue, **changes):
    given = {
        "queue": queue.pk,
        "domain": "billing",
        "name": "house",
        "threshold": "0.7",
        "criteria": json.dumps(CRITERIA),
        "hard_checks": json.dumps(HARD),
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


@pytest.fixture
def rubric(queue):
    return Rubric.objects.create(queue=queue, domain="billing", name="house", criteria=CRITERIA, hard_checks=HARD)


@pytest.fixture
def published(rubric, people, now):
    rubric.publish(by=people["admin"], now=now)
    return rubric


@pytest.fixture
def used(published):
    published.put_into_use()
    return published


@pytest.fixture
def next_draft(make_draft, tmp_path, now):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"opening": OPENING, "request": REQUEST, "closing": CLOSING}] * 4))

    def draft():
        row = make_draft()
        draft_case(draft_id=row.pk, model_name=f"scripted:{script}", worker="w1", clock=lambda: now)
        return Draft.objects.get(pk=row.pk)

    return draft


def do(visit, act, *rubrics, name="admin"):
    chosen = [row.pk for row in rubrics]
    return visit(name).post(PAGE, {"action": act, "_selected_action": chosen}, follow=True)


def trail():
    return list(AuditEvent.objects.filter(row_kind="rubric").order_by("id").values_list("act", "row_ref"))


# In the administration


def test_an_administrator_writes_a_rubric(visit, queue, people):
    answer = visit("admin").post(f"{PAGE}add/", rubric_form(queue))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    row = Rubric.objects.get()
    assert (row.number, row.published_at, row.is_used, row.threshold) == (1, None, False, 0.7)
    assert row.history.get().history_user == people["admin"]
    assert trail() == [("admin_add", row.pk)]
    assert row.build().hard_checks[0].check.params.forbidden == ("settle",)


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"criteria": "[]"}, "criteria", "criteria"),
        ({"criteria": "{}"}, "criteria", "Give one JSON list"),
        ({"criteria": "[1"}, "criteria", "line 1, column 3"),
        ({"criteria": json.dumps([{**CRITERIA[0], "weight": 0}])}, "criteria", "criteria.0.weight"),
        ({"criteria": json.dumps([CRITERIA[0], CRITERIA[0]])}, "criteria", "clear stands 2 times"),
        (
            {"hard_checks": json.dumps([{**HARD[0], "validator": "nothing"}])},
            "hard_checks",
            "'nothing' is no validator",
        ),
        ({"hard_checks": json.dumps([{**HARD[0], "params": {"x": 1}}])}, "hard_checks", "hard_checks.0.params.x"),
        ({"hard_checks": json.dumps([{**HARD[0], "criterion": "x"}])}, "hard_checks", "'x' is no criterion"),
        ({"threshold": "1.5"}, "threshold", "less than or equal to 1"),
        ({"name": "House style"}, "name", "small letters"),
    ],
)
def test_what_no_rubric_can_be_made_of_is_told_by_field(visit, queue, changes, field, said):
    answer = visit("admin").post(f"{PAGE}add/", rubric_form(queue, **changes))
    assert answer.status_code == 200
    assert said in " ".join(answer.context["adminform"].form.errors[field])
    assert not Rubric.objects.exists()


def test_a_draft_version_is_edited_and_each_version_of_it_is_kept(visit, queue, rubric):
    given = rubric_form(queue, threshold="0.9", seen_version="1")
    assert visit("admin").post(f"{PAGE}{rubric.pk}/change/", given).status_code == 302
    rubric.refresh_from_db()
    assert (rubric.threshold, rubric.version) == (0.9, 2)
    assert [row.threshold for row in rubric.history.order_by("history_id")] == [0.8, 0.9]
    stale = visit("admin").post(f"{PAGE}{rubric.pk}/change/", rubric_form(queue, threshold="0.5", seen_version="1"))
    assert "Somebody else changed this" in stale.text


def test_a_published_version_is_refused_by_form_model_and_database(visit, queue, published):
    given = rubric_form(queue, threshold="0.1", seen_version=str(published.version))
    assert visit("admin").post(f"{PAGE}{published.pk}/change/", given).status_code == 403
    assert visit("admin").post(f"{PAGE}{published.pk}/delete/", {"post": "yes"}).status_code == 403
    published.threshold = 0.1
    with pytest.raises(ValidationError, match="stays as it is"):
        published.full_clean()
    for change in ({"threshold": 0.1}, {"criteria": []}, {"hard_checks": []}, {"published_at": None}, {"name": "x"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Rubric.objects.filter(pk=published.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        published.save()
    assert visit("admin").get(f"{PAGE}{published.pk}/change/").status_code == 200
    published.refresh_from_db()
    assert published.threshold == 0.8


def test_publishing_using_and_going_on_are_acts_with_their_lines(visit, rubric, people):
    do(visit, "publish", rubric)
    do(visit, "put_into_use", rubric)
    do(visit, "begin_version", rubric)
    do(visit, "take_out_of_use", rubric)
    rubric.refresh_from_db()
    new = Rubric.objects.get(number=2)
    assert (rubric.published_by, rubric.is_used, new.published_at) == (people["admin"], False, None)
    assert (new.criteria, new.hard_checks) == (rubric.criteria, rubric.hard_checks)
    assert trail() == [
        ("admin_publish", rubric.pk),
        ("admin_put_into_use", rubric.pk),
        ("admin_begin_version", new.pk),
        ("admin_take_out_of_use", rubric.pk),
    ]


def test_what_cannot_be_done_is_told(visit, rubric):
    assert "Publish it first" in do(visit, "put_into_use", rubric).text
    do(visit, "publish", rubric)
    assert "published, so it stays as it is" in do(visit, "publish", rubric).text
    Rubric.objects.create(queue=rubric.queue, domain="billing", name="broken", criteria=[])
    assert "cannot be used" in do(visit, "publish", Rubric.objects.get(name="broken")).text


def test_one_version_is_used_in_a_queue_and_domain(published, people, now, queue):
    published.put_into_use()
    second = published.begin_version()
    second.publish(by=people["admin"], now=now)
    second.put_into_use()
    assert list(Rubric.objects.filter(is_used=True)) == [second]
    with pytest.raises(IntegrityError), transaction.atomic():
        Rubric.objects.filter(pk=published.pk).update(is_used=True)
    draft = second.begin_version()
    with pytest.raises(IntegrityError), transaction.atomic():
        Rubric.objects.filter(pk=draft.pk).update(is_used=True)
    assert draft.begin_version() == draft
    with pytest.raises(RubricFixed):
        second.publish(by=people["admin"], now=now)


@pytest.mark.parametrize("name", ["viewer", "operator", "lead", "stranger"])
def test_nobody_else_sees_or_does_any_of_it(visit, rubric, name):
    assert visit(name).get(PAGE).status_code in {302, 403}
    do(visit, "publish", rubric, name=name)
    rubric.refresh_from_db()
    assert rubric.published_at is None


# What it grades


def test_a_rubric_acts_from_the_next_draft_on(next_draft, published):
    assert next_draft().state == State.AWAITING_REVIEW
    published.put_into_use()
    draft = next_draft()
    assert draft.state == State.ESCALATED
    finding = draft.shown.findings.get(error_type="HARD_CHECK_FAILED")
    assert (finding.validator_source.partition("@")[0], finding.blocking) == ("rubric.no_settle", True)
    published.take_out_of_use()
    assert next_draft().state == State.AWAITING_REVIEW


def test_its_hard_checks_hold_a_persons_text_too(make_draft, rubric, people, now):
    rubric.hard_checks = [
        {
            "id": "pay_by_card",
            "description": "Names no way to pay but by card.",
            "validator": "values",
            "params": {"allowed": {"Way to pay": ["card"]}},
        }
    ]
    rubric.publish(by=people["admin"], now=now)
    rubric.put_into_use()
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    for way, verdict, failed in (("cash", "FAIL", ["HARD_CHECK_FAILED"]), ("card", "PASS", [])):
        checked = check_edit(draft, Edit((OPENING, REQUEST, f"{CLOSING}\nWay to pay: {way}")), now=now)[1]
        assert (checked.verdict, [item.error_type for item in checked.failures]) == (verdict, failed)


def test_it_grades_its_own_queue_alone(used, make_draft):
    case = make_draft().sheet.as_case()
    other = Queue.objects.exclude(pk=used.queue_id).get()
    assert graded(case, used.queue_id).rubric.id == "house@1"
    assert graded(case, other.pk).rubric is None


def test_one_that_cannot_be_read_fails_every_draft(next_draft, queue, now):
    Rubric.objects.create(queue=queue, domain="billing", name="bad", criteria=[], published_at=now, is_used=True)
    draft = next_draft()
    assert (draft.state, draft.stop_reason) == (State.ESCALATED, "validator_error")
    assert "bad@1" in draft.shown.findings.get(error_type="VALIDATOR_ERROR").evidence
    assert [check.name for check in checks_for(queue.pk, "billing")][-1] == "rules"


# The judge


REPORT = {"texts": 200, "qwk": 0.8, "qwk_interval": [0.72, 0.86], "bar": 0.7, "gates": True}


def store(tmp_path, report, model="openai:http://127.0.0.1:1#judge"):
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report))
    call_command("store_calibration", str(file), model=model)


def judges(settings, model="openai:http://127.0.0.1:1#judge"):
    settings.REVIEWHUB_JUDGE_MODEL = model
    return [adviser for adviser in advising.advisers_for(advising._served(model)) if adviser.always]


def test_a_judge_only_advises_until_a_stored_calibration_holds(db, settings, tmp_path):
    assert [judge.gates for judge in judges(settings)] == [False]
    store(tmp_path, REPORT)
    assert [judge.gates for judge in judges(settings)] == [True]
    assert [judge.gates for judge in judges(settings, "openai:http://127.0.0.1:1#other")] == [False]
    store(tmp_path, {**REPORT, "qwk_interval": [0.4, 0.86], "gates": False})
    assert [judge.gates for judge in judges(settings)] == [False]


def test_a_calibration_that_claims_more_than_its_interval_is_refused(db, tmp_path):
    with pytest.raises(IntegrityError), transaction.atomic():
        store(tmp_path, {**REPORT, "qwk_interval": [0.5, 0.86]})
    with pytest.raises(IntegrityError), transaction.atomic():
        store(tmp_path, {**REPORT, "qwk": None, "qwk_interval": None})
    with pytest.raises(CommandError, match="no report of a calibration"):
        store(tmp_path, {"texts": 3})
    assert not JudgeCalibration.objects.exists()
