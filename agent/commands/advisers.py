"""Read from a command line which models advise on finished texts."""

import argparse
import os

from agent.advice import Adviser
from agent.judge import Judge
from agent.llm.names import ModelNameError, model_from_name
from agent.support.check import SupportCheck
from agent.support.weak import why_too_weak

__all__ = ["add_options", "judge", "support_check"]

_WORDS = "words"
_OFF = "off"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--judge` and `--support`."""
    parser.add_argument("--judge", metavar="M", help="a model that grades the draft by its rubric, as advice")
    parser.add_argument(
        "--support", metavar="M", help="check statements against the facts: words, a model's name, or off"
    )


def judge(name: str | None) -> tuple[Adviser, ...]:
    """Return the judge of this name as advice, none without a name; raise ModelNameError."""
    return (Judge(model_from_name(name, environ=os.environ)),) if name else ()


def support_check(name: str | None) -> tuple[Adviser, ...]:
    """Return the support check by words or with a model, none without a name or for "off"; raise ModelNameError.

    A model that is known to be too weak is refused.
    """
    if not name or name == _OFF:
        return ()
    if name == _WORDS:
        return (SupportCheck(None),)
    model = model_from_name(name, environ=os.environ)
    if why := why_too_weak(model.name):
        raise ModelNameError(why)
    return (SupportCheck(model),)
