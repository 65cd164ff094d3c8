"""Hold what a text claims of a shipped function against what the function does.

Covers claims of the form "for such input, such a result or exception", claims that nothing is raised, and claims of a
result's properties that come with the function. What cannot be read as one of these is not judged.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from agent.conditions import ODD, SAMPLES, values_told
from agent.docstring import Statement
from agent.functions import Call, Function, Result, call

__all__ = [
    "Claim",
    "Condition",
    "Finding",
    "claims_of",
    "counterexample",
    "property_counterexample",
    "raised_exceptions",
]

_NORMAL = (1, 2, 3, 7, 100)
_ERROR = r"(?P<error>\w+error|\w+exception)"
_RAISES = re.compile(
    r"\b(?:rais(?:e|es|ed|ing)|throw(?:s|n|ing)?|(?:an|no|any) (?:\w+ )?(?:errors?|exceptions?)|fails|crash(?:es)?"
    rf"|{_ERROR})\b"
)
_AVOIDS = re.compile(r"\b(?:avoid|prevent|catch|caught|handle|guard|instead of|rather than)\w*\b")
_NAMED = re.compile(rf"\b{_ERROR}\b")
_NOT = re.compile(r"\b(?:never|not|no|nothing|neither|without|cannot)\b|n't\b")
_EXCEPT = re.compile(r"\b(?:unless|except|other than|apart from|but only)\b")
_EMPTY = r"\[\]|empty (?:list|sequence|array|result)|(?:list|result) (?:is|will be|comes back) empty"
_NONE = r"(?:returns?|returned|gives?|yields?|is|get|back|result) none\b|none is returned"
_ZEROS = r"(?:all|only|list of|filled with|made of) (?:zero(?:e?s)?|0s?)\b|share of (?:0|zero)"
_ZERO = (
    r"(?:returns?|returned|gives?|yields?|comes to|stays|(?:fee|charge|result) (?:is|will be|of))"
    r" (?:always )?(?:0|zero)(?!\.?\d| or\b| people)\b"
)
_NEGATIVES = (
    r"(?:contains?|holds?|gives?|returns?|yields?|of|becomes?|is|are) (?:an? )?(?:list of )?negative "
    r"(?:shares|parts|amounts|integers|numbers|charge|fee|result)\b|(?:shares|parts|amounts) (?:are|become) negative\b"
)
_LITERAL = re.compile(r"\[\s*-?\d+(?:\s*,\s*-?\d+)*\s*\]")
_RESULTS: Mapping[str, re.Pattern[str]] = {
    "empty": re.compile(_EMPTY),
    "none": re.compile(_NONE),
    "zeros": re.compile(_ZEROS),
    "zero": re.compile(_ZERO),
    "negatives": re.compile(_NEGATIVES),
}
_MODAL = re.compile(r"\b(?:may|might|can|could|possibly|sometimes)\b")
_CUT = re.compile(
    r";|,? (?:but|while|whereas|and|then)(?: it| that| they)? (?=(?:also |will |always |instead |would )?"
    r"(?:returns?|raises?|gives?|yields?|produces?|throws?|results?|does|never|an? (?:\w+ )?(?:list|error|exception)"
    r"|(?:an? )?\w+error\b|\[\]|if\b|for\b|when\b|with\b|the result|nothing"
    r"|(?:an? )?(?:negative|zero)\b(?! or| num| \w+ rais)))"
)
_TRIGGER = re.compile(r"\b(?:if|when(?:ever)?|unless|for|with|on|given|where|once|in case(?: of)?|of|as soon as)\b")
_DEMAND = re.compile(
    r"\b(?:must|should|has to|have to|needs? to|may|can|ought to)(?P<not> ?not|n't)? be (?P<what>[^,;]*?),? "
    r"(?:otherwise|or else|or)\b(?= .*(?:rais|error|exception|list))"
)
"""What an argument has to be, lest something happens."""
_ALSO = re.compile(r"(?:also |even |too )*(?:if|when|for|with)\b(?: [^ ]+){1,6}[.;]?$")
"""A clause that only adds a condition to what was said before it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Hold for which values of one parameter something is claimed."""

    param: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold one claim: `expects` is "raises", a key of the results that can be told, or a literal list.

    `error` is the exception in small letters, empty for any. `negated`: it is said not to happen. `conditional` tells
    that there are words for a condition, whether or not they could be read into `condition`.
    """

    statement: Statement
    expects: str
    condition: Condition | None = None
    error: str = ""
    negated: bool = False
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold a call for which a claim does not hold, as it would be written."""

    call: str


def claims_of(statements: Sequence[Statement], function: Function) -> list[Claim]:
    """Return what statements claim of a function's behaviour, in order."""
    found: list[Claim] = []
    subject = function.default
    for statement in statements:
        if statement.section == "args" and statement.subject in function.params:
            subject = statement.subject
        waiting: Condition | None = None
        last: list[Claim] = []
        text = re.sub(rf"\bvalues? (?:of|for) (?={'|'.join(function.params) or '$'})", "", statement.text)
        for clause in _clauses(text):
            named = _subject(clause, function)
            subject = named or subject
            condition, conditional = _condition(clause, function, subject)
            demanded = _DEMAND.search(clause)
            told = clause[demanded.end() :] if demanded else clause
            claims = list(_claims(told, statement, condition or waiting, conditional or waiting is not None))
            if not claims and condition and last and _ALSO.match(clause):
                claims = [replace(claim, condition=condition, conditional=True) for claim in last]
            found, last = found + claims, claims
            waiting = None if claims else condition or waiting
    return found


def counterexample(claim: Claim, function: Function) -> Finding | None:
    """Return a call for which a claim does not hold; None when it holds, or cannot be tried."""
    if claim.expects == "raises":
        return _raise_counterexample(claim, function)
    if claim.condition is None and (claim.conditional or claim.negated or claim.expects in ("empty", "zero", "zeros")):
        return None
    calls = _calls(function, claim.condition)
    for made, result in zip(calls, call(function.id, calls), strict=True):
        if _returns(claim, result) is claim.negated:
            return Finding(_written(function, made))
    return None


def raised_exceptions(function: Function) -> frozenset[str]:
    """Return, in small letters, what a function raises for whole numbers."""
    calls = _calls(function, None, every=True)
    return frozenset(result.raised.lower() for result in call(function.id, calls) if result.raised)


def property_counterexample(statement: Statement, function: Function) -> Finding | None:
    """Return a call whose result lacks a property that a statement claims by one of the function's own patterns."""
    for says, told in function.claims.items():
        match = re.search(rf"\b(?:{says})", statement.text)
        if match is None or _NOT.search(statement.text[max(0, match.start() - 25) : match.end()]):
            continue
        name, _, argument = told.partition(" ")
        calls = _calls(function, None)
        for made, result in zip(calls, call(function.id, calls), strict=True):
            given = dict(zip(function.params, made, strict=True))
            if not result.raised and not _PROPERTIES[name](result.value, given, argument):
                return Finding(_written(function, made))
    return None


def _raise_counterexample(claim: Claim, function: Function) -> Finding | None:
    if claim.condition is None:
        if claim.negated and claim.conditional:
            return None
        calls = _calls(function, None, every=True)
        if not claim.negated:
            calls = (*calls, *(made for param in function.params for made in _calls(function, Condition(param, ODD))))
        results = call(function.id, calls)
        hits = [made for made, result in zip(calls, results, strict=True) if _raised(claim, result)]
        if claim.negated:
            return Finding(_written(function, hits[0])) if hits else None
        return None if hits else Finding(f"{function.id}(...)")
    calls = _calls(function, claim.condition)
    for made, result in zip(calls, call(function.id, calls), strict=True):
        if _raised(claim, result) is claim.negated:
            return Finding(_written(function, made))
    return None


def _raised(claim: Claim, result: Result) -> bool:
    return bool(result.raised) and claim.error in ("", result.raised.lower())


def _returns(claim: Claim, result: Result) -> bool:
    if result.raised:
        return False
    told = _TOLD.get(claim.expects)
    if told is None:
        return bool(result.value == [int(number) for number in re.findall(r"-?\d+", claim.expects)])
    return told(result.value)


def _calls(function: Function, condition: Condition | None, *, every: bool = False) -> tuple[Call, ...]:
    """Return calls under a condition; parameters that it does not name take normal values, or `every` whole number."""
    pools = [
        condition.values if condition and param == condition.param else SAMPLES if every else _NORMAL
        for param in function.params
    ]
    return tuple(product(*pools))


def _written(function: Function, made: Call) -> str:
    return f"{function.id}({', '.join(map(repr, made))})"


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for cut in _CUT.finditer(text):
        yield text[start : cut.start()]
        start = cut.end()
    yield text[start:]


def _claims(clause: str, statement: Statement, condition: Condition | None, conditional: bool) -> Iterator[Claim]:
    raised = _RAISES.search(clause)
    if raised and _AVOIDS.search(clause[: raised.start()]):
        return
    entry = statement.section == "raises" and re.search(_ERROR, statement.subject)
    if raised or entry:
        yield from _raise_claims(clause, statement, condition, conditional)
        if raised:
            return
    for name, pattern in _RESULTS.items():
        if found := pattern.search(clause):
            if not (_MODAL.search(clause) and condition is None):
                negated = bool(_NOT.search(clause[max(0, found.start() - 20) : found.start()]))
                yield Claim(statement, name, condition, "", negated, conditional)
            return
    if (literal := _LITERAL.search(clause)) and condition is not None:
        yield Claim(statement, literal[0], condition, "", False, conditional)


def _raise_claims(clause: str, statement: Statement, condition: Condition | None, conditional: bool) -> Iterator[Claim]:
    names = [found["error"] for found in _NAMED.finditer(clause)]
    if not names and statement.section == "raises":
        names = [found["error"] for found in re.finditer(_ERROR, statement.subject)]
    trigger = _TRIGGER.search(clause)
    head = clause[: trigger.start()] if trigger and trigger.start() else clause
    error_first = _RAISES.search(head)
    negated = error_first is not None and bool(_NOT.search(head))
    if error_first is None and _RAISES.search(clause):
        negated = bool(_NOT.search(_without_condition(clause)))
    negated = negated or re.search(r"\b(?:rais|throw)\w*:? none\b", clause) is not None
    excepted = _EXCEPT.search(clause)
    if negated and excepted:
        negated = False  # "raises nothing unless" claims that it does then
    for name in names or [""]:
        if names or _RAISES.search(clause):
            yield Claim(statement, "raises", condition, name, negated, conditional)


def _without_condition(clause: str) -> str:
    """Return what a clause says apart from its condition, which comes first: "if x is not 0, nothing is raised"."""
    comma = clause.find(",")
    found = _RAISES.search(clause)
    start = (
        comma + 1
        if comma >= 0 and (found is None or comma < found.start())
        else max(0, (found.start() if found else 0) - 18)
    )
    return clause[start:]


def _nouns(function: Function) -> dict[str, str]:
    return {noun: param for param in function.params for noun in function.nouns.get(param, (param,))}


@lru_cache(maxsize=64)
def _noun(nouns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(nouns, key=len, reverse=True)))})(?!\w)")


def _subject(clause: str, function: Function) -> str | None:
    nouns = _nouns(function)
    if not nouns:
        return None
    found = [(match.start(), nouns[match[0]]) for match in _noun(tuple(nouns)).finditer(clause)]
    triggered = _TRIGGER.search(clause)
    after = [one for one in found if triggered and one[0] >= triggered.start()]
    return (after or found)[0][1] if found else None


def _ending(text: str, function: Function) -> str | None:
    """Return the parameter that a text ends with, as in "a total" before "of 0"."""
    ended = (
        noun
        for noun in sorted(_nouns(function), key=len, reverse=True)
        if re.search(rf"(?<!\w){re.escape(noun)} $", text)
    )
    noun = next(ended, None)
    return _nouns(function)[noun] if noun else None


def _condition(clause: str, function: Function, subject: str) -> tuple[Condition | None, bool]:
    """Return the values that a clause speaks of, and whether it has words for a condition at all."""
    if demanded := _DEMAND.search(clause):
        demand = _read(demanded["what"], function, subject, negated=demanded["not"] is None)
        return demand, demand is not None
    triggers = list(_TRIGGER.finditer(clause))
    for trigger in triggers:
        region = _region(clause, trigger.end())
        # "raises nothing unless" claims that it does then; "raises unless" that it does in all other cases.
        other = trigger[0] == "unless" and not _NOT.search(clause[: trigger.start()])
        owner = _ending(clause[: trigger.start()], function) if trigger[0] == "of" else None
        condition = _read(region, function, owner or _subject(region, function) or subject, negated=other)
        if condition is not None:
            return condition, True
    outcome = _RAISES.search(clause) or next((found for it in _RESULTS.values() if (found := it.search(clause))), None)
    region = clause[: outcome.start()] if outcome and outcome.start() else clause if not outcome else ""
    condition = _read(region, function, _subject(region, function) or subject)
    conditional = any(trigger[0] not in ("of", "on", "with") for trigger in triggers)
    return condition, condition is not None or conditional


def _region(clause: str, start: int) -> str:
    region = clause[start:]
    ends = [
        found.start()
        for pattern in (_RAISES, *_RESULTS.values())
        if (found := pattern.search(region)) and found.start()
    ]
    comma = re.search(r",(?! or\b)", region)
    return region[: min([*ends, comma.start() if comma else len(region)])]


def _read(region: str, function: Function, subject: str, *, negated: bool = False) -> Condition | None:
    values = values_told(_unnamed(region, function))
    if not values:
        return None
    if negated:
        values = [value for value in SAMPLES if value not in values]
    return Condition(subject, tuple(values)) if values else None


def _unnamed(region: str, function: Function) -> str:
    """Hide the parameters' own names, which may hold words that read as a condition."""
    return re.sub("|".join(map(re.escape, function.params)), lambda found: "x" * len(found[0]), region)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_zeros(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not any(value)


_TOLD: Mapping[str, Callable[[Any], bool]] = {
    "empty": lambda value: bool(value == []),
    "none": lambda value: value is None,
    "zeros": _are_zeros,
    "zero": lambda value: value == 0 or _are_zeros(value),
    "negatives": lambda value: any(one < 0 for one in value) if isinstance(value, list) else value < 0,
}
"""What a text may say that a result is, as a test of the result."""

_PROPERTIES: Mapping[str, Callable[[Any, Mapping[str, Any], str], bool]] = {
    "sums_to": lambda value, given, name: sum(value) == given[name],
    "sums_below": lambda value, given, name: sum(value) < given[name],
    "spread": lambda value, _given, most: max(value) - min(value) <= int(most),
    "descending": lambda value, _given, _: list(value) == sorted(value, reverse=True),
    "ascending": lambda value, _given, _: list(value) == sorted(value),
    "equal": lambda value, _given, _: len(set(value)) <= 1,
    "floats": lambda value, _given, _: all(isinstance(one, float) for one in value),
    "no_list": lambda value, _given, _: not isinstance(value, list),
    "no_number": lambda value, _given, _: not _is_number(value),
    "rounds_up": lambda _value, _given, _: False,
    "below": lambda value, given, name: value <= given[name],
}
"""What a claim may come to, as a test of result, arguments by name, and the property's own argument."""
