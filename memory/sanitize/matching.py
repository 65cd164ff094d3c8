"""Find the values of a record in a text however they are parted, cased, accented and joined."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from agent.text.english import words
from memory.sanitize.english import CALENDAR, GREETINGS, LEGAL_FORMS, LEGAL_WORDS, TITLES, is_word
from memory.sanitize.found import Found
from memory.sanitize.known import Entry, Index
from memory.sanitize.plain import Plain
from memory.sanitize.variants import Rule

__all__ = ["Token", "find", "tokens", "with_legal_form"]

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_GAP = re.compile(r"[\s\-.,'/_&+()#:]{0,4}")
_NUMBER_GAP = re.compile(r"[ \-./()\n]{0,3}")
_AND = frozenset(["and", "und", "et", "y"])
_MOST_TOKENS = 14
_CUES = re.compile(
    r"(?:\b(?:no|nos|number|numbers|nr|num|invoice|invoices|inv|bill|order|po|p\.o|ref|reference|account|acc|acct|a/c|"
    r"note|cn|id|and|or|customer|client|ending|in)|#|&|,)\W{0,3}$"
)
_BEFORE_MONTH = words(
    "in since of for during by early mid late end until till this last next from through before after and your our on"
)
_LEGAL_TAIL = re.compile(
    rf"(?:\.?,? ?(?:\([a-z .]{{2,20}}\) ?)?(?:{'|'.join(sorted(LEGAL_FORMS, key=len, reverse=True))}|"
    r"z ?o\.? ?o|s\.c|s\.a\.s|l\.l\.c|p\.l\.c|s\.a|s\.p\.a|s\.r\.l|b\.v|n\.v|g\.m\.b\.h)\b\.?)+"
)


@dataclass(frozen=True, slots=True)
class Token:
    """Hold one word or number: its letters and digits, and its place."""

    key: str
    start: int
    end: int


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
    skipped = False
    for stop in range(at, min(len(found), at + _MOST_TOKENS)):
        token = found[stop]
        if stop > at and not _joins(page.lower, found[stop - 1], token):
            break
        for key, end in _endings(page.lower, token):
            entry = index.entries.get(joined + key)
            if (
                entry
                and (not skipped or entry.kind == "ORG")
                and _is_meant(page, found, (at, stop, end), entry, is_proper)
            ):
                best = Found(found[at].start, end, entry.kind, entry.slot, entry.slot, rank=2), stop + 1
        if token.key in _AND and joined and joined not in index.openings:
            break
        if token.key in _AND and joined + token.key not in index.openings:
            skipped = True
        else:
            joined += token.key
        if joined not in index.openings:
            break
    return best


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
    page: Plain, found: list[Token], place: tuple[int, int, int], entry: Entry, is_proper: Callable[[int], bool]
) -> bool:
    """Tell whether words that have a variant's letters are written as its rule asks."""
    first, last, end = place
    start = found[first].start
    if entry.rule is Rule.CUED:
        return bool(_CUES.search(page.lower, max(0, start - 16), start))
    if entry.rule is Rule.INITIALS:
        written = page.text[start:end]
        letters = "".join(char for char in written if char.isalpha())
        return letters.isupper() and ("." in written or len(letters) > 2)
    if entry.rule is Rule.WORDS and first == last and not is_word(found[first].key):
        return True
    if entry.rule in (Rule.CAPITAL, Rule.WORDS, Rule.PARTED):
        capitals = all(page.text[token.start].isupper() for token in found[first : last + 1])
        alone = entry.rule is not Rule.PARTED and _is_named(page, found, first, is_proper)
        return capitals and (first < last or alone)
    is_number = entry.kind == "ID" and first == last and found[first].key.isdigit()
    return not (is_number and _is_inside_id(page, found, first))


def _is_inside_id(page: Plain, found: list[Token], at: int) -> bool:
    """Tell whether a number is a part of another id: the 0042 of "MNDT-0042-X" is not the record's CN-0042."""
    for one, other in ((at - 1, at), (at, at + 1)):
        if one >= 0 and other < len(found) and page.text[found[one].end : found[other].start] in ("-", "_"):
            beside = found[one if other == at else other].key
            if not is_word(beside):
                return True
    return False


def _is_named(page: Plain, found: list[Token], at: int, is_proper: Callable[[int], bool]) -> bool:
    """Tell whether an English word in capitals is a name where it stands: "Grant rang", not "Grant us a week"."""
    before, start = found[at - 1].key if at else "", found[at].start
    if before in TITLES or before in GREETINGS:
        return True
    if found[at].key in CALENDAR:
        return before not in _BEFORE_MONTH and is_proper(start)
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
            if entry.rule in (Rule.CAPITAL, Rule.WORDS) and not page.text[token.start].isupper():
                continue
            return Found(token.start, end, entry.kind, entry.slot, entry.slot, rank=2), -1
    return None


def _differ_little(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) < 2 and OSA.distance(one, other, score_cutoff=1) <= 1


def _widened(page: Plain, one: Found) -> Found:
    """Take in what belongs to a value but is no letter of it: "+(" before a phone number, "#" before an id, "Ltd"."""
    start, end = one.start, one.end
    if one.kind == "ID" and page.text[start - 1 : start] == "#":
        start -= 1
    if one.kind == "PHONE":
        while start and page.text[start - 1] in "+(":
            start -= 1
    if one.kind == "ORG":
        end = with_legal_form(page, end)
    if one.kind == "PERSON" and one.end < len(page.text) and page.text[one.end] == "." and _is_initial(page.text, one):
        end += 1
    return replace(one, start=start, end=end)


def with_legal_form(page: Plain, end: int) -> int:
    """Return where a firm's name ends with its legal form, if one follows: "Acme, Inc.", "Acme (UK) Ltd"."""
    tail = _LEGAL_TAIL.match(page.lower, end)
    if tail and page.text[tail.start() : tail.end()].strip(" ,.()") not in LEGAL_WORDS:
        end = tail.end() - tail[0].endswith(".")
    elif page.lower[max(0, end - 12) : end].split(" ")[-1].replace(".", "") not in LEGAL_FORMS:
        return end
    following = page.text[end + 1 : end + 3]
    goes_on = bool(following.strip(" \n")) and not following.startswith("\n")
    return end + 1 if page.text[end : end + 1] == "." and goes_on else end


def _is_initial(text: str, one: Found) -> bool:
    return one.end - one.start > 1 and text[one.end - 2] in ". -" and text[one.end - 1].isupper()
