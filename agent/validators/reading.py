"""Read a draft once for all validators."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from agent.body import Rendered
from agent.facts import Sheet
from agent.slots import Slot

__all__ = ["Author", "Reading"]


class Author(StrEnum):
    """Say who wrote a text: punctuation and wording of a person's text only warn."""

    AGENT = "agent"
    PERSON = "person"


@dataclass(frozen=True)
class Reading:
    """Hold a rendered draft beside its sheet; everything derived is computed on first use and kept.

    `framed`: code blocks carry the figures, and model prose may hold slots only. `text` is normalised (NFC, line feeds).
    """

    sheet: Sheet
    rendered: Rendered
    author: Author = Author.AGENT
    framed: bool = False
    slots: Mapping[str, Slot] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the text as it is shown, checked and sent."""
        return self.rendered.text
