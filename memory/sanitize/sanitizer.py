"""Take the personal details out of a text, pass after pass, until a further pass finds none."""

import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from agent.text import nfc
from memory.sanitize import addresses, contacts, figures, matching, names, numbers
from memory.sanitize.found import Found, Span, settle
from memory.sanitize.known import Index, index_of
from memory.sanitize.ner import Recogniser, Word
from memory.sanitize.page import SLOT, Page
from memory.sanitize.plain import Plain, key_of
from memory.sanitize.record import Known

__all__ = ["MAX_CHARACTERS", "Known", "Sanitized", "Sanitizer", "TextTooLong"]

MAX_CHARACTERS = 30_000
"""The longest text that is looked at, in characters: twenty times a long mail."""

_MOST_PASSES = 16
_SWEEP = re.compile(r"(?<![^\W_])[^\W_]*\d[^\W_]*(?:[.,:/'-](?=\d)[^\W_]+)*")
_BETWEEN_PARTS = re.compile(r"[\s,.\-'/]{0,3}|\s[A-Za-z]\.?\s")
_REGION = re.compile(r"[\s,]{1,2}[A-Z]{2,3}[\s,]{1,2}")  # "Portland, OR 97205"
_PART = re.compile(r"(?:FIRST|LAST)_(?=NAME)")
_PROPER_TAGS = ("NNP", "NNPS")


class TextTooLong(ValueError):
    """Refuse a text of more than MAX_CHARACTERS."""


@dataclass(frozen=True, slots=True)
class Sanitized:
    """Hold a text without personal details: what stood in each slot, and where in the NFC input."""

    text: str
    slots: Mapping[str, tuple[str, ...]]
    spans: tuple[Span, ...]


class Sanitizer:
    """Sanitise texts with one recogniser of names."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser

    def sanitize(self, text: str, *, known: Known, public: Collection[str] = ()) -> Sanitized:
        """Replace every personal detail by a slot.

        `known` gives the values of the record by slot; they and their variants get that slot. A person's slot that
        ends in NAME has FIRST_NAME and LAST_NAME beside it. Everything else that is found gets a numbered slot by its
        kind: PERSON, ORG, PLACE, ADDRESS, EMAIL, PHONE, URL, HANDLE, IBAN, CARD, ACCOUNT, VAT, TAX_ID, REF, AMOUNT,
        PERCENT, DATE, TIME, NUMBER. Equal values have equal slots. `public` strings stay, and so do slots that the
        text already holds. Raise TextTooLong for more than MAX_CHARACTERS.
        """
        source = nfc(text)
        if len(source) > MAX_CHARACTERS:
            raise TextTooLong(f"the text has {len(source):,} characters, more than {MAX_CHARACTERS:,}. Shorten it.")
        index = _index(tuple((slot, tuple(values)) for slot, values in known.items()))
        taken = {match[1] for match in SLOT.finditer(source)} | set(known)
        work = _Work(source, index, self._recogniser, frozenset(public), _Slots(taken))
        for _ in range(_MOST_PASSES):
            if not work.step():
                break
        return work.result()


@lru_cache(maxsize=2)
def _index(values: tuple[tuple[str, tuple[str, ...]], ...]) -> Index:
    return index_of(dict(values))


@dataclass(slots=True)
class _Slots:
    """Give equal values equal slots."""

    taken: set[str]
    given: dict[tuple[str, Hashable], str] = field(default_factory=dict)

    def slot(self, one: Found) -> str:
        slot = one.slot or self.given.get((one.kind, one.key), "")
        if not slot:
            number = 1
            while f"{one.kind}_{number}" in self.taken:
                number += 1
            slot = f"{one.kind}_{number}"
            self.taken.add(slot)
        self.given.setdefault((one.kind, one.key), slot)
        return slot


@dataclass(slots=True)
class _Work:
    """Hold a text while passes go over it: the spans found so far, and what they say about later ones."""

    source: str
    index: Index
    recogniser: Recogniser
    public: frozenset[str]
    slots: _Slots
    spans: list[Span] = field(default_factory=list)
    echoes: Index | None = None
    echoed: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    seen: dict[str, tuple[Word, ...]] = field(default_factory=dict)

    def step(self) -> bool:
        """Run the first stage that still finds something; tell whether one did."""
        page = Page.of(self.source, self.spans, self.index, self.public)
        stages = (self._by_shape, self._by_name, self._by_digit)
        return any(self._take(page, stage(page)) for stage in stages)

    def _by_shape(self, page: Page) -> list[Found]:
        proper = _Proper(page, self)
        echoed = matching.find(page.plain, self.echoes, proper) if self.echoes else ()
        return _merged(
            page.plain,
            settle(
                page.free(
                    chain(
                        contacts.find(page.plain),
                        numbers.find(page.plain),
                        addresses.find(page.plain),
                        figures.find(page.plain, self.index.figures),
                        matching.find(page.plain, self.index, proper),
                        (replace(one, rank=5) for one in echoed),
                    )
                )
            ),
        )

    def _by_name(self, page: Page) -> list[Found]:
        return settle(page.free(names.find(page.plain, self.words(page))))

    def _by_digit(self, page: Page) -> list[Found]:
        hits = (Found(*match.span(), "NUMBER", match[0]) for match in _SWEEP.finditer(page.plain.lower))
        return settle(page.free(hits))

    def words(self, page: Page) -> tuple[Word, ...]:
        """Return the recogniser's words, placed in the plain text; a paragraph is read once."""
        found: list[Word] = []
        for start, end in page.paragraphs():
            text, offsets = page.spoken(start, end)
            if text not in self.seen:
                self.seen[text] = self.recogniser.words(text)
            for word in self.seen[text]:
                first, last = offsets[word.start], offsets[word.end - 1]
                if first >= 0 and last >= 0:
                    found.append(replace(word, start=first, end=last + 1))
        return tuple(found)

    def _take(self, page: Page, found: list[Found]) -> bool:
        leaders = _leaders(found)
        for one in found:
            written = page.plain.text[one.start : one.end]
            leader = leaders.get(_key(one), one) if not one.slot else one
            slot = self.slots.slot(self._resolved(leader))
            start, end = page.place(one.start, one.end)
            self.spans.append(Span(start, end, slot))
            if one.kind in _ECHOED and not one.slot:
                self._echo(leader.kind, slot, written)
        self.spans.sort(key=lambda span: span.start)
        return bool(found)

    def _resolved(self, one: Found) -> Found:
        """Give a find the slot of the record's value, or of the earlier find, that it is."""
        if one.slot or not isinstance(one.key, str):
            return one
        slot = self.index.literal.get((one.kind, one.key), "")
        if one.kind in _ECHOED:
            key = key_of(one.key)
            kinds = ("PERSON", "ORG") if one.kind in ("PERSON", "ORG") else ("ID", "PHONE")
            entries = (index.entries.get(key) for index in (self.index, self.echoes) if index)
            slot = slot or next((entry.slot for entry in entries if entry and entry.kind in kinds), "")
            return replace(one, slot=slot, key=key)
        return replace(one, slot=slot)

    def _echo(self, kind: str, slot: str, written: str) -> None:
        """Remember what was found, so that every other place of it is found too."""
        values = self.echoed.setdefault(slot, [])
        if written in values:
            return
        values.append(written)
        self.kinds[slot] = kind if kind in ("PERSON", "ORG", "PHONE") else "ID"
        self.echoes = index_of(self.echoed, self.kinds)

    def result(self) -> Sanitized:
        parts: list[str] = []
        values: dict[str, dict[str, None]] = {}
        at = 0
        for span in self.spans:
            parts += [self.source[at : span.start], f"[{span.slot}]"]
            values.setdefault(span.slot, {})[self.source[span.start : span.end]] = None
            at = span.end
        text = "".join([*parts, self.source[at:]])
        return Sanitized(text, {slot: tuple(found) for slot, found in values.items()}, tuple(self.spans))


_NAMES = frozenset(["PERSON", "ORG"])
_ECHOED = frozenset(["PERSON", "ORG", "PLACE", "ADDRESS", "IBAN", "CARD", "ACCOUNT", "VAT", "TAX_ID", "REF", "PHONE"])


class _Proper:
    """Tell whether the word at a place is a proper noun; the text is read by the name model only when asked."""

    def __init__(self, page: Page, work: _Work) -> None:
        self._page, self._work = page, work
        self._proper: frozenset[int] | None = None

    def __call__(self, start: int) -> bool:
        if self._proper is None:
            words = self._work.words(self._page)
            self._proper = frozenset(word.start for word in words if word.tag in _PROPER_TAGS)
        return start in self._proper


def _key(one: Found) -> tuple[bool, str]:
    return one.kind in _NAMES, key_of(one.key) if isinstance(one.key, str) else ""


def _leaders(found: list[Found]) -> dict[tuple[bool, str], Found]:
    """Map a name's parts to the whole name, and a number alone to the one that a word explains, within one pass.

    So "Priya" becomes the slot of "Priya Example", whichever comes first in the text.
    """
    leaders: dict[tuple[bool, str], Found] = {}
    strings = [one for one in found if isinstance(one.key, str) and one.kind in _ECHOED and not one.slot]
    for one in sorted(strings, key=lambda one: (one.kind == "REF", -len(str(one.key).split()), one.start)):
        leaders.setdefault(_key(one), one)
        if one.kind in _NAMES:
            for variant in index_of({one.kind: [str(one.key)]}, {one.kind: one.kind}).entries:
                leaders.setdefault((True, variant), one)
    return leaders


def _merged(page: Plain, found: list[Found]) -> list[Found]:
    """Join what stands side by side and belongs to one value: first and last name, street and postcode."""
    joined: list[Found] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and _belongs(page.text[last.end : one.start], last, one):
            slot = last.slot if last.slot == one.slot else _PART.sub("", last.slot)
            joined[-1] = replace(last, end=one.end, slot=slot)
        else:
            joined.append(one)
    return joined


def _belongs(between: str, one: Found, other: Found) -> bool:
    """Tell whether two finds are parts of one value; a first name said twice ("Ada, Ada's") is two."""
    if not one.slot or one.kind != other.kind or one.kind not in ("PERSON", "ADDRESS", "ORG"):
        return False
    if _PART.sub("", one.slot) != _PART.sub("", other.slot) or between.count("\n") > 1:
        return False
    if one.slot == other.slot and one.kind != "ADDRESS":
        return between in ("", " ", "-", "\n")
    return bool(_BETWEEN_PARTS.fullmatch(between) or (one.kind == "ADDRESS" and _REGION.fullmatch(between)))
