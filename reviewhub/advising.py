"""Tell which models advise on a finished draft: a judge that grades it, and a check of what its facts bear out."""

import os
from functools import cache

from django.conf import settings

from agent.advice import Adviser
from agent.judge import Judge
from agent.llm.chat import ChatModel
from agent.llm.names import model_from_name
from agent.llm.scripted import ScriptedModel
from agent.support.check import SupportCheck
from agent.support.weak import why_too_weak
from reviewhub.models import JudgeCalibration

__all__ = ["advisers_for"]


def advisers_for(model: ChatModel) -> tuple[Adviser, ...]:
    """Return who advises on what this model drafts.

    The support check asks the drafting model unless another is set; one that is too weak, and a script, are not asked.
    The judge says nothing about a case without a rubric, and may fail a draft only while its calibration holds.
    """
    return (*_support(model), *_judge())


def _support(model: ChatModel) -> tuple[Adviser, ...]:
    name: str = settings.REVIEWHUB_SUPPORT
    if name == "off":
        return ()
    if name == "words":
        return (SupportCheck(None),)
    if name == "on" and isinstance(model, ScriptedModel):
        return ()
    asked = model if name == "on" else _served(name)
    return () if why_too_weak(asked.name) else (SupportCheck(asked),)


def _judge() -> tuple[Adviser, ...]:
    name: str = settings.REVIEWHUB_JUDGE_MODEL
    return (Judge(_served(name), gates=JudgeCalibration.allows(name)),) if name else ()


@cache
def _served(name: str) -> ChatModel:
    """Return the client of a model that advises, one for the life of the process."""
    return model_from_name(name, environ=os.environ)
