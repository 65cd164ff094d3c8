"""What the support check says of a finished draft, and that the two known inventions are caught from end to end."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.advice import Advice, Subject
from agent.body import Body, Code, Prose
from agent.domains import open_case
from agent.llm.scripted import ScriptedModel
from agent.outcome import Status
from agent.support.check import SupportCheck
from agent.support.rank import BLEND
from tests.agent.commanding import command

NOW = datetime(2026, 12, 1, tzinfo=UTC)
_ROOT = Path(__file__).parents[2]
_FACTS = _ROOT / "fixtures" / "billing" / "client_err_semantic" / "facts.json"
TRUE = (
    "Two items from March are still open: TX-1001 (Consulting, 30-minute call) comes to $1,200.00 and TX-1002 "
    "(Hosting) to $775.00.\n\nThe total due is $1,975.00. Please arrange payment or let us know what is holding it up."
)
LETTER = f"Dear Dana Frey,\n\n{TRUE}{{}}\n\nKind regards,\nAna Ruiz\nAccounts Receivable"


def advised(body: Body, check: SupportCheck) -> Advice:
    case = open_case("billing", json.loads(_FACTS.read_text(encoding="utf-8")))
    text = body.render(case.slot_values()).text
    return check(Subject(case, body, text, (), deadline_seconds=20, now=NOW))


def free(added: str, check: SupportCheck) -> Advice:
    return advised(Body.free(LETTER.format(f" {added}")), check)


@pytest.mark.parametrize(
    "added",
    [
        "This includes a legal fee.",
        "Our lawyer's costs have been added to the account.",
        "The call of TX-1001 took 60 minutes.",
        "The hosting was for your staging and production servers.",
        "As agreed on the phone, you will pay by Friday.",
        "Attached is a copy of both invoices.",
        "Under clause 7.2 interest accrues.",
    ],
)
def test_what_was_made_up_is_to_be_read_first(added: str) -> None:
    advice = free(added, SupportCheck(None))
    first = advice.outcomes[0]
    assert first.evidence == added
    assert first.status is Status.WARN
    assert first.error_type == "READ_FIRST"
    assert LETTER.format(f" {added}")[slice(*first.metadata["span"])] == added
    assert "words alone" in first.metadata["checked_by"]


def test_at_most_two_sentences_are_named_each_with_its_reason() -> None:
    advice = free(
        "A legal fee was added. We called you twice. You promised to pay. It is the bank's fault.", SupportCheck(None)
    )
    assert len(advice.outcomes) == 2
    assert all(outcome.critique for outcome in advice.outcomes)


def test_nothing_it_says_reads_as_verified() -> None:
    said = " ".join(repr(outcome) for outcome in free("", SupportCheck(None)).outcomes)
    assert "verified" not in said.casefold()
    assert "PASS" not in said


def test_only_prose_is_read_not_what_code_renders() -> None:
    body = Body(
        (Code("table", "A legal fee of $9.00 is due."), Prose("opening", "Our lawyers will call [LINE_1] in.")),
        framed=True,
    )
    advice = advised(body, SupportCheck(None))
    assert [outcome.evidence[:11] for outcome in advice.outcomes] == ["Our lawyers"]


def test_the_calls_of_a_model_are_counted() -> None:
    advice = free("This includes a legal fee.", SupportCheck(ScriptedModel(["SUPPORTED"])))
    assert advice.usage.calls > 0
    assert advice.usage.tokens_in > 0
    assert advice.outcomes[0].metadata["checked_by"] == "words and model"


def test_a_model_that_does_not_follow_leaves_the_words_alone() -> None:
    advice = free("This includes a legal fee.", SupportCheck(ScriptedModel(["what?"])))
    assert advice.outcomes[0].evidence == "This includes a legal fee."
    assert advice.outcomes[0].metadata["checked_by"].startswith("words alone")


def test_it_fails_a_draft_only_below_a_threshold_that_was_earned() -> None:
    assert BLEND.fail_below is None
    script = ScriptedModel(["UNSUPPORTED"])
    earned = SupportCheck(script, blend=replace(BLEND, fail_below=0.99))
    assert free("This includes a legal fee.", earned).outcomes[0].status is Status.FAIL
    assert free("This includes a legal fee.", SupportCheck(script)).outcomes[0].status is Status.WARN
    without_model = SupportCheck(None, blend=replace(BLEND, fail_below=0.99))
    assert free("This includes a legal fee.", without_model).outcomes[0].status is Status.WARN


@pytest.mark.parametrize(
    "added",
    [
        "This includes a legal fee.",
        "A legal charge is part of it.",
        "TX-1001 is for a call of 60 minutes.",
        "The call that TX-1001 bills lasted an hour.",
    ],
)
def test_an_invented_legal_fee_and_a_longer_call_never_pass_verify(added: str) -> None:
    given = LETTER.format(f" {added}")
    done = command("verify", "--domain", "billing", "--facts", str(_FACTS), "--no-model", given=given)
    verdict = json.loads(done.stdout)
    assert done.returncode == 1, verdict
    assert verdict["verdict"] == "FAIL"


def test_the_draft_with_both_inventions_never_passes() -> None:
    done = command("draft", "--domain", "billing", "--facts", str(_FACTS), "--model", "scripted")
    run = json.loads(done.stdout)
    assert run["state"] == "ESCALATED"
    assert all(any(found["status"] == "FAIL" for found in attempt["outcomes"]) for attempt in run["attempts"])
