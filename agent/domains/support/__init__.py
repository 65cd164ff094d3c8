"""Draft replies to customers from a knowledge base, policies and orders."""

from agent.domains.domain import Domain
from agent.domains.support.assess import assess, difficulty
from agent.domains.support.checks import CHECKS
from agent.domains.support.corruptions import CORRUPTIONS
from agent.domains.support.letter import frame
from agent.domains.support.plain import sentences, true_text
from agent.domains.support.prompt import PROMPT_VERSION, circumstances, particulars, system
from agent.domains.support.schema import read_facts
from agent.domains.support.sheet import derive
from agent.domains.support.situations import SITUATIONS
from agent.domains.support.slots import slot_values, slots
from agent.domains.support.starters import STARTERS

__all__ = ["SUPPORT"]

SUPPORT = Domain(
    name="support",
    read_facts=read_facts,
    derive=derive,
    assess=assess,
    difficulty=difficulty,
    situations=SITUATIONS,
    slots=slots,
    slot_values=slot_values,
    frame=frame,
    system=system,
    circumstances=circumstances,
    particulars=particulars,
    prompt_version=PROMPT_VERSION,
    true_text=true_text,
    checks=CHECKS,
    sentences=sentences,
    whole="the whole reply",
    base_retries=2,
    starters=STARTERS,
    corruptions=CORRUPTIONS,
)
"""The domain of replies to customers: 2 retries for an easy case."""
