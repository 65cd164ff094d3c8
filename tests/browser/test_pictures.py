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

from reviewhub.drafting import draft_case
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Draft, Membership, Queue, Role, State, Who

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
def demo(people, model) -> Queue:
    """A queue in which a worker has written every draft but one."""
    queue = Queue.objects.create(slug="demo-billing", name="Demo billing", team="Accounts Receivable", is_demo=True)
    Membership.objects.create(queue=queue, user=people["operator"], role=Role.OPERATOR)
    Membership.objects.create(queue=queue, user=people["lead"], role=Role.LEAD)
    people["operator"].first_name, people["operator"].last_name = "Olive", "Byrne"
    people["operator"].save()
    now = timezone.now()
    for name, minutes in CASES.items():
        facts = json.loads(Path(f"fixtures/billing/{name}/facts.json").read_text())
        case = read_case(
            {"external_id": f"{facts['client']['id']}:{facts['as_of']}", "domain": "billing", "facts": facts},
            queue=queue,
        )
        draft = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
        draft_case(draft_id=draft.pk, model_name=model, worker="pictures", clock=timezone.now)
        Draft.objects.filter(pk=draft.pk).update(state_since=now - timedelta(minutes=minutes))
    return queue


@pytest.fixture
def folder(tmp_path) -> Path:
    return Path(os.environ.get("REVIEWHUB_PICTURES", tmp_path))


def test_the_queue_and_a_draft_are_pictured_at_both_widths_and_schemes(open_site, demo, folder):
    draft = Draft.objects.filter(state=State.AWAITING_REVIEW).order_by("state_since").first()
    for scheme in ("light", "dark"):
        for width in (1280, 360):
            page = open_site("operator", width=width, scheme=scheme)
            for name, path in (("queue", "/queues/demo-billing/"), ("review", f"/drafts/{draft.pk}/")):
                page.goto(path)
                expect(page.get_by_role("heading", level=1)).to_be_visible()
                picture = folder / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=picture)
                assert 5_000 < picture.stat().st_size < 400_000
