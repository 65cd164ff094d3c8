"""Show which exemplars a draft was written from, how they were found, and why these."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent.domains import Case
from reviewhub.models import Draft, ExemplarUse, Recall, RecallWay
from reviewhub.views.doubts import Passage, passages

__all__ = ["ExemplarShown", "exemplars_shown"]

_EDIT = "edit/"
_FALLBACKS = (RecallWay.EXACT, RecallWay.STARTERS)


@dataclass(frozen=True, slots=True)
class ExemplarShown:
    """Hold one exemplar of the prompt: an edit with its `use`, or a starter that came with the product.

    `likeness` is in percent. An edit that is no longer clean, or was forgotten, has no passages to show here.
    """

    name: str
    situation: str
    passages: tuple[Passage, ...]
    use: ExemplarUse | None = None
    likeness: int | None = None
    reasons: tuple[str, ...] = ()


def exemplars_shown(draft: Draft, case: Case) -> dict[str, Any]:
    """Gather what the panel of exemplars shows: them in the order of the prompt, and whether recall fell back."""
    uses = {f"{_EDIT}{use.exemplar_id}": use for use in draft.exemplar_uses.select_related("exemplar", "marked_bad_by")}
    prompted = dict.fromkeys(name for names in draft.attempts.values_list("exemplars", flat=True) for name in names)
    recall = Recall.objects.filter(draft=draft).first()
    return {
        "exemplars": tuple(_shown(list(prompted or uses), uses, case)),
        "recall": recall,
        "recall_fell_back": recall is not None and recall.way in _FALLBACKS,
    }


def _shown(names: list[str], uses: dict[str, ExemplarUse], case: Case) -> Iterator[ExemplarShown]:
    starters = {starter.id: starter for starter in case.domain.starters}
    for name in names:
        if use := uses.get(name):
            likeness = max(0, min(100, round(100 * use.similarity)))
            prose = use.exemplar.prose if use.exemplar.is_clean else {}
            yield ExemplarShown(name, use.exemplar.situation, passages(prose), use, likeness, tuple(use.reasons))
        elif starter := starters.get(name):
            yield ExemplarShown(name, starter.situation, passages(starter.prose))
