"""Let people decide on drafts: one conditional update for each act, and nothing that they wrote is lost."""

from reviewhub.reviewing.adding import FactRefused, NewFact, add_fact, withdraw_fact
from reviewhub.reviewing.approving import (
    FactsStale,
    Hurdle,
    NeedsOverrideReason,
    NothingToApprove,
    Override,
    TextRefused,
    approve_as_is,
    approve_edited,
    hurdle_of,
    seen_of,
)
from reviewhub.reviewing.beginning import AlreadyDecided, ClaimedByOther, KeyReused
from reviewhub.reviewing.handing_on import (
    NeedsNote,
    NeedsReason,
    TooLateToUndo,
    claim,
    decline,
    escalate,
    let_out,
    redraft,
    undo,
)
from reviewhub.reviewing.tone import NoToneToConfirm, confirm_tone, refuse_tone

__all__ = [
    "AlreadyDecided",
    "ClaimedByOther",
    "FactRefused",
    "FactsStale",
    "Hurdle",
    "KeyReused",
    "NeedsNote",
    "NeedsOverrideReason",
    "NeedsReason",
    "NewFact",
    "NoToneToConfirm",
    "NothingToApprove",
    "Override",
    "TextRefused",
    "TooLateToUndo",
    "add_fact",
    "approve_as_is",
    "approve_edited",
    "claim",
    "confirm_tone",
    "decline",
    "escalate",
    "hurdle_of",
    "let_out",
    "redraft",
    "refuse_tone",
    "seen_of",
    "undo",
    "withdraw_fact",
]
