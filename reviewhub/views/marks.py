"""Cut a draft's text into pieces, so that a template can underline what each finding means."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.body import Body, Code, Fill, Placed, Prose, Rendered
from reviewhub.models import Finding

__all__ = ["BlockShown", "FindingShown", "Piece", "free", "mark", "number"]


@dataclass(frozen=True, slots=True)
class FindingShown:
    """Give a finding its number on the page, and its place in the text: `[start, end)`, or none."""

    number: int
    finding: Finding
    span: tuple[int, int] | None

    @property
    def is_fail(self) -> bool:
        """Tell whether the finding sends the draft back."""
        return self.finding.status == "FAIL"

    @property
    def is_to_read(self) -> bool:
        """Tell whether it only names a sentence that a person should read before the others."""
        return self.finding.error_type == "READ_FIRST"


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold a run of text that the same findings are about, worst first.

    `starts` are the numbers of findings whose passage begins here, `ends` of those whose passage ends here; `slot` is
    the name that code filled the text in for.
    """

    text: str
    findings: tuple[FindingShown, ...] = ()
    starts: tuple[int, ...] = ()
    ends: tuple[FindingShown, ...] = ()
    slot: str = ""


@dataclass(frozen=True, slots=True)
class BlockShown:
    """Hold one block as pieces; `owned` when code renders it, so that nobody types into it."""

    name: str
    owned: bool
    pieces: tuple[Piece, ...]


def number(findings: Sequence[Finding], text: str) -> tuple[FindingShown, ...]:
    """Give findings numbers in their order, and read where in `text` each of them stands."""
    return tuple(
        FindingShown(place, finding, _span(finding, len(text))) for place, finding in enumerate(findings, start=1)
    )


def mark(rendered: Rendered, findings: Sequence[FindingShown]) -> tuple[BlockShown, ...]:
    """Cut every block where a passage or a filled slot begins or ends; passages may overlap and run across blocks."""
    return tuple(
        BlockShown(_name(place), isinstance(place.block, Code), tuple(_pieces(rendered.text, place, findings)))
        for place in rendered.placed
    )


def free(text: str) -> Rendered:
    """Place a text that has no blocks as a single one."""
    return Body.free(text).render({})


def _span(finding: Finding, length: int) -> tuple[int, int] | None:
    match finding.metadata.get("span"):
        case [int(start), int(end)] if 0 <= start < end <= length:
            return start, end
    return None


def _name(place: Placed) -> str:
    return place.block.name if isinstance(place.block, Code | Prose) else ""


def _pieces(text: str, place: Placed, findings: Sequence[FindingShown]) -> Iterator[Piece]:
    here = [
        (shown, shown.span)
        for shown in findings
        if shown.span and shown.span[0] < place.end and shown.span[1] > place.start
    ]
    cuts = {place.start, place.end}
    for start, end in (*(span for _, span in here), *((fill.start, fill.end) for fill in place.fills)):
        cuts |= {max(start, place.start), min(end, place.end)}
    edges = sorted(cuts)
    for start, end in pairwise(edges):
        about = [(shown, span) for shown, span in here if span[0] <= start and end <= span[1]]
        yield Piece(
            text=text[start:end],
            findings=tuple(shown for shown, _ in about),
            starts=tuple(shown.number for shown, span in about if span[0] == start),
            ends=tuple(shown for shown, span in about if min(span[1], place.end) == end),
            slot=_slot(place.fills, start, end),
        )


def _slot(fills: Sequence[Fill], start: int, end: int) -> str:
    return next((fill.slot for fill in fills if fill.start <= start and end <= fill.end), "")
