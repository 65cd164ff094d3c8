"""Define what a detector finds in a text, and settle which finds stand where several meet."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

__all__ = ["Found", "Span", "settle"]


_WHOLE = frozenset(["EMAIL", "URL", "IBAN", "CARD", "HANDLE"])


@dataclass(frozen=True, slots=True)
class Span:
    """Say that `[start, end)` of the NFC input became `[slot]`."""

    start: int
    end: int
    slot: str


@dataclass(frozen=True, slots=True)
class Found:
    """Hold one passage `[start, end)` that must go, of the text that the detector was given.

    `slot` names the value of the record that it is; "" gives it a slot by `kind` (`EMAIL`, `PERSON`, ...), the same one
    for every find of equal `key`. `rank` decides between passages of one length: the lower wins.
    """

    start: int
    end: int
    kind: str
    key: Hashable = ""
    slot: str = ""
    rank: int = 5


def settle(found: Iterable[Found]) -> list[Found]:
    """Return the finds that stand, in order, none meeting another.

    A value of the record wins, but over what holds it in one piece (an e-mail address, a link, a bank number); among
    others the longest. Two of one kind that meet become one, with the slot of the record's value if one of them
    is that, so that a whole address is named like the street in it.
    """
    standing: list[Found] = []
    starts: list[int] = []
    for one in sorted(found, key=_precedence):
        first, last = bisect_left(starts, one.start), bisect_left(starts, one.end)
        if first and standing[first - 1].end > one.start:
            first -= 1
        meeting = standing[first:last]
        if not meeting:
            standing.insert(first, one)
            starts.insert(first, one.start)
        elif len(meeting) == 1 and meeting[0].kind == one.kind:
            other = meeting[0]
            start, end = min(one.start, other.start), max(one.end, other.end)
            standing[first] = replace(other, start=start, end=end, slot=other.slot or one.slot)
            starts[first] = start
    return standing


def _precedence(one: Found) -> tuple[bool, int, int, int, str]:
    return not (one.slot or one.kind in _WHOLE), one.start - one.end, one.rank, one.start, one.kind
