"""The JSON Schemas under docs/schemas are what the code takes and gives."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import main
from agent.commands.schema import SCHEMAS


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_page_is_what_the_command_prints(name, capsys):
    assert main(["schema", name]) == 0
    assert Path(f"docs/schemas/{name}.schema.json").read_text() == capsys.readouterr().out


def test_the_schema_of_outcomes_names_their_eleven_fields():
    schema = json.loads(Path("docs/schemas/outcome.schema.json").read_text())
    assert sorted(schema["properties"]) == [
        "critique",
        "error_type",
        "evidence",
        "evidence_uri",
        "metadata",
        "severity",
        "status",
        "suggested_fix",
        "timestamp",
        "validator_confidence",
        "validator_source",
    ]
    assert schema["additionalProperties"] is False


def test_an_unknown_name_is_a_wrong_command_line(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["schema", "poetry"])
    assert stopped.value.code == 2
    assert "facts-billing" in capsys.readouterr().err


def test_an_answer_whose_reader_leaves_early_ends_without_a_traceback():
    asked = [sys.executable, "-m", "agent", "schema", "outcome"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 1)
