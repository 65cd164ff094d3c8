"""Choose which past edits a new draft is shown, and say in plain words why.

An exemplar of another situation is never chosen: the domain's starters for the right one serve better. Among those of
the situation the most similar comes first; who the client is and how new an edit is only break ties. What this does not
see: whether an exemplar is good, other than by the marks that people gave it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

__all__ = ["TIE", "Candidate", "Chosen", "choose", "is_given_up"]

TIE = 0.01  # standings that lie no further apart are equal: so little does not tell two letters apart
_BAD_COSTS = 0.25  # what the standing of an exemplar loses that was bad each time it was shown
_BAD_MARKS = 2  # from so many marks on, in half or more of the drafts, it is shown no more
_SAME_WORDS = 0.7  # of their pairs of words, from which on two texts say the same


@dataclass(frozen=True)
class Candidate:
    """One exemplar of the index: what it says, how near it is to the new case, and how it fared.

    `tokens` is what it costs in a prompt; `used` counts the drafts that it was shown for, `bad` the marks among them.
    """

    id: str
    situation: str
    text: str
    tokens: int
    similarity: float
    same_subject: bool
    approved_at: datetime
    used: int
    bad: int


@dataclass(frozen=True)
class Chosen:
    """An exemplar to show, with sentences that say why this one."""

    id: str
    similarity: float
    reasons: tuple[str, ...]


def choose(candidates: Sequence[Candidate], *, situation: str, budget_tokens: int, most: int = 2) -> tuple[Chosen, ...]:
    """Return at most `most` exemplars that together cost no more than `budget_tokens`, the best first.

    The order of `candidates` does not matter.
    """
    rated = [one for one in candidates if one.situation == situation and not is_given_up(used=one.used, bad=one.bad)]
    left, chosen, told = list(rated), list[Candidate](), list[Chosen]()
    passed_over: list[str] = []
    while left and len(chosen) < most:
        tied = _tied(left)
        best = max(tied, key=_preference)
        left.remove(best)
        if any(_say_the_same(best.text, one.text) for one in chosen):
            passed_over.append("says nearly the same as one above")
        elif best.tokens > budget_tokens - sum(one.tokens for one in chosen):
            passed_over.append("does not fit into the prompt")
        else:
            chosen.append(best)
            reasons = [*_reasons(best, rated), *_reasons_of_order(best, tied, left, passed_over)]
            told.append(Chosen(best.id, best.similarity, tuple(reasons)))
            passed_over = []
    return tuple(told)


def is_given_up(*, used: int, bad: int) -> bool:
    """Tell whether an exemplar misled two drafts or more, and did not serve more drafts well than it misled."""
    return bad >= _BAD_MARKS and 2 * bad >= used


def _standing(one: Candidate) -> float:
    return one.similarity - _BAD_COSTS * one.bad / (one.used + 2)


def _tied(left: Sequence[Candidate]) -> list[Candidate]:
    best = max(_standing(one) for one in left)
    return [one for one in left if _standing(one) >= best - TIE]


def _preference(one: Candidate) -> tuple[bool, datetime, int, str]:
    return (one.same_subject, one.approved_at, len(one.id), one.id)


def _say_the_same(one: str, other: str) -> bool:
    first, second = _pairs_of_words(one), _pairs_of_words(other)
    return len(first & second) >= _SAME_WORDS * len(first | second)


def _pairs_of_words(text: str) -> set[tuple[str, str]]:
    words = ["", *("".join(filter(str.isalnum, word)) for word in text.lower().split()), ""]
    return set(pairwise(words))


def _reasons(best: Candidate, rated: Sequence[Candidate]) -> Iterator[str]:
    yield f"It was written for the same situation: {best.situation.replace('_', ' ')}."
    if len(rated) == 1:
        yield f"It is the only past edit for this situation; its similarity is {best.similarity:.2f} of 1."
    else:
        rank = 1 + sum(one.similarity > best.similarity for one in rated)
        place = f"number {rank} of {len(rated)} past edits for this situation"
        yield f"Its similarity is {best.similarity:.2f} of 1, {place}."
    if best.bad:
        yield f"It was marked bad {_times(best.bad)} in {best.used} drafts, which counts against it."
    elif best.used:
        yield f"It was shown {_times(best.used)} before and never marked bad."


def _reasons_of_order(
    best: Candidate, tied: Sequence[Candidate], left: Sequence[Candidate], passed_over: Sequence[str]
) -> Iterator[str]:
    if len(tied) > 1:
        yield f"Of {len(tied)} that are equally near it is {_what_broke_the_tie(best, tied)}."
    if any(one.similarity > best.similarity for one in left if one not in tied):
        yield "A more similar one comes after it, because it was marked bad."
    for why, number in Counter(passed_over).items():
        yield f"Passed over before it: {number} that {why}."


def _what_broke_the_tie(best: Candidate, tied: Sequence[Candidate]) -> str:
    if best.same_subject:
        more = sum(one.same_subject for one in tied) > 1
        return "the newest for the same client" if more else "the one for the same client"
    return "the newest"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
