"""Which sentences to read first: at most two, with the reason, underlined in the text."""

import json
import re

import pytest

from agent.llm.names import ModelNameError
from agent.outcome import Outcome, Status
from reviewhub import advising
from reviewhub.drafting import draft_case
from reviewhub.models import Draft, State, StopReason
from tests.hub.test_pages_draft import page_of, plain
from tests.hub.written import CLOSING, OPENING, REQUEST, write_attempt

WHY = "It says why something was done. Its support is 0.21 of 1."


def to_read(sentence, text, now):
    start = text.index(sentence)
    return Outcome(
        status=Status.WARN,
        error_type="READ_FIRST",
        evidence=sentence,
        critique=WHY,
        severity=0.2,
        validator_source="support@1",
        validator_confidence=0.8,
        metadata={"span": [start, start + len(sentence)], "facts": []},
        timestamp=now,
    )


@pytest.fixture
def flagged(make_draft, now):
    draft = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.PASSED)
    text = write_attempt(draft).text
    write_attempt(draft, number=2, more=[to_read(sentence, text, now) for sentence in (OPENING, CLOSING)])
    return draft


def test_the_sentences_stand_first_with_the_reason_and_are_underlined(visit, flagged):
    page = page_of(visit, flagged)
    section = page[page.index('id="read-title"') : page.index('id="findings-title"')]
    assert "Read these first" in section
    assert [plain(quote) for quote in re.findall(r"<q>(.*?)</q>", section)] == [OPENING, CLOSING]
    assert section.count(WHY) == 2
    for number, sentence in ((1, OPENING), (2, CLOSING)):
        assert f'<a class="mark warn" href="#finding-{number}">{sentence}</a>' in page
        assert f'id="mark-{number}"' in page
        assert f'href="#mark-{number}"' in section
    assert page.count('id="finding-1"') == 1


def test_neither_a_flag_nor_its_absence_reads_as_verified(visit, flagged, make_draft):
    unflagged = make_draft(State.AWAITING_REVIEW, stop_reason=StopReason.PASSED)
    write_attempt(unflagged)
    for draft in (flagged, unflagged):
        assert "verified" not in plain(page_of(visit, draft)).lower()
    assert "Read the words" in plain(page_of(visit, unflagged))


def test_a_flag_keeps_nothing_from_being_approved(visit, flagged):
    assert f'action="/drafts/{flagged.pk}/approve/"' in page_of(visit, flagged)


def test_a_draft_is_flagged_by_its_words_where_no_model_is_asked(make_draft, settings, tmp_path, now):
    settings.REVIEWHUB_SUPPORT = "words"
    assert draft_of(make_draft, tmp_path, now).findings.filter(error_type="READ_FIRST").count() <= 2


@pytest.mark.parametrize("setting", ["off", "on"])
def test_a_script_is_not_asked_and_off_is_off(make_draft, settings, tmp_path, now, setting):
    settings.REVIEWHUB_SUPPORT = setting
    draft = draft_of(make_draft, tmp_path, now)
    assert (draft.stop_reason, draft.shown.calls) == (StopReason.PASSED, 1)
    assert not draft.findings.filter(validator_source__startswith="support@").exists()


def test_a_model_that_is_too_weak_is_not_asked(db, settings):
    settings.REVIEWHUB_SUPPORT = "ollama:qwen2.5:0.5b"
    assert advising.advisers_for(advising._served("ollama:llama3.2:3b")) == ()
    settings.REVIEWHUB_SUPPORT = "on"
    assert len(advising.advisers_for(advising._served("ollama:llama3.2:3b"))) == 1


@pytest.mark.parametrize("setting", ["REVIEWHUB_SUPPORT", "REVIEWHUB_JUDGE_MODEL"])
def test_an_adviser_that_is_no_model_is_told_before_the_draft_is_touched(make_draft, settings, tmp_path, now, setting):
    setattr(settings, setting, "gpt")
    with pytest.raises(ModelNameError):
        draft_of(make_draft, tmp_path, now)
    assert Draft.objects.get().state == State.QUEUED


def draft_of(make_draft, tmp_path, now):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"opening": OPENING, "request": REQUEST, "closing": CLOSING}]))
    row = make_draft()
    draft_case(draft_id=row.pk, model_name=f"scripted:{script}", worker="w1", clock=lambda: now)
    return Draft.objects.get(pk=row.pk)
