"""Part a reading into its sentences, each with the lines that it names and the figures that it holds."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from agent.text import Span, find_strings
from agent.text.english import DURATIONS
from agent.text.figure import Figure, FigureKind
from agent.validators.binding import Scene
from agent.validators.mentions import Mention
from agent.validators.reading import Reading

__all__ = ["scenes_of"]


def scenes_of(reading: Reading) -> Iterator[Scene]:
    """Yield the sentences of the prose; a sentence that names no id names lines by their descriptions, if by any."""
    prose = [reading.folded_span(*span) for span in reading.prose]
    by_description = _descriptions(reading)
    header: tuple[str, ...] = ()
    for sentence in reading.sentences:
        if any(span.meets(sentence) for span in prose):
            named = _mentions_in(reading.mentions, sentence) or _mentions_in(by_description, sentence)
            start = bisect_left(reading.figures, sentence.start, key=lambda item: item.span.start)
            end = bisect_left(reading.figures, sentence.end, key=lambda item: item.span.start)
            figures = reading.figures[start:end]
            header, heads = _heads(reading, sentence, header, figures, named)
            figures = tuple(_with_unit(figure, heads.get(figure, "")) for figure in figures)
            heads = {_with_unit(figure, head): head for figure, head in heads.items()}
            yield Scene(sentence, reading.words, named, figures, heads)


def _mentions_in(items: tuple[Mention, ...], sentence: Span) -> tuple[Mention, ...]:
    start = bisect_left(items, sentence.start, key=lambda item: item.span.start)
    end = bisect_left(items, sentence.end, key=lambda item: item.span.start)
    return items[start:end]


def _heads(
    reading: Reading, row: Span, header: tuple[str, ...], figures: tuple[Figure, ...], named: tuple[Mention, ...]
) -> tuple[tuple[str, ...], dict[Figure, str]]:
    """Return the headings in force after a sentence, and those of its figures when it is a row of a table.

    A row has cells between bars; the first row of a table that holds no figure and no line is its header.
    """
    text = reading.words[row.start : row.end]
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


def _descriptions(reading: Reading) -> tuple[Mention, ...]:
    """Return where lines are named by a description that no other line has."""
    counts = Counter(line.description.casefold() for line in reading.sheet.lines)
    found = [
        Mention(span, line.id)
        for line in reading.sheet.lines
        if line.description and counts[line.description.casefold()] == 1
        for span in find_strings(reading.folded.text, [line.description])
    ]
    return tuple(sorted(found, key=lambda mention: mention.span))
