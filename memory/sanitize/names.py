"""Decide which words of a text name a person, a firm or a place, from what the recogniser and the word lists say."""

import re
from collections.abc import Iterator, Sequence

from agent.text.english import words as listed
from memory.sanitize.english import (
    BEFORE_FIRMS,
    CALENDAR,
    DETERMINERS,
    FIRM_WORDS,
    GREETINGS,
    LEGAL_FORMS,
    LEGAL_WORDS,
    NOBODY,
    PARTICLES,
    PROPER_WORDS,
    TITLES,
    is_given,
    is_name_too,
    is_word,
)
from memory.sanitize.found import Found
from memory.sanitize.matching import with_legal_form
from memory.sanitize.ner import Word
from memory.sanitize.plain import Plain

__all__ = ["find"]

_PROPER = ("NNP", "NNPS")
_NAMED = frozenset(["PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "WORK_OF_ART", "EVENT", "LAW"])
_PLACES = frozenset(["GPE", "LOC", "FAC"])
_CALLED = frozenset(["dear", "hi", "hello", "hey", "hiya"])
_FAMILY_FIRM = re.compile(r" (?:and|&) (?:Sons?|Daughters?|Co|Company|Partners|Associates|Brothers|Bros)\b\.?")
_DONE_BY_PEOPLE = listed(
    "says said called asked wrote rang told thinks wants agreed confirmed promised replied phoned emailed mentioned "
    "explained suggested insisted signed approved"
)
_MONTHS_THAT_NAME = frozenset(["april", "may", "june", "august"])
_HOUSES_OF = listed("bank university college school hospital church institute bishop")
_SMALL_FIRM = re.compile(
    rf"(?<![\w'.-])(?P<name>[^\W\d_][\w'&-]{{1,30}}(?: (?:& )?[^\W\d_][\w'&-]{{1,30}}){{0,3}}) "
    rf"(?P<form>{'|'.join(sorted(LEGAL_FORMS, key=len, reverse=True))}|s/a|(?:[a-z]\.){{2,4}}|[a-z]\.[a-z])(?![\w'-])"
)
_NOT_OF_FIRMS = NOBODY | DETERMINERS | BEFORE_FIRMS
_REST = re.compile(r"-([^\W\d_]{2,20})(?![\w])")
_INITIAL = re.compile(r"(?<![\w.])[A-Z]\. ?$")
_JOINTS = frozenset("-'.&")
_CLOSINGS = (
    "regards",
    "thanks",
    "sincerely",
    "wishes",
    "faithfully",
    "cheers",
    "truly",
    "thank you",
    "yours",
    "best",
    "rgds",
    "\nta",
)


def find(page: Plain, words: Sequence[Word]) -> Iterator[Found]:
    """Yield the names that a text holds; `words` are the recogniser's, placed in the plain text."""
    yield from _small_firms(page)
    at = 0
    while at < len(words):
        if _is_called(page, words, at):
            yield Found(words[at].start, words[at].end, "PERSON", page.text[words[at].start : words[at].end], rank=6)
            at += 1
            continue
        run = _run(page, words, at)
        if not run:
            at += 1
            continue
        at += len(run)
        yield from _judged(page, words, at - len(run), run)


def _small_firms(page: Plain) -> Iterator[Found]:
    """Yield firms in small letters by the legal form behind them: "holloway freight ltd"."""
    for match in _SMALL_FIRM.finditer(page.text):
        words = match["name"].split()
        kept = len(words)
        while kept and words[kept - 1] not in _NOT_OF_FIRMS:
            kept -= 1
        own = words[kept:]
        form = re.sub(r"[./]", "", match["form"])
        if not own or own[-1] in LEGAL_FORMS or form not in LEGAL_FORMS:
            continue
        if form not in LEGAL_WORDS or not is_word(own[-1]):
            start = match.start("name") + match["name"].rindex(" ".join(own)) if kept else match.start("name")
            yield Found(start, match.end(), "ORG", page.text[start : match.end()], rank=6)


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
        called = before in TITLES | _CALLED or word.entity == "PERSON"
        return called and not is_word(low) and low not in TITLES
    return word.tag in _PROPER or word.entity in _NAMED or not is_word(low) or _is_pair(page, words, at)


def _is_pair(page: Plain, words: Sequence[Word], at: int) -> bool:
    """Tell whether a word is half of a name of two English words that look like verbs: "Will Grant"."""
    return _pairs(page, words, at) or (at > 0 and _pairs(page, words, at - 1))


def _pairs(page: Plain, words: Sequence[Word], at: int) -> bool:
    if at + 1 >= len(words) or page.text[words[at].end : words[at + 1].start] != " ":
        return False
    first, second = (page.text[word.start : word.end] for word in words[at : at + 2])
    low, family = first.lower(), second.lower()
    given = is_given(low) or low in _MONTHS_THAT_NAME
    return first.istitle() and second.istitle() and given and (_is_surname(family) or _is_surname(family.rstrip("s")))


def _is_surname(low: str) -> bool:
    return is_name_too(low) and low not in NOBODY and low not in CALENDAR and low not in TITLES


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


def _shouts(page: Plain, word: Word) -> bool:
    text = page.text[word.start : word.end]
    return len(text) > 2 and text.isupper()


def _joint(page: Plain, words: Sequence[Word], at: int) -> int:
    """Return how many words from a place on join one part of a name to the next, 0 when none do."""
    for step in (1, 2):
        if at + step >= len(words) or not _starts_name(page, words, at + step):
            continue
        between = [page.text[word.start : word.end] for word in words[at : at + step]]
        glued = page.text[words[at - 1].end : words[at + step].start] == between[0]
        if between == ["AND"] and all(_shouts(page, words[place]) for place in (at - 1, at + 1)):
            return step
        if all(text.lower() in PARTICLES for text in between) or (
            step == 1 and between[0] in _JOINTS and (glued or between[0] == "&")
        ):
            return step
        if step == 1 and between[0] == "." and words[at - 1].end - words[at - 1].start == 1:
            return step
    return 0


def _judged(page: Plain, words: Sequence[Word], at: int, run: list[Word]) -> Iterator[Found]:
    kept = _trimmed(page, run)
    if not kept:
        return
    start, end = _with_particles(page, words, at + run.index(kept[0])), kept[-1].end
    kind = _kind(page, words, at + run.index(kept[0]), kept)
    if kind:
        if page.text[start:end].endswith("'s"):
            end -= 2
        start, end = _whole(page, start, end)
        family = _FAMILY_FIRM.match(page.text, end)
        if family or (firm := with_legal_form(page, end)) > end:
            kind, end = "ORG", family.end() if family else firm
        yield Found(start, end, kind, page.text[start:end], rank=6)


def _whole(page: Plain, start: int, end: int) -> tuple[int, int]:
    """Take in an initial before a name and the rest of a hyphenated one: "I. Nilsson", "Aoba-dori"."""
    rest = _REST.match(page.lower, end)
    initial = _INITIAL.search(page.text, max(0, start - 4), start)
    if rest and not is_word(rest[1]):
        end = rest.end()
    return initial.start() if initial else start, end


def _is_called(page: Plain, words: Sequence[Word], at: int) -> bool:
    """Tell whether an English word is a person by its place: "Hi April,", "Grace rang", or alone under "Regards,"."""
    low = _lower(page, words[at])
    if not page.text[words[at].start].isupper() or not (is_given(low) or low in _MONTHS_THAT_NAME):
        return False
    following = _lower(page, words[at + 1]) if at + 1 < len(words) else ""
    greeted = at > 0 and _lower(page, words[at - 1]) in _CALLED
    return greeted or following in _DONE_BY_PEOPLE or _signs(page, [words[at]])


def _with_particles(page: Plain, words: Sequence[Word], at: int) -> int:
    """Return where a name begins when "van der" or "ibn" stands before it in small letters."""
    first = at
    while first and page.text[words[first - 1].start : words[first - 1].end] in PARTICLES:
        first -= 1
    if first > 1 and _lower(page, words[first - 1]) == "of" and _lower(page, words[first - 2]) in _HOUSES_OF:
        return words[first - 2].start
    inside = _lower(page, words[at]) in PARTICLES
    if at - first + inside > 1 or (at > first and not is_word(_lower(page, words[first]))):
        return words[first].start
    return words[at].start


def _trimmed(page: Plain, run: list[Word]) -> list[Word]:
    """Drop what stands around a name in capitals without being part of it: titles, greetings, weekdays, plain words."""
    kept = list(run)
    while kept and (_is_around(_lower(page, kept[0])) or _opens_with_word(page, kept)):
        if _is_month_name(page, kept):
            break
        kept.pop(0)
    while kept and (_is_around(_lower(page, kept[-1])) or not page.text[kept[-1].start].isalpha()):
        kept.pop()
    return kept


def _is_month_name(page: Plain, kept: list[Word]) -> bool:
    """Tell whether a month begins a person's name: "May Chen"."""
    low = _lower(page, kept[0])
    if len(kept) < 2 or low not in _MONTHS_THAT_NAME:
        return False
    following = _lower(page, kept[1])
    if is_word(following) and (len(kept) > 2 or not _is_surname(following.rstrip("s"))):
        return False
    return page.lower[max(0, kept[0].start - 4) : kept[0].start].split()[-1:] not in (["in"], ["of"], ["to"])


def _is_around(low: str) -> bool:
    return low in TITLES or low in GREETINGS or low in PROPER_WORDS or not low or not low[0].isalpha()


def _opens_with_word(page: Plain, kept: list[Word]) -> bool:
    """Tell whether a name's first word is an English word that only begins the sentence: "Ask Priya"."""
    if len(kept) < 2 or not _opens(page, kept[0].start) or with_legal_form(page, kept[-1].end) > kept[-1].end:
        return False
    low, following = _lower(page, kept[0]), _lower(page, kept[1])
    if not is_word(low) or len(low) == 1 or following in LEGAL_FORMS or following in FIRM_WORDS:
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
    legal = len(lows) > 1 and lows[-1].replace(".", "") in LEGAL_FORMS and (strange or kept[-1].tag in _PROPER)
    entities = {word.entity for word in kept} & _NAMED
    titled = before in TITLES and kept[0].start - words[at - 1].end <= 2
    if legal or titled:
        return "ORG" if legal else "PERSON"
    if strange:
        return _strange_kind(page, kept, lows, entities)
    if all(low in NOBODY or low in CALENDAR for low in lows):
        return ""
    return _worded_kind(page, kept, lows, (before, words[at + len(kept) : at + len(kept) + 2]), entities)


def _strange_kind(page: Plain, kept: list[Word], lows: list[str], entities: set[str]) -> str:
    alone = len(lows) == 1
    if alone and _opens(page, kept[0].start) and not entities and kept[0].tag not in _PROPER:
        return ""  # a rare or misspelt word that begins a sentence; the gate asks a person about it
    if lows[-1] in FIRM_WORDS or "&" in page.text[kept[0].start : kept[-1].end]:
        return "ORG"
    if entities and entities <= _PLACES:
        return "PLACE"
    # The recogniser takes many a foreign person for a firm; a firm's name mostly ends in an English word.
    firm = (
        "ORG" in entities and "PERSON" not in entities and (alone or (is_word(lows[-1]) and not is_name_too(lows[-1])))
    )
    return "ORG" if firm else "PERSON"


def _only_opens(page: Plain, kept: list[Word], after: Sequence[Word]) -> bool:
    """Tell whether a word has its capital from the sentence alone: "Bill the client", but not "Rose rang"."""
    if len(kept) > 1 or not _opens(page, kept[0].start):
        return False
    texts = [_lower(page, word) for word in after]
    acts = bool(after) and after[0].tag in ("VBD", "MD") and texts[0] not in ("was", "were", "had")
    return not acts and not (texts[:1] == ["from"] and texts[1:] and texts[1] in NOBODY)


def _worded_kind(
    page: Plain, kept: list[Word], lows: list[str], around: tuple[str, Sequence[Word]], entities: set[str]
) -> str:
    """Judge a run of English words: "Will Grant" is a person when it stands where names stand."""
    before, after = around
    following = _lower(page, after[0]) if after else ""
    if _is_firm(page, kept, lows, before):
        return "ORG"
    paired = len(lows) == 2 and _pairs(page, kept, 0)
    proper = paired or all(word.tag in _PROPER for word in kept if page.text[word.start].isalpha())
    if not proper or not is_name_too(lows[0]):
        return ""
    called = before in _CALLED or _signs(page, kept)
    if before in DETERMINERS or following in CALENDAR or (_only_opens(page, kept, after) and not called):
        return ""
    all_named = len(lows) > 1 and all(map(is_name_too, lows))
    given = is_given(lows[0])
    recognised = "PERSON" in entities and (given or all_named)
    shouted = page.text[kept[0].start : kept[0].end].isupper()
    plainly = given and lows[0] not in CALENDAR and len(lows) < 3 and not shouted
    return "PERSON" if called or recognised or plainly or paired else ""


def _is_firm(page: Plain, kept: list[Word], lows: list[str], before: str) -> bool:
    """Tell whether English words are a firm by the last of them: "Kestrel Group", but not "our Customer Services"."""
    if len(lows) < 2 or lows[-1] not in FIRM_WORDS - LEGAL_WORDS or before in DETERMINERS:
        return False
    named = any(low not in NOBODY and low not in FIRM_WORDS for low in lows)
    return named and not _opens(page, kept[0].start) and page.text[kept[0].start : kept[-1].end].istitle()


def _signs(page: Plain, kept: list[Word]) -> bool:
    """Tell whether words stand alone on a line behind a closing such as "Kind regards,"."""
    line_start = page.text.rfind("\n", 0, kept[0].start) + 1
    line_end = page.text.find("\n", kept[-1].end)
    line = page.text[line_start : line_end if line_end >= 0 else len(page.text)].strip(" .,")
    above = page.lower[max(0, line_start - 40) : line_start].rstrip(" \n,.!-")
    return line == page.text[kept[0].start : kept[-1].end].strip(" .,") and above.endswith(_CLOSINGS)
