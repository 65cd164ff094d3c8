"""Ask for an event behind each action that a reply says was taken: "I have refunded you", "your case was escalated".

Covers actions in the past by the sender's side, in the active and the passive, unless they are denied or supposed. What
is not of a known kind, "we have reported the seller", needs its verb in the text of an event.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from agent.validators.check import Check, Found, NoParams
from agent.validators.phrases import pattern_of
from agent.validators.reading import Reading
from agent.validators.words import word_tables

__all__ = ["CHECK", "check"]

_WORDS = word_tables("en_replies")
_ACTIVE = (
    r"\b(?:we|i|our \w+(?: \w+)?)(?:'ve|'s| have| has| had)?(?: (?:already|just|now|also|today|since|fully|"
    r"successfully|immediately|therefore|gladly))* "
)
_PARTICIPLE = r"(?:[a-z]+(?:ed|en|ent|ept|ught|ound|wn|aid|old|ade)|done|met)"
_SUPPOSED = re.compile(
    r"\b(?:if|once|when|whenever|as soon as|after|until|before|unless|whether|will|would|can|could)\b"
)
_DENIED = re.compile(r"\b(?:not|never|no|nothing|cannot)\b|n't\b")
_ALSO = {
    "refund": {"credit"},
    "credit": {"refund"},
    "shipment": {"replacement"},
    "email": {"message"},
    "agreement": {"refund", "replacement"},
}


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each action that is claimed and that no event holds."""
    events = {event.kind for event in reading.sheet.events}
    for sentence in reading.prose_sentences:
        shown = reading.unowned[sentence.start : sentence.end]
        for kind, pattern in _patterns().items():
            match = pattern.search(shown)
            if match is None or events & ({kind} | _ALSO.get(kind, set())) or _is_told(reading, match[0]):
                continue
            before = re.split(r"[,;:]", shown[: match.start()])[-1]
            if _SUPPOSED.search(before) or _DENIED.search(before + match[0]):
                continue
            span = reading.folded.span(sentence.start + match.start(), sentence.start + match.end())
            yield Found(
                "ACTION_UNSUPPORTED",
                " ".join(reading.folded.quote(sentence.start + match.start(), sentence.start + match.end()).split()),
                span,
                more={"event": kind},
            )
            break


def _is_told(reading: Reading, words: str) -> bool:
    """Tell whether the text of an event says the very verb."""
    last = words.rsplit(maxsplit=1)[-1]
    return any(last in event.text.casefold() for event in reading.sheet.events)


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    kinds = (*_WORDS["actions"], *(kind for kind in _WORDS["passive"] if kind not in _WORDS["actions"]))
    neutral = "|".join(_WORDS["other"]["neutral"])
    named = {
        kind: pattern_of(
            [
                *(f"{_ACTIVE}(?:{form})\\b" for form in _WORDS["actions"].get(kind, ())),
                *_WORDS["passive"].get(kind, ()),
            ]
        )
        for kind in kinds
    }
    other = rf"\b(?:we|i)(?:'ve| have)(?: (?:already|just|now|also))* (?:gone ahead|(?!{neutral}){_PARTICIPLE})\b"
    return named | {"action": pattern_of([other])}


CHECK = Check(name="actions", version="1", run=check, blocking=True)
