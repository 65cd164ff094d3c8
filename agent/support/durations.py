"""Compare the spans of time that a sentence names with those that the facts name or that lie between their dates."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import combinations

from agent.support.lexicon import Sentence
from agent.text.english import CARDINALS, MONTHS

__all__ = ["unknown_durations"]

_MINUTES = {"minute": 1, "min": 1, "hour": 60, "day": 1440, "night": 1440, "week": 10_080, "fortnight": 20_160,
            "month": 43_800, "quarter": 131_400, "year": 525_600}  # fmt: skip
_NUMBER = rf"\d+(?:\.\d+)?|{'|'.join(CARDINALS)}|half an?|half|a|an|couple of|few|several"
_SPAN = re.compile(
    rf"\b({_NUMBER})[ -](?:full |whole |working |business |calendar |good )?({'|'.join(_MINUTES)})s?\b(?:' )?"
)
_VAGUE = {"few", "several", "couple of"}
_MONTH = "|".join(MONTHS)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATE = re.compile(rf"\b(?:{_DAY}(?: of)? ({_MONTH})|({_MONTH}) {_DAY})\b(?:,? (\d{{4}}))?")
_NEAR = 0.2  # "about three weeks" for 22 days; months differ in length


def unknown_durations(sentence: Sentence, facts: Sequence[Sentence]) -> int:
    """Count the spans of time in a sentence that neither stand in the facts nor lie between two of their dates."""
    said = list(_spans(sentence.folded))
    if not said:
        return 0
    known = [minutes for fact in facts for minutes in _spans(fact.folded)]
    days = sorted({day for fact in facts for day in _dates(fact.folded)})
    known += [(later - earlier).days * 1440.0 for earlier, later in combinations(days, 2)]
    known += [one / 2 for one in known]
    return sum(not any(abs(span - one) <= _NEAR * max(span, one) for one in known) for span in said)


def _spans(folded: str) -> Iterator[float]:
    for number, unit in _SPAN.findall(folded):
        if number not in _VAGUE and not (number in ("a", "an") and unit not in ("month", "week", "year", "fortnight")):
            yield _value(number) * _MINUTES[unit]


def _value(number: str) -> float:
    if number.startswith("half"):
        return 0.5
    if number in ("a", "an"):
        return 1.0
    return float(CARDINALS.get(number, 0) or number) if number != "zero" else 0.0


def _dates(folded: str) -> Iterable[date]:
    for first_day, first_month, second_month, second_day, year in _DATE.findall(folded):
        try:
            yield date(int(year or 2026), MONTHS[first_month or second_month], int(first_day or second_day))
        except ValueError:
            continue
