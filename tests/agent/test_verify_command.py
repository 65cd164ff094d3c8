"""`python -m agent verify` judges standard input and says by its exit code what it found."""

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from agent.__main__ import main
from tests.agent.commanding import command
from tests.agent.judging import OPENING, ledger

_ROOT = Path(__file__).parents[2]
_OUTCOME = [
    "status",
    "error_type",
    "evidence",
    "evidence_uri",
    "critique",
    "severity",
    "suggested_fix",
    "validator_source",
    "validator_confidence",
    "metadata",
    "timestamp",
]


@dataclass(frozen=True)
class _Done:
    code: int
    out: str
    err: str


class _Command(Protocol):
    def __call__(self, facts: Any, draft: str | bytes, *options: str) -> _Done: ...


@pytest.fixture
def verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> _Command:
    """Run the command in this process; starting Python for each case would take minutes."""

    def run(facts: Any, draft: str | bytes, *options: str) -> _Done:
        path = tmp_path / "facts.json"
        path.write_bytes(facts if isinstance(facts, bytes) else json.dumps(facts).encode())
        given = draft if isinstance(draft, bytes) else draft.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        code = main(["verify", "--domain", "billing", "--facts", str(path), *options])
        out, err = capfd.readouterr()
        return _Done(code, out, err)

    return run


def _shell(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "agent", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=_ROOT, check=False, timeout=120)


def test_a_true_draft_exits_with_0(verify: _Command) -> None:
    done = verify(ledger(), OPENING, "--no-model")
    answer = json.loads(done.out)
    assert (done.code, answer["verdict"], done.err) == (0, "PASS", "")
    assert {outcome["status"] for outcome in answer["outcomes"]} == {"PASS"}


def test_a_wrong_draft_exits_with_1_and_tells_eleven_fields(verify: _Command) -> None:
    done = verify(ledger(), OPENING + "See BX-999.")
    answer = json.loads(done.out)
    assert (done.code, answer["verdict"]) == (1, "FAIL")
    assert all(list(outcome) == _OUTCOME for outcome in answer["outcomes"])
    failures = [outcome for outcome in answer["outcomes"] if outcome["status"] == "FAIL"]
    assert ("UNKNOWN_ID", "BX-999") in [(failure["error_type"], failure["evidence"]) for failure in failures]


def test_a_warning_alone_is_a_pass(verify: _Command) -> None:
    done = verify(ledger(), OPENING + "It is late \u2014 please pay.", "--text-by", "person")
    answer = json.loads(done.out)
    assert (done.code, answer["verdict"]) == (0, "PASS")
    assert "WARN" in {outcome["status"] for outcome in answer["outcomes"]}


@pytest.mark.parametrize("draft", ["", "\n", "nul \x00 in it", OPENING + "\u200b", "x" * 50_000])
def test_a_text_that_cannot_stand_is_a_fail_not_bad_input(verify: _Command, draft: str) -> None:
    done = verify(ledger(), draft)
    assert (done.code, json.loads(done.out)["verdict"]) == (1, "FAIL")


def _without(key: str) -> dict[str, Any]:
    facts = ledger()
    del facts[key]
    return facts


def _with_line(**changes: Any) -> dict[str, Any]:
    facts = ledger()
    facts["transactions"][0] |= changes
    return facts


def _with_event(line: str) -> dict[str, Any]:
    return ledger(events=[{"kind": "call", "on": "2026-05-02", "line": line, "text": "Called."}])


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        (b"{", "is not JSON at line 1, column 2"),
        (b'{"client": 1, "client": 2}', "the key 'client' stands twice"),
        (b'{"client": NaN}', "NaN is no number"),
        (b"\xff\xfe", "is not UTF-8 at byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"reminders_sent": ' + b"9" * 5_000 + b"}", "Exceeds the limit"),
        (b'{"reminders_sent": 1e400}', "reminders_sent"),
        (b" " * 3_000_001, "is longer than 3 MB"),
        ([], "are no JSON object"),
        (_without("currency"), "currency"),
        (ledger(colour="red"), "colour"),
        (_with_line(amount_cents=-1), "transactions.0.amount_cents"),
        (_with_line(amount_cents=1.5), "transactions.0.amount_cents"),
        (_with_line(id="bx-302"), "transactions.1.id: BX-302 stands twice"),
        (_with_line(due=None), "transactions.0.due: is missing: an invoice needs a due date"),
        (_with_line(due="April 10", kind="bill"), "transactions.0.kind"),
        (_with_event(line="BX-999"), "events.0.line: BX-999 is no transaction"),
        (ledger(attachments=[{"name": "a.pdf"}, {"name": "b.pdf", "line": "BX-999"}]), "attachments.1.line: BX-999"),
        (_with_line(currency="EUR"), "transactions.0.currency"),
        (_with_line(due="April 10"), "transactions.0.due"),
        (ledger(locale="de_DE"), "json: locale: LANGUAGE_UNSUPPORTED"),
        (ledger(locale="tlh"), "json: locale: 'tlh' is no known locale"),
        (ledger(currency="XXA"), "json: currency: 'XXA' is no ISO 4217 code"),
        (_with_line(description="a\ufffdb"), "transactions.0.description: holds U+FFFD"),
        (_with_line(description="a\x00b"), "transactions.0.description"),
    ],
)
def test_bad_facts_exit_with_2_and_one_line_that_names_the_field(verify: _Command, facts: Any, says: str) -> None:
    done = verify(facts, OPENING)
    message = done.err
    assert done.code == 2
    assert done.out == ""
    assert message.count("\n") == 1
    assert "facts.json" in message
    assert says in message


@pytest.mark.parametrize(
    ("draft", "says"),
    [(b"caf\xe9", "standard input: is not UTF-8 at byte 3"), (b"x" * 3_000_001, "standard input: is longer than 3 MB")],
)
def test_a_draft_that_cannot_be_read_exits_with_2(verify: _Command, draft: bytes, says: str) -> None:
    done = verify(ledger(), draft)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_a_missing_file_and_an_unknown_domain_exit_with_2(verify: _Command) -> None:
    missing = verify(ledger(), OPENING, "--facts", "none.json")
    assert (missing.code, missing.out) == (2, "")
    assert "none.json: cannot be read" in missing.err
    odd = verify(ledger(), OPENING, "--domain", "poetry")
    assert odd.code == 2
    assert "'poetry' is no domain" in odd.err


def test_a_byte_order_mark_is_no_part_of_the_text(verify: _Command) -> None:
    assert verify(ledger(), b"\xef\xbb\xbf" + OPENING.encode()).code == 0


def test_from_a_shell_it_reads_standard_input_and_answers_on_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_text(json.dumps(ledger()), encoding="utf-8")
    done = _shell("verify", "--domain", "billing", "--facts", str(path), given=OPENING.encode())
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "PASS"


def test_a_wrong_command_line_exits_with_2() -> None:
    assert command("verify", "--domain", "billing").returncode == 2


def test_errors_prints_the_register(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["errors"]) == 0
    assert capfd.readouterr().out == (_ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
