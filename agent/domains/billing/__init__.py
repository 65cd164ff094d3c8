"""Draft payment mails from a client's ledger."""

from agent.domains.billing.assess import assess, difficulty
from agent.domains.billing.corruptions import CORRUPTIONS
from agent.domains.billing.evidence import sentences
from agent.domains.billing.letter import frame
from agent.domains.billing.plain import true_text
from agent.domains.billing.prompt import PROMPT_VERSION, circumstances, particulars, system
from agent.domains.billing.schema import read_facts
from agent.domains.billing.sheet import derive
from agent.domains.billing.situations import SITUATIONS
from agent.domains.billing.slots import slot_values, slots
from agent.domains.billing.starters import STARTERS
from agent.domains.domain import Domain
from agent.validators.checks import CHECKS

__all__ = ["BILLING"]

BILLING = Domain(
    name="billing",
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
    base_retries=2,
    starters=STARTERS,
    corruptions=CORRUPTIONS,
)
"""The domain of payment mails: 2 retries for an easy ledger."""
