import json
import stat

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from reviewhub.demo import seed
from reviewhub.intake import CaseInvalid
from reviewhub.models import Case, Draft, Membership, Queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def logins(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path / "logins"


def read(logins):
    return dict(line.split(" ") for line in logins.read_text(encoding="utf-8").splitlines())


def test_it_makes_three_people_who_can_sign_in_and_queued_cases(logins):
    call_command("seed_demo")
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    passwords = read(logins)
    assert list(passwords) == ["operator", "lead", "admin"]
    for name, password in passwords.items():
        assert authenticate(username=name, password=password).username == name
    assert User.objects.get(username="admin").is_superuser
    assert dict(Membership.objects.values_list("user__username", "role")) == {"operator": "operator", "lead": "lead"}
    cases = Case.objects.filter(queue__slug="demo-billing", queue__is_demo=True)
    assert {"client_101", "client_empty", "client_ambiguous", "client_irreconcilable"} <= set(
        cases.values_list("external_id", flat=True)
    )
    assert Draft.objects.filter(state="queued").count() == cases.count()


def test_a_second_time_changes_nothing(logins):
    call_command("seed_demo")
    before = (read(logins), Case.objects.count(), Draft.objects.count(), User.objects.count())
    call_command("seed_demo")
    assert (read(logins), Case.objects.count(), Draft.objects.count(), User.objects.count()) == before


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
