import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviewhub import curating
from reviewhub.models import Exemplar, ExemplarState, ExemplarUse, Recall, State, VocabularyWord
from tests.hub.remembered import remember, use_in
from tests.hub.written import write_attempt

LIST = "/queues/billing-east/memory/"


@pytest.fixture
def exemplar(make_draft, people):
    return remember(make_draft(State.AWAITING_REVIEW), people["operator"])


@pytest.fixture
def use(make_draft, people):
    """An exemplar in the index, in a draft that was written from it and from a starter."""
    learned = remember(
        make_draft(State.AWAITING_REVIEW), people["operator"], ExemplarState.INDEXED, prose={"opening": "Good day."}
    )
    draft = make_draft(State.AWAITING_REVIEW)
    attempt = write_attempt(draft)
    attempt.exemplars = [f"edit/{learned.pk}", "billing/gentle_reminder/4"]
    attempt.save()
    return use_in(draft, learned)


def url(exemplar, act=""):
    return f"/exemplars/{exemplar.pk}/{act}"


def seen(exemplar):
    return curating.stamp(Exemplar.objects.get(pk=exemplar.pk))


def state_of(exemplar):
    return Exemplar.objects.get(pk=exemplar.pk).state


def ids(response):
    return [int(pk) for pk in re.findall(r'<a id="exemplar-(\d+)"', response.text)]


def form_of(exemplar, act):
    """Return a whole form of the act."""
    fields = {"confirm/": {"words": ["retainer"]}, "edit/": {"prose-0": "Thank you.", "prose-1": "Please."}}
    return {"seen": seen(exemplar), **fields.get(act, {})}


def test_each_tab_lists_the_texts_of_its_states_with_counts(visit, make_draft, people):
    rows = {state: remember(make_draft(State.ESCALATED), people["lead"], state) for state in ExemplarState}
    client = visit("viewer")
    tabs = {
        "quarantine": {ExemplarState.QUARANTINED},
        "coming": {ExemplarState.WAITING, ExemplarState.READY},
        "indexed": {ExemplarState.INDEXED},
    }
    for tab, states in tabs.items():
        response = client.get(LIST, {"state": tab})
        assert set(ids(response)) == {rows[state].pk for state in states}
    assert re.findall(r'(\w[\w ]*) <span class="count">(\S+)</span>', response.text) == [
        ("Quarantine", "1"),
        ("On its way", "2"),
        ("In the index", "1"),
    ]
    assert "1 forgotten" in response.text


def test_a_row_of_the_quarantine_shows_the_words_in_doubt(visit, exemplar):
    words = re.findall(r'<span class="doubtful">([^<]*)</span>', visit("viewer").get(LIST).text)
    assert words == ["Zorblatt", "Zorblatt about", "retainer"]


def test_the_queue_leads_to_its_memory_and_says_how_many_wait(visit, exemplar):
    page = visit("operator").get("/queues/billing-east/").text
    link = re.search(rf'<a id="tab-memory" href="{LIST}">(.*)</a>', page)[1]
    assert re.sub("<[^>]*>", "", link) == "Memory 1 in quarantine"


@pytest.mark.parametrize("tab", ["quarantine", "coming", "indexed"])
def test_an_empty_tab_says_what_would_be_here(visit, queue, tab):
    assert '<div class="empty">' in visit("operator").get(LIST, {"state": tab}).text


def test_paging_shows_every_text_once_oldest_first(visit, make_draft, people, now):
    rows = [
        remember(make_draft(State.ESCALATED), people["lead"], then=now + timedelta(minutes=place // 7))
        for place in range(60)
    ]
    client, found, at = visit("operator"), [], LIST
    for _ in range(4):
        response = client.get(at)
        found += ids(response)
        more = re.search(r'<a href="([^"]+)">Next page</a>', response.text)
        if more is None:
            break
        at = more[1].replace("&amp;", "&")
    assert found == [row.pk for row in rows]


def test_the_index_stands_newest_first(visit, make_draft, people, now):
    rows = [
        remember(
            make_draft(State.ESCALATED), people["lead"], ExemplarState.INDEXED, then=now + timedelta(minutes=place)
        )
        for place in range(3)
    ]
    assert ids(visit("operator").get(LIST, {"state": "indexed"})) == [row.pk for row in reversed(rows)]


@pytest.mark.parametrize("after", ["nonsense", "AAAA", "9" * 400])
def test_a_place_that_no_page_gave_out_is_refused_with_a_way_back(visit, queue, after):
    response = visit("operator").get(LIST, {"after": after})
    assert response.status_code == 400
    assert f'href="{LIST}?state=quarantine"' in response.text


def test_the_number_of_queries_does_not_grow_with_the_list(visit, make_draft, people):
    client, counts = visit("operator"), []
    for rows in (2, 10):
        for _ in range(rows):
            remember(make_draft(State.ESCALATED), people["lead"])
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 12


def test_htmx_gets_the_list_alone(visit, exemplar):
    response = visit("operator").get(LIST, headers={"HX-Request": "true", "HX-Target": "list"})
    assert response.text.lstrip().startswith('<div id="list"')
    assert "<html" not in response.text


def test_doubtful_words_are_marked_where_they_stand_each_with_its_reason(visit, exemplar):
    page = visit("viewer").get(url(exemplar)).text
    marked = re.findall(r'<a class="mark warn" href="#doubt-(\d+)">([^<]*)</a>', page)
    assert marked == [("1", "Zorblatt"), ("2", " about"), ("3", "retainer"), ("3", "retainer")]
    for number in ("1", "2", "3"):
        assert page.count(f'id="mark-{number}"') == 1
        assert page.count(f'id="doubt-{number}"') == 1
    assert "This word is not in the list of harmless words." in page
    assert '<span class="slot">[TOTAL_DUE]</span>' in page


def test_only_what_a_person_may_confirm_can_be_ticked(visit, exemplar):
    page = visit("operator").get(url(exemplar)).text
    assert re.findall(r'name="words" value="([^"]*)"', page) == ["Zorblatt", "retainer"]
    assert "This cannot be confirmed away." in page


def test_a_reader_is_offered_nothing_to_do(visit, exemplar):
    page = visit("viewer").get(url(exemplar)).text
    for offered in ('name="words"', "Correct the text</a>", "Forget</a>"):
        assert offered not in page
        assert offered in visit("operator").get(url(exemplar)).text


def test_hostile_words_are_text(visit, make_draft, people):
    words = "<script>alert(1)</script>"
    hostile = remember(
        make_draft(State.ESCALATED), people["lead"], prose={"opening": f"A {words}."}, doubtful=[(words, "name")]
    )
    for page in (visit("operator").get(url(hostile)).text, visit("operator").get(LIST).text):
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_confirming_ticked_words(visit, exemplar, queue):
    response = visit("operator").post(url(exemplar, "confirm/"), form_of(exemplar, "confirm/"), follow=True)
    assert "The text is examined again." in response.text
    assert "about to be stripped of personal details" in response.text
    assert VocabularyWord.objects.of(queue.pk) == {"retainer"}


@pytest.mark.parametrize("fields", [{}, {"words": []}, {"seen": ""}])
def test_confirming_nothing_says_so(visit, exemplar, fields):
    given = {"seen": seen(exemplar), **fields}
    response = visit("operator").post(url(exemplar, "confirm/"), given)
    assert response.status_code == 422
    assert "Nothing was confirmed." in response.text


@pytest.mark.parametrize("words", ["settle", "Zorblatt about", "x" * 5000])
def test_words_that_are_not_to_be_confirmed_are_refused(visit, exemplar, words):
    response = visit("operator").post(url(exemplar, "confirm/"), {"seen": seen(exemplar), "words": [words]})
    assert response.status_code == 409
    assert 'role="alert"' in response.text
    assert not VocabularyWord.objects.exists()


def test_correcting_the_text(visit, exemplar):
    client = visit("operator")
    page = client.get(url(exemplar, "edit/")).text
    assert "Thank you for the talk with Zorblatt" in page
    response = client.post(url(exemplar, "edit/"), form_of(exemplar, "edit/"), follow=True)
    assert "Your correction is kept." in response.text
    row = Exemplar.objects.get(pk=exemplar.pk)
    assert (row.state, row.prose) == ("waiting", {"opening": "Thank you.", "request": "Please."})


def test_the_approved_letter_stays_as_it_was_approved(visit, exemplar):
    before = exemplar.decision.body
    visit("operator").post(url(exemplar, "edit/"), form_of(exemplar, "edit/"))
    exemplar.decision.refresh_from_db()
    assert exemplar.decision.body == before


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"prose-0": "", "prose-1": " "}, "No words are left"),
        ({"prose-0": "Broken \ufffd.", "prose-1": "Kept."}, "A character arrived broken"),
        ({"prose-0": "x" * 100_001, "prose-1": "Kept."}, "at most 100000"),
        ({"prose-0": "Thank you.", "prose-1": "Kept.", "seen": ""}, "came without all its parts"),
    ],
)
def test_a_correction_that_cannot_be_taken_keeps_what_was_typed(visit, exemplar, fields, says):
    response = visit("operator").post(url(exemplar, "edit/"), {"seen": seen(exemplar), **fields})
    assert response.status_code == 422
    assert says in response.text
    assert fields["prose-1"].strip() in response.text
    assert state_of(exemplar) == "quarantined"


def test_a_correction_of_a_text_that_changed_meanwhile_is_handed_back(visit, exemplar):
    stale = form_of(exemplar, "edit/") | {"prose-0": "Words that took a while."}
    visit("lead").post(url(exemplar, "forget/"))
    response = visit("operator").post(url(exemplar, "edit/"), stale)
    assert response.status_code == 409
    assert state_of(exemplar) == "forgotten"


def test_typed_words_are_kept_when_another_was_first(visit, exemplar):
    stale = form_of(exemplar, "edit/") | {"prose-0": "Words that took a while."}
    visit("lead").post(url(exemplar, "edit/"), form_of(exemplar, "edit/"))
    response = visit("operator").post(url(exemplar, "edit/"), stale)
    assert response.status_code == 409
    assert "Words that took a while." in response.text
    assert Exemplar.objects.get(pk=exemplar.pk).prose["opening"] == "Thank you."


def test_forgetting_asks_first_and_then_blanks(visit, exemplar):
    client = visit("operator")
    assert "This cannot be undone." in client.get(url(exemplar, "forget/")).text
    assert state_of(exemplar) == "quarantined"
    response = client.post(url(exemplar, "forget/"), follow=True)
    assert "This text is forgotten" in response.text
    assert "Zorblatt" not in response.text
    assert client.post(url(exemplar, "forget/"), follow=True).status_code == 200
    assert "It is forgotten already." in client.get(url(exemplar, "forget/")).text


def test_a_text_that_is_examined_looks_again_by_itself(visit, make_draft, people):
    exemplar = remember(make_draft(State.ESCALATED), people["lead"], ExemplarState.WAITING)
    client, htmx = visit("operator"), {"HX-Request": "true", "HX-Target": "exemplar"}
    page = client.get(url(exemplar)).text
    again = re.search(r'hx-get="([^"]+)" hx-trigger="every 2s"', page)[1].replace("&amp;", "&")
    assert client.get(again, headers=htmx).status_code == 204
    Exemplar.objects.filter(pk=exemplar.pk).update(
        state=ExemplarState.QUARANTINED, reason="too_long", state_since=timezone.now()
    )
    response = client.get(again, headers=htmx)
    assert response.text.lstrip().startswith('<div id="exemplar"')
    assert "it is too long to be sanitised" in response.text
    assert "hx-trigger" not in response.text


def test_a_text_in_the_index_shows_its_words_origin_and_how_it_fared(visit, use):
    curating.mark_bad(use_id=use.pk, user=use.exemplar.decision.decided_by, now=timezone.now())
    page = visit("viewer").get(url(use.exemplar)).text
    assert "Good day." in page
    assert f'href="/drafts/{use.exemplar.decision.draft_id}/"' in page
    assert f'href="/drafts/{use.draft_id}/"' in page
    assert "marked bad by operator" in page
    assert re.findall(r"<dd>(\d+)</dd>", page) == ["1", "1"]


@pytest.mark.parametrize("act", ["confirm/", "edit/", "forget/"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may(visit, exemplar, act, name, status):
    assert visit(name).post(url(exemplar, act), form_of(exemplar, act)).status_code == status
    assert state_of(exemplar) == "quarantined"


@pytest.mark.parametrize("act", ["edit/", "forget/"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404), ("operator", 200)])
def test_only_operators_see_the_forms(visit, exemplar, act, name, status):
    assert visit(name).get(url(exemplar, act)).status_code == status


@pytest.mark.parametrize("path", [LIST, "/exemplars/{pk}/"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 200), ("admin", 200), ("stranger", 404)])
def test_who_may_read_the_queue_may_read_its_memory(visit, exemplar, path, name, status):
    assert visit(name).get(path.format(pk=exemplar.pk)).status_code == status


def test_the_wrong_method_is_refused(visit, exemplar, use):
    client = visit("operator")
    for path in (url(exemplar, "confirm/"), f"/uses/{use.pk}/bad/", f"/uses/{use.pk}/unmark/"):
        assert client.get(path).status_code == 405
    for path in (LIST, url(exemplar)):
        assert client.post(path).status_code == 405
    assert client.delete(url(exemplar, "forget/")).status_code == 405


def test_the_draft_names_the_exemplars_and_why_each_was_chosen(visit, use):
    page = visit("viewer").get(f"/drafts/{use.draft_id}/").text
    panel = page[page.index('id="exemplars"') :]
    assert "91 % alike" in panel
    assert "Nearest in wording" in panel
    assert f'href="/exemplars/{use.exemplar_id}/"' in panel
    assert panel.index("a person’s edit") < panel.index("starter")
    assert "Good day." in panel
    assert "/bad/" not in panel


def test_a_text_that_is_not_clean_any_more_is_not_shown_beside_other_drafts(visit, use):
    Exemplar.objects.filter(pk=use.exemplar_id).update(
        state="quarantined", reason="doubts", vector=None, embedder="", prose={"opening": "Dear Zorblatt."}
    )
    page = visit("viewer").get(f"/drafts/{use.draft_id}/").text
    assert "Zorblatt" not in page
    assert "it is in quarantine now" in page


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("store", None),
        ("exact", "by exact search, because the vector store did not answer"),
        ("starters", "because the embedding model cannot be used"),
    ],
)
def test_a_fallback_of_recall_is_visible(visit, use, way, says):
    Recall.objects.create(draft=use.draft, way=way, skipped=["One more would not have fitted."], at=timezone.now())
    page = visit("viewer").get(f"/drafts/{use.draft_id}/").text
    assert ("fallback</span>" in page) is (says is not None)
    assert says is None or says in page
    assert "One more would not have fitted." in page


def test_marking_a_bad_exemplar_and_taking_the_mark_back(visit, use):
    client = visit("operator")
    response = client.post(f"/uses/{use.pk}/bad/")
    assert (response.status_code, response.url) == (302, f"/drafts/{use.draft_id}/#exemplars")
    assert Exemplar.objects.get(pk=use.exemplar_id).bad == 1
    assert "marked bad by operator" in client.get(f"/drafts/{use.draft_id}/").text
    assert client.post(f"/uses/{use.pk}/bad/").status_code == 302
    assert Exemplar.objects.get(pk=use.exemplar_id).bad == 1
    client.post(f"/uses/{use.pk}/unmark/")
    client.post(f"/uses/{use.pk}/unmark/")
    assert Exemplar.objects.get(pk=use.exemplar_id).bad == 0
    assert ExemplarUse.objects.get(pk=use.pk).marked_bad_by is None


def test_htmx_gets_the_panel_alone(visit, use):
    response = visit("operator").post(f"/uses/{use.pk}/bad/", headers={"HX-Request": "true", "HX-Target": "exemplars"})
    assert response.text.lstrip().startswith('<section class="panel" id="exemplars"')
    assert "<html" not in response.text
    assert "Take the mark back" in response.text


@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
@pytest.mark.parametrize("act", ["bad", "unmark"])
def test_only_operators_mark(visit, use, name, status, act):
    assert visit(name).post(f"/uses/{use.pk}/{act}/").status_code == status
    assert Exemplar.objects.get(pk=use.exemplar_id).bad == 0


def test_a_mark_of_what_is_not_there_is_a_404(visit, queue):
    assert visit("operator").post("/uses/4711/bad/").status_code == 404
    assert visit("operator").get("/exemplars/4711/").status_code == 404
