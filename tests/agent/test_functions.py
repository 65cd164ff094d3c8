"""Shipped functions are run by id, in a process of their own, with bounds; nothing else is run."""

import json
from pathlib import Path

import pytest

from agent.functions import FUNCTIONS, FunctionBroken, Result, UnknownFunction, call, read_function


def _shipped(folder: Path, name: str, body: str) -> Path:
    (folder / f"{name}.py").write_text(f"def {name}(number):\n    {body}\n", encoding="utf-8")
    notes = {"nouns": {"number": ["number"]}, "results": ["number"], "default": "number"}
    (folder / f"{name}.json").write_text(json.dumps(notes), encoding="utf-8")
    return folder


def test_each_call_comes_to_a_value_or_an_exception():
    assert call("split_payment", ((100, 3), (5, 0), (7, -2), ("x", 2))) == (
        Result([34, 33, 33]),
        Result(raised="ZeroDivisionError"),
        Result([]),
        Result(raised="TypeError"),
    )


@pytest.mark.parametrize("name", sorted(path.stem for path in FUNCTIONS.glob("*.py")))
def test_every_shipped_function_has_words_for_its_parameters(name):
    function = read_function(name)
    assert set(function.nouns) == set(function.params)
    assert function.default in function.params
    assert all(name in function.nouns[name] for name in function.params)


@pytest.mark.parametrize(
    "name", ["", "os", "../functions", "split_payment.py", "SPLIT_PAYMENT", "docstring/facts", "a" * 99]
)
def test_what_is_no_shipped_function_is_refused_with_those_that_are(name):
    with pytest.raises(UnknownFunction, match="There are: late_fee, prorate_fee, round_up, split_payment"):
        read_function(name)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("hangs", "while True: pass"),
        ("leaves", "raise SystemExit(3)"),
        ("grows", "return [0] * 10**12"),
        ("returns_odd", "return object()"),
    ],
)
def test_a_function_that_cannot_be_run_to_its_end_is_an_error(tmp_path, name, body):
    folder = _shipped(tmp_path, name, body)
    if name == "grows":  # an exception like any other
        assert call(name, ((1,),), folder) == (Result(raised="MemoryError"),)
        return
    with pytest.raises(FunctionBroken, match=name):
        call(name, ((1,),), folder)


def test_a_function_sees_no_environment_and_no_packages(tmp_path):
    folder = _shipped(tmp_path, "looks", "import os, sys; return [sorted(os.environ), 'pydantic' in sys.modules]")
    (result,) = call("looks", ((1,),), folder)
    assert result.value[1] is False
    assert not [name for name in result.value[0] if name != "LC_CTYPE"]  # the interpreter sets it
