"""Find claims that need a ground in the facts and have none: fees, refunds, agreements, threats, promises, causes.

Covers claims by their wording, against facts that are plain sentences; a sentence that only asks or supposes makes no
claim. Does not judge what is said with other words; that is left to the model and to the comparison of words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.support.lexicon import WORDS, Sentence, any_of, read_sentence, stem_of

__all__ = ["KINDS", "Breach", "asserted", "breaches", "is_asking", "is_supposing", "is_thanking"]

_LITTLE = frozenset(WORDS["lexicon"]["little"].split())
_NEVER = re.compile(r"(?!)")
_LEAST_WORDS = 4
_ASKS_ON = re.compile(
    r"(?:[,;]| -|\s(?:and|so|but))\s+(?:(?:and|so|but|then|therefore)\s+)*"
    r"(?:please|kindly|could you|can you|would you|let (?:us|me) know|we (?:kindly )?ask you|i (?:kindly )?ask you)\b",
    re.IGNORECASE,
)
_LED_BY = 45  # characters before a cue in which a denial is still about it
_CLAUSE_END = re.compile(r"[;:.!?]|, (?:and|but|so)\b|\bbut\b")


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    cue: re.Pattern[str]
    ground: re.Pattern[str] | None
    acts: bool
    harmless: re.Pattern[str]
    is_negative: bool


_KINDS = tuple(
    _Kind(
        kind["name"],
        any_of(kind["cue"]) or _NEVER,
        any_of(kind["ground"]),
        kind.get("acts", False),
        any_of(kind.get("harmless", ())) or _NEVER,
        kind.get("negative", False),
    )
    for kind in WORDS["kinds"]
)
_OFTEN_DENIED = ("fee", "agreement", "attachment")  # "at no cost" is how people write
KINDS = (*(kind.name for kind in _KINDS), "denial")
"""The names of the kinds of claim."""

_NEGATION = any_of(WORDS["lexicon"]["negations"]) or _NEVER
_UNKNOWN = re.compile(WORDS["lexicon"]["unknown"])
_ASKING, _THANKING, _SUPPOSING = (any_of(WORDS["acts"][act]) or _NEVER for act in ("asking", "thanking", "supposing"))


@dataclass(frozen=True, slots=True)
class Breach:
    """Hold a claim without ground: its kind, its words, and whether the facts say the contrary."""

    kind: str
    words: str
    is_denied: bool = False


def is_asking(sentence: Sentence) -> bool:
    """Tell whether a sentence asks for something."""
    return bool(_ASKING.search(sentence.folded))


def asserted(sentence: Sentence) -> Sentence:
    """Return what a sentence states beside what it asks for: "I did it, so please reply" states the first half."""
    begun = _ASKS_ON.search(sentence.shown)
    if begun and len(sentence.shown[: begun.start()].split()) >= _LEAST_WORDS:
        return read_sentence(sentence.shown[: begun.start()])
    return sentence


def is_thanking(sentence: Sentence) -> bool:
    """Tell whether a sentence thanks, apologises or is kind."""
    return bool(_THANKING.search(sentence.folded))


def is_supposing(sentence: Sentence) -> bool:
    """Tell whether a sentence names a condition."""
    return bool(_SUPPOSING.search(sentence.folded))


def breaches(sentence: Sentence, facts: Sequence[Sentence]) -> tuple[Breach, ...]:
    """Return the claims of a sentence that no fact grounds, one of a kind at most."""
    return tuple(_breaches(sentence, facts))


def _breaches(sentence: Sentence, facts: Sequence[Sentence]) -> Iterator[Breach]:
    for kind in _KINDS:
        for match in kind.cue.finditer(sentence.folded):
            breach = _judged(kind, match, sentence, facts)
            if breach:
                yield breach
                break


def _judged(kind: _Kind, match: re.Match[str], sentence: Sentence, facts: Sequence[Sentence]) -> Breach | None:
    clause = _clause(sentence.folded, match)
    if kind.harmless.search(clause.folded):
        return None
    if kind.ground is None:
        # What may be done, or is to be done, is the word after the cue: "keep" is in no fact, however plain a word.
        stems = (*clause.stems, *_act(sentence.folded, match)) if kind.acts else clause.stems
        return Breach(kind.name, match[0]) if any(not any(fact.has(stem) for fact in facts) for stem in stems) else None
    if kind.is_negative:
        told = [fact for fact in facts if kind.ground.search(fact.folded)]
        known = [fact for fact in told if not _UNKNOWN.search(fact.folded)]
        return None if known else Breach(kind.name, match[0], is_denied=bool(told))
    near = re.split(r"[,;:]", sentence.folded[max(0, match.start() - _LED_BY) : match.start()])[-1]
    denied = bool(_NEGATION.search(f"{near}{match[0]}"))
    grounds = [fact for fact in facts if kind.ground.search(fact.folded)]
    affirmed = [fact for fact in grounds if not fact.is_negated]
    if denied:
        return None if grounds or kind.name in _OFTEN_DENIED else Breach("denial", match[0])
    if affirmed:
        return None
    return Breach(kind.name, match[0], is_denied=bool(grounds))


def _act(folded: str, match: re.Match[str]) -> tuple[str, ...]:
    words = re.findall(r"[a-z]+", folded[match.start() : match.end() + 40])
    said = len(re.findall(r"[a-z]+", match[0]))
    verbs = [word for word in words[max(0, said - 1) :] if word not in _LITTLE][:1]
    return tuple(map(stem_of, verbs))


def _clause(folded: str, match: re.Match[str]) -> Sentence:
    start = max((end.end() for end in _CLAUSE_END.finditer(folded, 0, match.start())), default=0)
    ended = _CLAUSE_END.search(folded, match.end())
    return read_sentence(folded[start : ended.start() if ended else len(folded)].strip())
