"""Find phrases of many groups in a text, each pattern only in the sentences that hold a string it cannot match without.

A pattern ("form") is written for folded text and may use literals, groups without names, alternatives, classes, looks
ahead and behind, and quantifiers; a space in it stands for any white space, since a sentence may be wrapped anywhere.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from agent.text import MASK

__all__ = ["Phrases", "needed_strings", "pattern_of"]

_UNIT = re.compile(
    r"(?P<look>\(\?(?:<?[!=]))|(?P<group>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|\[\^?\]?(?:\\.|[^\]])*\]|(?P<edge>\\[bB]|[$^])"
    r"|\\u(?P<code>[0-9a-f]{4})|\\[SsWwDd]|\.|\\(?P<escaped>.)|(?P<char>.)",
    re.DOTALL,
)
_QUANTITY = re.compile(r"(?:[?*+]|\{(?P<least>\d+)(?:,\d*)?\})[?+]?")
_LONG_WORD, _MOST_KNOWN = 24, 20_000  # what a draft may add to the memory of words is bounded
Strings = frozenset[str]
_Told = tuple[frozenset[int], int]
"""Numbers of the forms that a word announces, and the bits of what it gives."""


def pattern_of(forms: Sequence[str]) -> re.Pattern[str]:
    """Return one pattern of several forms."""
    return re.compile("|".join(forms).replace(" ?", r"\s*").replace(" ", r"\s+"))


class Phrases:
    """Hold the forms of several groups, ready to be searched for."""

    def __init__(self, groups: Mapping[str, Sequence[str]]) -> None:
        """Raise ValueError for a form that no string announces."""
        self._forms = [
            (group, part) for group, forms in groups.items() for form in forms for part in _top_alternatives(form)
        ]
        needs = [needed_strings(form) for _, form in self._forms]
        bits = {one: 1 << place for place, one in enumerate(dict.fromkeys(one for some in needs for one in some))}
        self._needs = [sum(bits[one] for one in set(some)) for some in needs]
        # Each string tells which forms it announces, by the rarest thing that they need, and what it gives to any.
        announced: defaultdict[str, list[int]] = defaultdict(list)
        for number, some in enumerate(needs):
            for string in max(some, key=_rarity):
                announced[string].append(number)
        given: defaultdict[str, int] = defaultdict(int)
        for one, bit in bits.items():
            for string in one:
                given[string] |= bit
        self._strings = {string: (frozenset(announced.get(string, ())), bit) for string, bit in given.items()}
        self._lengths = sorted({len(string) for string in given})
        self._known: dict[str, _Told] = {}

    def found(self, sentence: str) -> dict[str, list[re.Match[str]]]:
        """Return the matches within a sentence by group; those of a group do not overlap."""
        numbers: set[int] = set()
        given = 0
        for word in sentence.split():
            announced, bits = self._known.get(word) or self._told_by(word)
            numbers |= announced
            given |= bits
        by_group: defaultdict[str, list[tuple[int, int, re.Match[str]]]] = defaultdict(list)
        for number in numbers:
            needed = self._needs[number]
            if given & needed == needed:
                group, form = self._forms[number]
                for match in _compiled(form).finditer(sentence):
                    by_group[group].append((match.start(), number, match))
        return {group: _apart(found) for group, found in by_group.items()}

    def _told_by(self, word: str) -> _Told:
        """Return what the strings within a word tell."""
        parts = {word[at : at + length] for length in self._lengths for at in range(len(word) - length + 1)}
        told = [self._strings[part] for part in parts if part in self._strings]
        result = (frozenset[int]().union(*(one for one, _ in told)), reduce(or_, (bits for _, bits in told), 0))
        if len(word) <= _LONG_WORD and len(self._known) < _MOST_KNOWN:
            self._known[word] = result
        return result


@cache
def _compiled(form: str) -> re.Pattern[str]:
    return pattern_of([form])


def _apart(found: list[tuple[int, int, re.Match[str]]]) -> list[re.Match[str]]:
    """Return the matches of a group from the left, of several at one place that of the first form."""
    kept: list[re.Match[str]] = []
    for start, _, match in sorted(found, key=lambda one: one[:2]):
        if not kept or start >= kept[-1].end():
            kept.append(match)
    return kept


def _top_alternatives(form: str) -> list[str]:
    """Return the alternatives of a form that stand in no bracket."""
    depth, start, parts = 0, 0, []
    for unit in _UNIT.finditer(form):
        depth += bool(unit["look"] or unit["group"]) - bool(unit["close"])
        if unit["bar"] and depth == 0:
            parts.append(form[start : unit.start()])
            start = unit.end()
    return [*parts, form[start:]]


def needed_strings(form: str) -> list[Strings]:
    """Return what a form needs: of each set of strings, every match of the form holds at least one.

    Raise ValueError when it needs nothing, or holds alternatives outside brackets that share nothing.
    """
    needs = _alternatives(form, 0).needs
    if not needs:
        raise ValueError(f"the form {form!r} needs a word that every match of it holds")
    return needs


class _Read(NamedTuple):
    """What a part of a form needs, and where it ends."""

    needs: list[Strings]
    end: int


@dataclass
class _Sequence:
    """Collect what one alternative needs; `run` is the literal that is being read."""

    needs: list[Strings] = field(default_factory=list)
    run: str = ""

    def end_run(self) -> None:
        if self.run:
            self.needs.append(frozenset({self.run}))
        self.run = ""


def _alternatives(form: str, at: int) -> _Read:
    """Read alternatives up to the bracket that closes them, or the end: the rarest need of one of them must be met."""
    read: list[list[Strings]] = []
    sequence = _Sequence()
    while (unit := _UNIT.match(form, at)) is not None:
        at = unit.end()
        if unit["close"]:
            break
        if unit["bar"]:
            sequence.end_run()
            read.append(sequence.needs)
            sequence = _Sequence()
        else:
            at = _read_unit(form, unit, sequence)
    sequence.end_run()
    if not read:
        return _Read(sequence.needs, at)
    read.append(sequence.needs)
    if not all(read):
        return _Read([], at)
    return _Read([frozenset().union(*(max(needs, key=_rarity) for needs in read))], at)


def _read_unit(form: str, unit: re.Match[str], sequence: _Sequence) -> int:
    """Add one unit with its quantity to a sequence and return where it ends."""
    char = chr(int(unit["code"], 16)) if unit["code"] else unit["escaped"] or unit["char"] or ""
    inner = _Read([], unit.end())
    if unit["look"] or unit["group"]:
        inner = _alternatives(form, unit.end())
    quantity = _QUANTITY.match(form, inner.end)
    is_optional = quantity is not None and (quantity[0][0] in "?*" or quantity["least"] == "0")
    if char and not char.isspace():
        if is_optional:
            sequence.end_run()
        else:
            sequence.run += char
            if quantity:
                sequence.end_run()
    elif not unit["edge"]:
        sequence.end_run()
        if not is_optional and not unit["look"]:
            sequence.needs += inner.needs
    return quantity.end() if quantity else inner.end


def _rarity(strings: Strings) -> tuple[int, int]:
    # Long strings are rare; what hides names and figures stands in nearly every mail.
    return min(0 if MASK in one else len(one) for one in strings), -len(strings)
