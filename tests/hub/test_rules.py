"""What administrators set acts from the next draft on, and a rule that is wrong never lets a draft pass."""

import itertools
import json
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from agent.validators import CHECKS
from reviewhub.drafting import draft_case
from reviewhub.edits import Edit, check_edit
from reviewhub.intake import read_case, submit_case
from reviewhub.models import (
    Actor,
    DeclineReason,
    Draft,
    Finding,
    PatternRule,
    Queue,
    RuleInvalid,
    State,
    ValidatorRule,
    VocabularyWord,
    Who,
)
from reviewhub.reviewing import NeedsReason
from reviewhub.rulebook import checks_for
from tests.hub.acting import act
from tests.hub.test_admin_rules import PATTERNS, RULES, pattern_form, rule_form

FOLDER = Path("fixtures/billing/client_101")
NAMES = [check.name for check in CHECKS]


@pytest.fixture
def next_draft(queue, now):
    """Draft one more case of the same facts by the same script."""
    numbers = itertools.count(1)

    def draft() -> Draft:
        facts = json.loads((FOLDER / "facts.json").read_text())
        case = read_case({"external_id": f"again-{next(numbers)}", "domain": "billing", "facts": facts}, queue=queue)
        row = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
        model = f"scripted:{FOLDER / 'scripted.json'}"
        draft_case(draft_id=row.pk, model_name=model, worker="w1", clock=lambda: now)
        return Draft.objects.get(pk=row.pk)

    return draft


def set_rule(queue, validator, **fields):
    return ValidatorRule.objects.create(queue=queue, domain="billing", validator=validator, **fields)


def set_pattern(queue, pattern, **fields):
    given = {"name": "house", "critique": "House style.", **fields}
    return PatternRule.objects.create(queue=queue, domain="billing", pattern=pattern, **given)


def faults(draft):
    """Return what is wrong with the shown text, by validator."""
    rows = Finding.objects.filter(attempt=draft.shown).exclude(status="PASS").order_by("position")
    return [(row.validator_source.partition("@")[0], row.error_type, row.status) for row in rows]


def a_word_of(draft):
    """Return a word that the model wrote."""
    prose = next(block["text"] for block in draft.shown.body["blocks"] if block["kind"] == "prose")
    return max(prose.replace("[", " ").replace("]", " ").split(), key=lambda word: word.isalpha() * len(word))


# From the administration to the next draft


def test_an_administrators_change_of_a_validator_alters_the_next_drafts_findings(visit, queue, next_draft):
    before = next_draft()
    assert (before.state, faults(before)) == (State.AWAITING_REVIEW, [])
    admin = visit("admin")
    admin.post(f"{RULES}add/", rule_form(queue, parameters='{"max_words": 5}'))

    after = next_draft()
    assert ("wording", "TOO_WORDY", "FAIL") in faults(after)
    rule = ValidatorRule.objects.get()
    sources = set(after.findings.values_list("validator_source", flat=True))
    assert f"wording@1.r{rule.pk}v1" in sources
    assert after.attempts.get(number=1).rules != before.attempts.get(number=1).rules
    assert faults(Draft.objects.get(pk=before.pk)) == []

    given = rule_form(queue, enabled=None, parameters='{"max_words": 5}', seen_version="1")
    assert admin.post(f"{RULES}{rule.pk}/change/", given).status_code == 302
    off = next_draft()
    assert (off.state, faults(off)) == (State.AWAITING_REVIEW, [])
    assert not off.findings.filter(validator_source__startswith="wording@").exists()


def test_an_administrators_pattern_is_found_in_the_next_draft(visit, queue, next_draft):
    word = a_word_of(next_draft())
    visit("admin").post(f"{PATTERNS}add/", pattern_form(queue, pattern=rf"(?i)\b{word}\b", severity="0.7"))
    draft = next_draft()
    assert draft.state == State.ESCALATED
    assert ("pattern.no-guarantees", "PATTERN_FOUND", "FAIL") in faults(draft)
    finding = draft.findings.filter(error_type="PATTERN_FOUND").first()
    assert (finding.severity, finding.critique) == (0.7, "The mail gives a guarantee.")
    assert finding.suggested_fix == "Say what will be done instead."
    start, end = finding.metadata["span"]
    assert draft.shown.text[start:end].casefold() == word.casefold()


def test_a_pattern_that_warns_lets_the_draft_pass(queue, next_draft):
    set_pattern(queue, "[a-z]", fails=False)
    draft = next_draft()
    assert draft.state == State.AWAITING_REVIEW
    assert set(faults(draft)) == {("pattern.house", "PATTERN_FOUND", "WARN")}


def test_an_unsure_validator_only_warns(queue, next_draft):
    set_rule(queue, "wording", confidence=0.5, parameters={"max_words": 5})
    draft = next_draft()
    assert draft.state == State.AWAITING_REVIEW
    assert faults(draft) == [("wording", "TOO_WORDY", "WARN")]


def test_a_severity_that_is_set_decides_whether_a_fault_is_a_trifle(queue, next_draft):
    rule = set_rule(queue, "wording", severity=0.9, parameters={"max_words": 5})
    grave = next_draft()
    assert grave.state == State.ESCALATED
    assert grave.findings.filter(error_type="TOO_WORDY").first().severity == 0.9
    ValidatorRule.objects.filter(pk=rule.pk).update(severity=0.1)
    trifle = next_draft()
    assert (trifle.state, trifle.stop_reason) == (State.AWAITING_REVIEW, "accepted_low_severity")


def test_rules_are_of_one_queue_and_domain(queue, people):
    set_rule(queue, "names", enabled=False)
    ValidatorRule.objects.create(queue=queue, domain="support", validator="wording", enabled=False)
    other = Queue.objects.exclude(pk=queue.pk).get()
    assert [check.name for check in checks_for(other.pk, "billing")] == NAMES
    assert [check.name for check in checks_for(queue.pk, "billing")] == [name for name in NAMES if name != "names"]


# A person's text


def test_a_persons_text_is_held_to_the_same_rules(queue, next_draft, now):
    draft = next_draft()
    prose = tuple(block["text"] for block in draft.shown.body["blocks"] if block["kind"] == "prose")
    assert check_edit(draft, Edit(prose), now=now)[1].verdict == "PASS"
    set_pattern(queue, "[a-z]")
    assert check_edit(draft, Edit(prose), now=now)[1].verdict == "FAIL"
    PatternRule.objects.update(fails=False)
    checked = check_edit(draft, Edit(prose), now=now)[1]
    assert (checked.verdict, bool(checked.warnings)) == ("PASS", True)


# Fail closed


@pytest.mark.parametrize("name", [check.name for check in CHECKS if check.core])
def test_the_database_refuses_to_switch_a_core_validator_off(queue, name):
    with pytest.raises(IntegrityError), transaction.atomic():
        set_rule(queue, name, enabled=False)
    rule = set_rule(queue, name)
    with pytest.raises(IntegrityError), transaction.atomic():
        ValidatorRule.objects.filter(pk=rule.pk).update(enabled=False)


@pytest.mark.parametrize("name", [check.name for check in CHECKS if check.blocking])
def test_the_database_refuses_to_make_a_blocking_validator_unsure(queue, name):
    with pytest.raises(IntegrityError), transaction.atomic():
        set_rule(queue, name, confidence=0.59)


@pytest.mark.parametrize(
    "fields",
    [{"severity": 1.1}, {"severity": -0.1}, {"confidence": 1.1}],
)
def test_the_database_refuses_what_is_no_share(queue, fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        set_rule(queue, "wording", **fields)


BROKEN = [
    ("figures", {"parameters": {"unknown": 1}}),
    ("wording", {"parameters": {"max_words": "many"}}),
    ("wording", {"parameters": ["no object"]}),
    ("retired-long-ago", {}),
]


@pytest.mark.parametrize(("name", "fields"), BROKEN)
def test_a_rule_that_no_validator_can_be_made_of_fails_each_draft_and_weakens_nothing(queue, next_draft, name, fields):
    rule = set_rule(queue, name, **fields)
    draft = next_draft()
    assert (draft.state, draft.stop_reason) == (State.ESCALATED, "validator_error")
    assert faults(draft) == [("rules", "VALIDATOR_ERROR", "FAIL")]
    finding = draft.findings.get(error_type="VALIDATOR_ERROR")
    assert f"Rule {rule.pk}" in finding.evidence
    ran = {source.partition("@")[0] for source in draft.findings.values_list("validator_source", flat=True)}
    assert set(NAMES) <= ran


def test_a_pattern_that_cannot_be_compiled_fails_each_draft(queue, next_draft):
    set_pattern(queue, "guarantee(")
    assert faults(next_draft()) == [("rules", "VALIDATOR_ERROR", "FAIL")]


def test_core_validators_stay_whatever_the_rules_hold(queue):
    for check in CHECKS:
        set_rule(queue, check.name, enabled=check.core, severity=0.0, confidence=1.0)
    left = checks_for(queue.pk, "billing")
    assert [check.name for check in left] == [check.name for check in CHECKS if check.core]
    assert all(check.blocking for check in left)


def test_a_wrong_figure_blocks_however_lightly_it_is_weighed(queue, next_draft, now):
    set_rule(queue, "figures", severity=0.0)
    draft = next_draft()
    checked = check_edit(draft, Edit(free="Please pay $99,999.00 at once."), now=now)[1]
    assert "FIGURE_UNLICENSED" in {outcome.error_type for outcome in checked.blocking}


def test_a_rule_says_what_is_wrong_with_it(queue):
    rule = set_rule(queue, "wording", parameters={"max_words": 0})
    with pytest.raises(RuleInvalid, match="max_words: input should be greater than or equal to 1"):
        rule.build()


# Patterns of any kind end in time


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+\z", r"(.*a){20}b", r"(x+x+)+y", r"([a-z]+)*!"])
def test_a_pattern_that_would_never_end_elsewhere_is_searched_through_200_kb(queue, pattern):
    rule = set_pattern(queue, pattern)
    rule.full_clean(exclude=["pattern"])
    text = "é" + "a" * 100_000 + "x" * 100_000
    assert list(rule.build().run.search(text)) == []


def test_what_a_pattern_finds_is_placed_in_characters(queue):
    search = set_pattern(queue, "café").build().run.search
    assert list(search("€ 5 for the café, à la café")) == [(12, 16), (23, 27)]


# Lists


def test_the_reasons_that_the_hub_began_with_are_offered_everywhere(queue):
    codes = ["wrong_facts", "wrong_tone", "not_needed", "answered_elsewhere", "unusable", "other"]
    assert list(DeclineReason.objects.offered_in(queue).values_list("code", flat=True)) == codes


def test_a_retired_reason_is_refused_and_stays_on_old_reviews(make_draft, queue, people, now):
    first = act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="wrong_tone")
    DeclineReason.objects.filter(code="wrong_tone").update(is_active=False)
    with pytest.raises(NeedsReason):
        act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="wrong_tone")
    assert (first.review.reason, first.review.reason_label) == ("wrong_tone", "The tone does not fit")


def test_a_reason_of_another_queue_is_refused(make_draft, queue, people, now):
    other = Queue.objects.exclude(pk=queue.pk).get()
    DeclineReason.objects.create(queue=other, code="west_only", label="Only in the west")
    DeclineReason.objects.create(queue=queue, code="east_only", label="Only in the east")
    with pytest.raises(NeedsReason):
        act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="west_only")
    made = act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="east_only")
    assert made.review.reason_label == "Only in the east"


@pytest.mark.parametrize("word", ["", "two words", "a1", "x" * 61, "<b>", "'", "12"])
def test_only_a_single_word_is_confirmed(queue, people, now, word):
    with pytest.raises(ValidationError):
        VocabularyWord.confirm(word, queue=queue, by=people["operator"], now=now)


def test_a_word_is_confirmed_once_and_as_it_is_written(queue, people, now):
    for word in ("Portal", " Portal ", "portal", "d’accord", "cafe\u0301"):
        VocabularyWord.confirm(word, queue=queue, by=people["operator"], now=now)
    assert VocabularyWord.objects.of(queue.pk) == {"Portal", "portal", "d’accord", "café"}
    other = Queue.objects.exclude(pk=queue.pk).get()
    assert VocabularyWord.objects.of(other.pk) == frozenset()
    assert "Portal" not in str(VocabularyWord.objects.first())
