"""Patterns that are searched for only where a string stands that each of their matches holds."""

import json
import re
from pathlib import Path

import pytest

from agent.text import MASK, fold
from agent.text.english_cues import DENIAL_IDIOMS, DENIALS, TURNED
from agent.validators.announced import Announced

_CASES = Path(__file__).parent / "cases"


def test_every_pattern_that_matches_a_draft_is_announced_in_it() -> None:
    patterns = (*DENIALS, *TURNED, DENIAL_IDIOMS)
    announced = Announced(patterns)
    drafts = [
        fold(case["draft"]).text.replace("\n", " ")
        for name in ("pass", "fail", "warn")
        for case in json.loads((_CASES / f"{name}.json").read_text(encoding="utf-8"))
    ]
    matching = {(draft, pattern) for draft in drafts for pattern in patterns if re.search(pattern, draft)}
    assert len(matching) > 100
    told = {(draft, pattern.pattern) for draft in drafts for pattern in announced.within(draft)}
    assert matching <= told


def test_only_what_can_match_is_announced_and_in_order() -> None:
    announced = Announced((r"\bwe owe you\b", r"\byou owe (?:nothing|zero)\b", r"\bdebt[- ]free\b"))
    assert [pattern.pattern for pattern in announced.within("both are open, and nothing is disputed")] == []
    both = announced.within("you are debt-free: we owe you and you owe nothing")
    assert [pattern.pattern for pattern in both] == [
        r"\bwe owe you\b",
        r"\byou owe (?:nothing|zero)\b",
        r"\bdebt[- ]free\b",
    ]


def test_a_word_beside_a_hidden_passage_is_seen() -> None:
    assert Announced((r"\bowes nothing\b",)).within(f"{MASK}{MASK}owes nothing{MASK}")


def test_a_pattern_that_no_word_announces_is_refused() -> None:
    for pattern in (r"\w+", r"(?:paid)?", MASK):
        with pytest.raises(ValueError, match="needs"):
            Announced((pattern,))
