"""List the validators of a reply to a customer in the order in which they run."""

from dataclasses import replace

from agent.validators import (
    ids,
    language,
    listed_phrases,
    names,
    placeholders,
    policy,
    slots,
    text,
    tone,
    values,
    wording,
)
from agent.validators.check import Check
from agent.validators.replies import actions, buttons, promises, questions, told

__all__ = ["CHECKS"]

CHECKS: tuple[Check, ...] = (
    text.CHECK,
    language.CHECK,
    told.CHECK,
    ids.CHECK,
    buttons.CHECK,
    names.CHECK,
    slots.CHECK,
    placeholders.CHECK,
    wording.CHECK,
    listed_phrases.CHECK,
    values.CHECK,
    # What may be promised and claimed is another matter than in a letter about money that is owed.
    replace(policy.CHECK, run=policy.check_pressure),
    promises.CHECK,
    actions.CHECK,
    questions.CHECK,
    tone.CHECK,
)
"""What every reply has to pass."""
