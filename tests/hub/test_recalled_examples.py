"""The examples of an edit that is newest and wrong: what is alike is recalled, not what is recent."""

import json
import shutil
from pathlib import Path

import pytest
from django.utils import timezone

from agent.fixtures import past_edits
from reviewhub.demo import seed
from reviewhub.models import Case, Decision, Exemplar
from reviewhub.recalling import exemplars_for
from tests.hub.learned import learn

pytestmark = pytest.mark.django_db

BILLING = Path("fixtures/billing")
CLIENTS = ("client_101", "client_a", "client_b")


@pytest.fixture
def learned(tmp_path):
    """Make the demo of the clients with past edits, and learn from these."""
    for name in CLIENTS:
        shutil.copytree(BILLING / name, tmp_path / "examples" / name)
    seed(fixtures=tmp_path / "examples", logins=tmp_path / "logins", now=timezone.now())
    for decision in Decision.objects.to_learn_from(timezone.now()):
        learn(decision_id=decision.pk, clock=timezone.now)


def shown_for(name):
    draft = Case.objects.get(external_id=name).newest_draft()
    exemplars_for(draft, draft.sheet.as_case(), clock=timezone.now)
    return [use.exemplar for use in draft.exemplar_uses.all()]


def test_the_letter_of_the_same_kind_is_recalled_and_the_newest_is_not(learned):
    for name in ("client_a", "client_b"):
        expect = json.loads((BILLING / name / "expect.json").read_text())
        newest = Exemplar.objects.filter(case__subject=name).latest("approved_at")
        assert newest.case.external_id == f"{name}: {expect['recency_recalls']}"
        shown = shown_for(name)
        assert shown[0].case.external_id == f"{name}: {expect['recalls']}"
        assert newest not in shown


def test_a_client_with_five_edits_is_written_to_in_their_manner(learned):
    shown = shown_for("client_101")
    assert [exemplar.case.subject for exemplar in shown] == ["client_101", "client_101"]
    assert all("we will look into it" in exemplar.prose["closing"] for exemplar in shown)


def test_the_edit_that_names_a_person_waits_in_quarantine_and_all_others_are_clean(learned):
    held = Exemplar.objects.in_state("quarantined")
    assert [exemplar.case.external_id for exemplar in held] == ["client_b: part payment"]
    assert (
        Exemplar.objects.recallable().count() == sum(len(past_edits(BILLING / name, "billing")) for name in CLIENTS) - 1
    )
