"""Index the values of a record by all their variants."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from agent.text.figure import FigureKind
from memory.sanitize import variants
from memory.sanitize.english import FIRM_WORDS, is_word
from memory.sanitize.figures import Figures, known_figure
from memory.sanitize.plain import key_of
from memory.sanitize.record import Known
from memory.sanitize.variants import Rule, Variant

__all__ = ["Entry", "Index", "index_of"]

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_URL = re.compile(r"https?://|www\.")


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold what a variant stands for, and how it must be written to count."""

    slot: str
    kind: str
    rule: Rule
    part: str = ""


@dataclass(frozen=True, slots=True)
class Index:
    """Hold the variants of a record's values by their letters and digits, its figures, and its e-mail addresses."""

    entries: Mapping[str, Entry]
    openings: frozenset[str]
    loose: tuple[str, ...]
    figures: Figures
    literal: Mapping[tuple[str, str], str]
    longest: int


def index_of(known: Known, kinds: Mapping[str, str] | None = None) -> Index:
    """Build the index of a record; where two slots have a value or variant in common, the first one keeps it.

    `kinds` says of slots what their values are, where that is known already.
    """
    entries: dict[str, Entry] = {}
    literal: dict[tuple[str, str], str] = {}
    figures = Figures({}, {}, {})
    for slot, values in known.items():
        for value in values:
            kind = kinds[slot] if kinds else _kind(slot, value)
            if kind in ("EMAIL", "URL"):
                literal.setdefault((kind, value.strip().casefold()), slot)
            if kind == "FIGURE":
                _add_figure(figures, slot, value)
            else:
                for variant in _variants(kind, value):
                    _add(entries, variant, slot, kind)
    openings = {key[:size] for key in entries for size in range(1, len(key))}
    # Parts of a name before initials with a surname: "Lindqvists" is the surname with an s.
    loose = sorted(
        (key for key, entry in entries.items() if _is_loose(key, entry)), key=lambda key: not entries[key].part
    )
    return Index(entries, frozenset(openings), tuple(loose), figures, literal, max(map(len, entries), default=0))


_KINDS = {
    "NAME": "PERSON", "PERSON": "PERSON", "CONTACT": "PERSON", "ORG": "ORG", "FIRM": "ORG", "COMPANY": "ORG",
    "TEAM": "ORG", "EMAIL": "EMAIL", "PHONE": "PHONE", "ADDRESS": "ADDRESS", "IBAN": "ID", "VAT": "ID",
    "ACCOUNT": "ID", "INVOICE": "ID", "PO": "ID", "REFERENCE": "ID",
}  # fmt: skip


def _kind(slot: str, value: str) -> str:
    """Return what a value is: by its slot's last word where that tells, else by its shape."""
    kind = _KINDS.get(re.sub(r"(?:_\d+)+$", "", slot).rsplit("_", 1)[-1], "")
    if kind == "PERSON" and _is_firm(value):
        return "ORG"
    return kind or _shape(value.strip())


def _shape(value: str) -> str:
    if _EMAIL.fullmatch(value):
        return "EMAIL"
    if _URL.match(value.casefold()):
        return "URL"
    if known_figure(value):
        return "FIGURE"
    return "ID" if any(char.isdigit() for char in value) and len(value.split()) < 4 else "TEXT"


def _is_firm(value: str) -> bool:
    words = [key_of(word) for word in value.split()]
    return words[-1] in FIRM_WORDS or "&" in value or "and" in words


def _variants(kind: str, value: str) -> Iterable[Variant]:
    makers: Mapping[str, Callable[[str], Iterable[Variant]]] = {
        "PERSON": variants.person, "ORG": variants.firm, "PHONE": variants.phone, "ADDRESS": variants.address,
        "ID": variants.identifier,
    }  # fmt: skip
    if kind in makers:
        return makers[kind](value)
    key = key_of(value)
    single = kind == "TEXT" and all(is_word(key_of(word)) for word in value.split()) and len(value.split()) == 1
    return (Variant(key, "", Rule.CAPITAL if single else Rule.ANY),)


def _add(entries: dict[str, Entry], variant: Variant, slot: str, kind: str) -> None:
    if not variant.key:
        return
    named = slot
    if variant.part:
        head, name, number = re.fullmatch(r"(.*?)(NAME)?((?:_\d+)*)", slot).groups()  # type: ignore[union-attr] # matches all
        named = f"{head}{variant.part}_NAME{number}" if name else slot
    old = entries.get(variant.key)
    if old is None or (old.slot == named and variant.rule is Rule.ANY):
        entries[variant.key] = Entry(named, kind, variant.rule, variant.part)


def _add_figure(figures: Figures, slot: str, value: str) -> None:
    read = known_figure(value)
    if read is None:
        return
    kind, numbers, days, unit = read
    amounts: dict[Decimal, str] = figures.amounts  # type: ignore[assignment] # built here, frozen to all others
    dates: dict[date, str] = figures.days  # type: ignore[assignment]
    lengths: dict[tuple[Decimal, str], str] = figures.lengths  # type: ignore[assignment]
    for number in numbers:
        if kind in (FigureKind.MONEY, FigureKind.NUMBER):
            amounts.setdefault(abs(number), slot)
        elif kind is FigureKind.DURATION:
            lengths.setdefault((number, unit), slot)
    for day in days[:1]:
        dates.setdefault(day, slot)


def _is_loose(key: str, entry: Entry) -> bool:
    """Tell whether a variant is looked for with one letter wrong: a name's word of four letters or more."""
    return (
        entry.kind in ("PERSON", "ORG")
        and len(key) > 3
        and key.isalpha()
        and entry.rule not in (Rule.INITIALS, Rule.PARTED)
    )
