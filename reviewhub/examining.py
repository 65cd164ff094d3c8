"""Take personal details out of a queue's texts, and tell what in them is not provably clean."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from memory.sanitize import Sanitizer
from memory.sanitize.gate import examine
from memory.sanitize.gate_known import KnownValues
from memory.sanitize.ner import Recogniser
from memory.sanitize.vocabulary import Vocabulary
from reviewhub.models import Exemplar, FactSheet, VocabularyWord

__all__ = ["clients_of", "doubts_about", "load_recogniser", "sanitised", "sanitizer", "vocabulary_of"]


def sanitised(exemplar: Exemplar) -> dict[str, str]:
    """Return the exemplar's texts by block with slots for all that its record knows and the sanitiser finds.

    Raise TextTooLong, or ModelFolderInvalid.
    """
    known = exemplar.decision.draft.sheet.known_values()
    return {block: sanitizer().sanitize(text, known=known).text for block, text in exemplar.texts().items()}


def doubts_about(exemplar: Exemplar, prose: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return every place of sanitised prose that may tell who it is about, as rows keep them; none = may be indexed.

    It is held against all clients of the queue, its confirmed words, and the slots that its letter has.
    """
    slots = exemplar.decision.draft.sheet.as_case().slots()
    vocabulary = vocabulary_of(exemplar.queue_id)
    clients = clients_of(exemplar.queue_id)
    return [
        {
            "block": block,
            "start": doubt.start,
            "end": doubt.end,
            "words": doubt.words,
            "code": str(doubt.code),
            "reason": doubt.reason,
        }
        for block, text in prose.items()
        for doubt in examine(text, known=clients, sanitizer=sanitizer(), vocabulary=vocabulary, slots=slots)
    ]


def load_recogniser() -> None:
    """Load the recogniser of names if this process has not; raise ModelFolderInvalid."""
    sanitizer().sanitize("Ready.", known={})


@cache
def sanitizer() -> Sanitizer:
    """Return the sanitiser, one for the life of the process: it loads a model at the first text."""
    return Sanitizer(Recogniser())


def vocabulary_of(queue_id: int) -> Vocabulary:
    """Return the words that a text of the queue may hold, those just confirmed included."""
    return Vocabulary.english(confirmed=VocabularyWord.objects.of(queue_id))


@dataclass
class _Clients:
    """Hold what tells the clients of one queue, up to the newest sheet that was read."""

    newest: int = 0
    values: set[str] = field(default_factory=set)
    known: KnownValues = field(default_factory=lambda: KnownValues.of(()))


_clients: dict[int, _Clients] = {}


def clients_of(queue_id: int) -> KnownValues:
    """Return what is known of any client of the queue; only sheets that came since the last call are read."""
    held = _clients.setdefault(queue_id, _Clients())
    new = FactSheet.objects.filter(case__queue=queue_id, pk__gt=held.newest).select_related("case").order_by("pk")
    before = len(held.values)
    for sheet in new.iterator(chunk_size=500):
        held.values |= sheet.identities()
        held.newest = sheet.pk
    if len(held.values) > before:
        held.known = KnownValues.of(held.values)
    return held.known
