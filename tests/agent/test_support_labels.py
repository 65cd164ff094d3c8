"""The labelled drafts for the support check are well formed, balanced, and split without leaks."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest

FOLDER = Path(__file__).parents[2] / "fixtures" / "labelled" / "support"
HALVES = {"tune": "T", "test": "E"}
LEAST_PER_HALF = {"billing": 40, "support": 25, "contracts": 20, "tasks": 20}
SHARED_RUN_WORDS = 8


class Labelled(TypedDict):
    id: str
    domain: str
    kind: str
    facts: list[str]
    draft: str
    unsupported: list[str]
    ambiguous: list[str]
    written_by: str


def read(half: str) -> list[Labelled]:
    records: list[Labelled] = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
    return records


def runs(draft: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", draft.lower())
    return {tuple(words[at : at + SHARED_RUN_WORDS]) for at in range(len(words) - SHARED_RUN_WORDS + 1)}


def names(record: Labelled) -> set[str]:
    """Every pair of neighbouring capitalised words in the sentence that says who writes to whom."""
    return set(re.findall(r"(?=\b([A-Z][\w'-]+ (?:& )?[A-Z][\w'-]+))", record["facts"][0]))


def kinds(half: str) -> Counter[tuple[str, str]]:
    return Counter((record["domain"], record["kind"]) for record in read(half))


@pytest.mark.parametrize("half", HALVES)
def test_every_record_has_exactly_the_keys_of_the_form(half: str) -> None:
    for record in read(half):
        assert set(record) == set(Labelled.__annotations__), record["id"]
        assert record["domain"] in LEAST_PER_HALF, record["id"]
        assert record["written_by"] == "hand", record["id"]
        assert all(fact.strip() for fact in record["facts"]), record["id"]


@pytest.mark.parametrize(("half", "letter"), HALVES.items())
def test_ids_count_up_from_one_with_the_letter_of_the_half(half: str, letter: str) -> None:
    records = read(half)
    assert [record["id"] for record in records] == [f"{letter}{number:03}" for number in range(1, len(records) + 1)]


@pytest.mark.parametrize("half", HALVES)
def test_drafts_and_facts_keep_to_their_lengths(half: str) -> None:
    for record in read(half):
        assert 60 <= len(record["draft"].split()) <= 130, record["id"]
        assert 5 <= len(record["facts"]) <= 12, record["id"]


@pytest.mark.parametrize("half", HALVES)
def test_every_labelled_span_occurs_once_in_its_draft(half: str) -> None:
    for record in read(half):
        for span in record["unsupported"] + record["ambiguous"]:
            assert span.strip() == span != "", record["id"]
            assert record["draft"].count(span) == 1, record["id"]


@pytest.mark.parametrize("half", HALVES)
def test_a_draft_has_a_kind_when_and_only_when_something_in_it_is_unsupported(half: str) -> None:
    for record in read(half):
        assert bool(record["kind"]) == bool(record["unsupported"]), record["id"]


@pytest.mark.parametrize("half", HALVES)
def test_each_domain_has_enough_drafts_and_as_many_supported_as_not(half: str) -> None:
    records = read(half)
    for domain, least in LEAST_PER_HALF.items():
        of_domain = [record for record in records if record["domain"] == domain]
        supported = sum(not record["unsupported"] for record in of_domain)
        assert len(of_domain) >= least, domain
        assert supported * 2 == len(of_domain), domain


def test_the_halves_hold_the_same_kinds_of_every_domain() -> None:
    assert kinds("tune") == kinds("test")


def test_the_halves_share_no_company_or_person() -> None:
    tune, test = (set().union(*map(names, read(half))) for half in HALVES)
    assert not tune & test


def test_the_halves_share_no_wording() -> None:
    tune, test = (set().union(*(runs(record["draft"]) for record in read(half))) for half in HALVES)
    assert not tune & test


def test_no_draft_is_a_variant_of_another() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for record in [*read("tune"), *read("test")]:
        for run in runs(record["draft"]):
            assert seen.setdefault(run, record["id"]) == record["id"], " ".join(run)


@pytest.mark.parametrize("half", HALVES)
def test_addresses_are_on_reserved_domains_and_phone_numbers_are_fictitious(half: str) -> None:
    for record in read(half):
        text = " ".join([*record["facts"], record["draft"]])
        for host in re.findall(r"(?:@|https?://|www\.)([\w.-]+\w)", text):
            assert re.search(r"(^|\.)example(\.(com|net|org))?$", host), record["id"]
        assert not re.search(r"\b\d{3}[-. ]\d{4}\b", re.sub(r"555-01\d\d", "", text)), record["id"]


def test_the_readme_states_the_counts_of_the_files() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    records = read("test")
    assert f"\n{2 * len(records)} drafts " in readme
    for kind, count in Counter(record["kind"] for record in records if record["kind"]).items():
        assert f"| {kind} | {count} |" in readme
    for domain, count in Counter(record["domain"] for record in records).items():
        assert f"| {domain} | {count} | {count // 2} | {count // 2} |" in readme
