"""Read a file of labelled texts: what a judge is held against.

The file is JSON, in one of two forms. Pre-scored pairs need no model:

    {"pairs": [[5, 4], {"label": 3, "score": 3, "text": "..."}, ...]}

Texts with labels by criterion are scored by a model, or come with scores:

    {"items": [{"id", "facts": {"prompt", "rubric", "function"?}, "text", "labels": {criterion: 1-5},
                "scores"?: {criterion: 1-5}, "defects"?: {...}}, ...]}

A bare list stands for either. `name` may name the file's content.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, ValidationError

from agent.agreement import Pair

__all__ = ["LabelledText", "LabelsInvalid", "read_labels"]


class LabelsInvalid(ValueError):
    """Refuse labels of another form; the text names each wrong place."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """Hold one text with its labels and, where it has been scored, its scores, both by criterion.

    `facts` are those of the domain of tasks; None for a bare pair, which cannot be scored by a model.
    """

    id: str
    labels: Mapping[str, int]
    scores: Mapping[str, int] | None = None
    text: str = ""
    facts: Mapping[str, Any] | None = field(default=None)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return label and score of each labelled criterion; one that was not scored counts as 1."""
        scores = self.scores or {}
        return tuple((label, scores.get(name, 1)) for name, label in self.labels.items())


def read_labels(data: Any) -> tuple[LabelledText, ...]:
    """Read labelled texts from plain data; raise LabelsInvalid."""
    whole = {"pairs" if _are_pairs(data) else "items": data} if isinstance(data, list) else data
    if not isinstance(whole, Mapping):
        raise LabelsInvalid('labels: are no JSON object. Give {"pairs": [...]} or {"items": [...]}.')
    try:
        form = _LabelsForm.model_validate(whole)
    except ValidationError as error:
        raise LabelsInvalid("; ".join(_problems(error))) from None
    if not form.pairs and not form.items:
        raise LabelsInvalid('labels: hold no text. Give {"pairs": [...]} or {"items": [...]} with at least one.')
    pairs = (
        LabelledText(f"pair-{place}", {"overall": pair.label}, {"overall": pair.score}, pair.text)
        for place, pair in enumerate(form.pairs, start=1)
    )
    items = (
        LabelledText(item.id or f"item-{place}", item.labels, item.scores, item.text, item.facts)
        for place, item in enumerate(form.items, start=1)
    )
    return (*pairs, *items)


def _are_pairs(data: list[Any]) -> bool:
    return bool(data) and not (isinstance(data[0], Mapping) and "labels" in data[0])


def _as_pair(value: Any) -> Any:
    return {"label": value[0], "score": value[1]} if isinstance(value, list | tuple) and len(value) == 2 else value


_Score = Annotated[StrictInt, Field(ge=1, le=5)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _PairForm(_Form):
    label: _Score
    score: _Score
    text: str = ""


class _ItemForm(_Form):
    id: str = ""
    facts: Mapping[str, Any] | None = None
    text: str = ""
    labels: Annotated[Mapping[str, _Score], Field(min_length=1)]
    scores: Mapping[str, _Score] | None = None
    defects: Mapping[str, Any] | None = None


class _LabelsForm(_Form):
    name: str = ""
    pairs: tuple[Annotated[_PairForm, BeforeValidator(_as_pair)], ...] = ()
    items: tuple[_ItemForm, ...] = ()


def _problems(error: ValidationError) -> Iterator[str]:
    for item in error.errors(include_url=False, include_input=False, include_context=False)[:10]:
        unknown = item["type"] == "extra_forbidden"
        path = ".".join(map(str, item["loc"])) or "labels"
        yield f"{path}: {'is no key here' if unknown else item['msg'].lower()}. Labels and scores are 1 to 5."
