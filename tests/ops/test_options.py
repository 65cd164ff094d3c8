"""The environment is read once, and what makes no sense in it is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from reviewhub.embedded.keys import Keys
from reviewhub.embedded.options import ROOT, CannotRunError, Options


def test_an_empty_environment_means_one_machine_with_defaults():
    options = Options.read({})
    assert options.var == ROOT / "var"
    assert options.port is None
    assert options.model == ""
    assert options.slots == 1
    assert options.accept_cuda is False


def test_an_empty_variable_counts_as_absent():
    assert Options.read({"REVIEWHUB_PORT": "", "REVIEWHUB_MODEL": " ", "REVIEWHUB_VAR": ""}) == Options.read({})


def test_what_a_person_chose_is_taken(tmp_path: Path):
    options = Options.read(
        {
            "REVIEWHUB_PORT": "9001",
            "REVIEWHUB_MODEL": "scripted",
            "REVIEWHUB_VAR": str(tmp_path),
            "REVIEWHUB_DRAFTING_SLOTS": "3",
            "REVIEWHUB_CUDA": "1",
        }
    )
    assert (options.port, options.model, options.var, options.slots) == (9001, "scripted", tmp_path, 3)
    assert options.accept_cuda is True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("REVIEWHUB_PORT", "eighty"),
        ("REVIEWHUB_PORT", "0"),
        ("REVIEWHUB_PORT", "65536"),
        ("REVIEWHUB_PORT", "-1"),
        ("REVIEWHUB_PORT", "\u0668\u0660"),
        ("REVIEWHUB_DRAFTING_SLOTS", "1.5"),
        ("REVIEWHUB_DRAFTING_SLOTS", "0"),
        ("REVIEWHUB_MODEL_THREADS", "all"),
    ],
)
def test_a_number_that_makes_no_sense_is_named_with_its_range(name: str, text: str):
    with pytest.raises(CannotRunError, match=f"{name}=.* is not a whole number from 1 to "):
        Options.read({name: text})


def test_set_up_loads_with_the_standard_library_alone():
    code = "import reviewhub.embedded.setup"
    done = subprocess.run([sys.executable, "-S", "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_keys_are_made_once_and_read_by_their_owner_alone(tmp_path: Path):
    first = Keys.of(tmp_path / "var")
    assert Keys.of(tmp_path / "var") == first
    assert first != Keys.of(tmp_path / "another")
    assert len(first.broker) >= 32
    assert first.broker != first.model
    assert (tmp_path / "var" / "keys.json").stat().st_mode & 0o777 == 0o600
