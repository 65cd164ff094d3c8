"""Take personal details out of a queue's texts, and tell what in them is not provably clean."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from memory.sanitize import Sanitizer
from memory.sanitize.gate import examine
from memory.sanitize.gate_known import KnownValues
from memory.sanitize.ner import Recogniser
from memory.sanitize.vocabulary import Vocabulary
from reviewhub.models import Exemplar, FactSheet, VocabularyWord

__all__ = ["clients_of", "doubts_about", "load_recogniser", "sanitised", "sanitizer", "vocabulary_of"]

_SHEETS = 500
# Rows are dated when an import begins and seen when it is committed: none lasts as long as this.
_LONGEST_TRANSACTION = timedelta(hours=1)


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


@dataclass(frozen=True)
class _Clients:
    """Hold what tells the clients of one queue, and which sheets that was read from."""

    read: frozenset[int] = frozenset()
    latest: datetime | None = None
    values: frozenset[str] = frozenset()
    known: KnownValues = field(default_factory=lambda: KnownValues.of(()))


_clients: dict[int, _Clients] = {}


def clients_of(queue_id: int) -> KnownValues:
    """Return what is known of any client of the queue; only sheets that were not there at the last call are read."""
    held = _clients.get(queue_id, _Clients())
    sheets = FactSheet.objects.filter(case__queue=queue_id)
    if held.latest:
        sheets = sheets.filter(created_at__gte=held.latest - _LONGEST_TRANSACTION)
    unread = sorted(set(sheets.values_list("pk", flat=True)) - held.read)
    if not unread:
        return held.known
    values, latest = set(held.values), held.latest
    for start in range(0, len(unread), _SHEETS):
        for sheet in sheets.filter(pk__in=unread[start : start + _SHEETS]).select_related("case"):
            values |= sheet.identities()
            latest = max(latest or sheet.created_at, sheet.created_at)
    known = held.known if len(values) == len(held.values) else KnownValues.of(values)
    # All at once, and last: had reading failed, the next call would read the same sheets again.
    _clients[queue_id] = _Clients(held.read.union(unread), latest, frozenset(values), known)
    return known
