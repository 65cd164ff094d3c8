import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reviewhub.models import CapabilityGap, DeclineReason, Draft, Finding, Review, State, StopReason, Verdict
from tests.hub.written import write_attempt

WAIVER = "We will waive the late fee for you."


def page_of(visit, draft, name="operator", **headers):
    response = visit(name).get(f"/drafts/{draft.pk}/", headers=headers)
    assert response.status_code == 200
    return response.text


def plain(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


@pytest.fixture
def failed(make_draft):
    draft = make_draft(State.ESCALATED, stop_reason=StopReason.ATTEMPTS)
    write_attempt(draft, opening=WAIVER)
    return draft


@pytest.fixture
def passed(make_draft):
    draft = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.PASSED)
    write_attempt(draft)
    return draft


def test_the_facts_stand_beside_the_draft_in_the_sheets_own_terms(visit, passed):
    page = plain(page_of(visit, passed))
    assert "$1,975.00" in page  # 1,200.00 + 775.00
    assert "TX-1001" in page
    assert "Apr 15, 2026" in page
    assert "19 days late" in page  # 15 April to 4 May
    assert "No fee, plan, deadline or collections rule is given" in page


def test_code_blocks_are_marked_as_owned_by_code_and_prose_is_not(visit, passed):
    page = page_of(visit, passed)
    owned = re.findall(r'<div class="block owned">.*?<pre>(.*?)</pre></div>', page, re.DOTALL)
    assert any("Dear Ana Ortega" in block for block in owned)
    assert not any("I am writing about your account" in block for block in owned)
    assert "owned by code" in page


def test_a_filled_slot_shows_its_value(visit, passed):
    assert '<span class="fill" title="Filled in by code">$1,975.00</span>' in page_of(visit, passed)


def test_each_finding_is_underlined_in_the_text_and_links_there_and_back(visit, failed):
    page = page_of(visit, failed)
    finding = failed.findings.worth_showing().first()
    start, end = finding.metadata["span"]
    assert re.search(
        r'<a class="mark" href="#finding-1">' + re.escape(failed.shown.text[start:end]) + "</a>",
        page,
    )
    assert 'id="mark-1"' in page
    item = page[page.index('id="finding-1"') :]
    assert 'href="#mark-1"' in item
    assert finding.critique in item
    assert f'href="/errors/{finding.error_type}/"' in item


def test_every_attempt_shows_its_outcomes_text_cost_and_exact_prompt(visit, failed):
    write_attempt(failed, number=2, raw_reply='{"opening": "the raw reply"}')
    page = plain(page_of(visit, failed))
    for words in ("Attempt 1", "Attempt 2", "3.4 s", "512 + 96 tokens", "a small model", "Two items are open."):
        assert words in page
    assert "the raw reply" in page
    assert "all attempts used" in page


def test_a_gap_says_what_is_missing_and_what_would_resolve_it(visit, make_draft, now):
    draft = make_draft(State.ABSTAINED, stop_reason=StopReason.ABSTAINED)
    CapabilityGap.objects.create(
        case=draft.case,
        draft=draft,
        domain="billing",
        code="NOTHING_DUE",
        missing="a line that is open",
        looked_in="the ledger of 4 May",
        resolve_by="import the open invoices",
        at=now,
    )
    page = plain(page_of(visit, draft))
    for words in ("Nothing due", "a line that is open", "the ledger of 4 May", "import the open invoices"):
        assert words in page
    assert "Write freely" in page


@pytest.mark.parametrize("state", [State.QUEUED, State.DRAFTING])
def test_a_draft_in_work_asks_for_itself_again(visit, make_draft, state):
    draft = make_draft(state)
    page = page_of(visit, draft, **{"HX-Request": "true", "HX-Target": "draft"})
    assert page.lstrip().startswith('<div id="draft"')
    assert f'hx-get="/drafts/{draft.pk}/?seen=0.0" hx-trigger="every 2s"' in page
    assert "look again</a>" in page  # without scripts


def test_as_long_as_nothing_happens_there_is_nothing_to_replace(visit, make_draft):
    draft = make_draft(State.DRAFTING)
    client, url, headers = (
        visit("operator"),
        f"/drafts/{draft.pk}/?seen=0.0",
        {"HX-Request": "true", "HX-Target": "draft"},
    )
    assert client.get(url, headers=headers).status_code == 204
    write_attempt(draft)
    news = client.get(url, headers=headers)
    assert news.status_code == 200
    assert "Attempt 1 is checked." in news.text
    assert f"/drafts/{draft.pk}/?seen=0.1" in news.text


@pytest.mark.parametrize("state", [s for s in State if s not in {State.QUEUED, State.DRAFTING}])
def test_a_draft_that_is_final_stops_asking(visit, make_draft, state):
    assert "every 2s" not in page_of(visit, make_draft(state))


def test_a_superseded_draft_leads_to_the_newest(visit, make_draft, now):
    draft = make_draft(State.SUPERSEDED)
    new = Draft.objects.create(case=draft.case, queue=draft.queue, sheet=draft.sheet, state_since=now, created_at=now)
    assert f'href="/drafts/{new.pk}/">Go to the newest draft' in page_of(visit, draft)


def test_hostile_text_is_text(visit, failed):
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    failed.case.title = failed.case.message = evil
    failed.case.save()
    failed.shown.text = f"{evil} {failed.shown.text}"
    failed.shown.raw_reply = evil
    failed.shown.prompt = [{"role": "user", "content": evil}]
    failed.shown.save()
    Finding.objects.filter(draft=failed).exclude(status="PASS").update(
        evidence=evil, critique=evil, suggested_fix=evil, metadata={"span": [0, len(evil)]}
    )
    page = page_of(visit, failed)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("&lt;script&gt;alert(1)") >= 8


@pytest.mark.parametrize("span", [None, [], [1], [5, 2], [-1, 4], [0, 10**9], ["a", "b"], [0.5, 2], "0,4"])
def test_a_span_that_is_none_leaves_the_text_unmarked(visit, failed, span):
    Finding.objects.filter(draft=failed).update(metadata={"span": span})
    page = page_of(visit, failed)
    assert 'class="mark' not in page
    assert 'id="finding-1"' in page


@pytest.mark.parametrize(
    ("name", "state", "offered"),
    [
        ("viewer", State.AWAITING_REVIEW, set()),
        (
            "operator",
            State.AWAITING_REVIEW,
            {"approve", "edit", "write", "decline", "escalate", "redraft", "claim", "facts"},
        ),
        ("operator", State.ESCALATED, {"edit", "write", "decline", "redraft", "claim", "facts"}),
        ("lead", State.ESCALATED, {"approve", "edit", "write", "decline", "redraft", "claim", "facts"}),
        ("admin", State.ESCALATED, {"approve", "edit", "write", "decline", "redraft", "claim", "facts"}),
        ("operator", State.ABSTAINED, {"edit", "write", "decline", "redraft", "claim", "facts"}),
        ("lead", State.QUEUED, set()),
        ("lead", State.APPROVED, set()),
    ],
)
def test_a_person_is_offered_what_their_role_allows(visit, make_draft, name, state, offered):
    draft = make_draft(state)
    write_attempt(draft)
    page = page_of(visit, draft, name)
    assert set(re.findall(rf'(?:href|action)="/drafts/{draft.pk}/(\w+)/"', page)) == offered


def test_an_escalated_draft_with_a_blocking_finding_is_not_offered_as_it_is(visit, failed):
    assert f'action="/drafts/{failed.pk}/approve/"' not in page_of(visit, failed, "lead")


def test_a_draft_that_another_holds_says_so(visit, people, make_draft, now):
    draft = make_draft(State.AWAITING_REVIEW, claimed_by=people["lead"], claimed_until=now.replace(year=2100))
    assert "lead holds this draft until" in plain(page_of(visit, draft))


def test_old_facts_are_said_to_be_old(visit, passed):
    # The queue's limit is three days; the ledger is of 4 May 2026.
    page = plain(page_of(visit, passed))
    assert "older than this queue allows" in page
    assert "The facts of May 4, 2026 still hold" in page


def test_the_number_of_queries_does_not_grow_with_attempts(visit, make_draft):
    client, counts = visit("operator"), []
    for attempts in (1, 6):
        draft = make_draft(State.ESCALATED)
        for number in range(1, attempts + 1):
            write_attempt(draft, number=number, opening=WAIVER)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/drafts/{draft.pk}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_number_of_queries_does_not_grow_with_reviews(visit, make_draft, people, now):
    client, draft, counts = visit("operator"), make_draft(State.AWAITING_REVIEW), []
    write_attempt(draft)
    codes = list(DeclineReason.objects.values_list("code", flat=True))
    given = {"draft": draft, "reviewer": people["lead"], "verdict": Verdict.DECLINED, "at": now}
    for rounds in (range(1, 2), range(2, 7)):
        for number in rounds:
            Review.objects.create(**given, round=number, reason=codes[number % len(codes)])
        with CaptureQueriesContext(connection) as queries:
            page = client.get(f"/drafts/{draft.pk}/").text
        counts.append(len(queries))
    assert len(codes) > 1
    assert all(label.lower() in page for label in DeclineReason.objects.values_list("label", flat=True)[:2])
    assert counts[0] == counts[1]


def test_a_stranger_and_a_number_that_is_none_find_nothing(visit, passed):
    assert visit("stranger").get(f"/drafts/{passed.pk}/").status_code == 404
    assert visit("operator").get("/drafts/999999/").status_code == 404


def test_the_page_asks_to_sign_in(passed):
    response = Client().get(f"/drafts/{passed.pk}/")
    assert response.status_code == 302
    assert response.url.startswith("/login/?next=")


def test_posting_to_the_page_is_refused(visit, passed):
    assert visit("operator").post(f"/drafts/{passed.pk}/").status_code == 405
