"""Part a folded text into sentences, and sentences into clauses."""

import re
from functools import lru_cache

from agent.text.english import ABBREVIATIONS, CLAUSE_WORDS, MONTHS
from agent.text.fold import Folded, Span

__all__ = ["clauses", "sentences"]

_STOP = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|\n")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*•·>#]+|\(?\d{1,2}[.)]|[a-z][.)])[ \t]+\S|[ \t]*\|")
_LAST_WORD = re.compile(r"[\w.'&]+$")
_GOES_ON = re.compile(r"[ \t]*[a-z0-9$£€¥₹(]")
_OPEN_END = re.compile(r"(?:,|:|\b(?:and|or|of|for|the|is|are|at|to|by|on|a|an|your|our))[ \t]*$")
_DATED = re.compile(rf"[ ]*(?:{'|'.join(sorted(MONTHS))})\b")
_BEGINS_WORD = re.compile(r"[a-z0-9$€£¥₹~]")
_FULL_LINE = 55  # a line this long that ends in no stop was wrapped, not ended
_LOOK_BACK = 40
_LONGEST = 1500  # what goes on longer is no sentence, and is read in pieces


def sentences(folded: Folded) -> list[Span]:
    """Return the sentences of a folded text, in order, without the white space around them.

    A stop ends one unless it belongs to an abbreviation, a number or an id ("Ltd. and", "no. 88", "$1,200.00"). A line
    break ends one too, unless the line was only wrapped: a paragraph's line that ends in no stop and goes on in lower
    case, with a figure, or after a full line. Blank lines, list items and table rows always begin a new one.
    """
    text = folded.text
    found: list[Span] = []
    start = 0
    for match in _STOP.finditer(text):
        if match[0] == "\n":
            if _is_wrapped(folded, match.start()):
                continue
        elif _is_inside(text, match.start(), match.end()) or _is_leader(text, match.start(), match.end()):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def clauses(text: str, sentence: tuple[int, int]) -> list[Span]:
    """Return the clauses of a sentence: parted by semicolons, colons, dashes, brackets and contrasting words."""
    start = max(0, sentence[0] - 1)
    parted = _clauses(text[start : sentence[1]], sentence[0] - start)
    return [Span(start + clause.start, start + clause.end) for clause in parted]


@lru_cache(maxsize=2048)
def _clauses(text: str, start: int) -> tuple[Span, ...]:
    found: list[Span] = []
    for match in _CLAUSE.finditer(text, start):
        _add(found, text, start, match.start())
        start = match.start() if match[0][:1].isalpha() else match.end()
    _add(found, text, start, len(text))
    return tuple(found)


_CLAUSE = re.compile(
    rf";|[—–―]| -{{1,3}} |:(?=\s)|[()]|(?:(?<=,)|(?<=, and))\s+(?={CLAUSE_WORDS})|\b(?={CLAUSE_WORDS})"
)


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    passage = text[start:end]
    end -= len(passage) - len(passage.rstrip())
    start += len(passage) - len(passage.lstrip())
    while end - start > _LONGEST:
        space = text.rfind(" ", start, start + _LONGEST) + 1
        cut = space if space > start else start + _LONGEST
        found.append(Span(start, cut))
        start = cut
    if start < end:
        found.append(Span(start, end))


def _is_inside(text: str, start: int, end: int) -> bool:
    """Tell whether a full stop belongs to an abbreviation, so that the sentence goes on."""
    if text[start:end] != ".":
        return False
    word = _LAST_WORD.search(text, max(0, start - _LOOK_BACK), start)
    if word is None:
        return False
    if word[0].isdigit() and len(word[0]) <= 2 and text[word.start() - 1 : word.start()] in ("", "\n"):
        return True  # a list's counter
    rest = text[end : end + 3].lstrip(" ")
    if word[0] in ABBREVIATIONS:
        return not rest.startswith("\n") and bool(rest)
    return len(word[0]) == 1 and word[0].isalpha() and bool(_BEGINS_WORD.match(rest))


def _is_leader(text: str, start: int, end: int) -> bool:
    """Tell whether dots lead from a label to its figure on the same line: "TX-1 ...... $5.00"."""
    return text[start:end].startswith("...") and text[start - 1 : start] == " " and text[end : end + 1] == " "


def _is_wrapped(folded: Folded, at: int) -> bool:
    text = folded.text
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start:at].rstrip()
    if not line or line[-1] in ".!?;" or "|" in line:
        return False
    following = text[at + 1 : at + 200].split("\n", 1)[0]
    if not following.strip() or _LIST_ITEM.match(following) or "\t" in folded.quote(line_start, at):
        return False
    if _DATED.match(following) and line[-1:].isalnum():
        return True
    if _OPEN_END.search(line[-_LOOK_BACK:]) and not line.endswith(":"):
        return True
    shown = folded.quote(at + 1, at + 1 + len(following))
    return bool(_GOES_ON.match(shown)) or len(line) >= _FULL_LINE
