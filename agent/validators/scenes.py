"""Part a reading into its sentences, each with the lines that it names and the figures that it holds."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from agent.text import Span, find_strings
from agent.validators.binding import Scene
from agent.validators.mentions import Mention
from agent.validators.reading import Reading

__all__ = ["scenes_of"]


def scenes_of(reading: Reading) -> Iterator[Scene]:
    """Yield the sentences of the prose; a sentence that names no id names lines by their descriptions, if by any."""
    prose = [reading.folded_span(*span) for span in reading.prose]
    by_description = _descriptions(reading)
    for sentence in reading.sentences:
        if any(span.meets(sentence) for span in prose):
            named = _mentions_in(reading.mentions, sentence) or _mentions_in(by_description, sentence)
            start = bisect_left(reading.figures, sentence.start, key=lambda item: item.span.start)
            end = bisect_left(reading.figures, sentence.end, key=lambda item: item.span.start)
            yield Scene(sentence, reading.plain, named, reading.figures[start:end])


def _mentions_in(items: tuple[Mention, ...], sentence: Span) -> tuple[Mention, ...]:
    start = bisect_left(items, sentence.start, key=lambda item: item.span.start)
    end = bisect_left(items, sentence.end, key=lambda item: item.span.start)
    return items[start:end]


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
