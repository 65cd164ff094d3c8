"""Take the pictures of the documentation: `REVIEWHUB_PICTURES=docs/images pytest tests/browser/test_pictures.py`.

Drafts are then written by the embedded model; in an ordinary run they are canned, say so, and the pictures are dropped.
"""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from agent.fixtures import past_edits
from reviewhub.demo_edits import replay
from reviewhub.drafting import draft_case
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Draft, Exemplar, ExemplarState, Membership, Queue, Role, State, Tally, Who
from tests.hub.learned import learn

pytestmark = pytest.mark.browser

CASES = {
    "client_101": 190,
    "dispute_reply": 64,
    "partial_payment_mixed": 41,
    "formal_notice": 22,
    "firm_reminder": 9,
    "client_empty": 30,
    "client_irreconcilable": 16,
}


@pytest.fixture
def model(request, settings, monkeypatch) -> str:
    if "REVIEWHUB_PICTURES" not in os.environ:
        settings.REVIEWHUB_MODEL = "scripted"
        return "scripted"
    for name, value in request.getfixturevalue("embedded_environ").items():
        monkeypatch.setenv(name, value)
    return "embedded"


@pytest.fixture
def demo(people) -> Queue:
    """A queue of a billing team, as yet without cases."""
    queue = Queue.objects.create(slug="demo-billing", name="Demo billing", team="Accounts Receivable", is_demo=True)
    Membership.objects.create(queue=queue, user=people["operator"], role=Role.OPERATOR)
    Membership.objects.create(queue=queue, user=people["lead"], role=Role.LEAD)
    people["operator"].first_name, people["operator"].last_name = "Olive", "Byrne"
    people["operator"].save()
    return queue


@pytest.fixture
def drafted(demo, model):
    """Have a worker write the draft of an example's case, which then stood for some minutes."""

    def draft_of(name: str, minutes: int) -> Draft:
        facts = json.loads(Path(f"fixtures/billing/{name}/facts.json").read_text())
        case = read_case(
            {"external_id": f"{facts['client']['id']}:{facts['as_of']}", "domain": "billing", "facts": facts},
            queue=demo,
        )
        now = timezone.now()
        draft = submit_case(queue=demo, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
        draft_case(draft_id=draft.pk, model_name=model, worker="pictures", clock=timezone.now)
        Draft.objects.filter(pk=draft.pk).update(state_since=now - timedelta(minutes=minutes))
        return Draft.objects.get(pk=draft.pk)

    return draft_of


@pytest.fixture
def folder(tmp_path) -> Path:
    return Path(os.environ.get("REVIEWHUB_PICTURES", tmp_path))


def test_the_queue_and_a_draft_are_pictured_at_both_widths_and_schemes(open_site, drafted, folder):
    for name, minutes in CASES.items():
        drafted(name, minutes)
    draft = Draft.objects.filter(state=State.AWAITING_REVIEW).order_by("state_since").first()
    for scheme in ("light", "dark"):
        for width in (1280, 360):
            page = open_site("operator", width=width, scheme=scheme)
            for name, path in (("queue", "/queues/demo-billing/"), ("review", f"/drafts/{draft.pk}/")):
                page.goto(path)
                expect(page.get_by_role("heading", level=1)).to_be_visible()
                _keep(page, folder / f"{name}-{width}-{scheme}.png")


@pytest.fixture
def remembered(demo, drafted, people, chroma, redis_url) -> Draft:
    """A draft written after the queue learned from past edits, one of which is in quarantine; every part answers."""
    for name in ("client_101", "client_b"):
        for edit in past_edits(Path(f"fixtures/billing/{name}"), "billing"):
            external_id = f"{name}: {edit.name}"
            decision = replay(edit, external_id=external_id, queue=demo, user=people["operator"])
            learn(decision_id=decision.pk, clock=timezone.now)
    draft = drafted("client_101", 2)
    Tally.add("swept", now=timezone.now())
    return draft


def test_the_memory_and_the_status_are_pictured_at_both_widths_and_schemes(open_site, remembered, folder):
    quarantined, indexed = (
        Exemplar.objects.in_state(state).first() for state in (ExemplarState.QUARANTINED, ExemplarState.INDEXED)
    )
    pages = {
        "memory": "/queues/demo-billing/memory/?state=indexed",
        "quarantine": f"/exemplars/{quarantined.pk}/",
        "exemplar": f"/exemplars/{indexed.pk}/",
        "status": "/status/",
    }
    for scheme in ("light", "dark"):
        for width in (1280, 360):
            page = open_site("operator", width=width, scheme=scheme)
            for name, path in pages.items():
                page.goto(path)
                expect(page.get_by_role("heading", level=1)).to_be_visible()
                _keep(page, folder / f"{name}-{width}-{scheme}.png")
            page.goto(f"/drafts/{remembered.pk}/")
            _keep(page.get_by_role("region", name="Exemplars used"), folder / f"exemplars-{width}-{scheme}.png")


def _keep(place, picture: Path) -> None:
    place.screenshot(path=picture)
    assert 5_000 < picture.stat().st_size < 400_000
