"""From an edit in the browser to the next similar draft, with every part real but the model that writes."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reviewhub.drafting import draft_case
from reviewhub.exporting import Settings, export
from reviewhub.learning import advance
from reviewhub.models import Attempt, Decision, Draft, Exemplar, Queue, Recall, Tally
from tests.hub.learned import learn

pytestmark = pytest.mark.browser

EDIT = "Please settle the total of {total} when it suits you, or tell us what holds it up."
TRACES = ("Acme", "Ortega", "acme", "TX-1001", "1,975", "1975")


@pytest.fixture(autouse=True)
def canned(queue, settings):
    """Without a script the model writes the best example that its prompt shows."""
    settings.REVIEWHUB_MODEL = "scripted"
    Queue.objects.update(is_demo=True)


@pytest.fixture
def other_facts(facts):
    """A ledger of another client in the same situation."""
    client = {"id": "vale", "name": "Vale Joinery Ltd", "contact": "Peter Quill", "email": "office@vale.example"}
    line = {**facts["transactions"][0], "id": "TX-2001", "description": "Website care", "amount_cents": 64050}
    return {**facts, "client": client, "transactions": [line]}


def submit(page, external_id, facts):
    """Send a case by the form, and let a worker draft it."""
    page.goto("/queues/billing-east/new/")
    page.get_by_label("External id").fill(external_id)
    page.get_by_label("Facts").fill(json.dumps(facts))
    page.get_by_role("button", name="Save and draft").click()
    expect(page.get_by_text("its draft is on its way")).to_be_visible()
    draft = Draft.objects.latest("id")
    assert draft_case(draft_id=draft.pk, model_name="scripted", worker="test", clock=timezone.now) == "awaiting_review"
    page.goto(f"/drafts/{draft.pk}/")
    return draft


def approve_with(page, request):
    """Put these words into the passage, and approve."""
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Request").fill(request)
    page.get_by_role("button", name="Approve this text").click()
    expect(page.get_by_role("button", name="Copy the text")).to_be_visible()
    return Decision.objects.latest("id")


def after_undo():
    """A moment at which the newest approval can no longer be undone."""
    return timezone.now() + timedelta(seconds=20)


def used(page):
    return page.get_by_role("region", name="Exemplars used")


def test_an_edit_becomes_an_exemplar_and_the_next_similar_case_names_it_and_the_export_holds_the_pair(
    open_site, scripts, facts, other_facts, chroma, tmp_path
):
    page = open_site("operator", scripts=scripts)
    submit(page, "acme:2026-05", facts)
    expect(used(page)).to_contain_text("starter")
    decision = approve_with(page, EDIT.format(total="$1,975.00"))
    assert learn(decision_id=decision.pk, clock=timezone.now) is None
    assert learn(decision_id=decision.pk, clock=after_undo) == "indexed"

    page.goto("/queues/billing-east/memory/?state=indexed")
    page.get_by_role("link", name="Acme Ltd").click()
    learned = page.get_by_role("region", name="What drafts are shown")
    expect(learned).to_contain_text(EDIT.format(total="[TOTAL_DUE]"))
    assert not [trace for trace in TRACES if trace in learned.inner_text()]

    draft = submit(page, "vale:2026-05", other_facts)
    expect(used(page)).to_contain_text("a person’s edit")
    expect(used(page)).to_contain_text("% alike")
    expect(page.locator(".letter").first).to_contain_text(EDIT.format(total="$640.50"))
    assert Recall.objects.get(draft=draft).way == "store"
    prompt = json.dumps(Attempt.objects.get(draft=draft).prompt)
    assert not [trace for trace in TRACES if trace in prompt]

    used(page).get_by_role("link", name="where it came from").first.click()
    expect(page.get_by_role("heading", name="Learned from Acme Ltd")).to_be_visible()
    page.get_by_role("link", name="Acme Ltd", exact=True).click()
    expect(page.get_by_role("heading", name="Approved text")).to_be_visible()
    assert Exemplar.objects.get().used == 1

    chosen = Settings(formats=["dpo"], validation_percent=0)
    export(queues=[draft.queue], folder=tmp_path, chosen=chosen, now=after_undo())
    [line] = (tmp_path / "dpo.train.jsonl").read_text().splitlines()
    pair = {name: said for name, said in json.loads(line).items() if name != "provenance"}
    assert EDIT.format(total="[TOTAL_DUE]") in pair["chosen"][0]["content"]
    assert EDIT.format(total="[TOTAL_DUE]") not in pair["rejected"][0]["content"]
    assert not [trace for trace in TRACES if trace in json.dumps(pair)]


def test_a_doubtful_word_keeps_a_text_in_quarantine_until_a_person_confirms_it(
    open_site, scripts, facts, other_facts, chroma
):
    page = open_site("operator", scripts=scripts)
    submit(page, "acme:2026-05", facts)
    decision = approve_with(page, "Please settle the total of $1,975.00 over peppol, or tell us what holds it up.")
    assert learn(decision_id=decision.pk, clock=after_undo) == "quarantined"
    submit(page, "vale:2026-05", other_facts)
    expect(used(page)).not_to_contain_text("a person’s edit")

    page.goto("/queues/billing-east/")
    page.get_by_role("link", name="Memory 1 in quarantine").click()
    page.get_by_role("link", name="Acme Ltd").click()
    expect(page.locator("a.mark")).to_have_text("peppol")
    page.get_by_label("“peppol” tells nothing about anybody").check()
    page.get_by_role("button", name="Confirm the ticked words").click()
    expect(page.get_by_text("about to be stripped of personal details")).to_be_visible()
    assert advance(exemplar_id=Exemplar.objects.get().pk, clock=after_undo) == "indexed"
    submit(page, "vale:2026-06", {**other_facts, "as_of": "2026-05-05"})
    expect(used(page)).to_contain_text("a person’s edit")


def test_without_the_vector_store_the_page_says_that_exact_search_stood_in(
    open_site, facts, other_facts, settings, chroma
):
    page = open_site("operator")
    submit(page, "acme:2026-05", facts)
    decision = approve_with(page, EDIT.format(total="$1,975.00"))
    assert learn(decision_id=decision.pk, clock=after_undo) == "indexed"
    settings.REVIEWHUB_CHROMA_URL = "http://127.0.0.1:9"
    submit(page, "vale:2026-05", other_facts)
    expect(used(page)).to_contain_text("a person’s edit")
    expect(used(page)).to_contain_text("by exact search, because the vector store did not answer")
    page.goto("/status/")
    expect(page.get_by_role("region", name="What went wrong")).to_contain_text("exact search")
    assert Tally.objects.get(name="recall-exact").count == 1


def test_a_forgotten_text_is_shown_to_no_draft(open_site, facts, other_facts, chroma):
    page = open_site("operator")
    submit(page, "acme:2026-05", facts)
    decision = approve_with(page, EDIT.format(total="$1,975.00"))
    assert learn(decision_id=decision.pk, clock=after_undo) == "indexed"
    exemplar = Exemplar.objects.get()
    page.goto(f"/exemplars/{exemplar.pk}/forget/")
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_role("heading", name="This text is forgotten")).to_be_visible()
    assert advance(exemplar_id=exemplar.pk, clock=after_undo) == "forgotten"
    submit(page, "vale:2026-05", other_facts)
    expect(used(page)).not_to_contain_text("a person’s edit")
    assert Exemplar.objects.get().indexed_at is None
