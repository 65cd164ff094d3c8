"""Run the functions that come with the product: by id, from their own folder, in a process of their own.

Code that comes with a case is text and is never run. A shipped function runs without site packages, with bounds on time
and memory, and only on arguments that are numbers, short texts, None or lists of these.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["FUNCTIONS", "Call", "Function", "FunctionBroken", "Result", "UnknownFunction", "call", "read_function"]

FUNCTIONS = Path(__file__).parents[1] / "fixtures" / "tasks"
"""Where the functions are in a checkout; an installed package has none."""

Call = tuple[Any, ...]
"""The arguments of one call."""

_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_SECONDS = 20.0
_CPU_SECONDS = 1
_MEMORY_BYTES = 512 * 2**20
_RUNNER = """
import ast, json, resource, sys
asked = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_CPU, (asked["cpu"], asked["cpu"]))
resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
names = {}
exec(compile(asked["source"], asked["name"], "exec"), names)
results = []
for arguments in asked["calls"]:
    try:
        results.append([True, repr(names[asked["name"]](*ast.literal_eval(arguments)))])
    except Exception as error:
        results.append([False, type(error).__name__])
print(json.dumps(results))
"""


class UnknownFunction(ValueError):
    """Refuse the id of a function that does not come with the product."""


class FunctionBroken(RuntimeError):
    """Report a function that could not be run to its end; what was not run is not known."""


class _Notes(BaseModel):
    """Hold what is written beside a function: how texts call its parameters, and what they may claim of its results."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nouns: Mapping[str, Annotated[tuple[str, ...], Field(min_length=1)]]
    results: tuple[str, ...]
    default: str
    edges: tuple[str, ...] = ()
    claims: Mapping[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class Function:
    """Hold a shipped function.

    `nouns` are the words for each parameter, `default` the parameter that a text means when it names none, `results`
    the words for what comes back, `edges` words for an edge of the input that is no single value. `claims` are patterns
    of what texts say of results, each with the property (see `agent.behaviour`) that it comes to.
    """

    id: str
    params: tuple[str, ...]
    source: str
    nouns: Mapping[str, tuple[str, ...]]
    results: tuple[str, ...]
    default: str
    edges: tuple[str, ...]
    claims: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Result:
    """Hold what one call came to: a value, or the name of the exception that it raised."""

    value: Any = None
    raised: str = ""


@lru_cache(maxsize=64)
def read_function(function_id: str, folder: Path = FUNCTIONS) -> Function:
    """Return a shipped function by id; raise UnknownFunction."""
    known = ", ".join(sorted(path.stem for path in folder.glob("*.py"))) or "none, in this installation"
    file = folder / f"{function_id}.py"
    if not _ID.fullmatch(function_id) or not file.is_file():
        raise UnknownFunction(f"{function_id!r} is no function that comes with the product. There are: {known}.")
    source = file.read_text(encoding="utf-8")
    notes = _Notes.model_validate_json((folder / f"{function_id}.json").read_text(encoding="utf-8"))
    defined = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    params = tuple(argument.arg for argument in defined.args.args)
    return Function(function_id, params, source, notes.nouns, notes.results, notes.default, notes.edges, notes.claims)


@lru_cache(maxsize=256)
def call(function_id: str, calls: tuple[Call, ...], folder: Path = FUNCTIONS) -> tuple[Result, ...]:
    """Return what a shipped function makes of each call; raise UnknownFunction and FunctionBroken.

    All calls share one process, which is not started again for calls that were made before.
    """
    asked = {
        "name": function_id,
        "source": read_function(function_id, folder).source,
        "calls": [repr(arguments) for arguments in calls],
        "cpu": _CPU_SECONDS,
        "memory": _MEMORY_BYTES,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _RUNNER],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired:
        raise FunctionBroken(f"{function_id} did not end within {_SECONDS:g} s") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise FunctionBroken(f"{function_id} could not be run: {last[0]}")
    return tuple(_result(function_id, *one) for one in json.loads(done.stdout))


def _result(function_id: str, returned: bool, told: str) -> Result:
    try:
        return Result(ast.literal_eval(told)) if returned else Result(raised=told)
    except (ValueError, SyntaxError):
        raise FunctionBroken(f"{function_id} returned {told[:60]}, which is no plain value") from None
