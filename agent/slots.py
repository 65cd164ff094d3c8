"""Describe the names that prose holds in place of figures, and where each of them may stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.facts import FactType

__all__ = ["Slot", "clause_spans", "misplaced"]

_BREAK = re.compile(r"[.!?;:\n]+|,(?=\s+(?:and|but|while|which|although|though|so|as|whereas)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slot:
    """Describe one slot: the fact it stands for and the clauses in which that fact may be named.

    A slot is no proof of role: "we have received [TOTAL_DUE]" fills the right figure into a false sentence. So one of
    `patterns` must match the slot's clause (none listed: any clause will do), none of `never` may, and `clauses` are
    whole forms, such as "the total due is [TOTAL_DUE]", that are offered as the fix. Both are regular expressions,
    searched without regard to case in the clause in slot language with white space collapsed. `echo` is a pattern of
    words that the value already ends with ("[DAYS_OVERDUE] days"); they are dropped after the slot. `tail` is all that
    may follow in the same sentence, where the server decodes by a schema; None leaves that to the model.
    """

    name: str
    type: FactType
    role: str
    clauses: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    echo: str = ""
    tail: str | None = None


def clause_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield `[start, end)` of each clause of a slot text: the parts between stops, or before ", but" and its like."""
    start = 0
    for found in _BREAK.finditer(text):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def misplaced(slot: Slot, clause: str) -> str | None:
    """Say why a slot may not stand in this clause, or None when it may."""
    words = " ".join(clause.split())
    for pattern in slot.never:
        if cue := re.search(pattern, words, re.IGNORECASE):
            return f'[{slot.name}] stands beside "{cue[0]}", which speaks of something else'
    if slot.patterns and not any(re.search(pattern, words, re.IGNORECASE) for pattern in slot.patterns):
        return f'[{slot.name}] stands in "{words}", which does not say what it is'
    return None
