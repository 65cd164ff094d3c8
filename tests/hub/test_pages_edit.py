import re
import uuid

import pytest

from reviewhub.models import Decision, Draft, Queue, State
from tests.hub.pages import form
from tests.hub.written import CLOSING, OPENING, write_attempt

WRONG = "The total due is $1,990.00, please settle it."
TRUE = "The total due is $1,975.00. Please settle it as soon as you can."


@pytest.fixture
def draft(make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def edit(client, draft, *prose, **fields):
    passages = {f"prose-{place}": text for place, text in enumerate(prose)}
    return client.post(f"/drafts/{draft.pk}/edit/", form(draft, **passages, **fields), follow=True)


def write(client, draft, text, **fields):
    return client.post(f"/drafts/{draft.pk}/write/", form(draft, text=text, **fields), follow=True)


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


def typed(page):
    return [
        text.lstrip("\n") for text in re.findall(r"<textarea[^>]*class=\"prose[^>]*>(.*?)</textarea>", page, re.DOTALL)
    ]


def test_the_form_has_one_field_for_each_passage_with_its_values_filled_in(visit, draft):
    passages = typed(visit("operator").get(f"/drafts/{draft.pk}/edit/").text)
    assert passages[0] == OPENING
    assert "the total of $1,975.00" in passages[1]
    assert passages[2] == CLOSING


def test_a_text_that_passes_is_approved_with_edits_and_keeps_what_code_owns(visit, draft):
    page = edit(visit("operator"), draft, OPENING, TRUE, CLOSING).text
    decision = Decision.objects.get()
    assert (state_of(draft), decision.verdict, decision.written) == ("approved", "approved_with_edits", "edited")
    assert TRUE in decision.text
    assert "TX-1002" in decision.text
    assert "Approved with edits by operator" in page
    assert "Please settle it as soon as you can." in page


def test_a_wrong_figure_is_refused_and_the_text_kept_with_its_finding(visit, draft):
    response = edit(visit("operator"), draft, OPENING, WRONG, CLOSING)
    assert response.status_code == 422
    assert typed(response.text) == [OPENING, WRONG, CLOSING]
    assert "Not approved." in response.text
    assert '<a class="mark" href="#finding-1">$1,990.00</a>' in response.text
    assert (state_of(draft), Decision.objects.count()) == ("awaiting_review", 0)


def test_a_refused_text_is_there_when_the_person_comes_back(visit, draft):
    edit(visit("operator"), draft, OPENING, WRONG, CLOSING)
    page = visit("operator").get(f"/drafts/{draft.pk}/edit/").text
    assert typed(page) == [OPENING, WRONG, CLOSING]
    assert '<a class="mark" href="#finding-1">$1,990.00</a>' in page


def test_the_draft_leads_back_to_a_refused_text(visit, draft):
    edit(visit("operator"), draft, OPENING, WRONG, CLOSING)
    assert f'href="/drafts/{draft.pk}/edit/">Go on with it' in visit("lead").get(f"/drafts/{draft.pk}/").text
    write(visit("operator"), draft, WRONG)
    assert f'href="/drafts/{draft.pk}/write/">Go on with it' in visit("lead").get(f"/drafts/{draft.pk}/").text
    assert "Go on with it" not in visit("viewer").get(f"/drafts/{draft.pk}/").text


def test_checking_shows_the_findings_and_decides_nothing(visit, draft):
    wrong = edit(visit("operator"), draft, OPENING, WRONG, CLOSING, check="1")
    assert wrong.status_code == 200
    assert "$1,990.00</a>" in wrong.text
    right = edit(visit("operator"), draft, OPENING, TRUE, CLOSING, check="1")
    assert "Every check that must pass, passes." in right.text
    assert (state_of(draft), Decision.objects.count()) == ("awaiting_review", 0)


def test_htmx_gets_what_the_checks_say_alone(visit, draft):
    fields = form(draft, check="1", **{"prose-0": OPENING, "prose-1": WRONG, "prose-2": CLOSING})
    headers = {"HX-Request": "true", "HX-Target": "checked"}
    page = visit("operator").post(f"/drafts/{draft.pk}/edit/", fields, headers=headers).text
    assert page.lstrip().startswith('<div id="checked"')
    assert "$1,990.00</a>" in page


def test_an_untouched_draft_is_approved_as_it_is(visit, draft):
    passages = typed(visit("operator").get(f"/drafts/{draft.pk}/edit/").text)
    edit(visit("operator"), draft, *passages)
    assert Decision.objects.get().verdict == "approved_as_is"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_kind_are_one_kind(visit, draft, line_end):
    edit(visit("operator"), draft, f"{OPENING}{line_end}We wrote before.", TRUE, CLOSING, check="1")
    edit(visit("operator"), draft, f"{OPENING}{line_end}Please look at it.", TRUE, CLOSING)
    assert f"{OPENING}\nPlease look at it." in Decision.objects.get().text


def test_an_abstained_case_may_be_written_freely(visit, make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.ABSTAINED)
    client = visit("operator")
    assert client.get(f"/drafts/{draft.pk}/edit/").url == f"/drafts/{draft.pk}/write/"
    text = "Dear Ana Ortega,\n\nTX-1001 over $1,200.00 and TX-1002 over $775.00 are open. The total due is $1,975.00."
    page = write(client, draft, text).text
    decision = Decision.objects.get()
    assert (decision.verdict, decision.written, decision.text) == ("approved_with_edits", "by_hand", text)
    assert "Approved with edits by operator" in page


def test_free_text_that_leaves_a_line_out_is_refused_and_kept(visit, draft):
    text = "Dear Ana Ortega,\n\nTX-1001 is open. The total due is $1,975.00."
    response = write(visit("operator"), draft, text)
    assert response.status_code == 422
    assert typed(response.text) == [text]
    assert "Line missing" in response.text
    assert typed(visit("operator").get(f"/drafts/{draft.pk}/write/").text) == [text]


def test_no_text_at_all_is_refused_at_once(visit, draft):
    response = write(visit("operator"), draft, "  \n ")
    assert response.status_code == 422
    assert state_of(draft) == "awaiting_review"


def test_the_second_of_two_people_gets_their_text_back(visit, draft):
    edit(visit("lead"), draft, OPENING, TRUE, CLOSING)
    response = edit(visit("operator"), draft, OPENING, "My own words took a while.", CLOSING)
    assert response.status_code == 409
    assert "lead was first" in response.text
    assert "My own words took a while." in typed(response.text)
    assert Decision.objects.get().decided_by.username == "lead"


def test_opening_the_form_of_a_decided_draft_says_who_decided(visit, draft):
    edit(visit("lead"), draft, OPENING, TRUE, CLOSING)
    response = visit("operator").get(f"/drafts/{draft.pk}/edit/")
    assert response.status_code == 409
    assert "lead was first" in response.text


def test_pressing_twice_is_one_decision(visit, draft):
    client, key = visit("operator"), uuid.uuid4().hex
    edit(client, draft, OPENING, TRUE, CLOSING, key=key)
    assert edit(client, draft, OPENING, TRUE, CLOSING, key=key).status_code == 200
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("fields", [{"version": ""}, {"key": "x"}])
def test_a_form_without_its_parts_keeps_the_text(visit, draft, fields):
    response = edit(visit("operator"), draft, OPENING, TRUE, CLOSING, **fields)
    assert response.status_code == 422
    assert typed(response.text) == [OPENING, TRUE, CLOSING]
    assert state_of(draft) == "awaiting_review"


def test_a_text_beyond_the_limit_is_refused_and_kept(visit, draft):
    long = "word " * 21_000
    response = edit(visit("operator"), draft, OPENING, long, CLOSING)
    assert response.status_code == 422
    assert typed(response.text)[1].strip() == long.strip()


@pytest.mark.parametrize("text", [f"{TRUE}\x00", f"{TRUE} \ufffd"])
def test_characters_that_were_lost_or_cannot_be_sent_are_refused(visit, draft, text):
    response = edit(visit("operator"), draft, OPENING, text, CLOSING)
    assert response.status_code == 422
    assert Decision.objects.count() == 0


def test_hostile_text_is_text(visit, draft):
    evil = "</textarea><script>alert(1)</script>"
    page = edit(visit("operator"), draft, evil, TRUE, CLOSING).text
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page


def test_old_facts_must_be_confirmed_and_the_text_is_kept(visit, draft):
    Queue.objects.update(is_demo=False)
    refused = edit(visit("operator"), draft, OPENING, TRUE, CLOSING)
    assert refused.status_code == 409
    assert typed(refused.text) == [OPENING, TRUE, CLOSING]
    edit(visit("operator"), draft, OPENING, TRUE, CLOSING, facts_confirmed="on")
    assert Decision.objects.get().facts_confirmed


@pytest.mark.parametrize("page", ["edit", "write"])
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may_write(visit, draft, page, method, name, status):
    response = getattr(visit(name), method)(f"/drafts/{draft.pk}/{page}/", form(draft, text=TRUE))
    assert response.status_code == status
    assert state_of(draft) == "awaiting_review"


@pytest.mark.parametrize("page", ["edit", "write", "decline", "escalate"])
def test_other_methods_are_refused(visit, draft, page):
    assert visit("operator").put(f"/drafts/{draft.pk}/{page}/").status_code == 405
