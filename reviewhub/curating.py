"""Let people decide what the memory keeps: confirm words, correct a text, forget one, mark one that misled a draft.

Each act changes rows and rings; the worker sanitises, examines and indexes again.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from agent.text import nfc
from reviewhub.doorbell import INDEX, ring
from reviewhub.edits import Refused
from reviewhub.models import (
    Actor,
    AuditEvent,
    Exemplar,
    ExemplarChanged,
    ExemplarQuerySet,
    ExemplarState,
    ExemplarUse,
    Queue,
    VocabularyWord,
    storable,
)
from reviewhub.permissions import acting

__all__ = [
    "ExemplarMoved",
    "NothingLeft",
    "NothingToConfirm",
    "confirm_words",
    "confirmable_words",
    "edit_exemplar",
    "forget_exemplar",
    "mark_bad",
    "may_be_corrected",
    "stamp",
    "take_word_back",
    "unmark_bad",
]

_CONFIRMABLE = frozenset({"word"})
_CORRECTABLE = frozenset({ExemplarState.QUARANTINED, ExemplarState.READY, ExemplarState.INDEXED})
# Confirming a word may set others free that wait for the same one. What is left over comes with the next word.
_MOST_FREED = 200


class ExemplarMoved(Refused):
    """Refuse an act on an exemplar that is no longer as the person saw it."""


class NothingToConfirm(Refused):
    """Refuse to confirm no word, or one that is not in doubt, or that no person's word makes harmless."""


class NothingLeft(Refused):
    """Refuse a correction that leaves no words to learn from."""


def stamp(exemplar: Exemplar) -> str:
    """Return what a page carries so that a later act is known to be about what its reader saw."""
    return exemplar.state_since.isoformat()


def confirmable_words(exemplar: Exemplar) -> tuple[str, ...]:
    """Return the doubtful words that a person may confirm as harmless, each once, in their order."""
    words = (doubt["words"] for doubt in exemplar.doubts if doubt["code"] in _CONFIRMABLE)
    return tuple(dict.fromkeys(words))


def may_be_corrected(exemplar: Exemplar) -> bool:
    """Tell whether a person may put another text in its place: not while it is examined, nor once it is forgotten."""
    return exemplar.state in _CORRECTABLE


def confirm_words(*, exemplar_id: int, seen: str, words: Sequence[str], user: User, now: datetime) -> Exemplar:
    """Add doubtful words to the queue's vocabulary, and have every text that waits for them examined again.

    Raise ExemplarMoved, NothingToConfirm, or NotAllowed.
    """
    with transaction.atomic():
        # One confirmation of a queue at a time: two that set each other's text free would wait for each other.
        VocabularyWord.objects.held_of(Exemplar.objects.values_list("queue_id", flat=True).get(pk=exemplar_id))
        exemplar = _locked(exemplar_id)
        by = acting(user, exemplar.queue)
        _require_seen(exemplar, seen)
        if not words or not set(words) <= set(confirmable_words(exemplar)):
            raise NothingToConfirm("Tick the words that tell nothing about anybody, or correct the text.")
        for word in words:
            row = _confirmed(word, queue=exemplar.queue, user=user, now=now)
            AuditEvent.of_row("word_confirmed", row, queue_ref=exemplar.queue_id, by=by, now=now, fields=["word"])
        _wait_again(exemplar, by=by, now=now)
        for other in _waiting_for(words, exemplar.queue):
            with suppress(ExemplarChanged):  # somebody else is at it
                other.wait_again(by=by, now=now)  # the sweeper rings for these
    return exemplar


def take_word_back(word: VocabularyWord, *, by: Actor, now: datetime) -> None:
    """Delete a word, and have every text that was learned from with it examined again.

    A text that is being examined meanwhile is not indexed with it: whoever examines compares the words at the end.
    """
    with transaction.atomic():
        VocabularyWord.objects.held_of(word.queue_id)
        word.delete()
        # As the gate reads it: a small letter covers a capital that opens a sentence, one apostrophe the other.
        written = re.escape(word.word).replace("’", "'").replace("'", "['’]")
        alone = re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)
        learned = Exemplar.objects.of_queue(word.queue).in_state(ExemplarState.READY, ExemplarState.INDEXED)
        for exemplar in learned.select_for_update(no_key=True).order_by("pk").defer("vector"):
            texts = exemplar.texts()
            if any(alone.search(text) for text in texts.values()):
                exemplar.wait_again(by=by, now=now, prose=texts)  # the sweeper rings for it


def edit_exemplar(*, exemplar_id: int, seen: str, texts: Sequence[str], user: User, now: datetime) -> Exemplar:
    """Put a person's correction in the place of a text, passage by passage, and have it examined again.

    Raise ExemplarMoved, NothingLeft, or NotAllowed.
    """
    with transaction.atomic():
        exemplar = _locked(exemplar_id)
        by = acting(user, exemplar.queue)
        _require_seen(exemplar, seen)
        blocks = list(exemplar.texts())
        if not may_be_corrected(exemplar) or len(blocks) != len(texts):
            raise _moved(exemplar)
        written = {name: nfc(storable(text.strip())) for name, text in zip(blocks, texts, strict=True)}
        prose = {name: text for name, text in written.items() if text}
        if not prose:
            raise NothingLeft("No words are left to learn from. Write some, or forget the text.")
        _wait_again(exemplar, by=by, now=now, prose=prose)
    return exemplar


def forget_exemplar(*, exemplar_id: int, user: User, now: datetime) -> Exemplar:
    """Blank a text for good, in whatever state it is, and have it taken out of the index; again changes nothing.

    Raise NotAllowed.
    """
    with transaction.atomic():
        exemplar = _locked(exemplar_id)
        by = acting(user, exemplar.queue)
        if exemplar.state != ExemplarState.FORGOTTEN:
            exemplar.forget(by=by, now=now)
            transaction.on_commit(partial(ring, INDEX, exemplar.pk))
    return exemplar


def mark_bad(*, use_id: int, user: User, now: datetime) -> ExemplarUse:
    """Note that an exemplar misled the draft that it was shown to; again changes nothing. Raise NotAllowed."""
    use = _use(use_id)
    by = acting(user, use.draft.queue)
    with transaction.atomic():
        if use.mark_bad(user_id=user.pk, now=now):
            use.draft.note("exemplar_marked_bad", by=by, now=now)
    return use


def unmark_bad(*, use_id: int, user: User, now: datetime) -> ExemplarUse:
    """Take such a mark back, whoever set it; again changes nothing. Raise NotAllowed."""
    use = _use(use_id)
    by = acting(user, use.draft.queue)
    with transaction.atomic():
        if use.unmark_bad():
            use.draft.note("exemplar_unmarked", by=by, now=now)
    return use


def _waiting_for(words: Sequence[str], queue: Queue) -> ExemplarQuerySet:
    quarantined = Exemplar.objects.of_queue(queue).in_state(ExemplarState.QUARANTINED).keyset_page()
    doubtful = quarantined.only("doubts").iterator()
    waiting = [row.pk for row in doubtful if not set(confirmable_words(row)).isdisjoint(words)]
    return Exemplar.objects.filter(pk__in=waiting[:_MOST_FREED]).select_related("decision")


def _locked(exemplar_id: int) -> Exemplar:
    rows = Exemplar.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("queue", "case", "decision__draft").get(pk=exemplar_id)


def _use(use_id: int) -> ExemplarUse:
    return ExemplarUse.objects.select_related("draft__queue", "exemplar").get(pk=use_id)


def _confirmed(word: str, *, queue: Queue, user: User, now: datetime) -> VocabularyWord:
    try:
        return VocabularyWord.confirm(word, queue=queue, by=user, now=now)
    except ValidationError:
        raise NothingToConfirm(f"“{word}” is no single word of letters. Correct the text instead.") from None


def _wait_again(exemplar: Exemplar, *, by: Actor, now: datetime, prose: dict[str, str] | None = None) -> None:
    try:
        exemplar.wait_again(by=by, now=now, prose=prose)
    except ExemplarChanged:
        raise _moved(exemplar) from None
    transaction.on_commit(partial(ring, INDEX, exemplar.pk))


def _require_seen(exemplar: Exemplar, seen: str) -> None:
    if seen != stamp(exemplar):
        raise _moved(exemplar)


def _moved(exemplar: Exemplar) -> ExemplarMoved:
    where = exemplar.get_state_display().lower()
    return ExemplarMoved(f"This text changed while you looked at it: it is now {where}. Look at it as it is now.")
