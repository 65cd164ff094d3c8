"""Find statements about attachments that do not go out with a mail.

Covers that something is attached at all, how many, which lines' documents and which kind of document.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from agent.text import Span
from agent.validators.reading import Reading

__all__ = ["attachment_faults"]

_OFFER = re.compile(
    r"\b(?:(?:can|could|happy\s+to|glad\s+to|pleased\s+to|able\s+to|like\s+(?:us|me)\s+to|want\s+(?:us|me)\s+to"
    r"|should\s+(?:we|i))\s+(?:also\s+|then\s+)?$|let\s+(?:us|me)\s+know\s+if\b)"
)
_NEGATED = re.compile(r"\b(?:no|not|nothing|without|never)\b|n't\b")
_CONDITION = re.compile(r"\b(?:if|should you|in case)\b")
_COUNTS = {
    word: number
    for number, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2)
} | {"both": 2}
_NOUNS = r"(?:invoices|copies|documents|files|attachments|statements|pdfs)"
_COUNT = re.compile(rf"\b(?P<count>{'|'.join(_COUNTS)}|\d{{1,2}})\s+(?:\S{{1,15}}\s+){{0,2}}{_NOUNS}\b")
_PLURAL = re.compile(r"\b(?:copies|attachments|documents|files|pdfs|enclosures|invoices)\b")
_KINDS = re.compile(
    r"\b(contract|receipt|timesheet|report|proof|quote|photo|agreement|delivery note|statement|reminder"
    r"|credit note)s?\b"
)
_NEAR = 60


def attachment_faults(
    reading: Reading, sentence: Span, shown: str, matches: Mapping[str, Sequence[re.Match[str]]]
) -> Iterator[Span]:
    """Yield where a sentence speaks of an attachment that the sheet does not hold, as spans of the folded text.

    `matches` holds what was found in the sentence of the groups `attachments.claim` and `attachments.file`.
    """
    for match in matches.get("attachments.claim", ()):
        before = shown[: match.start()]
        if _NEGATED.search(before[-25:]) or _CONDITION.search(before) or _OFFER.search(before):
            continue
        if not _is_supported(reading, sentence, shown, match):
            yield Span(sentence.start + match.start(), sentence.start + match.end())
            break
    for match in matches.get("attachments.file", ()):
        yield Span(sentence.start + match.start(), sentence.start + match.end())


def _is_supported(reading: Reading, sentence: Span, shown: str, match: re.Match[str]) -> bool:
    names = [name.casefold() for name in reading.sheet.attachments]
    if not names:
        return False
    start, end = max(0, match.start() - _NEAR), min(len(shown), match.end() + _NEAR)
    near = shown[start:end]
    if any(not any(kind in name for name in names) for kind in _KINDS.findall(near)):
        return False
    if _needed(near) > len(names):
        return False
    going = set(reading.sheet.attached_lines)
    going |= {line.id for line in reading.sheet.lines if any(line.id.casefold() in name for name in names)}
    told = Span(sentence.start + start, sentence.start + end)
    named = {mention.line for mention in reading.mentions if told.meets(mention.span)}
    return not going or named <= going


def _needed(near: str) -> int:
    counts = (match["count"] for match in _COUNT.finditer(near))
    plural = 2 if _PLURAL.search(near) else 1
    return max((_COUNTS.get(count) or int(count) for count in counts), default=plural)
