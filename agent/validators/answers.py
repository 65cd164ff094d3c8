"""Check what a worked answer states: the right value, the values on the way to it, and the tempting wrong one refused.

A value counts by its stance, so "The answer is 30 %, not 28 %" does not state 28 %. Code blocks state no answer. What a
finding advises never holds the value that is asked for.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from agent.text import fold, nfc
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading
from agent.validators.stated import Stance, Stated, stated_values, without_fences

__all__ = ["ANSWERS", "AnswerParams", "RefusedParams", "ValueParams"]

_QUALIFIED = (
    r"answer|result|(?:total|overall|combined|effective|equivalent|single|real|true|net|final|actual|correct|right)"
    r"(?: \w+)? "
    r"(?:discount|reduction|saving|savings|cut|decrease|drop|rise|increase|change|percentage|rate|figure|share)"
)
_PLAIN = r"discount|reduction|saving|cut|decrease|drop|rise|increase|change"
_BINDS = (
    r"(?: (?:is|was|will be|would be|of|by|equals|comes (?:out )?(?:to|at)|amounts to|works out (?:to|at|as))|'s|:| ?=)"
)
_FILLER = (
    r"(?:[ :=]*(?:then|therefore|thus|hence|about|around|exactly|in fact|actually|just|only|simply|a|an|at|to|off)\b)*"
    r"[ :=$]*$"
)
_DIRECT = re.compile(rf"\b(?:{_QUALIFIED}){_BINDS}{_FILLER}")
_LOOSE = re.compile(rf"\b(?:{_PLAIN}){_BINDS}{_FILLER}")
_REFUSES_METHOD = re.compile(
    r"(?:\b(?:not|never|cannot|wrong(?:ly)?|mistake|incorrect(?:ly)?|trap|error|tempting|instead of|rather than|"
    r"without)\b|n't)(?: [^ .;]+){0,6}? (?:add(?:ed|ing|s)?|summ(?:ed|ing)|additive)\b"
    r"|\badd(?:ing|ed)? [^.;]{0,60}?"
    r"(?:\b(?:is|are|would be|be) (?:\w+ )?(?:wrong|incorrect|a mistake|not|the trap|an error)|"
    r"\b(?:does|do|would|will) ?(?:not|n't)|\boverstates|\bignores)"
)


def _number(value: str) -> str:
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ValueError("give a number in digits, such as 28 or 0.72")
    return value


_Number = Annotated[str, AfterValidator(_number)]


class ValueParams(Params):
    """Set the value that a text has to show, as digits."""

    value: _Number = Field("0", description="The value, such as 0.72.")


class AnswerParams(ValueParams):
    """Set the answer, its unit, and the answers that are known to be wrong."""

    unit: Literal["percent", "number"] = Field("number", description="Whether the answer is a percentage.")
    wrong: tuple[_Number, ...] = Field((), description="Answers that are known to be wrong and may not be asserted.")


class RefusedParams(ValueParams):
    """Set the tempting wrong answer that a text has to name and refuse, and its unit."""

    unit: Literal["percent", "number"] = Field("number", description="Whether the wrong answer is a percentage.")


def answer_value(reading: Reading, params: AnswerParams) -> Iterator[Found]:
    """Report an answer that is not stated, or that the text contradicts."""
    given = _given(reading)
    values = stated_values(without_fences(reading.text), neutral=given)
    right = Decimal(params.value)
    known_wrong = {Decimal(wrong) for wrong in params.wrong}
    asserted = [one for one in values if one.stance is Stance.ASSERTED and _fits(one, params.unit)]
    for one in asserted:
        if abs(one.value) == right:
            continue
        if one.value in known_wrong or _is_answer(one, given):
            yield _found(
                reading,
                one,
                "The draft gives an answer that does not follow from the task.",
                "Work the task out again, step by step, and check the answer against an example.",
            )
    if not any(abs(one.value) == right and _is_whole(one, params.unit) for one in asserted):
        yield Found(
            "CHECK_FAILED",
            "the answer is not stated, or it is taken back",
            critique="The draft does not state the right answer as its own.",
            fix="Work the task out again, and state the answer once in a plain sentence.",
        )


def shows_value(reading: Reading, params: ValueParams) -> Iterator[Found]:
    """Report a value that the text does not show, in figures, in words or as the percentage that it is."""
    wanted = Decimal(params.value)
    shown = (
        one
        for one in stated_values(reading.text, neutral=_given(reading))
        if one.stance in (Stance.ASSERTED, Stance.MENTIONED)
    )
    if not any((one.value / 100 if one.percent else one.value) == wanted for one in shown):
        yield Found(
            "CHECK_FAILED",
            "a value on the way to the answer is not shown",
            critique="The draft does not show the value that its answer rests on.",
            fix="Show how the steps are put together, with the outcome of each.",
        )


def refuses_value(reading: Reading, params: RefusedParams) -> Iterator[Found]:
    """Report a tempting wrong answer that the text does not name and refuse."""
    prose = without_fences(reading.text)
    values = stated_values(prose, neutral=_given(reading))
    wrong = Decimal(params.value)
    asserted = next(
        (one for one in values if one.value == wrong and one.stance is Stance.ASSERTED and _fits(one, params.unit)),
        None,
    )
    if asserted is not None:
        yield _found(
            reading,
            asserted,
            "The draft gives the tempting answer as its own.",
            "Look again at what each step is taken from, and say why the tempting answer is wrong.",
        )
        return
    refused = any(one.value == wrong and one.stance is Stance.REFUSED for one in values)
    if not refused and not _REFUSES_METHOD.search(" ".join(fold(nfc(prose)).text.split())):
        yield Found(
            "CHECK_FAILED",
            "the tempting wrong answer is not refused",
            critique="The draft does not say which tempting answer is wrong.",
            fix="Name the mistake that is easily made here, and say why it is one.",
        )


def _given(reading: Reading) -> tuple[Decimal, ...]:
    """Return the values of the task itself, which a text may repeat."""
    prompts = (fact.value for fact in reading.sheet.by_role.get("prompt", ()))
    return tuple(one.value for prompt in prompts for one in stated_values(str(prompt)))


def _fits(one: Stated, unit: str) -> bool:
    return one.percent or unit == "number" or _DIRECT.search(one.before) is not None


def _is_whole(one: Stated, unit: str) -> bool:
    return one.percent == (unit == "percent") or _DIRECT.search(one.before) is not None


def _is_answer(one: Stated, given: tuple[Decimal, ...]) -> bool:
    if _DIRECT.search(one.before):
        return True
    return _LOOSE.search(one.before) is not None and one.value not in given


def _found(reading: Reading, one: Stated, critique: str, fix: str) -> Found:
    folded = fold(nfc(reading.text))
    evidence = folded.quote(*_wide(folded.text, one.span))
    return Found("CHECK_FAILED", evidence, folded.span(*one.span), critique=critique, fix=fix)


def _wide(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start = max(text.rfind(mark, 0, span[0]) for mark in (". ", "\n", "! ", "? ")) + 1
    return max(start, span[0] - 80), span[1]


ANSWERS: tuple[Check, ...] = (
    Check(name="answer_value", version="1", run=answer_value, params=AnswerParams()),
    Check(name="shows_value", version="1", run=shows_value, params=ValueParams()),
    Check(name="refuses_value", version="1", run=refuses_value, params=RefusedParams()),
)
"""The checks of worked answers; each needs its value as a parameter."""
