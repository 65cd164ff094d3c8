"""Blend what the words and a model say of each sentence into one order: the least supported first."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Self

from agent.llm.chat import ChatModel, ModelError
from agent.support.ask import Answer, AnswerUnreadable, ask
from agent.support.lexicon import read_sentence
from agent.support.rules import Breach, breaches
from agent.support.signals import Evidence, nearest, place_of, signals
from agent.support.statements import Statement, statements
from agent.support.weak import why_too_weak

__all__ = ["BLEND", "Blend", "Ranking", "Scored", "rank"]

# Log-odds beyond which a small model's certainty means no more; its trust weighs less than its doubt, so that it cannot
# talk away what a rule has found.
_LEAST_DOUBT, _MOST_DOUBT = -0.6, 2.0


@dataclass(frozen=True, slots=True)
class Blend:
    """Hold the fitted weights of the signals, the weight of a model's doubt, and what a support is worth.

    `asked` is how many of a draft's least supported sentences a model is asked about, each with `told` facts. A draft
    is flagged when what speaks against its worst sentence, in log-odds, is above `flag_above` plus `own_words` times
    the mean share of words that no fact holds: letters that are freely worded need more. Below `read_below` a sentence
    is worth naming. `fail_below`, where a draft fails, is None unless labelled drafts have shown its precision, and
    `confidence` is what they have shown: the share of flagged drafts that were flagged rightly.
    """

    intercept: float
    weights: Mapping[str, float]
    doubt_weight: float
    doubt_centre: float
    asked: int
    told: int
    flag_above: float
    own_words: float
    read_below: float
    fail_below: float | None
    confidence: float

    @classmethod
    def shipped(cls) -> Self:
        """Read the weights that come with the package."""
        data = json.loads(files("agent.support").joinpath("blend.json").read_text(encoding="utf-8"))
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})


BLEND = Blend.shipped()
"""The weights that come with the package; `made_by` in its file names the command."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold a sentence with its support, from 0 to 1; `why` says in words what speaks against it.

    `asked` is the model's share for SUPPORTED, None where it was not asked;
    `own_words` the share of its words that no fact holds.
    """

    statement: Statement
    support: float
    why: tuple[str, ...] = ()
    asked: float | None = None
    own_words: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hold a draft's sentences, least supported first; `note` says why no model had a say, if none had."""

    scored: tuple[Scored, ...]
    flagged: bool
    note: str = ""
    answers: tuple[Answer, ...] = ()

    @property
    def checked_by(self) -> str:
        """Say who had a say."""
        return f"words alone: {self.note}" if self.note else "words and model"


def rank(
    text: str,
    facts: Sequence[str],
    model: ChatModel | None = None,
    *,
    blend: Blend = BLEND,
    deadline_seconds: float = 60.0,
) -> Ranking:
    """Rank the sentences of a text by how well the facts bear them out.

    The model is asked about the few that the words speak most against. One that fails, that does not follow or that is
    known to be too weak has no say: the words alone answer, and `note` says so.
    """
    evidence = Evidence.of(facts)
    worded = _by_words(text, evidence, blend)
    if model is None:
        return _ranking(worded, blend, "no model was asked")
    if weak := why_too_weak(model.name):
        return _ranking(worded, blend, weak)
    answers: list[Answer] = []
    asked: list[Scored] = []
    try:
        for scored in worded[: blend.asked]:
            left = deadline_seconds - sum(answer.seconds for answer in answers)
            told = nearest(read_sentence(scored.statement.text), evidence, most=blend.told)
            answers.append(ask(model, told, scored.statement.text, deadline_seconds=left))
            asked.append(_with_answer(scored, answers[-1], blend))
    except (ModelError, AnswerUnreadable) as error:
        return replace(_ranking(worded, blend, f"the model had no say: {error}"), answers=tuple(answers))
    return replace(_ranking([*asked, *worded[blend.asked :]], blend, ""), answers=tuple(answers))


def _ranking(scored: Sequence[Scored], blend: Blend, note: str) -> Ranking:
    ordered = tuple(sorted(scored, key=lambda one: (one.support, one.statement.span)))
    if not ordered:
        return Ranking((), flagged=False, note=note)
    bar = blend.flag_above + blend.own_words * sum(one.own_words for one in ordered) / len(ordered)
    return Ranking(ordered, flagged=-_log_odds(ordered[0].support) > bar, note=note)


def _by_words(text: str, evidence: Evidence, blend: Blend) -> list[Scored]:
    found = statements(text)
    scored = [_scored(statement, evidence, place_of(place, len(found)), blend) for place, statement in enumerate(found)]
    return sorted(scored, key=lambda one: one.support)


def _scored(statement: Statement, evidence: Evidence, place: float, blend: Blend) -> Scored:
    sentence = read_sentence(statement.text)
    values = signals(sentence, evidence, place=place)
    against = blend.intercept + sum(blend.weights.get(name, 0.0) * value for name, value in values.items())
    why = tuple(_reasons(breaches(sentence, evidence.facts), values))
    return Scored(statement, _support(against), why, own_words=values["novel_share"])


def _with_answer(scored: Scored, answer: Answer, blend: Blend) -> Scored:
    doubt = max(_LEAST_DOUBT, min(_MOST_DOUBT, -_log_odds(answer.supported)))
    against = -_log_odds(scored.support) + blend.doubt_weight * (doubt - blend.doubt_centre)
    why = (*scored.why, "the model finds it unsupported") if answer.supported < 0.5 else scored.why
    return replace(scored, support=_support(against), why=why, asked=answer.supported)


def _reasons(found: Sequence[Breach], values: Mapping[str, float]) -> Sequence[str]:
    reasons = [
        f'"{breach.words}" ({breach.kind}): the facts say the contrary'
        if breach.is_denied
        else f'"{breach.words}" ({breach.kind}): no fact holds it'
        for breach in found
    ]
    if values["figures"] or values["durations"]:
        reasons.append("a figure, date or span of time that no fact holds")
    if values["other_polarity"] > values["same_polarity"]:
        reasons.append("a fact says the contrary, or leaves it open")
    if values["novel"] and not reasons:
        reasons.append("words that no fact holds")
    return reasons


def _support(against: float) -> float:
    return 1.0 / (1.0 + math.exp(max(-30.0, min(30.0, against))))


def _log_odds(share: float) -> float:
    share = min(1 - 1e-6, max(1e-6, share))
    return math.log(share / (1 - share))
