"""Find postal addresses by their shape: boxes, streets of several countries, and postcodes, with the town beside them."""

import re
from collections.abc import Iterator

from memory.sanitize.english import is_word
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain

__all__ = ["find"]

_WORD = r"[A-Z][\w'.-]{0,30}"
_TYPES = (
    "Street|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Yard|Court|Ct|Square|Sq|Place|Pl|Boulevard|Blvd|Terrace|Crescent|"
    "Cres|Gardens|Gdns|Close|Way|Walk|Row|Mews|Hill|Grove|Parade|Circle|Cir|Quay|Wharf|Highway|Hwy|Parkway|Pkwy|Pike|"
    "Trail|Broadway|Embankment|Esplanade|Marg|Nagar|Cross|Main|Layout|Gate|Green|Park|House|Buildings|Estate|Alley|Loop"
)
_NUMBER = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_UNIT = r"(?:(?:Flat|Unit|Suite|Ste|Apt|Apartment|Room|Floor|Level|Office|No|Shop|Block|Plot|Door|#)\.? ?#?[\dA-Z][\w-]{0,6},? )"
_STREETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?i:(?<!\w)(?:p\.? ?o\.?|post(?:al)?(?: office)?|private|locked) ?(?:box|bag)\.? ?(?:no\.? ?)?#?\d[\d -]{0,9}\d|(?<!\w)(?:p\.? ?o\.?|post office) ?box\.? ?#?\d|(?<!\w)postfach \d[\d ]{0,8}\d)",
        rf"(?<![\w.,/-]){_UNIT}?{_NUMBER},? (?:(?:{_WORD}|[nsew]|of|the|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}(?:{_TYPES})\b\.?(?:,? {_UNIT[:-5]}))?",
        rf"(?<![\w.,/-])(?i:{_NUMBER},? (?:(?!(?:for|of|to|and|in|on|by|is|are|was|from|at|with|per)\b)[a-z'.-]{{2,20}} ){{1,3}}(?:street|road|avenue|lane|boulevard|crescent|terrace)\b)",
        r"(?<![\w])(?:[A-Z][\w-]{0,30}(?:strasse|stra?sse|str\.|weg|allee|gasse|platz|damm|ufer|ring|gracht|straat|laan|kade|plein|gatan|vagen|veien|gade|vej)|"
        r"[A-Z][\w-]{1,30} (?:Strasse|Str\.|Weg|Allee|Platz|Gasse|Ring)|(?:Strasse|Platz|Allee|Am|An der|Auf der|Zum|Im) (?:der |des )?[A-Z][\w-]{1,30}) \d{1,4} ?[a-z]?(?![\w])",
        rf"(?<![\w.,/-])(?i:{_NUMBER}(?: bis| ter)?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|allee|impasse|quai|cours|route|square|passage)) (?:(?:de|du|des|la|le|les|l'|d'|saint|sainte) ?){{0,3}}{_WORD}(?: {_WORD}){{0,2}}",
        rf"(?<!\w)(?:Calle|C/|Avenida|Avda\.?|Plaza|Paseo|Carrer|Via|Viale|Piazza|Corso|Vicolo|Rua|Travessa|Praca|Largo|ul\.|Ulica|al\.) ?(?:(?:de|del|della|di|da|do|dos|la|las|los|el) ){{0,3}}{_WORD}(?: (?:de |del )?{_WORD}){{0,3}},? ?(?:n\.?o? ?)?\d{{1,4}}[A-Za-z]?(?!\w)",
        rf"(?<![\w]){_UNIT}(?:{_WORD} ){{1,3}}(?:House|Apartments|Towers?|Building|Court|Chambers|Mansions?|Complex|Plaza|Mall|Centre|Center|Park|Estate)\b",
    )
)
_UK = (
    r"(?:gir ?0aa|[a-pr-uwyz](?:\d{1,2}|[a-hk-y]\d{1,2}|\d[a-hjkstuw]|[a-hk-y]\d[abehmnprv-y]) ?\d[abd-hjlnp-uw-z]{2})"
)
_CODES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w-])(?i:{_UK})(?![\w-])",
        r"(?<![\w-])(?i:[abceghj-nprstvxy]\d[abceghj-nprstv-z] ?\d[abceghj-nprstv-z]\d)(?![\w-])",
        r"(?<![\w.,/-])(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? \d{5}(?:-\d{4})?(?!\w)",
        r"(?<![\w.,/-])\d{4} ?[A-Z]{2}(?![\w-])(?=[, \n]+[A-Z][a-z]|$)",
        r"(?<![\w.,/$-])(?:[A-Z]{1,2}-)?\d{5}(?= [A-Z][a-z]{2,})",
        r"(?<![\w.,/-])\d{3} \d{3}(?=\W*(?:India\b|$))|(?<=[a-z]) ?-? ?\d{6}(?= *(?:,? India\b|[.\n]|$))",
        r"(?<![\w.,/-])(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \d{4}(?!\w)",
        r"(?<![\w-])(?i:[ac-fhknprtv-y]\d[0-9w] ?(?=[0-9ac-fhknprtv-y]{0,3}\d)[0-9ac-fhknprtv-y]{4})(?![\w-])",
    )
)
_NAME = r"[A-Z][^\W\d_][\w'.-]{0,30}"
_TAIL = re.compile(
    rf"(?:,? ?\n|, ?| ?- ?| )(?P<part>(?:{_NAME}(?:[ -](?:{_NAME}|on|upon|am|an der|le|la|de|sur)){{0,3}} )?{_UK}(?!\w)|\d{{3}} ?\d{{3}}(?!\w)|"
    rf"\d{{4,5}}(?:-\d{{4}})?(?: ?[A-Z]{{2}})?(?![\w.,]\d)(?: {_NAME}(?:[ -]{_NAME}){{0,2}})?|[A-Z]{{2,3}},? \d{{4,5}}(?:-\d{{4}})?|"
    rf"{_NAME}(?:[ -](?:{_NAME}|on|upon|am|an der|le|la|de|sur)){{0,3}})",
)
_COUNTRIES = frozenset(
    [
        "uk",
        "england",
        "scotland",
        "wales",
        "ireland",
        "germany",
        "deutschland",
        "france",
        "spain",
        "italy",
        "netherlands",
        "india",
        "usa",
        "us",
        "canada",
        "australia",
        "austria",
        "switzerland",
        "belgium",
        "poland",
        "portugal",
        "sweden",
        "norway",
        "denmark",
    ]
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
            start, end = _with_town(page, match.start()), match.end()
            if match[0][:1].isdigit() and match[0].replace("-", "").isdigit():
                end = _town_after(page, end)
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
        if any(char.isdigit() for char in part["part"]) or _is_place(part["part"]):
            end = at
        elif "\n" in part[0]:
            break
    while page.text[end - 1 : end] in (".", " ", ","):
        end -= 1
    return end


def _is_place(part: str) -> bool:
    words = [word.strip(".,'").lower() for word in re.split(r"[ -]", part)]
    return words[-1] in _COUNTRIES or (len(part) == 2 and part.isupper()) or not all(map(is_word, words))


_BEFORE = re.compile(rf"(?:{_WORD}(?:[ -](?:{_WORD}|on|upon)){{0,2}})(?:,? |,?\n)$")
_AFTER = re.compile(rf" (?:{_WORD})(?:[ -]{_WORD}){{0,2}}")


def _with_town(page: Plain, start: int) -> int:
    """Return where the town before a postcode begins, or the postcode's own start when no name stands there."""
    window = max(0, start - 60)
    match = _BEFORE.search(page.text[window:start])
    if match is None:
        return start
    words = match[0].strip(" ,\n").split(" ")
    while words and (is_word(words[0].strip(",.'").lower()) and len(words) > 1):
        words.pop(0)
    if not words or is_word(words[-1].strip(",.'").lower()):
        return start
    return window + match.start() + match[0].index(words[0])


def _town_after(page: Plain, end: int) -> int:
    match = _AFTER.match(page.text, end)
    return match.end() if match and not is_word(match[0].split()[0].strip(".,'").lower()) else end
