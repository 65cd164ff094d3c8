"""What a billing case is told as, for the check of sentences."""

import json
from pathlib import Path

import pytest

from agent.domains import open_case

_FIXTURES = Path(__file__).parents[2] / "fixtures" / "billing"


def told(name: str, **more: object) -> tuple[str, ...]:
    facts = json.loads((_FIXTURES / name / "facts.json").read_text(encoding="utf-8")) | more
    case = open_case("billing", facts)
    return case.domain.sentences(case)


def test_it_begins_with_who_writes_to_whom() -> None:
    assert (
        told("client_err_semantic")[0]
        == "Ana Ruiz of Accounts Receivable writes to Dana Frey of Alder Row Clinics, the client."
    )


def test_it_tells_lines_total_and_what_is_not_there() -> None:
    assert told("client_err_semantic")[1:] == (
        "Today is April 30, 2026.",
        "The invoice TX-1001, Consulting, 30-minute call, for March 2026 is $1,200.00.",
        "TX-1001 was due on April 15, 2026, is 15 days late and is unpaid.",
        "The invoice TX-1002, Hosting, for March 2026 is $775.00.",
        "TX-1002 was due on April 15, 2026, is 15 days late and is unpaid.",
        "The invoice TX-0990, Set-up, for February 2026 is $500.00.",
        "TX-0990 was due on March 1, 2026 and is paid since February 27, 2026.",
        "The total due is $1,975.00.",
        "One reminder went out before.",
        "No call, meeting, promise or agreement is recorded.",
        "No late fee, interest or other charge applies.",
        "Collection may follow 60 days after the due date.",
        "Payment is by bank transfer.",
        "Nothing is attached.",
    )


def test_it_tells_events_with_their_day_and_line() -> None:
    event = {"kind": "call", "on": "2026-04-20", "line": "TX-1001", "text": "Dana asked for a copy."}
    assert "There was a call on April 20, 2026 about TX-1001: Dana asked for a copy." in told(
        "client_err_semantic", events=[event]
    )


@pytest.mark.parametrize("name", sorted(path.name for path in _FIXTURES.iterdir() if (path / "facts.json").is_file()))
def test_every_case_can_be_told(name: str) -> None:
    sentences = told(name)
    assert " writes to " in sentences[0]
    assert all(sentence.endswith((".", "!", "?")) for sentence in sentences), sentences
