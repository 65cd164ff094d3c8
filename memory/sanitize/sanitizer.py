"""Take the personal details out of a text, pass after pass, until a further pass finds none."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from agent.text import MASK, find_strings, fold, nfc
from memory.sanitize import addresses, contacts, figures, known, names, numbers
from memory.sanitize.english import is_word
from memory.sanitize.found import Found, Span, settle
from memory.sanitize.known import Index, index_of
from memory.sanitize.ner import Recogniser, Word
from memory.sanitize.plain import Plain, key_of, plain
from memory.sanitize.record import Known

__all__ = ["MAX_CHARACTERS", "Known", "Sanitized", "Sanitizer", "TextTooLong"]

MAX_CHARACTERS = 30_000
"""The longest text that is looked at, in characters: twenty times a long mail."""

_SLOT = re.compile(r"\[([A-Z][A-Z0-9_]{0,60})\]")
_MOST_PASSES = 16
_SWEEP = re.compile(r"[^\W_]*\d[^\W_]*(?:[.,:/'-](?=\d)[^\W_]+)*")
_BETWEEN_PARTS = re.compile(r"[\s,.\-'/]{0,3}|\s[A-Za-z]\.?\s")
_PART = re.compile(r"(?:FIRST|LAST)_(?=NAME)")
_PROPER_TAGS = ("NNP", "NNPS")
# What the name model reads in a slot's place, so that a sentence with slots is still a sentence.
_STAND_INS = (
    (re.compile(r"NAME|PERSON|CONTACT"), "Anna"),
    (re.compile(r"ORG|TEAM"), "Acme"),
    (re.compile(r"ADDRESS|PLACE"), "Rome"),
    (re.compile(r"DATE|DUE$|PAY_BY|TIME"), "Monday"),
    (re.compile(r"AMOUNT|TOTAL"), "$5"),
)


class TextTooLong(ValueError):
    """Refuse a text of more than MAX_CHARACTERS."""


@dataclass(frozen=True, slots=True)
class Sanitized:
    """Hold a text without personal details: the values of each slot as they stood, and their places in the NFC input."""

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
        index = index_of(known)
        taken = {match[1] for match in _SLOT.finditer(source)} | set(known)
        work = _Work(source, index, self._recogniser, frozenset(public), _Slots(taken))
        for _ in range(_MOST_PASSES):
            if not work.step():
                break
        return work.result()


@dataclass(slots=True)
class _Slots:
    """Give equal values equal slots."""

    taken: set[str]
    given: dict[tuple[str, Hashable], str] = field(default_factory=dict)
    values: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def slot(self, one: Found, written: str) -> str:
        slot = one.slot or self.given.get((one.kind, one.key), "")
        if not slot:
            number = 1
            while f"{one.kind}_{number}" in self.taken:
                number += 1
            slot = f"{one.kind}_{number}"
            self.taken.add(slot)
        self.given.setdefault((one.kind, one.key), slot)
        if not one.slot:
            self.values.setdefault(one.kind, {}).setdefault(slot, []).append(written)
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
    seen: dict[str, tuple[Word, ...]] = field(default_factory=dict)

    def step(self) -> bool:
        """Run the first stage that still finds something; tell whether one did."""
        page = _Page.of(self)
        stages = (self._by_shape, self._by_name, self._by_digit)
        return any(self._take(page, stage(page)) for stage in stages)

    def _by_shape(self, page: "_Page") -> list[Found]:
        proper = _Proper(page, self)
        echoed = known.find(page.plain, self.echoes, proper) if self.echoes else ()
        return _merged(
            page.plain,
            settle(
                page.free(
                    chain(
                        contacts.find(page.plain),
                        numbers.find(page.plain),
                        addresses.find(page.plain),
                        figures.find(page.plain, self.index.figures),
                        self._literal(known.find(page.plain, self.index, proper)),
                        (replace(one, rank=5) for one in echoed),
                    )
                )
            ),
        )

    def _literal(self, found: Iterable[Found]) -> Iterator[Found]:
        yield from found

    def _by_name(self, page: "_Page") -> list[Found]:
        return settle(page.free(names.find(page.plain, self.words(page))))

    def _by_digit(self, page: "_Page") -> list[Found]:
        hits = (Found(*match.span(), "NUMBER", match[0]) for match in _SWEEP.finditer(page.plain.lower))
        return settle(page.free(hits))

    def words(self, page: "_Page") -> tuple[Word, ...]:
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

    def _take(self, page: "_Page", found: list[Found]) -> bool:
        for one in sorted(
            found,
            key=lambda one: (
                -len(one.key.split()) if one.kind == "PERSON" and isinstance(one.key, str) else 0,
                one.start,
            ),
        ):
            written = page.plain.text[one.start : one.end]
            slot = self.slots.slot(self._resolved(one), written)
            start, end = page.place(one.start, one.end)
            self.spans.append(Span(start, end, slot))
            self._echo()
        self.spans.sort(key=lambda span: span.start)
        return bool(found)

    def _resolved(self, one: Found) -> Found:
        """Give a find the slot of the record's value, or of the earlier find, that it is."""
        if one.slot:
            return one
        if isinstance(one.key, str):
            slot = self.index.literal.get((one.kind, one.key), "")
            if not slot and one.kind in ("PERSON", "ORG", "PLACE") and self.echoes:
                entry = self.echoes.entries.get(key_of(one.key))
                slot = entry.slot if entry else ""
            if not slot and one.kind in _IDS:
                entry = self.index.entries.get(key_of(one.key))
                slot = entry.slot if entry and entry.kind in ("ID", "PHONE") else ""
            if one.kind in ("PERSON", "ORG", "PLACE"):
                return replace(one, slot=slot, key=key_of(one.key))
            return replace(one, slot=slot)
        return one

    def _echo(self) -> None:
        """Make an index of what was found, so that every other place of it is found too."""
        kinds = {kind: values for kind, values in self.slots.values.items() if kind in _ECHOED}
        self.echoes = (
            index_of({slot: values for slots in kinds.values() for slot, values in slots.items()}) if kinds else None
        )

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


_IDS = frozenset(["IBAN", "CARD", "ACCOUNT", "VAT", "TAX_ID", "REF", "PHONE", "NUMBER"])
_ECHOED = frozenset(["PERSON", "ORG", "PLACE", "ADDRESS", "IBAN", "CARD", "ACCOUNT", "VAT", "TAX_ID", "REF", "PHONE"])


@dataclass(frozen=True, slots=True)
class _Page:
    """Hold the text of one pass: slots stand in place of what was found, and no detector sees into them."""

    plain: Plain
    sources: list[int]  # where each character of the view stands in the source
    slots: tuple[tuple[int, int, str], ...]  # in the plain text
    kept: tuple[tuple[int, int], ...]  # what is public, in the plain text

    @classmethod
    def of(cls, work: _Work) -> "_Page":
        view, sources, own = _view(work.source, work.spans)
        masked, slots = list(view), []
        for match in _SLOT.finditer(view):
            if match.start() in own or _is_slot(match[1], work.index):
                masked[match.start() : match.end()] = MASK * len(match[0])
                slots.append((match.start(), match.end(), match[1]))
        page = plain("".join(masked))
        place = {source: at for at, source in reversed(list(enumerate(page.offsets)))}
        inside = tuple((place[start], place[end - 1] + 1, name) for start, end, name in slots)
        folded = fold(page.text)
        kept = tuple(folded.span(*span) for span in find_strings(folded.text, work.public))
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


class _Proper:
    """Tell whether the word at a place is a proper noun; the text is read by the name model only when asked."""

    def __init__(self, page: _Page, work: _Work) -> None:
        self._page, self._work = page, work
        self._proper: frozenset[int] | None = None

    def __call__(self, start: int) -> bool:
        if self._proper is None:
            words = self._work.words(self._page)
            self._proper = frozenset(word.start for word in words if word.tag in _PROPER_TAGS)
        return start in self._proper


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
    return not any(known.find(plain(name.replace("_", " ")), index, lambda _: True))


def _merged(page: Plain, found: list[Found]) -> list[Found]:
    """Join what stands side by side and belongs to one value: first and last name, street and postcode."""
    joined: list[Found] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and last.slot and one.kind == last.kind in ("PERSON", "ADDRESS"):
            owner = _PART.sub("", last.slot)
            between = page.text[last.end : one.start]
            if owner == _PART.sub("", one.slot) and _BETWEEN_PARTS.fullmatch(between) and "\n\n" not in between:
                slot = last.slot if last.slot == one.slot else owner
                joined[-1] = replace(last, end=one.end, slot=slot)
                continue
        joined.append(one)
    return joined
