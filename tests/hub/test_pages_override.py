"""A lead approves over a check that misreads a true text; everybody sees it, and nothing is learnt from it."""

import uuid

import pytest

from reviewhub.models import AuditEvent, Decision, Draft, Finding, Queue, State
from tests.hub.pages import form
from tests.hub.written import CLOSING, OPENING, write_attempt

WRONG = "The total due is $1,990.00, please settle it."
REASON = "The check takes the old total for the new one."


@pytest.fixture
def fresh(queue):
    Queue.objects.update(is_demo=True)  # its facts never count as old


@pytest.fixture
def blocked(make_draft, fresh):
    """An escalated draft of which a check that must pass has failed."""
    draft = make_draft(State.ESCALATED)
    write_attempt(draft, opening="The total due is $9,999.00.")
    return draft


@pytest.fixture
def draft(make_draft, fresh):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    return draft


def override(client, draft, **fields):
    return client.post(
        f"/drafts/{draft.pk}/override/", form(draft, **{"override_reason": REASON, **fields}), follow=True
    )


def edit(client, draft, request=WRONG, **fields):
    passages = {"prose-0": OPENING, "prose-1": request, "prose-2": CLOSING}
    return client.post(f"/drafts/{draft.pk}/edit/", form(draft, **passages, **fields), follow=True)


def seen_on(page):
    return page.split('name="override_seen" value="')[1].partition('"')[0]


def state_of(draft):
    return Draft.objects.get(pk=draft.pk).state


# The shown text


def test_a_lead_approves_the_shown_text_over_the_checks_with_a_reason(visit, blocked):
    client = visit("lead")
    assert f'href="/drafts/{blocked.pk}/override/"' in client.get(f"/drafts/{blocked.pk}/").text
    assert "$9,999.00" in client.get(f"/drafts/{blocked.pk}/override/").text
    page = override(client, blocked).text
    decision = Decision.objects.get()
    assert (state_of(blocked), decision.verdict, decision.overridden) == ("approved", "approved_as_is", True)
    assert (decision.override_reason, decision.text) == (REASON, blocked.shown.text)
    assert "Approved over failing checks" in page
    assert REASON in page
    assert "Copy the text" in page


def test_what_was_overridden_counts_as_false_alarms_of_its_validators(visit, blocked):
    failed = list(blocked.shown.findings.blocking())
    assert Finding.objects.false_alarms() == {}
    override(visit("lead"), blocked)
    names = [finding.validator_source.partition("@")[0] for finding in failed]
    assert Finding.objects.false_alarms() == {name: names.count(name) for name in names}
    assert set(Decision.objects.get().overrides.all()) == set(failed)


def test_an_approval_that_is_taken_back_was_no_false_alarm(visit, blocked):
    client = visit("lead")
    override(client, blocked)
    decision = Decision.objects.get()
    client.post(f"/drafts/{blocked.pk}/undo/", form(Draft.objects.get(pk=blocked.pk), decision=decision.pk))
    assert state_of(blocked) == "escalated"
    assert Finding.objects.false_alarms() == {}


def test_it_is_in_the_audit_trail_with_what_had_failed(visit, blocked, people):
    failed = sorted({finding.error_type.lower() for finding in blocked.shown.findings.blocking()})
    override(visit("lead"), blocked)
    line = AuditEvent.objects.get(act="override")
    assert (line.user, line.draft_ref, line.fields) == (people["lead"], blocked.pk, failed)


def test_no_reason_no_approval(visit, blocked):
    response = override(visit("lead"), blocked, override_reason="  ")
    assert response.status_code == 422
    assert "Say why the checks are mistaken." in response.text
    assert state_of(blocked) == "escalated"


def test_where_nothing_blocks_there_is_nothing_to_override(visit, draft):
    page = visit("lead").get(f"/drafts/{draft.pk}/override/").text
    assert "there is nothing to override" in page
    override(visit("lead"), draft)
    assert not Decision.objects.get().overridden


def test_a_draft_without_a_text_is_not_approved_over_anything(visit, make_draft, fresh):
    empty = make_draft(State.ESCALATED)
    response = override(visit("lead"), empty)
    assert response.status_code == 409
    assert "There is no draft to approve as it is." in response.text


@pytest.mark.parametrize(("name", "status"), [("operator", 403), ("viewer", 403), ("stranger", 404)])
def test_only_leads_may(visit, blocked, name, status):
    assert visit(name).get(f"/drafts/{blocked.pk}/override/").status_code == status
    assert override(visit(name), blocked).status_code == status
    assert state_of(blocked) == "escalated"


def test_an_operator_is_told_that_a_lead_may_look_at_it(visit, make_draft, fresh):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft, opening="The total due is $9,999.00.")
    page = visit("operator").get(f"/drafts/{draft.pk}/").text
    assert "Approve as it is" not in page
    assert "ask a lead to look at it" in page


def test_pressing_twice_is_one_decision_and_a_second_person_is_told(visit, blocked):
    client, key = visit("lead"), uuid.uuid4().hex
    for _time in range(2):
        assert override(client, blocked, key=key).status_code == 200
    assert Decision.objects.count() == 1
    response = override(visit("admin"), blocked)
    assert response.status_code == 409
    assert "lead was first" in response.text
    assert REASON in response.text


def test_old_facts_must_be_confirmed_all_the_same(visit, blocked):
    Queue.objects.update(is_demo=False)
    assert override(visit("lead"), blocked).status_code == 409
    assert state_of(blocked) == "escalated"
    override(visit("lead"), blocked, facts_confirmed="on")
    assert (Decision.objects.get().overridden, Decision.objects.get().facts_confirmed) == (True, True)


def test_other_methods_are_refused(visit, blocked):
    assert visit("lead").put(f"/drafts/{blocked.pk}/override/").status_code == 405


# A person's own text


def test_a_lead_approves_their_own_text_over_what_fails_once_they_have_seen_it(visit, draft):
    client = visit("lead")
    refused = edit(client, draft)
    assert refused.status_code == 422
    page = edit(client, draft, override="1", override_reason=REASON, override_seen=seen_on(refused.text)).text
    decision = Decision.objects.get()
    assert (decision.verdict, decision.written, decision.overridden) == ("approved_with_edits", "edited", True)
    assert WRONG in decision.text
    failed = decision.findings.failed()
    assert failed.exists()
    assert set(decision.overrides.all()) == set(failed)
    assert REASON in page


def test_what_fails_and_was_not_shown_is_not_overridden(visit, draft):
    client = visit("lead")
    seen = seen_on(edit(client, draft).text)
    other = "The total due is $2,990.00, please settle it."
    response = edit(client, draft, other, override="1", override_reason=REASON, override_seen=seen)
    assert response.status_code == 422
    assert "What fails is not what you were shown." in response.text
    assert "$2,990.00" in response.text
    assert REASON in response.text
    assert Draft.objects.get(pk=draft.pk).pending["prose"][1] == other
    assert not Decision.objects.exists()


def test_a_text_that_passes_is_approved_without_an_override(visit, draft):
    client = visit("lead")
    true = "The total due is $1,975.00. Please settle it as soon as you can."
    edit(client, draft, true, override="1", override_reason=REASON, override_seen="")
    decision = Decision.objects.get()
    assert (decision.overridden, decision.override_reason) == (False, "")
    assert decision.overrides.count() == 0


def test_a_text_is_not_overridden_without_a_reason_and_kept(visit, draft):
    client = visit("lead")
    seen = seen_on(edit(client, draft).text)
    response = edit(client, draft, override="1", override_reason=" ", override_seen=seen)
    assert response.status_code == 409
    assert "Say why the checks are mistaken" in response.text
    assert WRONG in response.text
    assert not Decision.objects.exists()


def test_an_operator_cannot_override_and_is_not_offered_it(visit, draft):
    client = visit("operator")
    refused = edit(client, draft)
    assert "Approve over these checks" not in refused.text
    response = edit(client, draft, override="1", override_reason=REASON, override_seen="0" * 64)
    assert response.status_code == 403
    assert Draft.objects.get(pk=draft.pk).pending["prose"][1] == WRONG
    assert not Decision.objects.exists()


def test_a_free_text_may_be_overridden_too(visit, draft):
    client = visit("lead")
    text = "Dear Ana Ortega,\n\nTX-1001 is open. The total due is $1,975.00."

    def write(**fields):
        return client.post(f"/drafts/{draft.pk}/write/", form(draft, text=text, **fields), follow=True)

    write(override="1", override_reason=REASON, override_seen=seen_on(write().text))
    decision = Decision.objects.get()
    assert (decision.written, decision.overridden, decision.text) == ("by_hand", True, text)


def test_hostile_reasons_are_text(visit, blocked):
    page = override(visit("lead"), blocked, override_reason="<script>alert(1)</script>").text
    assert "<script>alert" not in page
