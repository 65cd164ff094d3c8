"""The hub's rows, one module per idea, and what may be asked of each."""

from reviewhub.models.added import AddedFact, AddedFactQuerySet, AddedKind, EndReason, with_added
from reviewhub.models.attempts import Attempt, Finding, FindingQuerySet, Ruling
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
from reviewhub.models.exemplars import (
    FREE_BLOCK,
    VECTOR_BYTES,
    Exemplar,
    ExemplarChanged,
    ExemplarQuerySet,
    ExemplarState,
    QuarantineReason,
)
from reviewhub.models.keyset import BadKeyset, Keyset
from reviewhub.models.queues import Membership, Queue, QueueQuerySet, Role
from reviewhub.models.reasons import DeclineReason, DeclineReasonQuerySet
from reviewhub.models.recalls import ExemplarUse, Recall, RecallWay
from reviewhub.models.reviews import UNDO_TIME, Decision, Exit, Review, Verdict, Written
from reviewhub.models.rules import (
    PatternRule,
    PatternRuleQuerySet,
    RuleInvalid,
    ValidatorRule,
    ValidatorRuleQuerySet,
    validators_of,
)
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
from reviewhub.models.vocabulary import VocabularyWord, VocabularyWordQuerySet

__all__ = [
    "CLAIM_TIME",
    "CLOSED",
    "DOMAINS",
    "FREE_BLOCK",
    "LEASE_TIME",
    "MAX_TAKES",
    "REVIEWABLE",
    "TABLE",
    "UNDECIDED",
    "UNDO_TIME",
    "VECTOR_BYTES",
    "Act",
    "Actor",
    "AddedFact",
    "AddedFactQuerySet",
    "AddedKind",
    "Attempt",
    "AuditEvent",
    "BadKeyset",
    "CapabilityGap",
    "Case",
    "CaseQuerySet",
    "Decision",
    "DeclineReason",
    "DeclineReasonQuerySet",
    "Draft",
    "DraftQuerySet",
    "EndReason",
    "Exemplar",
    "ExemplarChanged",
    "ExemplarQuerySet",
    "ExemplarState",
    "ExemplarUse",
    "Exit",
    "FactSheet",
    "Finding",
    "FindingQuerySet",
    "Keyset",
    "LeaseLost",
    "Membership",
    "NotForAudit",
    "PatternRule",
    "PatternRuleQuerySet",
    "QuarantineReason",
    "Queue",
    "QueueQuerySet",
    "Recall",
    "RecallWay",
    "Review",
    "Role",
    "RuleInvalid",
    "Ruling",
    "Source",
    "State",
    "StateChanged",
    "StopReason",
    "Tally",
    "TransitionRefused",
    "ValidatorRule",
    "ValidatorRuleQuerySet",
    "Verdict",
    "VocabularyWord",
    "VocabularyWordQuerySet",
    "Who",
    "Written",
    "storable",
    "table_as_markdown",
    "validators_of",
    "with_added",
]
