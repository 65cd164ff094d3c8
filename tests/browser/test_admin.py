"""The administration works in a browser, and no page of it breaks the content policy."""

import pytest
from playwright.sync_api import expect

from reviewhub.models import DeclineReason, PatternRule, ValidatorRule, VocabularyWord

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def rows(queue, people, now):
    """One row of everything that can be set."""
    rule = ValidatorRule.objects.create(queue=queue, domain="billing", validator="wording")
    pattern = PatternRule.objects.create(queue=queue, domain="billing", name="house", pattern="x", critique="An x.")
    word = VocabularyWord.confirm("kestrel", queue=queue, by=people["admin"], now=now)
    reason = DeclineReason.objects.get(code="other")
    return {
        "reviewhub/validatorrule": rule,
        "reviewhub/patternrule": pattern,
        "reviewhub/vocabularyword": word,
        "reviewhub/declinereason": reason,
        "reviewhub/queue": queue,
        "auth/user": people["lead"],
    }


def test_a_validator_is_set_and_its_history_is_shown(open_site, rows):
    rule = rows["reviewhub/validatorrule"]
    page = open_site("admin")
    page.goto(f"/admin/reviewhub/validatorrule/{rule.pk}/change/")
    expect(page.get_by_text("max_words: The most words of prose.")).to_be_visible()
    page.get_by_label("Parameters:").fill('{"max_words": 90}')
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    rule.refresh_from_db()
    assert (rule.parameters, rule.version) == ({"max_words": 90}, 2)
    page.goto(f"/admin/reviewhub/validatorrule/{rule.pk}/history/")
    expect(page.get_by_role("row", name="Parameters")).to_contain_text("max_words")
    page.get_by_role("link", name="1", exact=True).click()
    page.get_by_role("button", name="Revert").click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    rule.refresh_from_db()
    assert (rule.parameters, rule.version) == ({}, 3)


def test_a_wrong_parameter_is_named_beside_its_field(open_site, rows):
    rule = rows["reviewhub/validatorrule"]
    page = open_site("admin")
    page.goto(f"/admin/reviewhub/validatorrule/{rule.pk}/change/")
    page.get_by_label("Parameters:").fill('{"max_words": 0}')
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("max_words: input should be greater than or equal to 1.")).to_be_visible()
    assert page.get_by_label("Parameters:").input_value() == '{"max_words": 0}'


def test_a_member_is_given_a_role(open_site, queue, people):
    page = open_site("admin")
    page.goto(f"/admin/reviewhub/queue/{queue.pk}/change/")
    page.get_by_text("Add another Membership").click()
    page.locator("#memberships-3").get_by_role("combobox").first.click()
    page.get_by_role("searchbox").last.fill("stranger")
    page.get_by_role("option", name="stranger").click()
    page.locator("#id_memberships-3-role").select_option("viewer")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert queue.memberships.get(user=people["stranger"]).role == "viewer"


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_breaks_the_content_policy(open_site, rows, width):
    page = open_site("admin", width=width)
    paths = ["/admin/", "/admin/reviewhub/auditevent/", "/admin/reviewhub/tally/", "/admin/reviewhub/capabilitygap/"]
    for kind, row in rows.items():
        paths += [f"/admin/{kind}/", f"/admin/{kind}/add/"]
        paths += [f"/admin/{kind}/{row.pk}/{part}/" for part in ("change", "delete", "history")]
    for path in paths:
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == (403 if path.startswith("/admin/auth/user/") and "delete" in path else 200), path
        page.wait_for_load_state("networkidle")
