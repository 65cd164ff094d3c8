"""Describe the names that prose holds in place of figures."""

from dataclasses import dataclass

from agent.facts import FactType

__all__ = ["Slot"]


@dataclass(frozen=True, slots=True)
class Slot:
    """Describe one slot: the fact it stands for and the clauses in which that fact may be named.

    A slot is no proof of role: "we have received [TOTAL_DUE]" fills the right figure into a false sentence. So `cues`
    are words of which one must stand in the slot's clause (none listed: any clause will do), and `clauses` are whole
    forms, such as "the total due is [TOTAL_DUE]", that are offered as the fix.
    """

    name: str
    type: FactType
    role: str
    clauses: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
