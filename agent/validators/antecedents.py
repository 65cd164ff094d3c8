"""Find the lines that a sentence means without naming them: "the latter", "the second one", "it stands at".

Only what can mean one line is taken: two lines before "the former", one line before "it", and for "the first invoice"
a list that stands in the text as it does by due date. Does not cover "this one", "that invoice", "the other".
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.facts import Line, LineStatus
from agent.text import MASK, Span
from agent.text.english import CARDINALS, ORDINALS
from agent.text.english_cues import TOTAL_BEFORE
from agent.validators.mentions import Mention

__all__ = ["meant_lines"]

_NAMED_NEXT = rf"(?!\s*[,:(]?\s*(?:no\.?|number|#)?\s*{MASK})"
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = re.compile(
    rf"\bthe (?P<place>{'|'.join(_PLACES)})(?: (?:open|unpaid|overdue|outstanding))?"
    rf" (?P<noun>one|invoice|item|bill|line)\b{_NAMED_NEXT}"
)
_PAIR = re.compile(rf"\bthe (?P<which>former|latter)\b{_NAMED_NEXT}")
_STATUS = r"(?:due|open|overdue|unpaid|outstanding|disputed)"
_IT = re.compile(
    rf"it (?:(?:is|was) (?:(?:now|still|already|currently|also) )*(?:for|{_STATUS}|\d|[$€£¥₹])"
    rf"|stands at|comes to|amounts to|fell due|became due|remains {_STATUS}|has been {_STATUS})"
)
_STOP = re.compile(r"[.!?]\s|\n")
_TOTAL = re.compile(rf"{TOTAL_BEFORE}|\baccount\b")


def meant_lines(
    plain: str, sentence: Span, named: Sequence[Mention], earlier: Sequence[Mention], lines: Mapping[str, Line]
) -> Iterator[Mention]:
    """Yield the lines that a sentence means, where it does: `named` are those that it names, `earlier` those before it.

    `plain` is the folded text with names and ids hidden and figures in sight.
    """
    passage = plain[sentence.start : sentence.end]
    is_pair = "former" in passage or "latter" in passage
    last = _last_group(plain, earlier) if is_pair or passage.startswith("it") else []
    for match in _PAIR.finditer(plain, *sentence) if is_pair else ():
        here = _distinct(item for item in named if item.span.end <= match.start())
        pair = here if len(here) == 2 else last if not here else []
        if len(pair) == 2:
            yield Mention(Span(*match.span()), pair[match["which"] == "latter"])
    for match in _ORDINAL.finditer(plain, *sentence) if any(word in passage for word in _PLACES) else ():
        listed = _distinct([*earlier, *(item for item in named if item.span.end <= match.start())])
        place = CARDINALS[ORDINALS[match["place"]]] - 1
        line = _placed(listed, place, lines, is_bill=match["noun"] in ("invoice", "bill"))
        if line:
            yield Mention(Span(*match.span()), line)
    if not passage.startswith("it") or not _IT.match(plain, *sentence):
        return
    between = plain[earlier[-1].span.end : sentence.start].rstrip() if earlier else ""
    is_next = not _STOP.search(between[:-1]) and not _TOTAL.search(between)
    if not named and len(last) == 1 and is_next:
        yield Mention(Span(sentence.start, sentence.start + 2), last[0])


def _distinct(mentions: Iterable[Mention]) -> list[str]:
    return list(dict.fromkeys(mention.line for mention in mentions))


def _last_group(plain: str, earlier: Sequence[Mention]) -> list[str]:
    """Return the lines of the last sentence before that names any."""
    if not earlier:
        return []
    start = max(plain.rfind(mark, 0, earlier[-1].span.start) for mark in (". ", "\n", "! ", "? "))
    return _distinct(mention for mention in earlier if mention.span.start > start)


def _placed(listed: Sequence[str], place: int, lines: Mapping[str, Line], *, is_bill: bool) -> str | None:
    """Return the line at a place of a list; None when the list by due date has another one there."""
    known = [lines[line] for line in listed if line in lines]
    if is_bill:
        known = [line for line in known if line.status is not LineStatus.CREDIT]
    by_date = sorted(known, key=lambda line: (line.due is None, line.due.toordinal() if line.due else 0))
    return known[place].id if len(known) > 1 and place < len(known) and known[place] == by_date[place] else None
