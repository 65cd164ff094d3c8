"""Check what a docstring documents, and whether what it says of a shipped function is true.

The function is run to tell; see `agent.behaviour` for the claims that are covered. What a finding advises names no
exception, result or condition: it says what to look at again.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from agent.behaviour import Claim, Finding, claims_of, counterexample, property_counterexample, raised_exceptions
from agent.docstring import Statement, examples_of, statements_of
from agent.functions import Function, call, read_function
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["BEHAVIOUR", "DOCSTRINGS", "NoFunction"]

_SIGNATURE = re.compile(r"\b[a-z_]\w*\(\s*([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s*\)")
_NOT_TOLD = re.compile(
    r"\b(?:not|never|isn't|aren't) (?:\w+ )?(?:used|documented|described|explained|needed)\b|\bunused\b|\bignored\b"
)
_INDIVISIBLE = r"(?:not|n't|cannot) (?:be )?(?:divide[sd]?|divisible|split)(?: evenly| equally| exactly)?"
_NOTHING = re.compile(r"(?:none|nothing|n/a|-+|tbd|\.+)\W*$")
_RETURNS = re.compile(r"\b(?:returns?|returned|gives? back|yields?|results? (?:is|are|in)|comes? back|outputs?)\b")
_NEGATED = re.compile(r"\b(?:never|not|no|nothing|without|none|neither|avoids?)\b|n't\b")
_MOST_NUMBER = 10_000
_MOST_TEXT = 100


class NoFunction(ValueError):
    """Refuse to check a docstring of no function: the facts name none, and neither does the task."""


def docstring_params(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each parameter that the docstring does not name."""
    told = " ".join(
        f"{statement.subject} {statement.text}"
        for statement in statements_of(reading.text)
        if not _NOT_TOLD.search(statement.text)
    )
    for name in _parameters(reading):
        if not re.search(rf"(?<![\w.]){re.escape(name.lower())}(?!\w)", told):
            yield _missing(
                "a parameter is not named in the docstring", "Read the signature again, and name every parameter of it."
            )


def docstring_return(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report a docstring that does not say what comes back."""
    function = _function(reading)
    nouns = function.results if function else ()
    if not any(_tells_return(statement, nouns) for statement in statements_of(reading.text)):
        yield _missing("what comes back is not documented", "Look at what the function hands back, and say what it is.")


def docstring_raises(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report a docstring that does not say which exception is raised, and when."""
    function = _function(reading)
    expected = raised_exceptions(function) if function else None
    if expected == frozenset():
        return
    for claim in _claims(reading, function):
        named = claim.error in expected if expected is not None else bool(claim.error)
        if claim.expects == "raises" and named and not claim.negated and claim.conditional and _holds(claim, function):
            return
    yield _missing(
        "no exception is documented with its condition", "Look at which input makes the function stop, and document it."
    )


def docstring_edge(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report a docstring that says of no edge of the input what happens there."""
    function = _function(reading)
    for claim in _claims(reading, function):
        if claim.condition is not None and _is_edge(claim) and _holds(claim, function):
            return
    words = "|".join((*(function.edges if function else ()), _INDIVISIBLE))
    for statement in statements_of(reading.text):
        found = re.search(
            rf"\b(?:{words})\b",
            statement.text,
        )
        if (
            found
            and not _NEGATED.search(statement.text[max(0, found.start() - 20) : found.start()])
            and _is_true(statement, function)
        ):
            return
    yield _missing("no edge of the input is mentioned", "Try the smallest and the oddest input, and say what happens.")


def behaviour(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report each statement that running the function shows to be false; without a function there is nothing to run."""
    function = _function(reading)
    if function is None:
        return
    said: set[str] = set()
    for claim in _claims(reading, function):
        wrong = _wrong(claim, function.id)
        if wrong and claim.statement.text not in said:
            said.add(claim.statement.text)
            yield _untrue(reading, claim.statement, wrong.call)
    for statement in statements_of(reading.text):
        wrong = property_counterexample(statement, function)
        if wrong and statement.text not in said:
            said.add(statement.text)
            yield _untrue(reading, statement, wrong.call)
    for written, stated in examples_of(reading.text):
        if _is_wrong_example(written, stated, function):
            yield _untrue(reading, Statement(f">>> {written} {stated}"), written)


def _function(reading: Reading) -> Function | None:
    named = reading.sheet.by_role.get("function", ())
    return read_function(str(named[0].value)) if named else None


def _parameters(reading: Reading) -> tuple[str, ...]:
    function = _function(reading)
    if function:
        return function.params
    for fact in reading.sheet.by_role.get("prompt", ()):
        if found := _SIGNATURE.search(str(fact.value)):
            return tuple(re.split(r"\s*,\s*", found[1]))
    raise NoFunction("no function is named. Give `function` in the facts, or its signature in the prompt.")


def _claims(reading: Reading, function: Function | None) -> tuple[Claim, ...]:
    return _claims_in(statements_of(reading.text), function.id if function else "")


# What a docstring claims and whether it holds is asked by several checks, and again for every later draft.
@lru_cache(maxsize=32)
def _claims_in(statements: tuple[Statement, ...], function_id: str) -> tuple[Claim, ...]:
    function = read_function(function_id) if function_id else Function("", (), "", {}, (), "", (), {})
    return tuple(claims_of(statements, function))


@lru_cache(maxsize=512)
def _wrong(claim: Claim, function_id: str) -> Finding | None:
    return counterexample(claim, read_function(function_id))


def _holds(claim: Claim, function: Function | None) -> bool:
    return function is None or _wrong(claim, function.id) is None


def _is_true(statement: Statement, function: Function | None) -> bool:
    if function is None:
        return True
    untrue = (_wrong(claim, function.id) for claim in _claims_in((statement,), function.id))
    return property_counterexample(statement, function) is None and not any(untrue)


def _is_edge(claim: Claim) -> bool:
    values = claim.condition.values if claim.condition else ()
    return all(not isinstance(value, int) or value <= 1 for value in values)


def _tells_return(statement: Statement, nouns: tuple[str, ...]) -> bool:
    text = statement.text
    if not re.search(r"[a-z]{2}", text) or _NOTHING.match(text):
        return False
    said = _RETURNS.search(text)
    if statement.section != "returns" and said is None:
        return False
    passage = text[said.start() if said and statement.section != "returns" else 0 :]
    if re.match(r"\w+ (?:nothing|none|no)\b", passage) or (
        said and _NEGATED.search(text[max(0, said.start() - 12) : said.start()])
    ):
        return False
    return not nouns or any(re.search(rf"\b{re.escape(noun)}\b|{re.escape(noun)}\[", passage) for noun in nouns)


def _is_wrong_example(written: str, stated: str, function: Function) -> bool:
    made = _arguments(written, function)
    if made is None or not stated:
        return False
    (result,) = call(function.id, (made,))
    if result.raised:
        return result.raised.lower() not in stated.lower() and not stated.lower().startswith("traceback")
    try:
        return bool(ast.literal_eval(stated) != result.value)
    except (ValueError, SyntaxError):
        return stated.lower().startswith("traceback")


def _arguments(written: str, function: Function) -> tuple[Any, ...] | None:
    """Return the arguments of a call as it is written; None for anything but small literals."""
    try:
        tree = ast.parse(written, mode="eval").body
        if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == function.id):
            return None
        named = {word.arg: ast.literal_eval(word.value) for word in tree.keywords if word.arg}
        made = (*map(ast.literal_eval, tree.args), *(named[name] for name in function.params[len(tree.args) :]))
    except (ValueError, SyntaxError, KeyError, RecursionError, MemoryError):
        return None
    small = all(_is_small(value) for value in made)
    return made if small and len(made) == len(function.params) else None


def _is_small(value: object) -> bool:
    if isinstance(value, int | float):
        return abs(value) <= _MOST_NUMBER
    return value is None or (isinstance(value, str) and len(value) <= _MOST_TEXT)


def _missing(evidence: str, fix: str) -> Found:
    return Found("CHECK_FAILED", evidence, critique=f"In this docstring, {evidence}.", fix=fix)


def _untrue(reading: Reading, statement: Statement, written: str) -> Found:
    start = reading.folded.text.find(statement.text)
    span = reading.folded.span(start, start + len(statement.text)) if start >= 0 else None
    quoted = reading.text[span.start : span.end] if span else statement.text
    return Found(
        "BEHAVIOUR_CONTRADICTED",
        f'"{quoted}" does not hold for {written}',
        (span.start, span.end) if span else None,
        fix="Trace the call through the code, and correct or drop the sentence.",
        more={"call": written},
    )


BEHAVIOUR = Check(name="behaviour", version="1", run=behaviour, blocking=True, timeout_seconds=60.0)
DOCSTRINGS: tuple[Check, ...] = (
    Check(name="docstring_params", version="1", run=docstring_params, timeout_seconds=30.0),
    Check(name="docstring_return", version="1", run=docstring_return, timeout_seconds=30.0),
    Check(name="docstring_raises", version="1", run=docstring_raises, timeout_seconds=30.0),
    Check(name="docstring_edge", version="1", run=docstring_edge, timeout_seconds=30.0),
)
"""The checks of what a docstring documents; the first run of a function takes a process."""
