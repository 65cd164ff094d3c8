"""Define what a domain gives: its facts, slots, situations, frame, prompts and corruptions, all of one shape."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from agent.body import SLOT, Body
from agent.facts import Sheet
from agent.rubric import Rubric
from agent.slots import Slot
from agent.validators.check import Check

__all__ = [
    "Assessment",
    "BlockTask",
    "Case",
    "Conflict",
    "Corruption",
    "Difficulty",
    "Domain",
    "Exemplar",
    "Gap",
    "RecordForm",
    "Situation",
]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Hold the factor that a domain's retries are multiplied by, and why it is this one."""

    factor: float
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Hold a capability gap: what a draft would need, where it was looked for and what would resolve it."""

    code: str
    missing: str
    looked_for: str
    resolved_by: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Hold facts that cannot all be true; `facts` are the ids of the lines or facts meant."""

    code: str
    evidence: str
    fix: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assessment:
    """Hold why a case cannot be drafted: conflicts go to a person, gaps make the agent abstain; neither = write."""

    conflicts: tuple[Conflict, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockTask:
    """Tell the model what one prose block has to do, in at most `sentences` sentences.

    It is meant for cases that offer all slots of `needs`; of several tasks with one name a case gets the first it can.
    """

    name: str
    task: str
    sentences: int = 2
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """Hold one kind of letter: what it is for, how it sounds, what it must not say, and the blocks to be written.

    `slots` are the names that the prompt offers, where the sheet has them.
    """

    name: str
    purpose: str
    tone: str
    avoid: str
    blocks: tuple[BlockTask, ...]
    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exemplar:
    """Hold prose that was good in a situation, in slot language by block; `starter` when it came with the product."""

    id: str
    situation: str
    prose: Mapping[str, str]
    starter: bool = True

    @property
    def slots(self) -> frozenset[str]:
        """Return the names of the slots that the prose uses."""
        return frozenset(name for text in self.prose.values() for name in SLOT.findall(text))


@dataclass(frozen=True, slots=True)
class RecordForm:
    """Describe the record that a domain drafts instead of prose.

    `shape` is what a draft has to be, whoever wrote it; `schema` is what a model's reply may hold in a case, which is
    often less. `labels` are what people read for a field, by its path without the numbers of list items
    (`lines[].code`).
    """

    shape: type[BaseModel]
    schema: Callable[["Case"], dict[str, Any]]
    labels: Mapping[str, str]


@dataclass(frozen=True)
class Case:
    """Hold one thing to answer: facts, the sheet made of them, its situation and an incoming message, if any.

    `avoid` are lines about what drafts of this kind got wrong before, most frequent first. A text is graded by `rubric`
    where there is one. A case that `withholds` keeps the client's figures and names out of every prompt; only a study
    of what that is worth does not.
    """

    domain: "Domain"
    facts: Any
    sheet: Sheet
    difficulty: Difficulty
    message: str = ""
    framed: bool = True
    exemplars: tuple[Exemplar, ...] = ()
    avoid: tuple[str, ...] = ()
    rubric: Rubric | None = None
    withholds: bool = True

    @property
    def situation(self) -> Situation:
        """Return what kind of letter the case asks for."""
        return self.domain.situations[self.sheet.situation]

    def slots(self) -> Mapping[str, Slot]:
        """Return the slots that the sheet can fill, by name."""
        return self._slots

    def slot_values(self) -> Mapping[str, str]:
        """Return what the slots stand for, rendered in the sheet's locale, by name."""
        return self._slot_values

    def offered(self) -> tuple[str, ...]:
        """Return the names of the slots that the situation offers and the sheet can fill."""
        return tuple(name for name in self.situation.slots if name in self._slots)

    def blocks(self) -> tuple[BlockTask, ...]:
        """Return the prose blocks that are to be written here, in order."""
        return self._blocks

    # What follows from the frozen sheet is asked for many times an attempt, and is worked out once.
    @cached_property
    def _slots(self) -> Mapping[str, Slot]:
        return self.domain.slots(self.sheet)

    @cached_property
    def _slot_values(self) -> Mapping[str, str]:
        return self.domain.slot_values(self.sheet)

    @cached_property
    def _blocks(self) -> tuple[BlockTask, ...]:
        offered = set(self.offered())
        chosen: dict[str, BlockTask] = {}
        for task in self.situation.blocks:
            if offered.issuperset(task.needs):
                chosen.setdefault(task.name, task)
        return tuple(chosen.values())

    def starters(self) -> tuple[Exemplar, ...]:
        """Return the starters of the situation whose slots are offered, those with most slots first."""
        available = set(self.offered())
        ours = (item for item in self.domain.starters if item.situation == self.situation.name)
        return tuple(sorted((item for item in ours if item.slots <= available), key=lambda item: -len(item.slots)))

    def checks(self, base: Sequence[Check] | None = None) -> tuple[Check, ...]:
        """Return the validators of a draft: `base` or else the domain's own, then the hard checks of the rubric."""
        ours = self.domain.checks if base is None else tuple(base)
        return (*ours, *(self.rubric.validators if self.rubric else ()))

    def with_exemplars(self, exemplars: tuple[Exemplar, ...]) -> "Case":
        """Return the case with exemplars that rank before the domain's starters."""
        return replace(self, exemplars=exemplars)


@dataclass(frozen=True, slots=True)
class Corruption:
    """Hold one way to spoil a true draft; `semantic` when only its meaning is wrong, not a figure, id or date.

    `spoil` takes a case and a true text about it and returns the spoilt text, or None where it does not apply. With
    `framed` the text is a model's reply: JSON of prose in slot language.
    """

    kind: str
    spoil: Callable[[Case, str], str | None]
    semantic: bool = False
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Domain:
    """Hold everything that the loop needs to know about one kind of case.

    `read_facts` raises FactsInvalid. `system` is the standing instruction, `circumstances` what may be told of a case
    (nothing that identifies the client), `particulars` what of that sets it apart from others of its situation. `frame`
    sets written prose between the blocks that code renders, and `true_text` writes a true draft as plain text without a
    model, for the teeth suite. `whole` is what a draft without a frame is called when the model is asked for it.
    A domain with a `record` drafts that instead of prose, and `true_text` gives its JSON.
    `checks` are the domain's validators, `rubric` reads one that comes with the facts, and `sentences` tells the facts
    in plain sentences, first who writes to whom. `prompt_version` changes whenever the prompt does.
    """

    name: str
    read_facts: Callable[[Any], Any]
    derive: Callable[..., Sheet]
    assess: Callable[[Any, Sheet], Assessment]
    difficulty: Callable[[Sheet], Difficulty]
    situations: Mapping[str, Situation]
    slots: Callable[[Sheet], Mapping[str, Slot]]
    slot_values: Callable[[Sheet], Mapping[str, str]]
    frame: Callable[[Case, Mapping[str, str]], Body]
    system: Callable[[Case], str]
    circumstances: Callable[[Case], str]
    particulars: Callable[[Case], str]
    prompt_version: str
    true_text: Callable[[Case], str]
    checks: tuple[Check, ...]
    sentences: Callable[[Case], tuple[str, ...]] = lambda _case: ()
    rubric: Callable[[Any], Rubric | None] = lambda _facts: None
    whole: str = "the whole mail"
    record: RecordForm | None = None
    base_retries: int = 3
    starters: tuple[Exemplar, ...] = ()
    corruptions: tuple[Corruption, ...] = field(default=())
