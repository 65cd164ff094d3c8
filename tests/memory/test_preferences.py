import json
import subprocess
import sys
from collections import Counter

import pytest

from memory.preferences import (
    Example,
    LeftOut,
    completion,
    fingerprint,
    pair,
    remembering,
    split_of,
    words_changed,
)

PROMPT = ({"role": "system", "content": "You write."}, {"role": "user", "content": "Situation: check in."})
SHOWN = {"opening": "Items are open.", "request": "Please settle [TOTAL_DUE].", "closing": "Please reply."}
APPROVED = {**SHOWN, "request": "Please settle the total of [TOTAL_DUE] this time."}


def example(**changes):
    given = {"prompt": PROMPT, "asked": list(SHOWN), "approved": APPROVED, "shown": SHOWN, "is_edited": True, **changes}
    return Example(**given)


def said(row, name):
    [message] = row[name]
    assert message["role"] == "assistant"
    return message["content"]


def test_a_pair_has_an_explicit_prompt_and_two_answers_of_one_shape():
    row = pair(example(provenance={"source": "ab12"}), least_words_changed=1)
    assert row["prompt"] == [dict(message) for message in PROMPT]
    assert json.loads(said(row, "chosen")) == APPROVED
    assert json.loads(said(row, "rejected")) == SHOWN
    assert row["provenance"] == {"source": "ab12"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"is_edited": False, "approved": SHOWN}, "approved_as_it_was"),
        ({"is_free": True, "asked": ["free"], "approved": {"free": "Dear all"}}, "written_freely"),
        ({"shown": None}, "no_draft"),
        ({"approved": {"opening": "Items are open."}}, "shape_differs"),
        ({"shown": {"opening": "Items are open."}}, "shape_differs"),
        ({"approved": {**APPROVED, "note": "More."}}, "shape_differs"),
        ({"approved": SHOWN}, "equal_text"),
        ({"approved": {**SHOWN, "closing": " Please \n reply."}}, "equal_text"),
        ({"approved": {**SHOWN, "closing": "Please answer."}}, "too_little_changed"),
    ],
)
def test_a_pair_that_teaches_nothing_is_left_out_with_its_reason(changes, reason):
    with pytest.raises(LeftOut) as refused:
        pair(example(**changes), least_words_changed=2)
    assert refused.value.reason == reason


def test_blocks_stand_in_the_order_that_was_asked_for_whatever_the_database_made_of_it():
    row = pair(example(approved=dict(reversed(APPROVED.items()))), least_words_changed=1)
    assert list(json.loads(said(row, "chosen"))) == list(SHOWN)


def test_a_completion_is_the_approved_text_edited_or_not():
    assert json.loads(said(completion(example()), "completion")) == APPROVED
    assert json.loads(said(completion(example(approved=SHOWN, is_edited=False)), "completion")) == SHOWN


def test_a_text_that_was_written_freely_is_a_completion_as_plain_text():
    row = completion(example(asked=["free"], approved={"free": "Dear [CLIENT_NAME],\nhello"}, is_free=True))
    assert said(row, "completion") == "Dear [CLIENT_NAME],\nhello"


def test_a_completion_that_lacks_a_block_would_teach_to_leave_it_out():
    with pytest.raises(LeftOut, match="shape_differs"):
        completion(example(approved={"opening": "Items are open."}))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("", "", 0),
        ("Please pay now.", "Please  pay\nnow.", 0),
        ("Please pay now.", "Please pay now!", 1),
        ("Please pay now.", "please pay now.", 1),
        ("Please pay [TOTAL_DUE].", "Please pay [OPEN_ITEMS].", 1),
        ("We don't ask.", "We do not ask.", 2),
        ("One two three", "", 3),
        ("a b c d", "b c d e", 2),
    ],
)
def test_words_and_marks_are_counted_and_spacing_is_not(before, after, changed):
    assert words_changed(before, after) == words_changed(after, before) == changed


def test_a_subject_stays_in_its_split_and_the_shares_are_as_asked():
    subjects = [f"client-{number}" for number in range(4000)]
    splits = [split_of(subject, validation_percent=10) for subject in subjects]
    assert splits == [split_of(subject, validation_percent=10) for subject in subjects]
    assert 320 <= Counter(splits)["validation"] <= 480
    assert {split_of(subject, validation_percent=0) for subject in subjects} == {"train"}
    assert {split_of(subject, validation_percent=100) for subject in subjects} == {"validation"}


def test_a_subject_that_validates_still_does_when_the_share_grows():
    for number in range(500):
        small, large = (split_of(f"client-{number}", validation_percent=percent) for percent in (10, 30))
        assert small == "train" or large == "validation"


def test_copies_are_told_whatever_their_source_case_or_spacing():
    first = completion(example(provenance={"source": "one"}))
    again = completion(
        example(provenance={"source": "two"}, approved={**APPROVED, "opening": "ITEMS  are\n open."}),
    )
    other = completion(example(approved=SHOWN))
    assert fingerprint(first) == fingerprint(again) != fingerprint(other)
    with remembering() as seen:
        assert [seen.is_new("sft", fingerprint(row)) for row in (first, again, other)] == [True, False, True]
        assert seen.is_new("dpo", fingerprint(first))


def test_what_was_seen_is_forgotten_with_the_export():
    digest = fingerprint(completion(example()))
    for _ in range(2):
        with remembering() as seen:
            assert seen.is_new("sft", digest)


FULL_DISK = """
import os, resource
from memory.preferences import remembering

resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
with remembering() as seen:
    try:
        for number in range(400_000):
            seen.is_new("sft", os.urandom(32))
    except OSError as error:
        print(error.strerror)
"""


def test_a_disk_that_takes_no_more_is_an_error_that_says_what_to_do():
    run = subprocess.run([sys.executable, "-c", FULL_DISK], capture_output=True, text=True, check=True)
    assert "no room in the folder for temporary files" in run.stdout
    assert "set SQLITE_TMPDIR" in run.stdout
