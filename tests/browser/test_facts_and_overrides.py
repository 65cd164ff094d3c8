"""Add facts, approve over a check and import a ledger, in a browser with and without scripts."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from reviewhub.models import AddedFact, AddedKind, Case, Decision, Draft, EndReason, Queue, State
from tests.hub.written import write_attempt

pytestmark = pytest.mark.browser

LEDGER = (
    "Customer No;Customer;id;kind;period;amount;due;Notes\n"
    "acme;Acme Ltd;TX-1;invoice;2026-03;1,200.00;2026-04-15;call\n"
    "acme;Acme Ltd;TX-2;invoice;2026-03;{amount};2026-04-15;\n"
)
MAP = 'ignore = ["Notes"]\n[columns]\n"client.id" = "Customer No"\n"client.name" = "Customer"\n'


@pytest.fixture
def draft(make_draft, queue) -> Draft:
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


@pytest.fixture
def blocked(make_draft, queue) -> Draft:
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.ESCALATED)
    write_attempt(draft, opening="The total due is $9,999.00, as you know.")
    return draft


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def faults_of(page: Page) -> list[str]:
    """Return what keeps somebody from using the page as it stands: too wide, or a rule of accessibility broken."""
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    found = Axe().run(page).response["violations"]
    faults = [f"{violation['id']}: {node['html'][:120]}" for violation in found for node in violation["nodes"]]
    return faults + ([f"{wide} px too wide"] if wide > 0 else [])


def test_a_pay_by_date_is_added_and_taken_back(open_site, scripts, draft):
    page = open_site("operator", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/")
    page.get_by_role("link", name="Add a fact").click()
    press(page, "Add the pay-by date")
    expect(page.get_by_text("Give the day.")).to_be_visible()
    page.locator("#id_pay_by_pay_by").fill((timezone.now() + timedelta(days=9)).date().isoformat())
    page.locator("#id_pay_by_known_from").fill("Agreed with their accounts")
    press(page, "Add the pay-by date")
    expect(page.get_by_text("The facts are now version 2.")).to_be_visible()
    expect(page.get_by_text("Please pay by:").first).to_be_visible()
    expect(page.get_by_text("known from: Agreed with their accounts")).to_be_visible()
    press(page, "Take back")
    expect(page.get_by_text("The facts are now version 3.")).to_be_visible()
    assert "Please pay by" not in Draft.objects.get(pk=draft.pk).shown.text


def test_a_lead_approves_over_a_check(open_site, scripts, blocked):
    page = open_site("lead", scripts=scripts)
    page.goto(f"/drafts/{blocked.pk}/")
    page.get_by_role("link", name="Approve over the checks").click()
    press(page, "Approve over the checks")
    expect(page.get_by_text("Say why the checks are mistaken.")).to_be_visible()
    page.get_by_label("Why the checks are mistaken").fill("The figure is the old total, quoted.")
    press(page, "Approve over the checks")
    expect(page.get_by_text("Approved over failing checks")).to_be_visible()
    assert Decision.objects.get().overridden


def test_a_lead_approves_a_text_of_their_own_over_a_check(open_site, scripts, draft):
    page = open_site("lead", scripts=scripts)
    page.goto(f"/drafts/{draft.pk}/edit/")
    page.get_by_label("Request").fill("The total due is $1,990.00. Please settle it.")
    press(page, "Check")
    page.get_by_role("heading", name="Approve over these checks").click()
    page.get_by_label("Why the checks are mistaken").fill("The new total came by phone.")
    press(page, "Approve over these checks")
    expect(page.get_by_role("heading", name=re.compile("Approved with edits by lead"))).to_be_visible()
    assert Decision.objects.get().override_reason == "The new total came by phone."


def test_a_ledger_is_imported_with_a_map(open_site, scripts, queue, tmp_path: Path):
    page = open_site("operator", scripts=scripts)
    page.goto("/queues/billing-east/import/")
    (tmp_path / "map.toml").write_text(MAP)
    (tmp_path / "ledger.csv").write_text(LEDGER.format(amount="7,75"))
    page.get_by_label("JSONL or CSV file").set_input_files(tmp_path / "ledger.csv")
    page.get_by_text("For a CSV file: its columns and its day").click()
    page.get_by_label("Map of columns").set_input_files(tmp_path / "map.toml")
    press(page, "Import")
    expect(page.get_by_role("alert")).to_contain_text("line 3: amount: '7,75' is no amount as en_US writes it.")
    (tmp_path / "ledger.csv").write_text(LEDGER.format(amount="775.00"))
    page.get_by_label("JSONL or CSV file").set_input_files(tmp_path / "ledger.csv")
    page.get_by_text("For a CSV file: its columns and its day").click()
    page.get_by_label("Map of columns").set_input_files(tmp_path / "map.toml")
    press(page, "Import")
    expect(page.get_by_text("1 new, 0 with new facts, 0 unchanged.")).to_be_visible()
    assert Case.objects.get().newest_sheet().facts["transactions"][1]["amount_cents"] == 77500


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_pages_fit_and_can_be_used_by_everybody_with_their_faults_shown(
    open_site, people, draft, blocked, width, scheme, tmp_path
):
    now = timezone.now()
    for kind, value, reason in (
        (AddedKind.PROMISE, {"kind": "promise", "on": "2026-05-02", "line": "TX-1001", "text": "x" * 90}, ""),
        (AddedKind.PAY_BY, {"pay_by": "2026-05-15"}, EndReason.OTHER_DATE),
    ):
        AddedFact.objects.create(
            case=draft.case,
            kind=kind,
            value=value,
            known_from="Call with Ana Ortega, " + "my note " * 12,
            added_by=people["operator"],
            added_at=now,
            sheet=draft.sheet,
            idempotency_key=f"{kind}",
            end_reason=reason,
            ended_at=now if reason else None,
        )
    page = open_site("lead", width=width, scheme=scheme)
    (tmp_path / "bad.csv").write_text(LEDGER.format(amount="x"))
    faults = []

    def look(name: str) -> None:
        page.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)
        faults.extend(f"{name}: {fault}" for fault in faults_of(page))

    page.goto(f"/drafts/{draft.pk}/")
    look("added")
    page.goto(f"/drafts/{draft.pk}/facts/")
    look("add-fact")
    press(page, "Add the promise")
    look("add-fact-refused")
    page.goto(f"/drafts/{blocked.pk}/")
    look("blocked")
    page.goto(f"/drafts/{blocked.pk}/override/")
    look("override")
    press(page, "Approve over the checks")
    look("override-refused")
    page.get_by_label("Why the checks are mistaken").fill("The figure is the old total, quoted.")
    press(page, "Approve over the checks")
    look("overridden")
    page.goto(f"/drafts/{draft.pk}/edit/")
    page.get_by_label("Request").fill("The total due is $1,990.00. Please settle it.")
    press(page, "Approve this text")
    page.get_by_role("heading", name="Approve over these checks").click()
    look("edit-refused")
    page.goto("/queues/billing-east/import/")
    page.get_by_text("For a CSV file: its columns and its day").click()
    look("import")
    page.get_by_label("JSONL or CSV file").set_input_files(tmp_path / "bad.csv")
    press(page, "Import")
    look("import-refused")
    assert faults == []
