"""Warn when a text greets, is signed by or speaks of a person who is not on the sheet.

Covers greeting and sign-off lines, titles before a name, and a full name after a word such as colleague or contact.
Does not look for names elsewhere: a capital letter is no proof of a person.
"""

import re
from collections.abc import Iterator, Sequence

from agent.outcome import Status
from agent.text import Span
from agent.text.marked import marked
from agent.validators.check import Check, Found, NoParams
from agent.validators.owned import name_words
from agent.validators.reading import Reading
from agent.validators.words import word_list

__all__ = ["CHECK", "check"]

_START = r"(?m)^[ \t>*_]{0,4}"
_HELLO = r"(?i:dear|hello|hi there|hi|hey|good (?:morning|afternoon|evening|day)|greetings|attention|attn\.?)"
_GOODBYE = (
    r"(?i:(?:(?:kind|best|warm|many|with|kindest|warmest) ){0,2}(?:regards|wishes|thanks)|cheers|thank you|thanks|best"
    r"|(?:yours |very )?(?:sincerely|faithfully|truly|respectfully)(?: yours)?|cordially|signed)"
)
_GREETING = marked(rf"{_START}{_HELLO}[ \t,:]{{1,3}}(?P<names>[^\n,:;.!?]{{1,80}})")
_SIGN_OFF = marked(
    rf"(?m)(?:^|(?<=[.!?] ))[ \t>*_]{{0,4}}{_GOODBYE}[ \t]{{0,3}}[,:.!-]?[ \t]{{0,3}}"
    r"(?P<names>(?:[A-Z][\w.'-]{0,30}(?:[ \t][\w.,'&-]{1,30}){0,3}[ \t]{0,3})?(?:$|\n)(?:[^\n]{0,40}(?:\n|$)){0,4})"
)
_FULL_NAME = r"[A-Z][\w'-]{1,30}\s[A-Z][\w'-]{1,30}"
_TITLED = marked(
    rf"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Messrs)\.?\s(?P<names>{_FULL_NAME}|[A-Z][\w'-]{{1,30}})",
    *("Mr", "Ms", "Miss", "Mx", "Dr", "Prof", "Messrs"),
)
_SPOKEN_OF = marked(
    r"\b(?:colleagues?|manager|director|assistant|accountant|bookkeeper|controller|ask for|contact|cc:?|copying|per"
    rf"|(?:speak|spoke|talk|talked) (?:to|with))\s(?:our\s)?(?P<names>{_FULL_NAME})"
)
_NAME = re.compile(r"[^\W\d_][\w'’.&-]*")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Warn about names in name places that are neither the client's nor the sender's."""
    known = (name_words(reading.sheet), word_list("en_common"), word_list("en_titles"))
    taken: list[Span] = []
    for pattern in (_GREETING, _SIGN_OFF, _TITLED, _SPOKEN_OF):
        for match in pattern.finditer(reading.text, within=reading.prose):
            span = _unknown(match["names"], match.start("names"), known)
            if span and not reading.in_code(*span) and not any(span.meets(other) for other in taken):
                taken.append(span)
                yield Found("UNKNOWN_NAME", reading.text[span.start : span.end], span, status=Status.WARN)


def _unknown(names: str, at: int, known: Sequence[frozenset[str]]) -> Span | None:
    """Return where the first unknown capitalised words stand, as one span."""
    found: list[re.Match[str]] = []
    for match in _NAME.finditer(names):
        word = match[0].strip(".'’").casefold().removesuffix("'s").removesuffix("’s")
        is_name = match[0][0].isupper() and len(word) > 1 and not any(word in words for words in known)
        if is_name and (not found or match.start() - found[-1].end() <= 2):
            found.append(match)
        elif found:
            break
    return Span(at + found[0].start(), at + found[-1].end()) if found else None


CHECK = Check(name="names", version="1", run=check)
