import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from agent.advice import Usage
from agent.text import nfc
from reviewhub.models import CapabilityGap, ExemplarState, Membership, Queue, Recall, Role, State, StopReason
from tests.hub.remembered import remember, use_in
from tests.hub.test_pages_attempts import grade, hard
from tests.hub.test_pages_read_first import to_read
from tests.hub.test_pages_tone import RUDE
from tests.hub.written import CLOSING, write_attempt

pytestmark = pytest.mark.browser

_LONG = {"opening": "Zorblatt" * 40 + " " + "[" + "A" * 120 + "]"}
ADMIN = (
    "/admin/reviewhub/retiredline/",
    "/admin/reviewhub/rubric/",
    "/admin/reviewhub/rubric/add/",
    "/admin/",
    "/admin/reviewhub/queue/add/",
    "/admin/reviewhub/draft/",
    "/admin/auth/user/",
    "/admin/password_change/",
)


@pytest.fixture
def pages(make_draft, people, queue, facts, now):
    """The address of a page of every kind, each with something in it."""
    west = Queue.objects.get(slug="billing-west")
    Membership.objects.create(queue=west, user=people["lead"], role=Role.VIEWER)
    ready, failed, empty, waiting, left = (
        make_draft(state)
        for state in (State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED, State.DRAFTING, State.DECLINED)
    )
    ready.case.title = nfc("Interiors of the Long-Windedness-and-Unbreakable" + "x" * 120)
    ready.case.message = "a" * 300
    ready.case.save()
    for draft in (ready, left):
        write_attempt(draft)
    write_attempt(failed, opening="As agreed in our call we will waive the late fee of $50.00 for you by Friday.")
    CapabilityGap.objects.create(
        case=empty.case,
        draft=empty,
        domain="billing",
        code="NOTHING_DUE",
        missing="an open line",
        looked_in="the ledger",
        resolve_by="import it",
        at=timezone.now(),
    )
    doubtful, graded = _advised(make_draft, now)
    tabs = [f"/queues/billing-east/?state={tab}" for tab in ("awaiting", "escalated", "drafting", "done")]
    drafts = [f"/drafts/{draft.pk}/" for draft in (ready, failed, empty, waiting, left, doubtful, graded)]
    forms = [f"/drafts/{ready.pk}/{name}/" for name in ("edit", "write", "decline", "escalate", "facts")]
    others = ["/", "/queues/billing-west/", "/queues/billing-east/new/", "/queues/billing-east/import/"]
    return [
        *tabs,
        *_memory(make_draft, people["lead"], ready),
        "/status/",
        *drafts,
        *forms,
        *others,
        f"/drafts/{left.pk}/edit/",
        f"/drafts/{failed.pk}/override/",
        "/errors/",
        "/errors/LINE_MISSING/",
        "/nowhere/",
    ]


def _advised(make_draft, now):
    """Make a draft with a tone to confirm and sentences to read first, and one that a rubric graded in two attempts."""
    doubtful = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.TONE_ONLY)
    text = write_attempt(doubtful, opening=RUDE).text
    write_attempt(doubtful, number=2, opening=RUDE, more=[to_read(CLOSING, text, now)])
    graded = make_draft(State.ESCALATED, stop_reason=StopReason.NO_IMPROVEMENT, stop_detail="attempts up to 2")
    for number, status in enumerate(("FAIL", "PASS"), start=1):
        write_attempt(
            graded,
            number=number,
            grade=grade(0.5 * number, quote="Unbreakable" * 12),
            advice=Usage(1, 300, 40, 1.5),
            more=[hard("no_threat", status, now)],
        )
    return doubtful, graded


def _memory(make_draft, person, shown_to):
    """Remember a text in every state, show one of them to a draft, and return the addresses of it all."""
    rows = {state: remember(make_draft(State.AWAITING_REVIEW), person, state) for state in ExemplarState}
    long = remember(make_draft(State.AWAITING_REVIEW), person, doubtful=[("Zorblatt", "word")], prose=_LONG)
    attempt = shown_to.shown
    attempt.exemplars = [f"edit/{rows[ExemplarState.INDEXED].pk}", "billing/gentle_reminder/4"]
    attempt.save()
    use_in(shown_to, rows[ExemplarState.INDEXED])
    Recall.objects.create(draft=shown_to, way="exact", skipped=["One was too long."], at=timezone.now())
    quarantined = rows[ExemplarState.QUARANTINED]
    lists = [f"/queues/billing-east/memory/?state={tab}" for tab in ("quarantine", "coming", "indexed")]
    forms = [f"/exemplars/{quarantined.pk}/{act}/" for act in ("edit", "forget")]
    return [
        *lists,
        "/queues/billing-west/memory/",
        "/queues/billing-east/memory/?after=nonsense",
        *(f"/exemplars/{row.pk}/" for row in (*rows.values(), long)),
        *forms,
        f"/exemplars/{rows[ExemplarState.FORGOTTEN].pk}/edit/",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_every_page_fits_keeps_the_policy_and_can_be_used_by_everybody(open_site, pages, width, scheme):
    page = open_site("lead", width=width, scheme=scheme)
    faults = []
    for path in pages:
        page.goto(path)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            faults.append(f"{path}: {wide} px wide")
        found = Axe().run(page)
        faults += [
            f"{path}: {violation['id']}: {node['html'][:120]}"
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]
    assert faults == []


def test_signing_in_can_be_done_by_everybody(open_site, queue):
    page = open_site("operator")
    page.context.clear_cookies()
    page.goto("/login/")
    assert Axe().run(page).violations_count == 0


@pytest.mark.parametrize("path", ADMIN)
def test_the_admin_keeps_the_policy(open_site, queue, path):
    page = open_site("admin")
    assert page.goto(path).status == 200
    page.wait_for_load_state("networkidle")


def test_a_script_that_slips_in_does_not_run(chromium, live_server):
    """The policy as the browser enforces it: this is what stands when escaping has failed."""
    page = chromium.new_page()
    page.goto(f"{live_server.url}/login/")
    ran = page.evaluate(
        """() => new Promise(done => {
            addEventListener('securitypolicyviolation', () => done('stopped'));
            const script = document.createElement('script');
            script.textContent = 'document.title = "ran"';
            document.body.append(script);
        })"""
    )
    assert (ran, page.title()) == ("stopped", "Sign in · Reviewhub")
    page.close()
