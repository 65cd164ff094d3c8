"""Group the rows of a list by state, for the tabs above it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import TextChoices

from reviewhub.models import DraftQuerySet, ExemplarQuerySet

__all__ = ["PAGE", "Tab", "shown_count"]

PAGE = 25
# A tab shows how many rows it holds up to here, and "200+" beyond: counting stays cheap however many there are.
_COUNTED = 200

_State = TypeVar("_State", bound=TextChoices)


@dataclass(frozen=True, slots=True)
class Tab(Generic[_State]):
    """Name a group of states that a person looks at together."""

    slug: str
    label: str
    states: tuple[_State, ...]
    empty_title: str
    empty_text: str
    newest_first: bool = False


def shown_count(rows: DraftQuerySet | ExemplarQuerySet) -> str:
    """Count rows as a tab shows it."""
    n = rows.count_up_to(_COUNTED)
    return f"{_COUNTED}+" if n > _COUNTED else str(n)
