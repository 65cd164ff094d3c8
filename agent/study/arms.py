"""List what the study compares: how a refused draft goes back to the model, and in what form drafts are asked for."""

from dataclasses import dataclass, replace
from enum import StrEnum

from agent.domains.domain import Case

__all__ = ["Arm", "Feedback", "Setting", "arms_of", "set_up", "settings_of"]


class Feedback(StrEnum):
    """Say what the model is told after its draft was refused."""

    NONE = "none"  # there is one attempt
    BARE = "bare"  # the same prompt again, with another seed
    NAMES = "names"  # the refused draft and the names of the validators that refused it
    CRITIQUE = "critique"  # the refused draft and what the model itself finds wrong with it
    STRUCTURED = "structured"  # the refused draft and the structured outcomes, as the product does it


class Setting(StrEnum):
    """Say in what form drafts are asked for."""

    USUAL = "usual"  # as the product asks: a frame with slots and exemplars, or a record
    NO_EXEMPLARS = "no_exemplars"
    FIGURES = "figures"  # the client's figures stand in the prompt, and the model writes the whole text


@dataclass(frozen=True, slots=True, order=True)
class Arm:
    """Hold one way of working that the study measures."""

    setting: Setting
    feedback: Feedback

    def __str__(self) -> str:
        return f"{self.setting}:{self.feedback}"


def settings_of(case: Case) -> tuple[Setting, ...]:
    """Return the settings that differ for a case: those of a frame need one."""
    if not case.framed:
        return (Setting.USUAL,)
    return tuple(Setting) if case.domain.sentences(case) else (Setting.USUAL, Setting.NO_EXEMPLARS)


def arms_of(setting: Setting) -> tuple[Arm, ...]:
    """Return a setting's arms, first the one whose single attempt the others go on from."""
    return tuple(Arm(setting, feedback) for feedback in Feedback)


def set_up(case: Case, setting: Setting) -> Case:
    """Return the case as a setting asks for it."""
    match setting:
        case Setting.USUAL:
            return case
        case Setting.NO_EXEMPLARS:
            return replace(case, exemplars=(), domain=replace(case.domain, starters=()))
        case Setting.FIGURES:
            domain = replace(
                case.domain, system=_system, circumstances=_circumstances, prompt_version=f"{setting}-1", starters=()
            )
            return replace(case, domain=domain, exemplars=(), framed=False, withholds=False)


def _system(case: Case) -> str:
    return f"""You write {case.domain.whole}, as plain text with a greeting and a signature.
Rules:
- Say only what the facts say. Nothing about calls, replies, agreements, deadlines, fees or legal steps beside them.
- Name every item that the facts name, and copy every number, id and date exactly.
- Plain, polite English. Short sentences."""


def _circumstances(case: Case) -> str:
    kind = case.situation
    told = "\n".join(f"- {sentence}" for sentence in case.domain.sentences(case))
    return f"Situation: {kind.name.replace('_', ' ')}: {kind.purpose}.\nTone: {kind.tone}.\nFacts:\n{told}"
