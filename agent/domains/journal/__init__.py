"""Turn a sentence into a balanced journal entry."""

from agent.domains.domain import Domain
from agent.domains.journal.assess import assess, difficulty
from agent.domains.journal.corruptions import CORRUPTIONS
from agent.domains.journal.entry import ENTRY
from agent.domains.journal.plain import true_text
from agent.domains.journal.prompt import PROMPT_VERSION, circumstances, particulars, system
from agent.domains.journal.schema import read_facts
from agent.domains.journal.sheet import CHECKS, SITUATIONS, derive, frame, sentences, slot_values, slots
from agent.domains.journal.starters import STARTERS

__all__ = ["JOURNAL"]


JOURNAL = Domain(
    name="journal",
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
    whole="the entry as one JSON object",
    record=ENTRY,
    base_retries=3,
    starters=STARTERS,
    corruptions=CORRUPTIONS,
)
"""The domain of journal entries: 3 retries."""
