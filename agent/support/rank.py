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
from agent.support.signals import Evidence, signals
from agent.support.statements import Statement, statements
from agent.support.weak import why_too_weak

__all__ = ["BLEND", "Blend", "Ranking", "Scored", "rank"]

_MOST_DOUBT = 4.0  # log-odds; beyond it a small model's certainty means no more


@dataclass(frozen=True, slots=True)
class Blend:
    """Hold the fitted weights: of the signals, of a model's doubt, and the threshold of the flag.

    `asked` is how many of a draft's least supported sentences a model is asked about. `threshold` and `model_threshold`
    are supports below which a draft is flagged, without and with a model; `read_below` is where a sentence is worth
    naming; `fail_below`, where a draft fails, is None unless labelled drafts have shown its precision. `confidence` is
    the share of flagged drafts that were flagged rightly on those that the weights were fitted on.
    """

    intercept: float
    weights: Mapping[str, float]
    doubt_weight: float
    doubt_centre: float
    asked: int
    threshold: float
    model_threshold: float
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

    `asked` is the model's share for SUPPORTED, None where it was not asked.
    """

    statement: Statement
    support: float
    why: tuple[str, ...] = ()
    asked: float | None = None


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
    worded = _by_words(text, facts, blend)
    if model is None:
        return _ranking(worded, blend.threshold, "no model was asked")
    if weak := why_too_weak(model.name):
        return _ranking(worded, blend.threshold, weak)
    answers: list[Answer] = []
    asked: list[Scored] = []
    try:
        for scored in worded[: blend.asked]:
            left = deadline_seconds - sum(answer.seconds for answer in answers)
            answers.append(ask(model, facts, scored.statement.text, deadline_seconds=left))
            asked.append(_with_answer(scored, answers[-1], blend))
    except (ModelError, AnswerUnreadable) as error:
        return replace(_ranking(worded, blend.threshold, f"the model had no say: {error}"), answers=tuple(answers))
    return replace(_ranking([*asked, *worded[blend.asked :]], blend.model_threshold, ""), answers=tuple(answers))


def _ranking(scored: Sequence[Scored], threshold: float, note: str) -> Ranking:
    ordered = tuple(sorted(scored, key=lambda one: (one.support, one.statement.span)))
    return Ranking(ordered, bool(ordered) and ordered[0].support < threshold, note)


def _by_words(text: str, facts: Sequence[str], blend: Blend) -> list[Scored]:
    evidence = Evidence.of(facts)
    found = statements(text)
    last = max(1, len(found) - 1)
    scored = [_scored(statement, evidence, place / last, blend) for place, statement in enumerate(found)]
    return sorted(scored, key=lambda one: one.support)


def _scored(statement: Statement, evidence: Evidence, place: float, blend: Blend) -> Scored:
    sentence = read_sentence(statement.text)
    values = signals(sentence, evidence, place=place)
    against = blend.intercept + sum(blend.weights.get(name, 0.0) * value for name, value in values.items())
    return Scored(statement, _support(against), tuple(_reasons(breaches(sentence, evidence.facts), values)))


def _with_answer(scored: Scored, answer: Answer, blend: Blend) -> Scored:
    doubt = max(-_MOST_DOUBT, min(_MOST_DOUBT, -_log_odds(answer.supported)))
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
