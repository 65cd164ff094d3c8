"""Decide before any model call whether a customer can be answered from what is on file.

Covers a message in another language, a question that nothing on file speaks of, sources that contradict each other in a
figure or in a plain yes and no, and refunds above what was paid. Sources that contradict each other in other words are
not found.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from agent.domains.billing.wording import joined, money
from agent.domains.domain import Assessment, Conflict, Difficulty, Gap
from agent.domains.support.schema import SupportFacts
from agent.facts import Sheet
from agent.validators.language import foreign_language
from agent.validators.replies.questions import answering
from agent.validators.replies.refunds import refund_of
from agent.validators.replies.sources import Passage, Source, sources_of

__all__ = ["assess", "difficulty"]

_NO = re.compile(r"\b(?:no|not|never|cannot|without|neither|nor|none)\b|n't\b")
_NEGATIVE = frozenset({"cannot", "never", "without", "don't", "doesn't", "isn't", "aren't", "can't", "won't"})
_KINDS = {"money", "duration", "percent"}


def assess(facts: SupportFacts, sheet: Sheet) -> Assessment:
    """Return what keeps a customer from being answered; another language is looked for first, then conflicts."""
    if gaps := tuple(_language(facts)):
        return Assessment(gaps=gaps)
    conflicts = (*_rules(facts), *_articles(sheet), *_overpaid(sheet))
    if conflicts:
        return Assessment(conflicts=conflicts)
    return Assessment(gaps=tuple(_unanswered(facts, sheet)))


def difficulty(sheet: Sheet) -> Difficulty:
    """Derive how hard a customer is to answer from the number of questions."""
    asked = len(sheet.by_role.get("question", ()))
    factor = 1.0 if asked <= 3 else 1.5 if asked <= 6 else 2.5
    return Difficulty(factor, f"the customer asks {asked} {'question' if asked == 1 else 'questions'}")


def _language(facts: SupportFacts) -> Iterator[Gap]:
    if language := foreign_language(facts.message):
        yield Gap(
            "LANGUAGE_UNSUPPORTED",
            "how to answer a message that is not in English",
            f"the message, which reads as {language}",
            "a person who reads the language, or the message in English",
        )


def _rules(facts: SupportFacts) -> Iterator[Conflict]:
    for one, other in combinations(facts.policies, 2):
        if one.rule == other.rule and one.value != other.value:
            yield Conflict(
                "POLICIES_DISAGREE",
                f"{one.id} ({one.uri}) sets {one.rule} to {one.value}, {other.id} ({other.uri}) to {other.value}",
                "Correct one of the two policies, or take it out of the case.",
                (one.id, other.id),
            )


def _articles(sheet: Sheet) -> Iterator[Conflict]:
    told = [source for source in sources_of(sheet) if source.kind in ("article", "rule")]
    for one, other in combinations(told, 2):
        if one.kind == other.kind == "rule":
            continue
        for first in one.passages:
            for second in other.passages:
                if _disagree(first, second):
                    yield Conflict(
                        "KNOWLEDGE_BASE_DISAGREES",
                        f'{one.id} ({one.uri}) says "{first.text}", {other.id} ({other.uri}) says "{second.text}"',
                        "Correct one of the two, or take it out of the case.",
                        (one.id, other.id),
                    )
                    return


def _disagree(one: Passage, other: Passage) -> bool:
    words, others = one.stems - _NEGATIVE, other.stems - _NEGATIVE
    shared, least = len(words & others), min(len(words), len(others))
    if shared < 2 or shared * 3 < least * 2:
        return False
    figures, theirs = _figures(one), _figures(other)
    for kind in figures.keys() & theirs.keys():
        if not figures[kind] & theirs[kind]:
            return True
    opposed = bool(_NO.search(one.text)) != bool(_NO.search(other.text))
    return opposed and shared >= 3 and shared * 5 >= max(len(words), len(others)) * 4


def _figures(passage: Passage) -> dict[tuple[str, str], set[object]]:
    found: dict[tuple[str, str], set[object]] = {}
    for keys in passage.keys:
        for key in keys:
            if key[0] in _KINDS:
                found.setdefault((key[0], key[1] if key[0] == "duration" else ""), set()).add(key[-1])
    return found


def _overpaid(sheet: Sheet) -> Iterator[Conflict]:
    refund = refund_of(sheet)
    if refund.order and refund.made_cents > refund.paid_cents:
        yield Conflict(
            "REFUND_ABOVE_PAID",
            f"{refund.order}: {money(refund.made_cents, sheet)} went back of {money(refund.paid_cents, sheet)} paid",
            "Correct the refund or the order.",
            (refund.order,),
        )


def _unanswered(facts: SupportFacts, sheet: Sheet) -> Iterator[Gap]:
    looked = _looked_in(facts, sources_of(sheet))
    for fact in sheet.by_role.get("question", ()):
        if not answering(sheet, str(fact.value)):
            yield Gap("NO_ARTICLE", f'an answer to "{fact.value}"', looked, "an article or a policy that answers it")


def _looked_in(facts: SupportFacts, sources: Sequence[Source]) -> str:
    articles = [article.id for article in facts.kb]
    others = len([source for source in sources if source.kind in ("rule", "order", "event")])
    named = f"articles {joined(articles)}" if articles else "a knowledge base without articles"
    return f"{named}, and {others} policies, orders and events"
