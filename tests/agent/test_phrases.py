"""Phrases are found where a plain search of their patterns finds them, and each pattern is announced by its words."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from agent.validators.phrases import Phrases, needed_strings, pattern_of

_WORDS = tomllib.loads(files("agent").joinpath("words", "en_policy.toml").read_text(encoding="utf-8"))
_GROUPS = {
    f"{table}.{group}": forms
    for table, groups in _WORDS.items()
    if isinstance(groups, dict)
    for group, forms in groups.items()
    if (table, group) not in {("claims", "many"), ("claims", "prompt"), ("fees", "added"), ("fees", "late")}
}
_STATEMENTS = [
    text.casefold()
    for path in sorted((Path(__file__).parent / "statements").glob("*.txt"))
    for text in path.read_text(encoding="utf-8").splitlines()
]


def test_what_a_plain_search_finds_is_found() -> None:
    phrases = Phrases(_GROUPS)
    plain = {group: pattern_of(forms) for group, forms in _GROUPS.items()}
    lost = []
    for text in [*_STATEMENTS[::3], *(text.replace(" ", "\n") for text in _STATEMENTS[1::15])]:
        found = phrases.found(text)
        expected = {group: match for group, pattern in plain.items() if (match := pattern.search(text))}
        if set(found) != set(expected) or any(found[group][0].span() != expected[group].span() for group in expected):
            lost.append((text, found, expected))
    assert not lost, "\n".join(map(str, lost))


@pytest.mark.parametrize(
    ("form", "needed"),
    [
        (r"\blate fees?\b", [{"late"}, {"fee"}]),
        (r"\b(?:waive[sd]?|forgiven) (?:the |any )?debt\b", [{"waive", "forgiven"}, {"debt"}]),
        (r"(?<!no\s)\binterest\b(?! in)", [{"interest"}]),
        (r"\b(?:your|our)? ?terms", [{"terms"}]),
        (r"\bpay\w* (?:\S{1,15} ){0,2}later\b", [{"pay"}, {"later"}]),
        (r"\bnot (?:\S{1,15} )+?soon\b", [{"not"}, {"soon"}]),
        (r"instal?lments?", [{"insta"}, {"lment"}]),
        (r"\ufffc is on us", [{"\ufffc"}, {"is"}, {"on"}, {"us"}]),
        (r"§ ?(?:\d|[ivx]{1,4}\b)", [{"§"}]),
        (r"\be\.g\.", [{"e.g."}]),
        (r"(?:a|b(?:c|d)e) x", [{"a", "b"}, {"x"}]),
    ],
)
def test_a_form_needs_its_words(form: str, needed: list[set[str]]) -> None:
    assert [set(one) for one in needed_strings(form)] == needed


@pytest.mark.parametrize("form", [r"\w+", r"(?:late )?(?:fee)?", r"(?:fee|\d+)", r"[a-z]{2}"])
def test_a_form_that_no_word_announces_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match="needs a word"):
        needed_strings(form)


def test_matches_of_a_group_come_from_the_left_and_do_not_overlap() -> None:
    phrases = Phrases({"fees": [r"\bfee\b", r"\blate fee\b"], "waivers": [r"\bwaive the late fee\b"]})
    found = phrases.found("we waive the late fee and the fee")
    assert [match[0] for match in found["fees"]] == ["late fee", "fee"]
    assert [match[0] for match in found["waivers"]] == ["waive the late fee"]


def test_a_long_word_of_a_draft_is_read_without_being_kept() -> None:
    phrases = Phrases({"fees": [r"\w{0,100}latefee\b"]})
    assert phrases.found("x" * 60 + "latefee")["fees"]
    assert not phrases.found("x" * 100_000)
