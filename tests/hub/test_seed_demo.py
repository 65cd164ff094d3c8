import json
import stat
from collections import Counter
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from reviewhub.demo import seed
from reviewhub.intake import CaseInvalid
from reviewhub.models import AuditEvent, Case, Decision, Draft, FactSheet, Membership, Queue

pytestmark = pytest.mark.django_db

BILLING = Path("fixtures/billing")


@pytest.fixture
def logins(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path / "logins"


def read(logins):
    return dict(line.split(" ") for line in logins.read_text(encoding="utf-8").splitlines())


def external_ids(cases):
    return set(cases.values_list("external_id", flat=True))


def roles_in(queue):
    return dict(queue.memberships.values_list("user__username", "role"))


def prose_of(body):
    return {block["name"]: block["text"] for block in body["blocks"] if block["kind"] == "prose"}


def test_it_makes_three_people_who_can_sign_in_and_queued_cases(logins):
    call_command("seed_demo")
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    passwords = read(logins)
    assert list(passwords) == ["operator", "lead", "admin"]
    for name, password in passwords.items():
        assert authenticate(username=name, password=password).username == name
    assert User.objects.get(username="admin").is_superuser
    cases = Case.objects.filter(queue__slug="demo-billing", queue__is_demo=True)
    assert {"client_101", "client_a", "client_empty", "client_ambiguous"} <= external_ids(cases)
    assert Draft.objects.filter(state="queued").count() == len(list(BILLING.glob("*/facts.json")))


def test_it_makes_two_queues_of_two_teams_with_their_own_time_currency_and_members(logins):
    call_command("seed_demo")
    billing, control = Queue.objects.order_by("slug")
    assert (billing.slug, control.slug) == ("demo-billing", "demo-credit-control")
    for name in ("team", "time_zone", "locale", "currency", "sender"):
        assert getattr(billing, name) != getattr(control, name)
    assert roles_in(billing) == {"operator": "operator", "lead": "lead"}
    assert roles_in(control) == {"lead": "lead"}
    operator = User.objects.get(username="operator")
    assert list(Queue.objects.visible_to(operator)) == [billing]
    assert list(Queue.objects.visible_to(User.objects.get(username="admin")).order_by("slug")) == [billing, control]


def test_each_case_is_in_the_queue_of_its_currency(logins):
    call_command("seed_demo")
    for sheet in FactSheet.objects.select_related("case__queue"):
        in_dollars = sheet.facts["currency"] == "USD"
        assert sheet.case.queue.slug == ("demo-billing" if in_dollars else "demo-credit-control")
    assert {"client_b", "client_irreconcilable"} <= external_ids(Case.objects.filter(queue__slug="demo-credit-control"))


def test_past_edits_are_approved_decisions_that_stand(logins):
    call_command("seed_demo")
    edits = Decision.objects.filter(verdict="approved_with_edits", written="edited", undone_at=None)
    assert Counter(edits.values_list("draft__case__subject", flat=True)) == {
        "client_101": 5,
        "client_a": 3,
        "client_b": 3,
    }
    assert Decision.objects.count() == 11
    for decision in edits.select_related("draft__shown"):
        draft = decision.draft
        assert (draft.state, draft.stop_reason, draft.attempts.count()) == ("approved", "passed", 1)
        assert draft.created_at <= draft.finished_at < decision.decided_at < decision.effects_at < timezone.now()
        assert decision.findings.exists()
        assert prose_of(decision.body).keys() == prose_of(draft.shown.body).keys()
        assert prose_of(decision.body) != prose_of(draft.shown.body)
    acts = AuditEvent.objects.filter(draft_ref=edits[0].draft_id).order_by("id").values_list("act", flat=True)
    assert list(acts) == ["queue", "start", "finish", "approve_edited"]


def test_a_past_edit_is_kept_in_slots_as_it_would_be_from_the_page(logins):
    call_command("seed_demo")
    [march] = Decision.objects.filter(draft__case__external_id="client_101: march")
    assert "they were due on [OLDEST_DUE]" in prose_of(march.body)["opening"]
    assert "[TOTAL_DUE]" in prose_of(march.body)["request"]
    assert "were due on March 12, 2026" in march.text
    assert march.decided_by.username == "operator"


def test_past_edits_are_waiting_to_be_learned_from(logins, now):
    call_command("seed_demo")
    assert Decision.objects.to_learn_from(now).count() == 8  # the others are of later days than this now


def test_without_anyone_who_may_decide_no_past_edit_is_made_up(logins):
    call_command("seed_demo")
    Case.objects.filter(external_id="client_b: gentle reminder").update(external_id="another")
    Membership.objects.filter(queue__slug="demo-credit-control").delete()
    call_command("seed_demo")
    assert not Case.objects.filter(external_id="client_b: gentle reminder").exists()


def test_an_older_demo_gets_what_it_lacks(logins):
    call_command("seed_demo")
    Draft.objects.filter(queue__slug="demo-credit-control").update(queue=Queue.objects.get(slug="demo-billing"))
    Case.objects.filter(queue__slug="demo-credit-control").update(queue=Queue.objects.get(slug="demo-billing"))
    Queue.objects.get(slug="demo-credit-control").delete()
    before = (read(logins), Case.objects.count())
    call_command("seed_demo")
    assert (read(logins), Case.objects.count()) == before
    assert roles_in(Queue.objects.get(slug="demo-credit-control")) == {"lead": "lead"}


def test_a_second_time_changes_nothing(logins):
    call_command("seed_demo")
    counted = (Case, Draft, FactSheet, Decision, User, Queue, Membership, AuditEvent)
    before = (read(logins), [model.objects.count() for model in counted])
    call_command("seed_demo")
    assert (read(logins), [model.objects.count() for model in counted]) == before


def test_a_second_time_asks_the_database_a_dozen_times_at_most(logins, django_assert_max_num_queries):
    call_command("seed_demo")
    with django_assert_max_num_queries(12):
        call_command("seed_demo")


def test_a_case_that_is_new_in_the_demo_is_added_and_no_other_is_read_again(logins, tmp_path, now, facts):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "facts.json").write_text(json.dumps(facts))
    assert seed(fixtures=tmp_path, logins=logins, now=now) == 2
    (tmp_path / "first" / "facts.json").write_text("no JSON any more")
    (tmp_path / "third").mkdir()
    (tmp_path / "third" / "facts.json").write_text(json.dumps(facts))
    assert seed(fixtures=tmp_path, logins=logins, now=now) == 1
    assert set(Case.objects.values_list("external_id", flat=True)) == {"first", "second", "third"}
    assert Draft.objects.count() == 3


def test_lost_logins_are_drawn_anew(logins):
    call_command("seed_demo")
    old = read(logins)
    logins.unlink()
    call_command("seed_demo")
    assert authenticate(username="lead", password=read(logins)["lead"])
    assert not authenticate(username="lead", password=old["lead"])


def test_logins_of_a_database_that_is_gone_are_drawn_anew(logins):
    logins.write_text("operator old\nlead old\nadmin old\n")
    call_command("seed_demo")
    for name, password in read(logins).items():
        assert authenticate(username=name, password=password).username == name


def test_a_demo_that_could_not_be_made_leaves_no_logins(logins, tmp_path, now):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "facts.json").write_text("{}")
    with pytest.raises(CaseInvalid):
        seed(fixtures=tmp_path, logins=logins, now=now)
    assert not logins.exists()
    assert not User.objects.exists()


def test_a_hub_with_people_of_these_names_is_left_alone(logins):
    User.objects.create_user("admin", password="their own pass phrase")
    with pytest.raises(CommandError, match="people of its own named admin"):
        call_command("seed_demo")
    assert not Queue.objects.exists()
    assert authenticate(username="admin", password="their own pass phrase")
