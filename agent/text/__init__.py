"""Read texts: normalise, fold, segment, mask, and find figures; pure, and knowing nothing of sheets or drafts."""

from agent.text.fold import Folded, Span, fold, nfc
from agent.text.masks import MASK, find_strings, mask
from agent.text.segments import clauses, sentences

__all__ = ["MASK", "Folded", "Span", "clauses", "find_strings", "fold", "mask", "nfc", "sentences"]
