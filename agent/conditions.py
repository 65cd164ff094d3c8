"""Read for which values of an argument a text says something: "if it is 0 or negative", "below one", "no people"."""

import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["ODD", "SAMPLES", "values_told"]

SAMPLES = (-7, -3, -1, 0, 1, 2, 3, 7, 100)
"""The whole numbers that stand for all."""

ODD: tuple[Any, ...] = (None, "3", "x", 2.5)
"""What an argument may be beside whole numbers."""

_KINDS = {
    "none": (None,),
    "text": ("3", "x"),
    "float": (2.5,),
    "odd": (None, "3", 2.5),
    "no number": (None, "3", "x"),
}

_SMALL_NUMBERS = {"zero": 0, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
_NUMBER = r"-?\d+|zero|one"
_COMPARE = re.compile(
    rf"(?P<sign><=|>=|==|!=|≤|≥|≠|<|>|=) ?(?P<n1>{_NUMBER})"
    r"|(?P<words>(?:is |are )?(?:not )?(?:less|fewer|smaller|lower|greater|more|larger|higher) than(?: or equal to)?"
    rf"|below|under|above|over|at least|at most|up to) (?P<n2>{_NUMBER})\b"
    rf"|(?P<n3>{_NUMBER}) or (?P<way>less|fewer|lower|below|under|smaller|more|greater|above|higher|larger|negative)\b"
    r"|(?P<neg>non-?)?(?P<adj>positive|negative|zero)\b"
    r"|\b(?P<n4>-?\d+|one|minus (?:\d+|one|two|three|five|ten))\b(?! cents?\b)"
    r"|(?P<nokind>not (?:an? )?(?:ints?|integers?|whole numbers?|numbers?|numeric)"
    r"|non-?(?:integer|numeric|number|int)s?)"
    r"|(?P<kind>\bnone\b|\btexts?\b|\bstrings?\b|\bfloats?\b|\bfractions?\b|\bfractional\b)"
    r"|(?P<absent>\b(?:no|without(?: any)?)(?= (?:people|persons|participants|payers|days|steps?)\b)"
    r"|\bnobody\b|\bno one\b)"
)
_SIGNS = {
    "<": "<", ">": ">", "<=": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "=": "==", "==": "==", "!=": "!=", "≠": "!=",
}  # fmt: skip
_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
}


def values_told(text: str) -> list[Any]:
    """Return the samples that a folded text speaks of, all its alternatives together; none when it names none."""
    values: list[Any] = []
    for found in _COMPARE.finditer(text):
        values += [value for value in _matched(found, text) if value not in values]
    return values


def _matched(found: re.Match[str], region: str) -> tuple[Any, ...]:
    if found["nokind"]:
        return _KINDS["no number" if re.search(r"(?<!whole )number|numeric", found["nokind"]) else "odd"]
    if found["kind"]:
        word = found["kind"]
        return _KINDS["none" if word == "none" else "float" if word.startswith(("float", "frac")) else "text"]
    before = region[max(0, found.start() - 8) : found.start()]
    inverted = bool(re.search(r"\b(?:not|never)(?: an?)? $|n't(?: an?)? $", before)) or found["neg"] is not None
    sign, bound = _test(found)
    hits = tuple(value for value in SAMPLES if _TESTS[sign](value, bound) is not inverted)
    return hits or ((bound,) if not inverted else ())


def _test(found: re.Match[str]) -> tuple[str, int]:
    if found["absent"]:
        return "==", 0
    if found["adj"]:
        return {"positive": (">", 0), "negative": ("<", 0), "zero": ("==", 0)}[found["adj"]]
    if found["sign"]:
        return _SIGNS[found["sign"]], _int(found["n1"])
    if found["n3"]:
        lower = found["way"] in ("less", "fewer", "lower", "below", "under", "smaller", "negative")
        return ("<=" if lower else ">="), _int(found["n3"])
    if found["n4"]:
        return "==", _int(found["n4"])
    words, bound = found["words"], _int(found["n2"])
    lower = re.search(r"less|fewer|smaller|lower|below|under|at most|up to", words) is not None
    equal = re.search(r"or equal|at least|at most|up to", words) is not None
    if " not " in f" {words} ":
        lower, equal = not lower, not equal
    return ("<" if lower else ">") + ("=" if equal else ""), bound


def _int(word: str) -> int:
    sign, _, number = word.rpartition("minus ")
    value = _SMALL_NUMBERS[number] if number in _SMALL_NUMBERS else int(number)
    return -value if sign or word.startswith("minus ") else value
