"""List the ways in which people write a name, a firm, an address, a phone number or an id that a record holds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import phonenumbers

from memory.sanitize.english import CALENDAR, FIRM_WORDS, LEGAL_FORMS, PARTICLES, POST_NOMINALS, TITLES, is_word
from memory.sanitize.plain import key_of, plain

__all__ = ["Rule", "Variant", "address", "firm", "identifier", "person", "phone"]

_REGIONS = ("GB", "US", "DE", "IN", "FR", "AU", "IE", "NL", "ES", "IT")
_POSTCODE = re.compile(
    r"\b(?:[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d|\d{4} ?[a-z]{2}|\d{5}-\d{4}|\d{3} \d{3}|\d{4,7})\b"
)
_STREET_WORDS = {
    "street": "st", "road": "rd", "avenue": "ave", "lane": "ln", "drive": "dr", "yard": "yd", "court": "ct",
    "square": "sq", "place": "pl", "boulevard": "blvd", "terrace": "ter", "crescent": "cres", "gardens": "gdns",
    "close": "cl", "highway": "hwy", "parkway": "pkwy", "suite": "ste", "apartment": "apt", "building": "bldg",
    "strasse": "str", "saint": "st", "north": "n", "south": "s", "east": "e", "west": "w", "floor": "fl",
}  # fmt: skip
_NORTH_AMERICA = 1
_WIDEST_ID = 9  # digits of an id whose number is written with zeros before it
# What people put before a number that is all digits.
_PREFIXES = ("po", "inv", "invoice", "no", "ref", "acc", "order")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


class Rule(StrEnum):
    """Say how a variant must be written in a text to count."""

    ANY = "any"
    CAPITAL = "capital"  # an English word too: "Grant", not "grant"
    WORDS = "words"  # English words too, unless they are written as one: "Mark Rivers", "markrivers", not "mark rivers"
    PARTED = "parted"  # words in capitals: "Tom A.", not "Toma" and not "Ada's"
    INITIALS = "initials"  # "M.O.L." or "MOL"
    CUED = "cued"  # a short number: only behind a word such as "invoice" or "no."


@dataclass(frozen=True, slots=True)
class Variant:
    """Hold one way to write a value: its letters and digits, what part of the value it is, how it must be written."""

    key: str
    part: str = ""
    rule: Rule = Rule.ANY


def person(name: str) -> Iterator[Variant]:
    """Yield a person's name whole, reversed, by initials, joined, and by its parts (`FIRST`, `LAST`)."""
    for written in dict.fromkeys((name, name.translate(_UMLAUTS))):
        yield from _person(written)


def _person(name: str) -> Iterator[Variant]:
    given, family = _parts(name)
    if not given:
        yield from (Variant(key, "", _rule(key)) for key in [key_of(part) for part in family] if key)
        return
    firsts = _either(given[:1])
    lasts = _lasts(family)
    middles = [key_of(part) for part in given[1:]]
    heads = {*firsts, *(key_of(first) + "".join(middles) for first in given[:1])}
    heads |= {first + "".join(part[:1] for part in middles) for first in firsts if middles}
    heads |= {part for part in middles if len(part) > 2}
    letters = {head[0] for head in heads} | {key_of(given[0])[0] + "".join(part[:1] for part in middles)}
    letters |= {"".join(key_of(half)[:1] for half in re.split(r"[-\s]", given[0]))}
    for head, last in product(sorted(heads), sorted(lasts)):
        words = all(is_word(part) for part in (head, last))
        for key in (head + last, last + head):
            yield Variant(key, "", Rule.WORDS if words else Rule.ANY)
    for head, last in product(sorted(firsts), sorted(lasts)):
        yield Variant(head + last[:1], "", Rule.PARTED)
    for letter, last in product(sorted(letters), sorted(lasts)):
        for key in (letter + last, last + letter):
            yield Variant(key, "", Rule.CAPITAL if is_word(last) or is_word(key) else Rule.ANY)
    yield from (Variant(key, "FIRST", _rule(key)) for key in sorted(heads) if len(key) > 1)
    yield from (Variant(key, "LAST", _rule(key)) for key in sorted(lasts) if len(key) > 1)
    yield from (Variant(key, "", Rule.INITIALS) for key in sorted(_initials(given, family)))


def _parts(name: str) -> tuple[list[str], list[str]]:
    """Part a name into given names and family name; "Family, Given" too, titles and letters after it dropped."""
    if name.count(",") == 1:
        before, after = (part.split() for part in name.split(","))
        if before and after and key_of(after[-1]) not in POST_NOMINALS:
            return after, before
    words = [word for word in name.replace(",", " ").split() if key_of(word)]
    while words and key_of(words[0]) in TITLES:
        words.pop(0)
    while len(words) > 1 and key_of(words[-1]) in POST_NOMINALS:
        words.pop()
    if len(words) < 2:
        return [], words
    at = len(words) - 1
    while at > 1 and key_of(words[at - 1]) in PARTICLES:
        at -= 1
    return words[:at], words[at:]


def _either(parts: list[str]) -> set[str]:
    """Return the key of a hyphenated name and those of its halves."""
    whole = {key_of("".join(parts))}
    halves = (key_of(half) for part in parts for half in part.split("-"))
    return whole | {half for half in halves if len(half) > 2}


def _lasts(family: list[str]) -> set[str]:
    own = [word for word in family if key_of(word) not in PARTICLES] or family
    return {key_of("".join(family)), *_either(own), *(key for key in (key_of(word) for word in own) if len(key) > 2)}


def _initials(given: list[str], family: list[str]) -> set[str]:
    first = "".join(key_of(word)[:1] for word in given)
    own = [word for word in family if key_of(word) not in PARTICLES] or family
    halves = "".join(key_of(half)[:1] for word in own for half in word.split("-"))
    return {first + halves, first[:1] + halves, first + halves[:1], first[:1] + halves[:1], first[:1] + halves[-1:]}


def _rule(key: str) -> Rule:
    return Rule.CAPITAL if is_word(key) else Rule.ANY


def firm(name: str) -> Iterator[Variant]:
    """Yield a firm's name with and without its legal form, by its first word or two, and by its initials."""
    for written in dict.fromkeys((name, name.translate(_UMLAUTS))):
        yield from _firm(re.sub(r"\([^)]*\)", " ", written))


def _firm(name: str) -> Iterator[Variant]:
    words = [word for word in re.split(r"[^\w']+", plain(name).text) if key_of(word)]
    core = list(words)
    while len(core) > 1 and key_of(core[-1]) in LEGAL_FORMS:
        core.pop()
    while len(core) > 1 and key_of(core[0]) in ("the", "a"):
        core.pop(0)
    keys = [key_of(word) for word in core]
    plural = [key for key in keys if key not in ("and", "of", "the")]
    whole = {"".join(keys), "".join(plural), "".join(key_of(word) for word in words)}
    if "and" not in keys and len(keys) > 1 and "&" in name:
        whole.add("and".join(keys))
    loose = all(map(is_word, keys))
    alone = Rule.ANY if not loose else Rule.CAPITAL if len(keys) == 1 else Rule.WORDS
    yield from (Variant(key, "", alone if len(keys) < 3 else Rule.ANY) for key in sorted(whole))
    if "&" in name and len(plural) > 2:
        yield Variant("and".join(plural[:2]), "", alone)
    for size in range(2, len(plural)):
        yield Variant("".join(plural[:size]), "", alone)
    for key in plural[:1]:
        if len(key) > 2 and key not in CALENDAR:
            yield Variant(key, "", _rule(key))
    yield from (Variant(key, "", Rule.CAPITAL) for key in plural[1:] if len(key) > 4 and key not in FIRM_WORDS)
    letters = "".join(key[0] for key in plural)
    tail = "".join(key_of(word)[0] for word in words[len(core) :])
    yield from (Variant(key, "", Rule.INITIALS) for key in (letters, letters + tail) if len(key) > 2)


def address(value: str) -> Iterator[Variant]:
    """Yield an address by each of its parts: street with and without its number, town, postcode."""
    for part in re.split(r"[,;\n]", value):
        low = plain(part).lower
        codes = [match for match in _POSTCODE.finditer(low) if not _opens_street(low, match)]
        for match in codes:
            yield Variant(key_of(match[0]))
        for match in codes:
            low = low.replace(match[0], " ")
        yield from _address_part(low)


def _opens_street(part: str, match: re.Match[str]) -> bool:
    """Tell whether digits begin a street ("1200 Elm Road"): a house number, no postcode."""
    return (
        not part[: match.start()].strip() and bool(re.match(r" +[a-z]{2}", part[match.end() :])) and match[0].isdigit()
    )


def _address_part(part: str) -> Iterator[Variant]:
    words = [key for key in (key_of(word) for word in re.split(r"[^\w']+", part)) if key]
    if not words:
        return
    for written in _street_forms(words):
        bare = [word for word in written if not re.fullmatch(r"\d+[a-z]?", word)]
        if not bare:
            continue
        yield from _place(written)
        if bare != written:
            yield from _place(bare)
            yield from _place([*bare, *(word for word in written if word not in bare)])


def _street_forms(words: list[str]) -> Iterator[list[str]]:
    short = _STREET_WORDS
    expanded = {brief: word for word, brief in _STREET_WORDS.items() if word != "saint"}
    yield words
    yield [short.get(word, word) for word in words]
    yield [expanded.get(word, word) for word in words]


def _place(words: list[str]) -> Iterator[Variant]:
    key = "".join(words)
    if len(key) < 3 or (len(words) == 1 and key in _STREET_WORDS) or key in CALENDAR:
        return
    yield Variant(key, "", Rule.CAPITAL if all(map(is_word, words)) else Rule.ANY)


def phone(number: str) -> Iterator[Variant]:
    """Yield a phone number's digits: national, international, with 00, 011 and a zero in brackets."""
    digits = key_of(number)
    yield Variant(digits)
    for region in (None,) if number.strip().startswith("+") else _REGIONS:
        try:
            read = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if not phonenumbers.is_possible_number(read):
            continue
        country, nation = str(read.country_code), phonenumbers.national_significant_number(read)
        for before in ("", "0", country, f"00{country}", f"011{country}", f"{country}0", f"00{country}0", "1"):
            yield Variant(before + nation)
        yield from _without_area(read, nation)
        if region is None:
            return


def _without_area(read: phonenumbers.PhoneNumber, nation: str) -> Iterator[Variant]:
    """Yield a number as it is dialled within its town: "7946 0958"."""
    area = 3 if read.country_code == _NORTH_AMERICA else phonenumbers.length_of_geographical_area_code(read)
    if area and len(nation) - area > 5:
        yield Variant(nation[area:])


def identifier(value: str) -> Iterator[Variant]:
    """Yield an id with and without its separators, its prefix and the zeros before its number."""
    key = key_of(value)
    yield Variant(key)
    match = re.fullmatch(r"([a-z]*)(\d+)", key)
    if match is None:
        return
    letters, digits = match.groups()
    short = digits.lstrip("0")
    for number in dict.fromkeys((digits, short)):
        if number:
            yield Variant(letters + number)
            yield Variant(number, "", Rule.ANY if len(number) > 3 else Rule.CUED)
    if letters and short:
        yield from (Variant(letters + short.zfill(width)) for width in range(len(short), _WIDEST_ID))
    elif len(short) > 3:
        yield from (Variant(prefix + digits) for prefix in _PREFIXES)
    last = re.split(r"[^a-z0-9]+", plain(value).lower)[-1]
    if last != key and last.isdigit() and len(last) > 2:  # "417" of "2026-00417"
        yield from (Variant(number, "", Rule.CUED) for number in (last, last.lstrip("0")) if number)
