"""Compare a sentence with facts by its words: what the blend of signals weighs beside the model's answer."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent.support.arithmetic import unknown_figures
from agent.support.durations import unknown_durations
from agent.support.lexicon import WORDS, Sentence, concepts_of, read_sentence
from agent.support.rules import KINDS, asserted, breaches, is_asking, is_supposing, is_thanking

__all__ = ["Evidence", "nearest", "place_of", "signals"]

_JOINT = re.compile(r"; |: |, (?:and|but|so|which|who|while|although|because) |\b(?:but|although|because|whereas) ")
_JOINT_AND = re.compile(r"[;:,]|\b(?:and|but|while|whereas)\b")
_ID = re.compile(r"(?=.*\d)(?=.*[a-z]).+")
_AMOUNT = re.compile(r"\d+\.\d{2}|\d{3,}|\d{2,}\.00|[3-9]\d")
_OPPOSITES = tuple(tuple(frozenset(side.split()) for side in pair) for pair in WORDS["lexicon"]["opposites"])
_UNKNOWN = re.compile(WORDS["lexicon"]["unknown"])
_COMPARING = re.compile(WORDS["lexicon"]["comparing"])
_ORDER = re.compile(WORDS["lexicon"]["order"])


@dataclass(frozen=True, slots=True)
class Evidence:
    """Hold the facts of a draft, read once: whole, and in the clauses that each affirm or deny one thing."""

    facts: tuple[Sentence, ...]
    clauses: tuple[Sentence, ...]
    figures: frozenset[str]
    words: frozenset[str]
    contacts: frozenset[str]
    places: Mapping[str, frozenset[int]]

    @property
    def amounts(self) -> frozenset[str]:
        """Return the amounts of money, and what looks like them."""
        return frozenset(figure for figure in self.figures if _AMOUNT.fullmatch(figure))

    @classmethod
    def of(cls, facts: Iterable[str]) -> "Evidence":
        """Read the facts."""
        read = tuple(read_sentence(fact) for fact in facts)
        return cls(
            read,
            tuple(clause for fact in read for clause in _clauses(fact)),
            frozenset().union(*(fact.figures for fact in read)),
            frozenset().union(*(fact.concepts for fact in read)),
            frozenset().union(*(fact.contacts for fact in read)),
            _places(read),
        )

    def holders(self, stem: str) -> frozenset[int]:
        """Return the places of the facts that hold a stem or one of its family."""
        return frozenset().union(*(self.places.get(concept, frozenset()) for concept in concepts_of(stem)))

    def rarity(self, stem: str) -> float:
        """Return 1 for a stem that one fact holds, less for one of many: names of the parties tell little."""
        return 1.0 / max(1, len(self.holders(stem)))


def place_of(place: int, count: int) -> float:
    """Return where a sentence stands: 0 for the first, 1 for the last; between, for a text that is too short to say."""
    return place / (count - 1) if count > 2 else 0.5


def _places(facts: Iterable[Sentence]) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for place, fact in enumerate(facts):
        for concept in fact.concepts:
            found.setdefault(concept, set()).add(place)
    return {concept: frozenset(places) for concept, places in found.items()}


def signals(sentence: Sentence, evidence: Evidence, *, place: float) -> Mapping[str, float]:
    """Return the signals of one sentence by name; `place` runs from 0, the draft's first sentence, to 1, its last."""
    facts = evidence.facts
    whole, sentence = sentence, asserted(sentence)
    found = breaches(sentence, facts)
    kinds = {breach.kind for breach in found}
    stems = tuple(dict.fromkeys(sentence.stems))
    novel = [stem for stem in stems if not evidence.holders(stem)]
    asks, supposes = is_asking(sentence), is_supposing(sentence)
    cover = max((_shared(sentence, fact, evidence) for fact in facts), default=0.0)
    same, other = _polarity(sentence, evidence)
    large, small = unknown_figures(whole.figures, evidence.figures)
    return {
        "novel": 0.0 if asks else math.sqrt(len(novel)),
        "novel_asked": math.sqrt(len(novel)) if asks else 0.0,
        "novel_share": len(novel) / max(1, len(stems)),
        "uncovered": 1 - cover if stems else 0.0,
        "bare": float(not stems),
        "figures": float(min(2, large)),
        "small_figures": float(min(2, small)),
        "dates": float(min(2, sum(not _is_dated(day, evidence) for day in whole.days))),
        "contacts": float(bool(whole.contacts - evidence.contacts)),
        "misplaced": _misplaced(sentence, evidence),
        "misvalued": _misvalued(sentence, evidence),
        "durations": float(unknown_durations(sentence, facts)),
        "names": float(min(2, len([name for name in sentence.names - evidence.words if len(name) > 2]))),
        "denied": float(any(breach.is_denied for breach in found)),
        **{kind: float(kind in kinds) for kind in KINDS},
        "other_polarity": other,
        "same_polarity": same,
        "opposite": float(any(_is_opposite(clause, evidence) for clause in _clauses(sentence))),
        "unknown": max(
            (_shared(sentence, fact, evidence) for fact in facts if _UNKNOWN.search(fact.folded)), default=0.0
        )
        * (not _UNKNOWN.search(sentence.folded)),
        "compares": float(bool(_COMPARING.search(sentence.folded))),
        "orders": float(bool(_ORDER.search(sentence.folded))),
        "negated": float(sentence.is_negated),
        "asks": float(asks),
        "thanks": float(is_thanking(sentence)),
        "supposes": float(supposes),
        "length": math.log(1 + len(sentence.folded.split()) / 10),
        "first": float(place == 0),
        "last": float(place == 1),
    }


def _misplaced(sentence: Sentence, evidence: Evidence) -> float:
    """Return 1 if a clause gives to one id what the facts give to others only."""
    ids = frozenset(figure for figure in evidence.figures if _ID.fullmatch(figure))
    for clause in _JOINT_AND.split(sentence.folded):
        said = read_sentence(clause)
        named = said.figures & ids
        if len(named) != 1:
            continue
        for stem in said.stems:
            owners = [evidence.facts[place].figures & ids for place in evidence.holders(stem)]
            if owners and all(owner and not owner & named for owner in owners):
                return 1.0
    return 0.0


def _misvalued(sentence: Sentence, evidence: Evidence) -> float:
    """Return 1 if an amount stands with words that the facts give to another amount."""
    for clause in _JOINT_AND.split(sentence.folded.replace(",", "")):
        said = read_sentence(clause)
        amounts = said.figures & evidence.amounts
        if len(amounts) != 1:
            continue
        ours = [fact for fact in evidence.facts if fact.figures & amounts]
        others = [fact for fact in evidence.facts if fact.figures & evidence.amounts and not fact.figures & amounts]
        mine, theirs = (max((_held(said, fact, evidence) for fact in group), default=0.0) for group in (ours, others))
        if theirs >= mine + 1.0:
            return 1.0
    return 0.0


def _held(sentence: Sentence, fact: Sentence, evidence: Evidence) -> float:
    return sum(evidence.rarity(stem) for stem in set(sentence.stems) if fact.has(stem)) + 0.5 * len(
        fact.figures & sentence.figures - evidence.amounts
    )


def _is_dated(day: tuple[int, int], evidence: Evidence) -> bool:
    month, number = f"month {day[0]}", str(day[1])
    return any(month in fact.figures and number in fact.figures for fact in evidence.facts)


def nearest(sentence: Sentence, evidence: Evidence, *, most: int) -> tuple[str, ...]:
    """Return the facts that hold most of a sentence's content, at most so many, in their own order."""
    by_share = sorted(range(len(evidence.facts)), key=lambda place: -_shared(sentence, evidence.facts[place], evidence))
    return tuple(evidence.facts[place].shown for place in sorted(by_share[:most]))


def _clauses(sentence: Sentence) -> tuple[Sentence, ...]:
    parts = [part.strip() for part in _JOINT.split(sentence.folded) if part.strip()]
    return tuple(map(read_sentence, parts)) if len(parts) > 1 else (sentence,)


def _shared(sentence: Sentence, fact: Sentence, evidence: Evidence) -> float:
    """Return the share of a sentence's content that one fact holds, the rare words counting most."""
    stems = set(sentence.stems)
    whole = sum(evidence.rarity(stem) for stem in stems) + 0.5 * len(sentence.figures)
    held = sum(evidence.rarity(stem) for stem in stems if fact.has(stem)) + 0.5 * len(fact.figures & sentence.figures)
    return held / whole if whole else 0.0


def _polarity(sentence: Sentence, evidence: Evidence) -> tuple[float, float]:
    """Return how much of a clause is in a clause of the facts of like polarity, and in one of the other."""
    best = (0.0, 0.0)
    for clause in _clauses(sentence):
        if not clause.stems:
            continue
        same = max(
            (_alike(clause, fact, evidence) for fact in evidence.clauses if fact.is_negated == clause.is_negated),
            default=0.0,
        )
        other = max(
            (_alike(clause, fact, evidence) for fact in evidence.clauses if fact.is_negated != clause.is_negated),
            default=0.0,
        )
        if other - same > best[1] - best[0]:
            best = (same, other)
    return best


def _alike(one: Sentence, other: Sentence, evidence: Evidence) -> float:
    mine, theirs = set(one.stems), set(other.stems)
    held = sum(evidence.rarity(stem) for stem in mine if other.has(stem))
    whole = sum(evidence.rarity(stem) for stem in mine) + sum(
        evidence.rarity(stem) for stem in theirs if not one.has(stem)
    )
    return held / whole if whole else 0.0


def _is_opposite(clause: Sentence, evidence: Evidence) -> bool:
    said = set(re.findall(r"[a-z]+", clause.folded))
    for fact in evidence.clauses:
        if _shared(clause, fact, evidence) < 0.34:
            continue
        held = set(re.findall(r"[a-z]+", fact.folded))
        if any(
            said & one and held & other and not said & other and not held & one
            for pair in _OPPOSITES
            for one, other in (pair, pair[::-1])
        ):
            return True
    return False
