"""Know the values of a record in all their variants, and find them in a text however they are parted and cased."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rapidfuzz.distance import OSA

from agent.text.figure import FigureKind
from memory.sanitize import variants
from memory.sanitize.english import GREETINGS, LEGAL_FORMS, MONTHS_AND_DAYS, ORG_WORDS, TITLES, is_word
from memory.sanitize.figures import Figures, known_figure
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain, key_of
from memory.sanitize.record import Known
from memory.sanitize.variants import Rule, Variant

__all__ = ["Index", "Token", "find", "index_of", "tokens"]

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_GAP = re.compile(r"[\s\-.,'/_&+()]{0,4}")
_NUMBER_GAP = re.compile(r"[ \-./()\n]{0,3}")
_AND = frozenset(["and", "und", "et", "y"])
_MOST_TOKENS = 14
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_URL = re.compile(r"https?://|www\.")
_CUES = re.compile(
    r"(?:\b(?:no|nos|number|numbers|nr|num|invoice|invoices|inv|bill|order|po|p\.o|ref|reference|account|acc|acct|a/c|"
    r"note|cn|id|and|or|customer|client|ending|in)|#|&|,)\W{0,3}$"
)
_BEFORE_MONTH = frozenset(
    [
        "in",
        "since",
        "of",
        "for",
        "during",
        "by",
        "early",
        "mid",
        "late",
        "end",
        "until",
        "till",
        "this",
        "last",
        "next",
        "from",
        "through",
        "before",
        "after",
        "and",
        "your",
        "our",
        "on",
    ]
)


@dataclass(frozen=True, slots=True)
class Token:
    """Hold one word or number: its letters and digits, and its place."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Entry:
    slot: str
    kind: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Index:
    """Hold the variants of a record's values by their letters and digits, its figures, and its e-mail addresses."""

    entries: Mapping[str, _Entry]
    openings: frozenset[str]
    loose: tuple[str, ...]
    figures: Figures
    literal: Mapping[tuple[str, str], str]
    longest: int


def index_of(known: Known) -> Index:
    """Build the index of a record; where two slots have a value or variant in common, the first one keeps it."""
    entries: dict[str, _Entry] = {}
    literal: dict[tuple[str, str], str] = {}
    figures = Figures({}, {}, {})
    for slot, values in known.items():
        for value in values:
            kind = _kind(slot, value)
            if kind in ("EMAIL", "URL"):
                literal.setdefault((kind, value.strip().casefold()), slot)
            if kind == "FIGURE":
                _add_figure(figures, slot, value)
            else:
                for variant in _variants(kind, value):
                    _add(entries, variant, slot, kind)
    openings = {key[:size] for key in entries for size in range(1, len(key))}
    loose = tuple(key for key, entry in entries.items() if _is_loose(key, entry))
    return Index(entries, frozenset(openings), loose, figures, literal, max(map(len, entries), default=0))


def _kind(slot: str, value: str) -> str:
    """Return what a value is: by its slot's name where that tells, else by its shape."""
    name = re.sub(r"(?:_\d+)+$", "", slot).rsplit("_", 1)[-1]
    if name in ("NAME", "PERSON", "CONTACT"):
        return "ORG" if _is_firm(value) else "PERSON"
    if name in ("ORG", "FIRM", "COMPANY", "TEAM"):
        return "ORG"
    for kind in ("EMAIL", "PHONE", "ADDRESS"):
        if name == kind:
            return kind
    if name in ("IBAN", "VAT", "ACCOUNT"):
        return "ID"
    if _EMAIL.fullmatch(value.strip()):
        return "EMAIL"
    if _URL.match(value.strip().casefold()):
        return "URL"
    if known_figure(value):
        return "FIGURE"
    return "ID" if any(char.isdigit() for char in value) and len(value.split()) < 4 else "TEXT"


def _is_firm(value: str) -> bool:
    words = [key_of(word) for word in value.split()]
    return words[-1] in ORG_WORDS or "&" in value or "and" in words


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


def _add(entries: dict[str, _Entry], variant: Variant, slot: str, kind: str) -> None:
    if not variant.key:
        return
    named = slot
    if variant.part:
        head, name, number = re.fullmatch(r"(.*?)(NAME)?((?:_\d+)*)", slot).groups()  # type: ignore[union-attr] # matches all
        named = f"{head}{variant.part}_NAME{number}" if name else slot
    old = entries.get(variant.key)
    if old is None or (old.slot == named and variant.rule is Rule.ANY):
        entries[variant.key] = _Entry(named, kind, variant.rule)


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


def _is_loose(key: str, entry: _Entry) -> bool:
    """Tell whether a variant is looked for with one letter wrong: a name's word of four letters or more."""
    return entry.kind in ("PERSON", "ORG") and len(key) > 3 and key.isalpha() and entry.rule is not Rule.INITIALS


def tokens(page: Plain) -> list[Token]:
    """Return the words and numbers of a plain text, apostrophes dropped."""
    return [Token(match[0].replace("'", ""), *match.span()) for match in _TOKEN.finditer(page.lower)]


def find(page: Plain, index: Index, is_proper: Callable[[int], bool]) -> Iterator[Found]:
    """Yield the places of a record's values; `is_proper` tells whether the word at a place is a name, not a word.

    Words are joined as far as a variant goes, so neither spaces, hyphens and dots nor their lack hide a value.
    """
    found = tokens(page)
    wrong: dict[str, str] = {}
    at = 0
    while at < len(found):
        hit = _longest(page, found, at, index, is_proper) or _almost(page, found[at], index, wrong)
        if hit is None:
            at += 1
            continue
        one, after = hit
        yield _widened(page, one)
        at = after if after > at else at + 1


def _longest(
    page: Plain, found: list[Token], at: int, index: Index, is_proper: Callable[[int], bool]
) -> tuple[Found, int] | None:
    best: tuple[Found, int] | None = None
    joined = ""
    for stop in range(at, min(len(found), at + _MOST_TOKENS)):
        token = found[stop]
        if stop > at and not _joins(page.lower, found[stop - 1], token):
            break
        for key, end in _endings(page.lower, token):
            entry = index.entries.get(joined + key)
            if entry and _is_meant(page, found, (at, stop, end), entry, is_proper):
                best = Found(found[at].start, end, entry.kind, entry.slot, entry.slot, rank=2), stop + 1
        if token.key in _AND and joined and joined not in index.openings:
            break
        if not (token.key in _AND and joined + token.key not in index.openings):
            joined += token.key
        if joined not in index.openings:
            break
    return best


def _at(found: list[Token], at: int) -> str:
    return found[at].key if 0 <= at < len(found) else ""


def _endings(text: str, token: Token) -> Iterator[tuple[str, int]]:
    """Yield a word as it may end a value: without a possessive's ending first, then whole."""
    if text[token.end - 2 : token.end] == "'s":
        yield token.key[:-1], token.end - 2
    yield token.key, token.end


def _joins(text: str, one: Token, other: Token) -> bool:
    gap = text[one.end : other.start]
    if one.key[-1].isdigit() and other.key[0].isdigit():
        return bool(_NUMBER_GAP.fullmatch(gap))
    return bool(_GAP.fullmatch(gap)) and gap.count("\n") < 2


def _is_meant(
    page: Plain, found: list[Token], place: tuple[int, int, int], entry: _Entry, is_proper: Callable[[int], bool]
) -> bool:
    first, last, end = place
    start = found[first].start
    written = page.text[start:end]
    if entry.rule is Rule.ANY:
        return True
    if entry.rule is Rule.CUED:
        return bool(_CUES.search(page.lower, max(0, start - 16), start))
    letters = "".join(char for char in written if char.isalpha())
    if entry.rule is Rule.INITIALS:
        return letters.isupper() and ("." in written or len(letters) > 2)
    if not all(page.text[token.start].isupper() for token in found[first : last + 1]):
        return False
    if first < last:
        return True
    before = _at(found, first - 1)
    if before in TITLES or before in GREETINGS:
        return True
    if found[first].key in MONTHS_AND_DAYS and (before in _BEFORE_MONTH or not is_proper(start)):
        return False
    return not _opens_sentence(page.text, start) or is_proper(start)


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start].rstrip(" \"'([*>-")
    return not before or before[-1] in ".!?:;\n•"


def _almost(page: Plain, token: Token, index: Index, wrong: dict[str, str]) -> tuple[Found, int] | None:
    """Return the name that a word is but for one letter, added, dropped, changed or swapped with the next."""
    for key, end in _endings(page.lower, token):
        if len(key) < 4 or not key.isalpha() or is_word(key) or key in LEGAL_FORMS:
            continue
        if len(key) < 6 and not page.text[token.start].isupper():
            continue
        if key not in wrong:
            wrong[key] = next((name for name in index.loose if _differ_little(key, name)), "")
        if wrong[key]:
            entry = index.entries[wrong[key]]
            return Found(token.start, end, entry.kind, entry.slot, entry.slot, rank=2), -1
    return None


def _differ_little(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) < 2 and OSA.distance(one, other, score_cutoff=1) <= 1


_LEGAL_TAIL = re.compile(
    rf"(?:,? ?(?:\([a-z .]{{2,20}}\) ?)?(?:{'|'.join(sorted(LEGAL_FORMS, key=len, reverse=True))}|l\.l\.c|p\.l\.c|s\.a|s\.p\.a|s\.r\.l|b\.v|n\.v|g\.m\.b\.h)\b\.?)+"
)


def _widened(page: Plain, one: Found) -> Found:
    """Take in what belongs to a value but is no letter of it: "+(" before a phone number, "Ltd" after a firm."""
    start, end = one.start, one.end
    if one.kind == "PHONE":
        while start and page.text[start - 1] in "+(":
            start -= 1
    if one.kind == "ORG" and (tail := _LEGAL_TAIL.match(page.lower, end)) and not _is_plain_word(page, tail):
        end = (
            tail.end()
            if not tail[0].endswith(".") or page.text[tail.end() : tail.end() + 2].strip(" ")
            else tail.end() - 1
        )
    if one.kind == "PERSON" and one.end < len(page.text) and page.text[one.end] == "." and _is_initial(page.text, one):
        end += 1
    return Found(start, end, one.kind, one.key, one.slot, one.rank)


def _is_plain_word(page: Plain, tail: re.Match[str]) -> bool:
    """Tell whether "company", "co" and the like stand in small letters, as words do."""
    word = page.text[tail.start() : tail.end()].strip(" ,.()")
    return word in (
        "company",
        "co",
        "corporation",
        "se",
        "as",
        "ag",
        "ab",
        "ev",
        "pc",
        "ek",
        "doo",
        "sa",
        "spa",
        "sas",
        "limited",
        "corp",
    )


def _is_initial(text: str, one: Found) -> bool:
    return one.end - one.start > 1 and text[one.end - 2] in ". -" and text[one.end - 1].isupper()
