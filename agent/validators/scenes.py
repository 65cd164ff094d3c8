"""Part a reading into its sentences, each with the lines that it names and the figures that it holds."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from agent.facts import Line
from agent.text import Span, find_strings, fold
from agent.text.english import DURATIONS
from agent.text.figure import Figure, FigureKind
from agent.validators.antecedents import meant_lines
from agent.validators.binding import Scene
from agent.validators.mentions import Mention

__all__ = ["described_lines", "scenes_of"]

_REMEMBERED = 12  # a list that is longer than this is not told by "the first one"
_Placed = TypeVar("_Placed", Mention, Figure)


def scenes_of(
    words: str,
    plain: str,
    sentences: Sequence[Span],
    mentions: tuple[Mention, ...],
    described: tuple[Mention, ...],
    figures: tuple[Figure, ...],
    lines: Mapping[str, Line],
) -> Iterator[Scene]:
    """Yield the scenes of sentences; one that names no id names lines by their descriptions, if by any.

    `plain` is the folded text with names and ids hidden, `words` with figures hidden too; all spans are offsets into
    them, in order.
    """
    header: tuple[str, ...] = ()
    earlier: list[Mention] = []
    for sentence in sentences:
        named = _inside(mentions, sentence) or _inside(described, sentence)
        meant = tuple(meant_lines(plain, sentence, named, earlier[-_REMEMBERED:], lines))
        earlier += named
        named = tuple(sorted((*named, *meant), key=lambda mention: mention.span)) if meant else named
        held = _inside(figures, sentence)
        header, heads = _heads(words[sentence.start : sentence.end], sentence, header, held, named)
        if heads:
            held = tuple(_with_unit(figure, heads.get(figure, "")) for figure in held)
            heads = {_with_unit(figure, head): head for figure, head in heads.items()}
        yield Scene(sentence, words, named, held, heads)


def _inside(items: tuple[_Placed, ...], sentence: Span) -> tuple[_Placed, ...]:
    start = bisect_left(items, sentence.start, key=lambda item: item.span.start)
    end = bisect_left(items, sentence.end, key=lambda item: item.span.start)
    return items[start:end]


def _heads(
    text: str, row: Span, header: tuple[str, ...], figures: tuple[Figure, ...], named: tuple[Mention, ...]
) -> tuple[tuple[str, ...], dict[Figure, str]]:
    """Return the headings in force after a sentence, and those of its figures when it is a row of a table.

    A row has cells between bars; the first row of a table that holds no figure and no line is its header.
    """
    if "|" not in text:
        return (), {}
    if not figures and not named:
        return header or tuple(cell.strip() for cell in text.split("|")), {}
    columns = {figure: text[: figure.span.start - row.start].count("|") for figure in figures}
    return header, {figure: header[column] for figure, column in columns.items() if column < len(header)}


def _with_unit(figure: Figure, head: str) -> Figure:
    """Give a bare number the unit that its column's heading names."""
    unit = next((DURATIONS[word] for word in head.split() if word in DURATIONS), "")
    if figure.kind is FigureKind.NUMBER and unit:
        return replace(figure, kind=FigureKind.DURATION, unit=unit)
    return figure


def described_lines(folded_text: str, lines: Sequence[Line]) -> tuple[Mention, ...]:
    """Return where lines are named by a description that no other line has."""
    counts = Counter(_plain(line.description) for line in lines)
    by_description = {_plain(line.description): line.id for line in lines if line.description}
    own = [description for description in by_description if counts[description] == 1]
    return tuple(
        Mention(span, by_description[" ".join(folded_text[span.start : span.end].split())])
        for span in find_strings(folded_text, own)
    )


def _plain(description: str) -> str:
    return " ".join(fold(description).text.split())
