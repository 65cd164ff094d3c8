"""The gate fails closed: no validator, a broken one and a slow one all fail the draft."""

import os
from collections.abc import Iterator
from threading import Event, get_ident

import pytest

from agent.body import Body, Prose
from agent.domains import open_case
from agent.outcome import Outcome, Status
from agent.validators import (
    CHECKS,
    Check,
    Found,
    NoParams,
    Reading,
    is_blocking,
    run_checks,
    verify_body,
)
from agent.validators.figures import CHECK as FIGURES
from agent.validators.text import TextParams
from agent.validators.wording import WordingParams
from agent.verify import UnknownValidator, verify
from tests.agent.judging import NOW, OPENING, errors, judge, ledger, only


def _run(*checks: Check) -> tuple[Outcome, ...]:
    reading = Reading(open_case("billing", ledger()).sheet, Body.free("Hello.").render({}))
    return run_checks(reading, checks, now=NOW)


def _raises(reading: Reading, params: NoParams) -> Iterator[Found]:
    yield Found("TOO_WORDY", "seen before it broke")
    raise ZeroDivisionError("the sheet \x00 has no lines")


def test_no_validator_fails() -> None:
    (outcome,) = _run()
    assert (outcome.status, outcome.error_type) == (Status.FAIL, "VALIDATOR_ERROR")
    assert is_blocking(outcome)


def test_a_validator_that_raises_fails_and_the_others_still_run() -> None:
    broken, passed = _run(Check("broken", "3", _raises), Check("quiet", "1", lambda *_: ()))
    assert (broken.error_type, broken.validator_source) == ("VALIDATOR_ERROR", "broken@3")
    assert broken.evidence == "broken raised ZeroDivisionError: the sheet <U+0000> has no lines"
    assert is_blocking(broken)
    assert passed.status is Status.PASS


def test_a_validator_that_never_answers_fails() -> None:
    never = Event()

    def waits(reading: Reading, params: NoParams) -> Iterator[Found]:
        never.wait(30)
        yield Found("TOO_WORDY", "too late")

    (outcome,) = _run(Check("slow", "1", waits, timeout_seconds=0.05))
    never.set()
    assert outcome.error_type == "VALIDATOR_ERROR"
    assert outcome.evidence == "slow gave no answer in 0.05 s."


def test_one_thread_checks_one_draft_after_the_other() -> None:
    threads: list[int] = []

    def notes(reading: Reading, params: NoParams) -> Iterator[Found]:
        threads.append(get_ident())
        yield from ()

    for _ in range(3):
        _run(Check("who", "1", notes))
    assert len(set(threads)) == 1
    assert get_ident() not in threads


def test_a_copy_of_a_process_checks_with_threads_of_its_own() -> None:
    _run(Check("quiet", "1", lambda *_: ()))
    child = os.fork()
    if not child:
        outcomes = _run(Check("quiet", "1", lambda *_: (), timeout_seconds=5))
        os._exit(0 if [outcome.status for outcome in outcomes] == [Status.PASS] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_code_outside_the_register_is_a_validator_error() -> None:
    (outcome,) = _run(Check("odd", "1", lambda *_: [Found("NO_SUCH_CODE", "x")]))
    assert outcome.error_type == "VALIDATOR_ERROR"


def test_it_reports_at_most_a_hundred_findings_of_one_validator() -> None:
    outcomes = _run(Check("chatty", "1", lambda *_: (Found("TOO_WORDY", str(n)) for n in range(10_000))))
    assert len(outcomes) == 100


def test_a_finding_carries_its_span_facts_and_page() -> None:
    outcome = only(judge(OPENING + "See BX-999."), "UNKNOWN_ID")
    start, end = outcome.metadata["span"]
    assert (OPENING + "See BX-999.")[start:end] == "BX-999"
    assert outcome.evidence_uri == "/errors/UNKNOWN_ID/"
    assert outcome.timestamp == NOW
    assert outcome.suggested_fix == "Cite only BX-301, BX-302, or leave the reference out."


def test_spans_are_in_the_text_as_it_is_shown() -> None:
    verdict = judge("Caf\u0065\u0301,\r\n\r\n**BX-301** and BX-302 are open; the total due is $1,730.00. See BX-999.")
    start, end = only(verdict, "UNKNOWN_ID").metadata["span"]
    assert verdict.text[start:end] == "BX-999"
    assert verdict.text.startswith("Café,\n\n")


def test_a_warning_alone_is_a_pass() -> None:
    verdict = judge(OPENING + "\n\nBest regards,\nGregor Pohl")
    assert verdict.verdict == "PASS"
    assert [outcome.error_type for outcome in verdict.warnings] == ["UNKNOWN_NAME"]
    assert not any(is_blocking(outcome) for outcome in verdict.outcomes)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("It is late \u2014 please pay.", False),
        ("See BX-999.", True),
        ("Write to nadia@larkspur.example.", True),
        ("Dear [CLIENT], please pay.", True),
        ("We will sue.", True),
        ("pay\u200b now", True),
    ],
)
def test_core_text_and_policy_block_and_wording_does_not(text: str, blocks: bool) -> None:
    verdict = judge(OPENING + text)
    assert verdict.verdict == "FAIL"
    assert bool(verdict.blocking) is blocks


def test_parameters_can_be_set_but_only_the_validators_own() -> None:
    params = {"wording": WordingParams(max_words=5)}
    verdict = verify(OPENING, domain="billing", facts=ledger(), now=NOW, params=params)
    assert errors(verdict) == {"TOO_WORDY"}
    for wrong in ({"wordings": WordingParams()}, {"wording": TextParams()}):
        with pytest.raises(UnknownValidator, match="wording"):
            verify(OPENING, domain="billing", facts=ledger(), now=NOW, params=wrong)


def test_core_validators_have_parameters_and_no_off_switch() -> None:
    core = {check.name for check in CHECKS if check.core}
    assert core == {"text", "figures", "ids", "contacts", "status", "slots", "completeness", "placeholders"}
    for check in CHECKS:
        schema = type(check.params).model_json_schema()
        assert not {"enabled", "off", "disabled", "active"} & set(schema.get("properties", {}))
        assert schema["additionalProperties"] is False


def test_checks_run_in_the_order_that_is_told() -> None:
    names = [check.name for check in CHECKS]
    order = ["text", "figures", "ids", "completeness", "wording", "policy"]
    assert [name for name in names if name in order] == order


def test_a_body_is_judged_with_its_slots_filled() -> None:
    sheet = open_case("billing", ledger()).sheet
    body = Body((Prose("opening", "BX-301 and BX-302 are open. The total due is [TOTAL_DUE]."),))
    assert verify_body(body, sheet=sheet, values={"TOTAL_DUE": "$1,730.00"}, now=NOW).verdict == "PASS"
    assert verify_body(body, sheet=sheet, values={"TOTAL_DUE": "$1,739.00"}, now=NOW).verdict == "FAIL"
    assert errors(verify_body(body, sheet=sheet, now=NOW)) == {"PLACEHOLDER", "TOTAL_MISSING"}


def test_a_body_judged_by_no_check_fails() -> None:
    sheet = open_case("billing", ledger()).sheet
    assert verify_body(Body.free(OPENING), sheet=sheet, now=NOW, checks=()).verdict == "FAIL"


def test_the_same_text_gets_the_same_outcomes() -> None:
    assert judge(OPENING + "See BX-999.").outcomes == judge(OPENING + "See BX-999.").outcomes
    assert FIGURES.source.startswith("figures@")
