"""Administrators set validators and patterns in the administration, and nobody else does."""

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agent.validators import CHECKS
from reviewhub.csp import CONTENT_SECURITY_POLICY
from reviewhub.models import AuditEvent, Finding, PatternRule, State, ValidatorRule
from tests.hub.acting import act

RULES = "/admin/reviewhub/validatorrule/"
PATTERNS = "/admin/reviewhub/patternrule/"


def rule_form(queue, **changes):
    """Return what the form about a validator sends."""
    given = {
        "queue": queue.pk,
        "domain": "billing",
        "validator": "wording",
        "enabled": "on",
        "severity": "",
        "confidence": "",
        "parameters": "{}",
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


def pattern_form(queue, **changes):
    """Return what the form about a pattern sends."""
    given = {
        "queue": queue.pk,
        "domain": "billing",
        "name": "no-guarantees",
        "enabled": "on",
        "pattern": r"(?i)\bguarantee[ds]?\b",
        "fails": "on",
        "severity": "0.6",
        "critique": "The mail gives a guarantee.",
        "suggested_fix": "Say what will be done instead.",
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


@pytest.fixture
def rule(queue):
    return ValidatorRule.objects.create(queue=queue, domain="billing", validator="wording")


@pytest.fixture
def pattern(queue):
    return PatternRule.objects.create(
        queue=queue, domain="billing", name="no-guarantees", pattern="guarantee", critique="A guarantee."
    )


def trail():
    return [(event.act, event.row_kind, event.row_ref, event.fields) for event in AuditEvent.objects.order_by("id")]


def test_an_administrator_sets_a_validator(visit, queue, people):
    given = rule_form(queue, severity="0.4", confidence="0.7", parameters='{"max_words": 60}')
    answer = visit("admin").post(f"{RULES}add/", given)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    rule = ValidatorRule.objects.get()
    assert (rule.validator, rule.severity, rule.confidence, rule.parameters) == ("wording", 0.4, 0.7, {"max_words": 60})
    version = rule.history.get()
    assert (version.history_user, version.history_type, version.version) == (people["admin"], "+", 1)
    event = AuditEvent.objects.get()
    assert (event.act, event.who, event.user, event.queue_ref) == ("admin_add", "admin", people["admin"], queue.pk)
    assert (event.row_kind, event.row_ref) == ("validatorrule", rule.pk)


def test_a_change_makes_a_version_and_names_the_fields_alone(visit, queue, rule):
    given = rule_form(queue, parameters='{"banned": ["Acme Ltd"]}', seen_version="1")
    assert visit("admin").post(f"{RULES}{rule.pk}/change/", given).status_code == 302
    rule.refresh_from_db()
    assert (rule.version, rule.parameters) == (2, {"banned": ["Acme Ltd"]})
    assert [row.version for row in rule.history.order_by("history_id")] == [1, 2]
    assert trail() == [("admin_change", "validatorrule", rule.pk, ["parameters"])]
    assert "Acme" not in json.dumps(list(AuditEvent.objects.values()), default=str)


def test_a_form_saved_unchanged_leaves_no_line(visit, queue, rule):
    assert visit("admin").post(f"{RULES}{rule.pk}/change/", rule_form(queue, seen_version="1")).status_code == 302
    assert trail() == []


def test_a_deleted_rule_leaves_a_line_and_its_history(visit, rule):
    number = rule.pk
    assert visit("admin").post(f"{RULES}{number}/delete/", {"post": "yes"}).status_code == 302
    assert trail() == [("admin_delete", "validatorrule", number, [])]
    assert ValidatorRule.history.filter(id=number, history_type="-").count() == 1


def test_several_deleted_at_once_leave_a_line_each(visit, queue, rule, pattern):
    other = PatternRule.objects.create(queue=queue, domain="billing", name="other", pattern="x", critique="An x.")
    given = {"action": "delete_selected", "_selected_action": [pattern.pk, other.pk], "post": "yes"}
    assert visit("admin").post(PATTERNS, given).status_code == 302
    assert not PatternRule.objects.exists()
    assert {line[:3] for line in trail()} == {
        ("admin_delete", "patternrule", pattern.pk),
        ("admin_delete", "patternrule", other.pk),
    }


def test_what_a_rule_is_about_stays_as_it_is(visit, queue, rule):
    visit("admin").post(f"{RULES}{rule.pk}/change/", rule_form(queue, validator="figures", seen_version="1"))
    rule.refresh_from_db()
    assert rule.validator == "wording"


def test_the_second_of_two_administrators_is_told_and_keeps_what_was_typed(visit, queue, rule):
    visit("admin").post(f"{RULES}{rule.pk}/change/", rule_form(queue, severity="0.5", seen_version="1"))
    answer = visit("admin").post(f"{RULES}{rule.pk}/change/", rule_form(queue, severity="0.9", seen_version="1"))
    assert answer.status_code == 200
    assert "Somebody else changed this since you loaded the page." in answer.text
    assert 'value="0.9"' in answer.text
    rule.refresh_from_db()
    assert rule.severity == 0.5
    again = visit("admin").post(f"{RULES}{rule.pk}/change/", rule_form(queue, severity="0.9", seen_version="2"))
    assert again.status_code == 302


def test_an_older_version_can_be_brought_back(visit, queue, rule):
    admin = visit("admin")
    admin.post(f"{RULES}{rule.pk}/change/", rule_form(queue, severity="0.5", seen_version="1"))
    page = admin.get(f"{RULES}{rule.pk}/history/").text
    assert "Severity" in page
    first = rule.history.get(version=1)
    old = admin.get(f"{RULES}{rule.pk}/history/{first.pk}/")
    assert old.status_code == 200
    answer = admin.post(f"{RULES}{rule.pk}/history/{first.pk}/", rule_form(queue, seen_version="2"))
    assert answer.status_code == 302
    rule.refresh_from_db()
    assert (rule.severity, rule.version) == (None, 3)
    assert trail()[-1] == ("admin_change", "validatorrule", rule.pk, ["severity"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"validator": "figures", "enabled": None}, "figures is a core validator and cannot be switched off."),
        ({"validator": "figures", "confidence": "0.3"}, "figures blocks: below 0.6 it would only warn."),
        ({"validator": "policy", "confidence": "0.59"}, "policy blocks: below 0.6 it would only warn."),
        ({"validator": "nonsense"}, "Select a valid choice. nonsense is not one of the available choices."),
        ({"domain": "poetry"}, "Select a valid choice. poetry is not one of the available choices."),
        ({"severity": "1.2"}, "Ensure this value is less than or equal to 1."),
        ({"severity": "nan"}, "Enter a number."),
        ({"confidence": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"parameters": '{"max_word": 60}'}, "max_word: there is no such parameter. There are: banned, severity"),
        ({"parameters": '{"max_words": "60"}'}, "max_words: input should be a valid integer."),
        ({"parameters": '{"max_words": 0}'}, "max_words: input should be greater than or equal to 1."),
        ({"parameters": '{"max_words": NaN}'}, "NaN and Infinity are no numbers here."),
        ({"parameters": '{"banned": [" "]}'}, "banned.0: string should match pattern"),
        ({"parameters": '{"banned": ["\\u0000"]}'}, "A text holds a character that cannot be stored"),
        ({"parameters": '{"banned": ["\\ud800"]}'}, "A text holds a character that cannot be stored"),
        ({"parameters": '{"max_words_by_situation": {"check_in": -4}}'}, "max_words_by_situation.check_in: input"),
        ({"parameters": '{"max_words_by_situation": {"check-in": 40}}'}, "check-in: there is no such situation."),
        ({"validator": "figures", "parameters": '{"currency": "EUR"}'}, "currency: there is no such parameter."),
        ({"parameters": "[1]"}, "Give one JSON object, such as {}."),
        ({"parameters": '{"max_words": 60'}, "This is no JSON: expecting"),
        ({"parameters": "[" * 30_000}, "This is nested too deeply"),
        ({"parameters": '{"max_words": ' + "9" * 5000 + "}"}, "holds a number too long"),
        ({"parameters": '{"banned": ["' + "x" * 50_000 + '"]}'}, "at most 40000 are taken"),
    ],
)
def test_what_cannot_be_set_is_refused_by_its_field(visit, queue, changes, said):
    answer = visit("admin").post(f"{RULES}add/", rule_form(queue, **changes))
    assert answer.status_code == 200
    errors = answer.context["adminform"].form.errors
    assert said in " ".join(message for messages in errors.values() for message in messages)
    assert set(errors) <= {*changes, "__all__"}
    assert not ValidatorRule.objects.exists()
    assert trail() == []


def test_a_validator_has_one_rule_in_a_queue_and_domain(visit, queue, rule):
    answer = visit("admin").post(f"{RULES}add/", rule_form(queue))
    assert "This queue and domain already have a rule for the validator. Change that one." in answer.text
    assert ValidatorRule.objects.count() == 1


def test_the_page_says_what_can_be_set(visit, rule):
    page = visit("admin").get(f"{RULES}{rule.pk}/change/").text
    assert "max_words: The most words of prose. A whole number of 1 or more; 150 unless it is set." in page
    assert "max_chars" not in page
    assert "max_chars: The longest text, in characters." in visit("admin").get(f"{RULES}add/").text


def test_the_list_counts_what_leads_approved_over(visit, rule, make_draft, people, now):
    draft = make_draft(State.AWAITING_REVIEW)
    decision = act("decline", draft, people["lead"], now, reason="wrong_tone")
    for place, source in enumerate(("wording@1", "wording@1.r1v2", "names@1")):
        Finding.objects.create(
            draft=draft,
            position=place,
            status="FAIL",
            error_type="PUNCTUATION",
            evidence="so",
            critique="A dash.",
            severity=0.3,
            validator_source=source,
            validator_confidence=1.0,
            timestamp=now,
            overridden_by=decision,
        )
    page = visit("admin").get(RULES).text
    assert '<td class="field-false_alarms">2</td>' in page


def test_the_list_asks_no_more_questions_for_more_rules(visit, queue):
    browser, asked = visit("admin"), []
    for checks in (CHECKS[:1], CHECKS[1:]):
        for check in checks:
            ValidatorRule.objects.create(queue=queue, domain="billing", validator=check.name)
        with CaptureQueriesContext(connection) as queries:
            assert (
                browser.get(RULES).text.count('<td class="field-false_alarms">0</td>') == ValidatorRule.objects.count()
            )
        asked.append(len(queries))
    assert len(CHECKS) > 5
    assert asked[0] == asked[1]


def test_an_administrator_enters_a_pattern(visit, queue, people):
    answer = visit("admin").post(f"{PATTERNS}add/", pattern_form(queue))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    pattern = PatternRule.objects.get()
    assert (pattern.name, pattern.fails, pattern.severity) == ("no-guarantees", True, 0.6)
    assert pattern.history.get().history_user == people["admin"]
    assert trail()[0][:3] == ("admin_add", "patternrule", pattern.pk)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pattern": "guarantee("}, "This is no pattern that can be searched for: missing ): guarantee(."),
        ({"pattern": "(?=x)"}, "invalid perl operator: (?="),
        ({"pattern": r"(a)\1"}, r"invalid escape sequence: \1"),
        ({"pattern": "a{1001}"}, "invalid repetition size"),
        ({"pattern": "(((a{30}){30}){30})"}, "This is no pattern that can be searched for"),
        ({"pattern": "x*"}, "This finds a place without a character in it."),
        ({"pattern": r"\b"}, "This finds a place without a character in it."),
        ({"pattern": ""}, "This field is required."),
        ({"pattern": "a\x00b"}, "Null characters are not allowed."),
        ({"pattern": "a" * 501}, "Ensure this value has at most 500 characters"),
        ({"name": "No Guarantees"}, "Use small letters, digits, - and _"),
        ({"name": "x@1"}, "Use small letters, digits, - and _"),
        ({"critique": " "}, "This field is required."),
        ({"severity": "2"}, "Ensure this value is less than or equal to 1."),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_by_its_field(visit, queue, changes, said):
    answer = visit("admin").post(f"{PATTERNS}add/", pattern_form(queue, **changes))
    assert answer.status_code == 200
    errors = answer.context["adminform"].form.errors
    assert said in " ".join(message for messages in errors.values() for message in messages)
    assert set(errors) == set(changes)
    assert not PatternRule.objects.exists()


PAGES = (
    "/admin/",
    RULES,
    f"{RULES}add/",
    f"{RULES}{{rule}}/change/",
    f"{RULES}{{rule}}/history/",
    f"{RULES}{{rule}}/delete/",
    PATTERNS,
    f"{PATTERNS}add/",
    f"{PATTERNS}{{pattern}}/change/",
    f"{PATTERNS}{{pattern}}/history/",
)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_keeps_the_policy_and_holds_nothing_inline(visit, rule, pattern, page):
    answer = visit("admin").get(page.format(rule=rule.pk, pattern=pattern.pk))
    assert answer.status_code == 200
    assert answer["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    for forbidden in ("<script>", "style=", "onclick=", "javascript:"):
        assert forbidden not in answer.text


@pytest.mark.parametrize("name", ["stranger", "viewer", "operator", "lead"])
@pytest.mark.parametrize("page", PAGES)
def test_nobody_else_gets_in(visit, queue, rule, pattern, name, page):
    client = visit(name)
    path = page.format(rule=rule.pk, pattern=pattern.pk)
    assert client.get(path, follow=True).status_code == 403
    assert client.post(path, {**rule_form(queue), "post": "yes"}).status_code == 302
    assert ValidatorRule.objects.get().version == 1
    assert PatternRule.objects.count() == 1


def test_a_member_of_staff_who_is_no_administrator_gets_nowhere(visit, people):
    people["lead"].is_staff = True
    people["lead"].save()
    assert visit("lead").get(RULES, follow=True).status_code == 403


def test_whoever_is_not_signed_in_signs_in_where_everybody_does(client, db):
    answer = client.get(RULES, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/login/?next=")
    assert RULES in answer.text


def test_every_parameter_and_core_validator_is_in_the_docs():
    page = Path("docs/admin.md").read_text("utf-8")
    assert [name for check in CHECKS for name in type(check.params).model_fields if f"`{name}`" not in page] == []
    core = page.partition("Core validators (")[2].partition(")")[0]
    assert sorted(core.split(", ")) == sorted(check.name for check in CHECKS if check.core)
