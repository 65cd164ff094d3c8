"""Decide which words of a text name a person, a firm or a place, from what the recogniser and the word lists say."""

from collections.abc import Iterator, Sequence

from memory.sanitize.english import (
    GREETINGS,
    LEGAL_FORMS,
    MONTHS_AND_DAYS,
    ORG_WORDS,
    PARTICLES,
    PROPER_WORDS,
    TITLES,
    is_given,
    is_name_too,
    is_word,
)
from memory.sanitize.found import Found
from memory.sanitize.ner import Word
from memory.sanitize.plain import Plain

__all__ = ["find"]

_PROPER = ("NNP", "NNPS")
_NAMED = frozenset(["PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "WORK_OF_ART", "EVENT", "LAW"])
_PLACES = frozenset(["GPE", "LOC", "FAC"])
_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "your",
        "our",
        "this",
        "that",
        "these",
        "those",
        "my",
        "his",
        "her",
        "their",
        "its",
        "any",
        "every",
        "each",
        "no",
        "all",
    ]
)
_NOBODY = frozenset(
    [
        "all",
        "team",
        "sir",
        "sirs",
        "madam",
        "customer",
        "customers",
        "client",
        "clients",
        "both",
        "everyone",
        "everybody",
        "colleague",
        "colleagues",
        "friend",
        "friends",
        "accounts",
        "there",
        "again",
        "folks",
        "account",
        "finance",
        "billing",
        "support",
        "sales",
        "department",
        "office",
        "manager",
        "director",
        "payable",
        "receivable",
        "credit",
        "control",
        "partner",
        "partners",
        "supplier",
        "valued",
        "regards",
        "wishes",
        "thanks",
        "many",
        "best",
        "kind",
    ]
)
_JOINTS = frozenset("-'.&")
_CLOSINGS = ("regards", "thanks", "sincerely", "wishes", "faithfully", "cheers", "truly", "thank you", "yours", "best")


def find(page: Plain, words: Sequence[Word]) -> Iterator[Found]:
    """Yield the names that a text holds; `words` are the recogniser's, placed in the plain text."""
    at = 0
    while at < len(words):
        run = _run(page, words, at)
        if not run:
            at += 1
            continue
        at += len(run)
        yield from _judged(page, words, at - len(run), run)


def _lower(page: Plain, word: Word) -> str:
    return page.lower[word.start : word.end].strip("'.")


def _starts_name(page: Plain, words: Sequence[Word], at: int) -> bool:
    word = words[at]
    text = page.text[word.start : word.end]
    if not text[0].isalpha():
        return False
    low = _lower(page, word)
    if not text[0].isupper():
        before = _lower(page, words[at - 1]) if at else ""
        called = before in TITLES | {"dear", "hi", "hello", "hey"} or word.entity == "PERSON"
        return called and not is_word(low) and low not in TITLES
    return word.tag in _PROPER or word.entity in _NAMED or not is_word(low)


def _run(page: Plain, words: Sequence[Word], at: int) -> list[Word]:
    """Return the words from a place on that are written like one name: capitals, joined by hyphens, dots, "van der"."""
    if not _starts_name(page, words, at):
        return []
    end = at + 1
    while end < len(words):
        gap = page.text[words[end - 1].end : words[end].start]
        if "\n" in gap or len(gap) > 2:
            break
        if _starts_name(page, words, end):
            end += 1
            continue
        step = _joint(page, words, end)
        if not step:
            break
        end += step
    return list(words[at:end])


def _joint(page: Plain, words: Sequence[Word], at: int) -> int:
    """Return how many words from a place on join one part of a name to the next, 0 when none do."""
    for step in (1, 2):
        if at + step >= len(words) or not _starts_name(page, words, at + step):
            continue
        between = [page.text[word.start : word.end] for word in words[at : at + step]]
        glued = page.text[words[at - 1].end : words[at + step].start] == between[0]
        if all(text.lower() in PARTICLES for text in between) or (
            step == 1 and between[0] in _JOINTS and (glued or between[0] == "&")
        ):
            return step
        if step == 1 and between[0] == "." and words[at - 1].end - words[at - 1].start == 1:
            return step
    return 0


def _judged(page: Plain, words: Sequence[Word], at: int, run: list[Word]) -> Iterator[Found]:
    kept = _trimmed(page, words, at, run)
    if not kept:
        return
    start, end = kept[0].start, kept[-1].end
    kind = _kind(page, words, at + run.index(kept[0]), kept)
    if kind:
        name = page.text[start:end]
        if name.endswith("'s"):
            end -= 2
        yield Found(start, end, kind, page.text[start:end], rank=6)


def _trimmed(page: Plain, words: Sequence[Word], at: int, run: list[Word]) -> list[Word]:
    """Drop what stands around a name in capitals without being part of it: titles, greetings, weekdays, plain words."""
    kept = list(run)
    while kept and (
        _is_around(_lower(page, kept[0])) or _opens_with_word(page, words, at + len(run) - len(kept), kept)
    ):
        kept.pop(0)
    while kept and (_is_around(_lower(page, kept[-1])) or not page.text[kept[-1].start].isalpha()):
        kept.pop()
    return kept


def _is_around(low: str) -> bool:
    return low in TITLES or low in GREETINGS or low in PROPER_WORDS or not low or not low[0].isalpha()


def _opens_with_word(page: Plain, words: Sequence[Word], at: int, kept: list[Word]) -> bool:
    """Tell whether a name's first word is an English word that only begins the sentence: "Ask Priya", "Invoice Number"."""
    if len(kept) < 2 or not _opens(page, kept[0].start):
        return False
    low, following = _lower(page, kept[0]), _lower(page, kept[1])
    if not is_word(low) or following in LEGAL_FORMS or following in ORG_WORDS:
        return False
    same = kept[0].entity and kept[0].entity == kept[1].entity and not kept[1].opens
    return not (same and (is_name_too(low) or kept[0].entity == "ORG")) and not is_given(low)


def _opens(page: Plain, start: int) -> bool:
    before = page.text[max(0, start - 8) : start].rstrip(" \"'([*>-")
    return not before or before[-1] in ".!?:;\n•,"


def _kind(page: Plain, words: Sequence[Word], at: int, kept: list[Word]) -> str:
    """Return what a run of words names, "" when it names nothing that must go."""
    lows = [low for word in kept if (low := _lower(page, word)) and low[0].isalpha()]
    before = _lower(page, words[at - 1]) if at else ""
    strange = [low for low in lows if not is_word(low) and low not in LEGAL_FORMS]
    legal = len(lows) > 1 and lows[-1] in LEGAL_FORMS and (strange or kept[-1].tag in _PROPER)
    entities = {word.entity for word in kept} & _NAMED
    if legal:
        return "ORG"
    if before in TITLES and kept[0].start - words[at - 1].end <= 2:
        return "PERSON"
    if strange:
        return _strange_kind(page, kept, lows, entities)
    if all(low in _NOBODY or low in MONTHS_AND_DAYS for low in lows):
        return ""
    return _worded_kind(page, kept, lows, before, entities)


def _strange_kind(page: Plain, kept: list[Word], lows: list[str], entities: set[str]) -> str:
    alone = len(lows) == 1
    if alone and _opens(page, kept[0].start) and not entities and kept[0].tag not in _PROPER:
        return ""  # a rare or misspelt word that begins a sentence; the gate asks a person about it
    if lows[-1] in ORG_WORDS or "&" in page.text[kept[0].start : kept[-1].end]:
        return "ORG"
    if entities and entities <= _PLACES:
        return "PLACE"
    return "ORG" if "ORG" in entities and "PERSON" not in entities else "PERSON"


def _worded_kind(page: Plain, kept: list[Word], lows: list[str], before: str, entities: set[str]) -> str:
    """Judge a run of English words: "Will Grant" is a person when it stands where names stand."""
    proper = all(word.tag in _PROPER for word in kept if page.text[word.start].isalpha())
    named = is_name_too(lows[0])
    if not (proper and named) or before in _DETERMINERS:
        return ""
    if before in ("dear", "hi", "hello", "hey"):
        return "PERSON"
    if _signs(page, kept):
        return "PERSON"
    if "PERSON" in entities and (is_given(lows[0]) or (len(lows) > 1 and all(map(is_name_too, lows)))):
        return "PERSON"
    if (
        is_given(lows[0])
        and lows[0] not in MONTHS_AND_DAYS
        and len(lows) < 3
        and not page.text[kept[0].start : kept[0].end].isupper()
    ):
        return "PERSON"
    return ""


def _signs(page: Plain, kept: list[Word]) -> bool:
    """Tell whether words stand alone on a line behind a closing: "Kind regards,\\nMay"."""
    line_start = page.text.rfind("\n", 0, kept[0].start) + 1
    line_end = page.text.find("\n", kept[-1].end)
    line = page.text[line_start : line_end if line_end >= 0 else len(page.text)].strip(" .,")
    above = page.lower[max(0, line_start - 40) : line_start].rstrip(" \n,.!-")
    return line == page.text[kept[0].start : kept[-1].end].strip(" .,") and above.endswith(_CLOSINGS)
