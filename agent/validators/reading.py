"""Read a draft once for all validators."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from agent.body import Code, Prose, Record, Rendered
from agent.facts import Sheet
from agent.slots import Slot
from agent.text import MASK, Folded, Span, find_strings, fold, mask, sentences
from agent.text.figure import Figure
from agent.text.figures import read_figures
from agent.validators.binding import Scene
from agent.validators.manner import manner_of
from agent.validators.mentions import Mention, find_mentions
from agent.validators.owned import own_strings
from agent.validators.scenes import described_lines, scenes_of

__all__ = ["Author", "Reading"]


class Author(StrEnum):
    """Say who wrote a text: punctuation and wording of a person's text only warn."""

    AGENT = "agent"
    PERSON = "person"


@dataclass(frozen=True)
class Reading:
    """Hold a rendered draft beside its sheet; everything derived is computed on first use and kept.

    `framed`: code blocks carry the figures, and model prose may hold slots only. `text` is in NFC with line feeds.
    """

    sheet: Sheet
    rendered: Rendered
    author: Author = Author.AGENT
    framed: bool = False
    slots: Mapping[str, Slot] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the text as it is shown, checked and sent."""
        return self.rendered.text

    @cached_property
    def folded(self) -> Folded:
        """Return the copy that matching runs on; its offsets lead back by `folded.span`."""
        return fold(self.text)

    @cached_property
    def code(self) -> tuple[Span, ...]:
        """Return where code blocks stand in the text."""
        return tuple(Span(place.start, place.end) for place in self.rendered.placed if isinstance(place.block, Code))

    @cached_property
    def prose(self) -> tuple[Span, ...]:
        """Return where prose blocks stand in the text."""
        return tuple(Span(place.start, place.end) for place in self.rendered.prose)

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """Return the record that is drafted; of a text, an empty one."""
        return next((place.block.data for place in self.rendered.placed if isinstance(place.block, Record)), {})

    @cached_property
    def fields(self) -> Mapping[str, Span]:
        """Return where the value of each field of the record stands in the text, by its path."""
        return {one.path: Span(one.start, one.end) for place in self.rendered.placed for one in place.fields}

    @cached_property
    def passages(self) -> tuple[Span, ...]:
        """Return where prose stands in the folded text, blocks that follow each other as one: all of a free text."""
        if not self.code:
            return (Span(0, len(self.folded.text)),)
        found: list[Span] = []
        joined = False
        for place in self.rendered.placed:
            if is_prose := isinstance(place.block, Prose):
                start = found.pop().start if joined else place.start
                found.append(Span(start, place.end))
            joined = is_prose
        return tuple(self.folded_span(*span) for span in found)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Return the sheet's own strings, with the parts of them that are said alone."""
        return own_strings(self.sheet)

    @cached_property
    def owned(self) -> tuple[Span, ...]:
        """Return where the sheet's own strings stand in the prose, as spans of the folded text."""
        return tuple(find_strings(self.unowned, self.own))

    @cached_property
    def masked(self) -> str:
        """Return the folded text, same length, with code blocks and the sheet's own strings hidden."""
        return mask(self.unowned, (), self.owned)

    @cached_property
    def bare(self) -> str:
        """Return the text, same length and letter case, with code blocks and the sheet's own strings hidden."""
        chars = list(self.text)
        owned = (self.folded.span(*span) for span in self.owned)
        for start, end in (*owned, *self.code):
            chars[start:end] = MASK * (end - start)
        return "".join(chars)

    @cached_property
    def unowned(self) -> str:
        """Return the folded text, same length, with code blocks hidden and the sheet's own strings in sight."""
        return mask(self.folded.text, (), [self.folded_span(*span) for span in self.code])

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Return the sentences, as spans of the folded text."""
        return tuple(sentences(self.folded))

    @cached_property
    def prose_sentences(self) -> tuple[Span, ...]:
        """Return the sentences that are not wholly in code blocks."""
        found = self.sentences
        if self.code:
            # Code blocks stand apart: with them hidden the sentences of the prose are the same, and sooner found.
            found = tuple(sentences(replace(self.folded, text=self.unowned)))
        return tuple(one for one in found if self.unowned[one.start : one.end].strip(f"{MASK} \n"))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Return where the lines' ids stand, in code blocks too."""
        return find_mentions(self.folded.text, (line.id for line in self.sheet.lines))

    @cached_property
    def plain(self) -> str:
        """Return the folded text, same length, with code blocks, the sheet's own strings and the lines' ids hidden."""
        return mask(self.masked, (), [mention.span for mention in self.mentions])

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of the prose, in order; ids and the sheet's own strings hold none."""
        return read_figures(self.folded, self.plain, self.prose_sentences, manner_of(self.sheet))

    @cached_property
    def words(self) -> str:
        """Return the text of `plain` with the figures hidden too and line breaks as spaces: what cues stand in."""
        return mask(self.plain, (), [figure.span for figure in self.figures]).replace("\n", " ")

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """Return the sentences of the prose, each with the lines that it names and the figures that it holds."""
        described = described_lines(self.unowned, self.sheet.lines)
        lines = {line.id: line for line in self.sheet.lines}
        found = scenes_of(self.words, self.plain, self.prose_sentences, self.mentions, described, self.figures, lines)
        return tuple(found)

    @cached_property
    def amounts(self) -> tuple[Figure, ...]:
        """Return the figures of the whole text, code blocks included, that can be amounts of money."""
        figures = self.figures
        if self.code:
            masked = mask(self.folded.text, self.own, [mention.span for mention in self.mentions])
            figures = read_figures(self.folded, masked, self.sentences, manner_of(self.sheet))
        return tuple(figure for figure in figures if figure.cents)

    def folded_span(self, start: int, end: int) -> Span:
        """Return where a passage of the text stands in the folded text."""
        offsets = self.folded.offsets
        return Span(bisect_left(offsets, start), bisect_left(offsets, end))

    def in_code(self, start: int, end: int) -> bool:
        """Tell whether a passage of the text lies inside a code block."""
        return any(span.holds((start, end)) for span in self.code)
