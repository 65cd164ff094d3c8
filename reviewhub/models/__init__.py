"""The hub's rows, one module per idea, and what may be asked of each."""

from reviewhub.models.attempts import Attempt, Finding, FindingQuerySet
from reviewhub.models.audit import AuditEvent, NotForAudit, Tally
from reviewhub.models.cases import DOMAINS, CapabilityGap, Case, CaseQuerySet, FactSheet, Source
from reviewhub.models.drafts import (
    CLAIM_TIME,
    LEASE_TIME,
    MAX_TAKES,
    Draft,
    DraftQuerySet,
    LeaseLost,
    StateChanged,
    StopReason,
)
from reviewhub.models.keyset import BadKeyset, Keyset
from reviewhub.models.queues import Membership, Queue, QueueQuerySet, Role
from reviewhub.models.reviews import UNDO_TIME, Decision, DeclineReason, Exit, Review, Verdict, Written
from reviewhub.models.storable import storable
from reviewhub.models.transitions import (
    CLOSED,
    REVIEWABLE,
    TABLE,
    UNDECIDED,
    Act,
    Actor,
    State,
    TransitionRefused,
    Who,
    table_as_markdown,
)

__all__ = [
    "CLAIM_TIME",
    "CLOSED",
    "DOMAINS",
    "LEASE_TIME",
    "MAX_TAKES",
    "REVIEWABLE",
    "TABLE",
    "UNDECIDED",
    "UNDO_TIME",
    "Act",
    "Actor",
    "Attempt",
    "AuditEvent",
    "BadKeyset",
    "CapabilityGap",
    "Case",
    "CaseQuerySet",
    "Decision",
    "DeclineReason",
    "Draft",
    "DraftQuerySet",
    "Exit",
    "FactSheet",
    "Finding",
    "FindingQuerySet",
    "Keyset",
    "LeaseLost",
    "Membership",
    "NotForAudit",
    "Queue",
    "QueueQuerySet",
    "Review",
    "Role",
    "Source",
    "State",
    "StateChanged",
    "StopReason",
    "Tally",
    "TransitionRefused",
    "Verdict",
    "Who",
    "Written",
    "storable",
    "table_as_markdown",
]
