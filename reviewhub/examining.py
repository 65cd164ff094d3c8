"""Take personal details out of a queue's texts, and tell what in them is not provably clean."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from memory.sanitize import Sanitizer
from memory.sanitize.english import LEGAL_FORMS
from memory.sanitize.gate import examine
from memory.sanitize.gate_known import KnownValues
from memory.sanitize.ner import Recogniser
from memory.sanitize.vocabulary import Vocabulary
from reviewhub.models import Exemplar, FactSheet, VocabularyWord

__all__ = [
    "SheetUnreadable",
    "clients_of",
    "doubts_about",
    "known_of",
    "load_recogniser",
    "sanitised",
    "sanitizer",
    "vocabulary_of",
]

_SHEETS = 500
# A process holds what tells the clients of so many queues: with 10,000 clients one takes some 60 MB.
_MOST_QUEUES = 8
# Rows are dated when an import begins and seen when it is committed: none lasts as long as this.
_LONGEST_TRANSACTION = timedelta(hours=1)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class SheetUnreadable(Exception):
    """Tell that the facts of a case have no longer the shape that they came in; it holds ids and a kind alone."""


def sanitised(exemplar: Exemplar) -> dict[str, str]:
    """Return the exemplar's texts by block with slots for all that its record knows and the sanitiser finds.

    Raise TextTooLong, or ModelFolderInvalid.
    """
    known = known_of(exemplar.decision.draft.sheet)
    return {block: sanitizer().sanitize(text, known=known).text for block, text in exemplar.texts().items()}


def doubts_about(exemplar: Exemplar, prose: Mapping[str, str], words: frozenset[str]) -> list[dict[str, Any]]:
    """Return every place of sanitised prose that may tell who it is about, as rows keep them; none = may be indexed.

    It is held against all clients of the queue, the words that the queue's people confirmed, and the slots that its
    letter has. Raise SheetUnreadable.
    """
    slots = exemplar.decision.draft.sheet.as_case().slots()
    vocabulary = Vocabulary.english(confirmed=words)
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


def known_of(sheet: FactSheet) -> dict[str, list[str]]:
    """Return what a case's record knows by slot, and last what its title and id tell that the record does not."""
    told = ((label, _telling(label)) for label in sheet.labels())
    labels = list(dict.fromkeys(text for label, part in told if part for text in (label, part)))
    return {**sheet.known_values(), **({"CASE_LABEL": labels} if labels else {})}


def _telling(label: str) -> str:
    """Return the words of a label that may tell who it is about, all of a firm's name; "" when anybody may use them.

    A single one that is an English word too, such as May, would make every text doubtful that has it. Digits need no
    telling: none is let through anyway.
    """
    english = Vocabulary.english()
    words = _WORD.findall(label)
    if any(word.casefold() in LEGAL_FORMS for word in words):
        return label
    rare = [word for word in words if not english.knows(word.casefold()) or english.is_name(word.casefold())]
    lonely = len(rare) == 1 and english.knows(rare[0].casefold())
    return "" if lonely else " ".join(rare)


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
    known: KnownValues = field(default_factory=lambda: KnownValues.of(()))


_clients: dict[int, _Clients] = {}


def clients_of(queue_id: int) -> KnownValues:
    """Return what is known of any client of the queue; only sheets that were not there at the last call are read.

    Raise SheetUnreadable.
    """
    held = _clients.get(queue_id, _Clients())
    sheets = FactSheet.objects.filter(case__queue=queue_id)
    if held.latest:
        sheets = sheets.filter(created_at__gte=held.latest - _LONGEST_TRANSACTION)
    unread = sorted(set(sheets.values_list("pk", flat=True)) - held.read)
    values: set[str] = set()
    latest = held.latest
    for start in range(0, len(unread), _SHEETS):
        for sheet in sheets.filter(pk__in=unread[start : start + _SHEETS]).select_related("case"):
            values |= _telling_of(sheet)
            latest = max(latest or sheet.created_at, sheet.created_at)
    known = held.known.with_more(values) if values else held.known
    # All at once, and last: had reading failed, the next call would read the same sheets again.
    _clients.pop(queue_id, None)
    _clients[queue_id] = _Clients(held.read.union(unread), latest, known)
    while len(_clients) > _MOST_QUEUES:
        _clients.pop(next(iter(_clients)))  # the one that was asked for longest ago
    return known


def _telling_of(sheet: FactSheet) -> set[str]:
    try:
        return {*sheet.identities(), *filter(None, map(_telling, sheet.labels()))}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # Its message may repeat a value.
        kind = type(error).__name__
        raise SheetUnreadable(f"sheet {sheet.pk} of case {sheet.case_id} cannot be read ({kind})") from None
