"""Hold the one table of what may happen to a draft, and refuse the rest.

The page `docs/transitions.md` is drawn from this table.
"""

from dataclasses import dataclass

from django.db import models

__all__ = [
    "CLOSED",
    "REVIEWABLE",
    "TABLE",
    "UNDECIDED",
    "Act",
    "Actor",
    "NotAPerson",
    "Rule",
    "State",
    "TransitionRefused",
    "Who",
    "check",
    "table_as_markdown",
]


class State(models.TextChoices):
    """Say where a draft stands."""

    QUEUED = "queued", "Queued"
    DRAFTING = "drafting", "Drafting"
    AWAITING_REVIEW = "awaiting_review", "Awaiting review"
    ESCALATED = "escalated", "Escalated"
    ABSTAINED = "abstained", "Abstained"
    APPROVED = "approved", "Approved"
    DECLINED = "declined", "Declined"
    SUPERSEDED = "superseded", "Superseded"


class Act(models.TextChoices):
    """Name what happens to a draft."""

    START = "start", "start"
    FINISH = "finish", "finish"
    PUT_BACK = "put_back", "put back"
    GIVE_UP = "give_up", "give up"
    ESCALATE = "escalate", "escalate"
    APPROVE_AS_IS = "approve_as_is", "approve as is"
    APPROVE_EDITED = "approve_edited", "approve edited or hand-written"
    DECLINE = "decline", "decline"
    SUPERSEDE = "supersede", "supersede"
    UNDO = "undo", "undo"


class Who(models.TextChoices):
    """Name in which part a person or a process acts."""

    WORKER = "worker", "worker"
    SWEEPER = "sweeper", "sweeper"
    INTAKE = "intake", "intake"
    OPERATOR = "operator", "operator"
    LEAD = "lead", "lead"
    DECIDER = "decider", "who decided"
    ADMIN = "admin", "administrator"


class NotAPerson(Exception):
    """Refuse a process where a person must act."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Say who acts: a process, or a person in the part that their role gives."""

    who: Who
    user_id: int | None = None

    @property
    def person_id(self) -> int:
        """Return whose act it is; raise NotAPerson for a process."""
        if self.user_id is None:
            raise NotAPerson(f"a {self.who.label} cannot act for a person")
        return self.user_id


@dataclass(frozen=True, slots=True)
class Rule:
    """Allow an act from any of `sources` to any of `targets` for any of `who`; `guard` says what else must hold."""

    act: Act
    sources: tuple[State, ...]
    targets: tuple[State, ...]
    who: tuple[Who, ...]
    guard: str


UNDECIDED = (State.QUEUED, State.DRAFTING, State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED)
REVIEWABLE = (State.AWAITING_REVIEW, State.ESCALATED, State.ABSTAINED)
CLOSED = (State.APPROVED, State.DECLINED, State.SUPERSEDED)

_PERSON = (Who.OPERATOR, Who.LEAD)

TABLE: tuple[Rule, ...] = (
    Rule(
        Act.START,
        (State.QUEUED,),
        (State.DRAFTING,),
        (Who.WORKER,),
        "a lease is taken; fewer than 3 takes; `not_before` is past",
    ),
    Rule(Act.FINISH, (State.DRAFTING,), REVIEWABLE, (Who.WORKER,), "the lease is live"),
    Rule(
        Act.PUT_BACK,
        (State.DRAFTING,),
        (State.QUEUED,),
        (Who.WORKER, Who.SWEEPER),
        "fewer than 3 takes; a worker holds the live lease, the sweeper finds it expired; `not_before` is set",
    ),
    Rule(
        Act.GIVE_UP,
        (State.QUEUED, State.DRAFTING),
        (State.ESCALATED,),
        (Who.SWEEPER,),
        "3 takes, and no live lease",
    ),
    Rule(Act.ESCALATE, (State.AWAITING_REVIEW,), (State.ESCALATED,), _PERSON, "a note, or a tone to confirm"),
    Rule(
        Act.APPROVE_AS_IS,
        (State.AWAITING_REVIEW,),
        (State.APPROVED,),
        _PERSON,
        "facts are fresh, or confirmed; no tone to confirm; no blocking finding, or a lead overrides it with a reason",
    ),
    Rule(
        Act.APPROVE_AS_IS,
        (State.ESCALATED,),
        (State.APPROVED,),
        (Who.LEAD,),
        "facts are fresh, or confirmed; no blocking finding, or the lead overrides it with a reason",
    ),
    Rule(
        Act.APPROVE_EDITED,
        REVIEWABLE,
        (State.APPROVED,),
        _PERSON,
        "facts are fresh, or confirmed; the text passes, or a lead overrides; else it is kept and not approved",
    ),
    Rule(Act.DECLINE, REVIEWABLE, (State.DECLINED,), _PERSON, "a reason"),
    Rule(
        Act.SUPERSEDE,
        UNDECIDED,
        (State.SUPERSEDED,),
        (*_PERSON, Who.INTAKE),
        "a new draft is queued in the same transaction",
    ),
    Rule(
        Act.UNDO,
        (State.APPROVED, State.DECLINED),
        REVIEWABLE,
        (Who.DECIDER,),
        "back to the state before; 15 s; not copied or downloaded; no newer draft",
    ),
)


class TransitionRefused(Exception):
    """Refuse an act that the table does not allow."""

    def __init__(self, act: Act, source: State, target: State, who: Who) -> None:
        self.act, self.source, self.target, self.who = act, source, target, who
        super().__init__(
            f"{who.label} may not {act.label} a draft that is {source.label.lower()} to {target.label.lower()}"
        )


def check(act: Act, source: State, target: State, who: Who) -> Rule:
    """Return the rule that allows this act, or raise TransitionRefused."""
    for rule in TABLE:
        if rule.act is act and source in rule.sources and target in rule.targets and who in rule.who:
            return rule
    raise TransitionRefused(act, source, target, who)


def table_as_markdown() -> str:
    """Draw the table for the documentation."""
    lines = ["| act | from | to | who | guard |", "|---|---|---|---|---|"]
    for rule in TABLE:
        cells = (rule.act.label, _names(rule.sources), _names(rule.targets), _names(rule.who), rule.guard)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _names(members: tuple[State, ...] | tuple[Who, ...]) -> str:
    return ", ".join(member.label if isinstance(member, Who) else member.name for member in members)
