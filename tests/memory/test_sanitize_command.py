"""`python -m memory sanitize` answers in JSON, and refuses bad input with one line."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory.__main__ import main
from memory.sanitize import MAX_CHARACTERS
from tests.memory import sanitize_cases as cases

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    def run(text, record=cases.RECORD):
        path = tmp_path / "record.json"
        path.write_bytes(record if isinstance(record, bytes) else json.dumps(record).encode())
        given = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        code = main(["sanitize", "--record", str(path)])
        out, err = capfd.readouterr()
        return code, out, err

    return run


def test_a_text_comes_back_without_details(run):
    code, out, err = run("Dear Ingrid, INV-7301 is open.")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "text": "Dear [CLIENT_FIRST_NAME], [INVOICE_1] is open.",
        "slots": {"CLIENT_FIRST_NAME": ["Ingrid"], "INVOICE_1": ["INV-7301"]},
        "spans": [
            {"start": 5, "end": 11, "slot": "CLIENT_FIRST_NAME"},
            {"start": 13, "end": 21, "slot": "INVOICE_1"},
        ],
        "quarantine": [],
    }


def test_what_a_person_must_look_at_is_named_with_its_place(run):
    _, out, _ = run("nineteen seventy-five in total")
    answer = json.loads(out)
    assert answer["text"] == "nineteen seventy-five in total"
    doubts = answer["quarantine"]
    assert doubts
    for doubt in doubts:
        assert set(doubt) == {"start", "end", "words", "code", "reason"}
        assert answer["text"][doubt["start"] : doubt["end"]] == doubt["words"]


def test_a_record_by_slot_is_taken_too(run):
    _, out, _ = run("You owe $1,975.00.", {"TOTAL_DUE": ["$1,975.00"]})
    assert json.loads(out)["text"] == "You owe [TOTAL_DUE]."


def test_a_byte_order_mark_is_no_letter(run):
    _, out, _ = run("\ufeffIngrid".encode())
    assert json.loads(out)["text"] == "[CLIENT_FIRST_NAME]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe\x00", "standard input: is not UTF-8 at byte 0. Save it as UTF-8."),
        (b"a" * (MAX_CHARACTERS + 1), "the text has 30,001 characters, more than 30,000. Shorten it."),
        (b"a" * 200_000, "standard input: is longer than 120,003 bytes. Shorten it."),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(run, text, message):
    assert run(text) == (2, "", message + "\n")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (b"{", "is not JSON at line 1, column 2"),
        (b"\xff", "is not UTF-8 at byte 0"),
        (b"[]", "the record must be a JSON object"),
        (b"[" * 100_000, "is nested too deeply"),
        (b" " * 3_000_001, "is longer than 3,000,000 bytes"),
        ({"people": ["Ada"]}, "people: is neither a kind"),
    ],
)
def test_a_wrong_record_is_refused_in_one_line(run, record, message):
    code, out, err = run("Hello", record)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "record.json: " in err
    assert message in err


def test_a_record_that_is_missing_is_named(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hello"), encoding="utf-8"))
    assert main(["sanitize", "--record", "nowhere.json"]) == 2
    assert capfd.readouterr().err == (
        "nowhere.json: cannot be read (No such file or directory). Give a client's record as JSON.\n"
    )


def test_it_runs_from_a_shell(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(cases.RECORD), encoding="utf-8")
    command = [sys.executable, "-m", "memory", "sanitize", "--record", str(path)]
    done = subprocess.run(command, input=b"Hi Ingrid", capture_output=True, cwd=ROOT, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["text"] == "Hi [CLIENT_FIRST_NAME]"
