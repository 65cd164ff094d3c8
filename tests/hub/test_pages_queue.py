import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reviewhub.models import Draft, Membership, Queue, Role, State
from tests.hub.written import write_attempt

URL = "/queues/billing-east/"


def titles(response):
    return re.findall(r'<a id="draft-\d+" href="/drafts/\d+/">([^<]*)</a>', response.text)


def named(draft, title, **changes):
    draft.case.title = title
    draft.case.save()
    Draft.objects.filter(pk=draft.pk).update(**changes)
    return draft


def test_each_tab_lists_the_drafts_of_its_states(visit, make_draft):
    for state in State:
        named(make_draft(state), state.label)
    client = visit("viewer")
    tabs = {
        "awaiting": {"Awaiting review"},
        "escalated": {"Escalated"},
        "abstained": {"Abstained"},
        "drafting": {"Queued", "Drafting"},
        "done": {"Approved", "Declined", "Superseded"},
    }
    for tab, expected in tabs.items():
        assert set(titles(client.get(URL, {"state": tab}))) == expected


def test_the_first_tab_is_what_awaits_review(visit, make_draft):
    named(make_draft(State.AWAITING_REVIEW), "Mine to review")
    named(make_draft(State.QUEUED), "Still queued")
    assert titles(visit("operator").get(URL)) == ["Mine to review"]


def test_each_tab_shows_how_many_it_holds(visit, make_draft):
    for state in (State.AWAITING_REVIEW, State.AWAITING_REVIEW, State.QUEUED):
        make_draft(state)
    page = visit("operator").get(URL).text
    assert re.findall(r'(\w[\w ]*) <span class="count">(\S+)</span>', page) == [
        ("Awaiting review", "2"),
        ("Escalated", "0"),
        ("Abstained", "0"),
        ("Being drafted", "1"),
        ("Done", "0"),
        ("Memory", "0"),
    ]


def test_a_row_shows_the_worst_finding_the_attempts_and_who_holds_it(visit, make_draft, people, now):
    draft = named(
        make_draft(State.AWAITING_REVIEW, claimed_by=people["lead"], claimed_until=now.replace(year=2100)), "Acme"
    )
    write_attempt(draft, number=1, opening="We will waive the late fee for you.")
    write_attempt(draft, number=2, opening="We will waive the late fee for you.")
    page = visit("operator").get(URL).text
    worst = draft.findings.worth_showing().first()
    assert worst.error_type.replace("_", " ").lower() in page
    assert re.search(r'data-label="Attempts:">\s*2\s*<', page)
    assert re.search(r'data-label="With:">\s*lead\s*<', page)


@pytest.mark.parametrize("state", ["awaiting", "escalated", "abstained", "drafting", "done"])
def test_an_empty_tab_says_what_would_be_here(visit, queue, state):
    page = visit("operator").get(URL, {"state": state}).text
    assert '<div class="empty">' in page
    assert "<h2>" in page


def test_paging_shows_every_draft_once_in_order_oldest_first(visit, make_draft, now):
    # Several share their moment: the id must break the tie on both sides of a page's end.
    for place in range(60):
        named(make_draft(State.AWAITING_REVIEW), f"case {place:02}", state_since=now + timedelta(minutes=place // 7))
    client = visit("operator")
    seen, at = [], URL
    for _ in range(5):
        response = client.get(at)
        seen += titles(response)
        more = re.search(r'<a href="([^"]+)">Next page</a>', response.text)
        if more is None:
            break
        at = more[1].replace("&amp;", "&")
    assert seen == [f"case {place:02}" for place in range(60)]


def test_done_drafts_stand_newest_first(visit, make_draft, now):
    for place in range(3):
        named(make_draft(State.DECLINED), f"case {place}", state_since=now + timedelta(minutes=place))
    assert titles(visit("operator").get(URL, {"state": "done"})) == ["case 2", "case 1", "case 0"]


@pytest.mark.parametrize("after", ["nonsense", "AAAA", "MS4y", "é", "9" * 400])
def test_a_place_that_no_page_gave_out_is_refused_with_a_way_back(visit, queue, after):
    response = visit("operator").get(URL, {"after": after})
    assert response.status_code == 400
    assert f'href="{URL}?state=awaiting"' in response.text


def test_the_number_of_queries_does_not_grow_with_the_list(visit, make_draft):
    client = visit("operator")
    counts = []
    for rows in (2, 20):
        for _ in range(rows):
            write_attempt(make_draft(State.AWAITING_REVIEW), opening="We will waive the late fee for you.")
        with CaptureQueriesContext(connection) as queries:
            client.get(URL)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 16


def test_hostile_titles_are_text(visit, make_draft):
    named(make_draft(State.AWAITING_REVIEW), "<script>alert(1)</script><img src=x onerror=alert(2)>")
    page = visit("operator").get(URL).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_htmx_gets_the_list_alone(visit, make_draft):
    make_draft(State.AWAITING_REVIEW)
    response = visit("operator").get(URL, headers={"HX-Request": "true", "HX-Target": "list"})
    assert response.text.lstrip().startswith('<div id="list"')
    assert "<html" not in response.text
    assert "HX-Request" in response.headers["Vary"]


def test_a_boosted_link_gets_the_whole_page(visit, queue):
    headers = {"HX-Request": "true", "HX-Boosted": "true", "HX-Target": "list"}
    assert "<html" in visit("operator").get(URL, headers=headers | {"HX-Target": "body"}).text


@pytest.mark.parametrize("name", ["viewer", "operator", "lead", "admin"])
def test_every_member_and_the_administrator_may_read(visit, queue, name):
    assert visit(name).get(URL).status_code == 200


def test_a_stranger_finds_no_such_queue(visit, queue):
    assert visit("stranger").get(URL).status_code == 404


def test_someone_who_is_not_signed_in_is_asked_to_and_comes_back(queue, db):
    response = Client().get(URL, {"state": "done"})
    assert response.status_code == 302
    assert unquote(response.url) == "/login/?next=/queues/billing-east/?state=done"


def test_posting_to_the_list_is_refused(visit, queue):
    assert visit("operator").post(URL).status_code == 405


@pytest.mark.parametrize(("name", "offered"), [("viewer", False), ("operator", True), ("lead", True), ("admin", True)])
def test_only_who_may_add_cases_is_offered_to(visit, queue, name, offered):
    assert ('href="/queues/billing-east/new/"' in visit(name).get(URL).text) is offered


def test_home_leads_to_the_only_queue(visit, queue):
    response = visit("operator").get("/")
    assert (response.status_code, response.url) == (302, URL)


def test_home_lists_several_queues_and_where_work_waits(visit, people, make_draft):
    west = Queue.objects.get(slug="billing-west")
    Membership.objects.create(queue=west, user=people["operator"], role=Role.VIEWER)
    make_draft(State.ESCALATED)
    page = visit("operator").get("/").text
    assert re.findall(r'<a href="/queues/([^/]+)/">', page) == ["billing-east", "billing-west"]
    assert page.index("drafts wait for you") < page.index("nothing waits")


def test_home_of_a_member_of_nothing_says_who_can_help(db, django_user_model):
    client = Client()
    client.force_login(django_user_model.objects.create_user("newcomer"))
    assert "A lead of the queue or an administrator can add you" in client.get("/").text
