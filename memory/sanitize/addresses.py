"""Find postal addresses by their shape: boxes, streets of several countries, postcodes with the town beside them."""

import re
from collections.abc import Iterator

from agent.text.english import words as words_of
from memory.sanitize.english import COUNTRIES, is_word
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain

__all__ = ["find"]

_WORD = r"[A-Z][\w'.-]{0,30}"
_NAME = r"[A-Z][^\W\d_][\w'.-]{0,30}"  # of a town: longer than a letter, and it begins with no "A4"
_TOWN = rf"{_NAME}(?:[ -](?:{_NAME}|on|upon|am|an der|le|la|de|sur)){{0,3}}"
_TYPES = (
    "Street|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Yard|Court|Ct|Square|Sq|Place|Pl|Boulevard|Blvd|Terrace|Crescent|"
    "Cres|Gardens|Gdns|Close|Way|Walk|Row|Mews|Hill|Grove|Parade|Circle|Cir|Quay|Wharf|Highway|Hwy|Parkway|Pkwy|Pike|"
    "Trail|Broadway|Plaza|Embankment|Esplanade|Marg|Nagar|Cross|Main|Layout|Gate|Green|Park|House|Buildings|Estate|Alley|Loop"
)
_HOUSES = "House|Apartments|Towers?|Building|Court|Chambers|Mansions?|Complex|Plaza|Mall|Centre|Center|Park|Estate"
_NUMBER = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_UNIT = (
    r"(?:Flat|Unit|Suite|Ste|Apt|Apartment|Room|Floor|Level|Office|Shop|Block|Plot|Door|#)\.? ?#?"
    r"(?:\d[\w-]{0,6}|[A-Z]\b)"
)
_LINKS = r"(?:(?:de|du|des|del|della|di|da|das|do|dos|la|las|le|les|los|el|saint|sainte) |[ld]'){0,3}"
_GERMAN = (
    "strasse|str\\.|weg|allee|gasse|platz|damm|ufer|ring|gracht|straat|laan|kade|plein|gatan|vagen|veien|gade|vej|"
    "katu|kuja|intie|ontie"
)
_SOUTHERN = (
    r"Calle|C/|Avenida|Avda\.?|Plaza|Paseo|Carrer|Via|Viale|Piazza|Corso|Vicolo|Rua|Travessa|Praca|Largo|ul\.|Ulica"
)
_BOXES = r"p\.? ?o\.?|post(?:al)?(?: office)?|private|locked"
_NORTHERN = "gate|gata|vei|veien|vej|gade|plass|katu|kuja|utca|ulice|sokak|caddesi"
_COUNTED = "One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve"
_FRENCH = r"rue|avenue|av\.|boulevard|bd|place|chemin|allee|impasse|quai|cours|route|square|passage"
_SMALL_TYPES = "street|road|avenue|lane|boulevard|crescent|terrace"
_NO_STREET = "for|of|to|and|in|on|by|is|are|was|from|at|with|per"
_STREETS = tuple(
    re.compile(rf"(?<![\w.,/-])(?:{pattern})(?!\w)")
    for pattern in (
        rf"(?i:(?:{_BOXES}) ?(?:box|bag)\.? ?(?:no\.? ?)?#?[a-z]?\d(?:[ -]?\d){{0,9}})",
        r"(?i:(?:r\.?r\.?|rural route|hc) ?#?\d{1,4},? box \d{1,5})",
        rf"(?:{_COUNTED}) (?:{_WORD} ){{1,3}}(?:{_TYPES})\b\.?",
        rf"{_WORD}(?: {_WORD})? (?:{_NORTHERN}) \d{{1,4}} ?[A-Za-z]?(?![\w])",
        r"(?i:postfach \d(?: ?\d){0,8})",
        rf"(?:{_UNIT},? )?{_NUMBER},? (?:(?:{_WORD}|[nsew]|of|the|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}(?:{_TYPES})\b\.?",
        rf"(?i:{_NUMBER},? (?:(?!(?:{_NO_STREET})\b)[a-z'.-]{{2,20}} ){{1,3}}(?:{_SMALL_TYPES})\b)",
        rf"[A-Z][\w-]{{0,30}}(?:{_GERMAN}) \d{{1,4}} ?[a-z]?",
        r"[A-Z][\w-]{1,30} (?:Strasse|Str\.|Weg|Allee|Platz|Gasse|Ring) \d{1,4} ?[a-z]?",
        r"(?:Strasse|Platz|Allee|Am|An der|Auf der|Zum|Im) (?:der |des )?[A-Z][\w-]{1,30} \d{1,4} ?[a-z]?",
        rf"(?i:{_NUMBER}(?: bis| ter)?,? (?:{_FRENCH})) {_LINKS}{_WORD}(?: {_WORD}){{0,2}}",
        rf"(?:{_SOUTHERN}) ?{_LINKS}{_WORD}(?: (?:de |del )?{_WORD}){{0,3}},? ?(?:n\.?o? ?)?{_NUMBER}",
        rf"{_UNIT},? (?:{_WORD} ){{1,3}}(?:{_HOUSES})\b",
    )
)
_UK = (
    r"(?:gir ?0aa|[a-pr-uwyz](?:\d{1,2}|[a-hk-y]\d{1,2}|\d[a-hjkstuw]|[a-hk-y]\d[abehmnprv-y]) ?\d[abd-hjlnp-uw-z]{2})"
)
_STATES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_CODES = tuple(
    re.compile(rf"(?<![\w.,/$-])(?:{pattern})(?!\w)")
    for pattern in (
        rf"(?i:{_UK})",
        r"(?i:[abceghj-nprstvxy]\d[abceghj-nprstv-z] ?\d[abceghj-nprstv-z]\d)",
        rf"(?:{_STATES}),? \d{{5}}(?:-\d{{4}})?",
        r"\d{4} ?[A-Z]{2}(?=[, \n]+[A-Z][a-z]|$)",
        r"(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \d{4}",
        r"(?i:[ac-fhknprtv-y]\d[0-9w] ?(?=[0-9ac-fhknprtv-y]{0,3}\d)[0-9ac-fhknprtv-y]{4})",
    )
)
# Digits alone are a postcode only beside a town: "10115 Berlin", "Bengaluru 560 001".
_BESIDE_TOWN = re.compile(
    r"(?<![\w.,/$-])(?:(?:(?:[A-Z]{1,2}-)?\d{4,5}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2})(?= [A-Z][a-z]{2,})|"
    r"\d{3} ?\d{3}|\d{5})(?![\w]|[., ]\d)"
)
_TAIL = re.compile(
    rf"(?P<gap>,? ?\n|, ?| ?- ?| )(?P<part>{_UNIT}|(?:{_TOWN} )?{_UK}(?!\w)|\d{{3}} ?\d{{3}}(?!\w)|"
    rf"(?:\d{{4}}-\d{{3}}|\d{{2}}-\d{{3}}|\d{{3}} \d{{2}})(?!\w) {_NAME}|"
    rf"\d{{4,5}}(?:-\d{{4}})?(?: ?[A-Z]{{2}})?(?![\w]|[.,]\d)(?: {_NAME}(?:[ -]{_NAME}){{0,2}})?|"
    rf"[A-Z]{{2,3}},? \d{{4,5}}(?:-\d{{4}})?|{_TOWN})"
)
_MOST_PARTS = 5


def find(page: Plain) -> Iterator[Found]:
    """Yield every address of a text as one passage, as far as town, region and postcode go on behind it."""
    for pattern in _STREETS:
        for match in pattern.finditer(page.text):
            end = _with_tail(page, match.end())
            yield Found(match.start(), end, "ADDRESS", _key(page, match.start(), end), rank=4)
    for pattern in _CODES:
        for match in pattern.finditer(page.text):
            start = _with_town(page, match.start())
            yield Found(start, match.end(), "ADDRESS", _key(page, start, match.end()), rank=6)
    for match in _BESIDE_TOWN.finditer(page.text):
        start, end = _with_town(page, match.start()), _town_after(page, match.end())
        if end > match.end() or (start < match.start() and len(match[0]) > 4):
            yield Found(start, end, "ADDRESS", _key(page, start, end), rank=6)


def _key(page: Plain, start: int, end: int) -> str:
    return "".join(char for char in page.lower[start:end] if char.isalnum())


def _with_tail(page: Plain, end: int) -> int:
    """Return where an address ends: behind the last part that is a town, a region, a postcode or a country."""
    at = end
    for _ in range(_MOST_PARTS):
        part = _TAIL.match(page.text, at)
        if part is None:
            break
        at = part.end()
        if any(char.isdigit() for char in part["part"]) or _is_place(part["part"], spaced=part["gap"] == " "):
            end = at
        elif "\n" in part[0]:
            break
    while page.text[end - 1 : end] in (".", " ", ","):
        end -= 1
    return end


def _is_place(part: str, *, spaced: bool) -> bool:
    """Tell whether words name a town, a region or a country; behind a space alone they might begin a sentence."""
    words = [word.strip(".,'").lower() for word in re.split(r"[ -]", part)]
    if words[-1] in COUNTRIES or (len(part) == 2 and part.isupper()):
        return True
    return not is_word(words[0]) if spaced else not all(map(is_word, words))


_BEFORE = re.compile(rf"(?:{_WORD}(?:[ -](?:{_WORD}|on|upon)){{0,2}})(?:,? [A-Z]{{2,3}})?(?:,? |,?\n)$")
_AFTER = re.compile(rf" (?:{_WORD})(?:[ -]{_WORD}){{0,2}}")


# English words that many a town begins with.
_OF_TOWNS = words_of("new north south east west saint st fort port mount lake long grand great little los el san")


def _with_town(page: Plain, start: int) -> int:
    """Return where the town before a postcode begins, or the postcode's own start when no name stands there."""
    window = max(0, start - 60)
    match = _BEFORE.search(page.text[window:start])
    if match is None:
        return start
    words = re.sub(r",? [A-Z]{2,3}$", "", match[0].strip(" ,\n")).split(" ")
    while len(words) > 1 and is_word(first := words[0].strip(",.'").lower()) and first not in _OF_TOWNS:
        words.pop(0)
    if is_word(words[-1].strip(",.'").lower()):
        return start
    return window + match.start() + match[0].index(words[0])


def _town_after(page: Plain, end: int) -> int:
    match = _AFTER.match(page.text, end)
    return match.end() if match and not is_word(match[0].split()[0].strip(".,'").lower()) else end
