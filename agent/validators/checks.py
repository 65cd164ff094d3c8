"""List the validators of a draft in the order in which they run."""

from agent.validators import (
    completeness,
    contacts,
    figures,
    ids,
    language,
    names,
    placeholders,
    policy,
    slots,
    text,
    wording,
)
from agent.validators.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[Check, ...] = (
    text.CHECK,
    language.CHECK,
    figures.CHECK,
    ids.CHECK,
    contacts.CHECK,
    names.CHECK,
    slots.CHECK,
    placeholders.CHECK,
    completeness.CHECK,
    wording.CHECK,
    policy.CHECK,
)
