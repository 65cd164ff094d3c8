"""Show a text as one pass of the sanitiser sees it: slots in place of what was found, and where all of it stands."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from agent.text import MASK, find_strings, fold
from memory.sanitize import matching
from memory.sanitize.english import is_word
from memory.sanitize.found import Found, Span
from memory.sanitize.known import Index
from memory.sanitize.plain import Plain, plain

__all__ = ["SLOT", "Page"]

SLOT = re.compile(r"\[([A-Z][A-Z0-9_]{0,60})\]")
# What the name model reads in a slot's place, so that a sentence with slots is still a sentence.
_STAND_INS = (
    (re.compile(r"NAME|PERSON|CONTACT"), "Anna"),
    (re.compile(r"ORG|TEAM"), "Acme"),
    (re.compile(r"ADDRESS|PLACE"), "Rome"),
    (re.compile(r"DATE|DUE$|PAY_BY|TIME"), "Monday"),
    (re.compile(r"AMOUNT|TOTAL"), "$5"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """Hold the text of one pass; no detector sees into its slots."""

    plain: Plain
    sources: list[int]  # where each character of the view stands in the source
    slots: tuple[tuple[int, int, str], ...]  # in the plain text
    kept: tuple[tuple[int, int], ...]  # what is public, in the plain text

    @classmethod
    def of(cls, source: str, spans: list[Span], index: Index, public: Collection[str]) -> "Page":
        """Show a text with its spans as slots; `public` strings are kept from every detector."""
        view, sources, own = _view(source, spans)
        masked, slots = list(view), []
        for match in SLOT.finditer(view):
            if match.start() in own or _is_slot(match[1], index):
                masked[match.start() : match.end()] = MASK * len(match[0])
                slots.append((match.start(), match.end(), match[1]))
        page = plain("".join(masked))
        place = {place: at for at, place in reversed(list(enumerate(page.offsets)))}
        inside = tuple((place[start], place[end - 1] + 1, name) for start, end, name in slots)
        folded = fold(page.text)
        kept = tuple(folded.span(*span) for span in find_strings(folded.text, public))
        return cls(page, sources, inside, tuple((span.start, span.end) for span in kept))

    def free(self, found: Iterable[Found]) -> Iterator[Found]:
        """Yield the finds that meet no slot and nothing public."""
        for one in found:
            text = self.plain.text[one.start : one.end]
            if (
                one.start < one.end
                and MASK not in text
                and not any(one.start < end and start < one.end for start, end in self.kept)
            ):
                yield one

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a passage of the plain text stands in the source."""
        first, last = self.plain.span(start, end)
        return self.sources[first], self.sources[last - 1] + 1

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """Yield the paragraphs of the plain text as `[start, end)`."""
        at = 0
        for match in re.finditer(r"\n[ ]*\n\s*", self.plain.text):
            yield at, match.start()
            at = match.end()
        yield at, len(self.plain.text)

    def spoken(self, start: int, end: int) -> tuple[str, list[int]]:
        """Return a paragraph as the name model reads it, and the place of each of its characters; -1 in a slot."""
        parts: list[str] = []
        offsets: list[int] = []
        at = start
        for first, last, name in self.slots:
            if not start <= first < end:
                continue
            parts.append(self.plain.text[at:first])
            offsets.extend(range(at, first))
            word = next((word for cue, word in _STAND_INS if cue.search(name)), "item")
            parts.append(word)
            offsets.extend([-1] * len(word))
            at = last
        parts.append(self.plain.text[at:end])
        offsets.extend(range(at, end))
        return "".join(parts), offsets


def _view(source: str, spans: list[Span]) -> tuple[str, list[int], frozenset[int]]:
    """Return a text with its spans as slots, where each character came from, and where the slots begin."""
    parts: list[str] = []
    sources: list[int] = []
    own: list[int] = []
    at = 0
    for span in spans:
        parts.append(source[at : span.start])
        sources.extend(range(at, span.start))
        own.append(len(sources))
        parts.append(f"[{span.slot}]")
        sources.extend([span.start] * (len(span.slot) + 2))
        at = span.end
    parts.append(source[at:])
    sources.extend(range(at, len(source)))
    return "".join(parts), sources, frozenset(own)


def _is_slot(name: str, index: Index) -> bool:
    """Tell whether brackets hold a slot: one that hides a value of the record, such as [LINDQVIST], is none."""
    parts = [part.lower() for part in name.split("_") if part]
    if all(is_word(part) or (part.isdigit() and len(part) < 4) for part in parts):
        return True
    return not any(matching.find(plain(name.replace("_", " ")), index, lambda _: True))
