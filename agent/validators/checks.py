"""List the validators of a draft in the order in which they run."""

from agent.validators import (
    completeness,
    contacts,
    details,
    figures,
    ids,
    language,
    listed_phrases,
    names,
    placeholders,
    policy,
    slots,
    status,
    text,
    tone,
    values,
    wording,
)
from agent.validators.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[Check, ...] = (
    text.CHECK,
    language.CHECK,
    figures.CHECK,
    status.CHECK,
    ids.CHECK,
    contacts.CHECK,
    names.CHECK,
    details.CHECK,
    slots.CHECK,
    placeholders.CHECK,
    completeness.CHECK,
    wording.CHECK,
    listed_phrases.CHECK,
    values.CHECK,
    policy.CHECK,
    tone.CHECK,
)
