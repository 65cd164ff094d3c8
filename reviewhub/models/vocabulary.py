"""Hold the words that people of a queue confirmed to be harmless, so that texts which use them may be learned from."""

from collections.abc import Collection
from datetime import datetime
from typing import Self

from django.conf import settings
from django.contrib.auth.models import User
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from agent.text import nfc
from reviewhub.models.queues import Queue

__all__ = ["VocabularyWord", "VocabularyWordQuerySet"]


class VocabularyWordQuerySet(models.QuerySet["VocabularyWord"]):
    """Ask for confirmed words."""

    def of(self, queue_id: int) -> frozenset[str]:
        """Return a queue's confirmed words, as written."""
        return frozenset(self.filter(queue_id=queue_id).values_list("word", flat=True))

    def held_of(self, queue_id: int) -> frozenset[str]:
        """Return the same, and let nobody add or take back a word of the queue until the transaction ends.

        Whoever locks a queue and exemplars of it locks the queue first, so that two cannot wait for each other.
        """
        Queue.objects.select_for_update(no_key=True).get(pk=queue_id)
        return self.of(queue_id)


class VocabularyWord(models.Model):
    """Hold one word that is no personal detail in this queue; it is added or taken away, never changed."""

    queue = models.ForeignKey(
        Queue, on_delete=models.CASCADE, related_name="vocabulary", help_text="Where the word is harmless."
    )
    word = models.CharField(
        max_length=60,
        validators=[RegexValidator(r"\A[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?\Z", "Give one word, of letters only.")],
        help_text="One word that tells nothing about anybody, such as a product, as texts write it: a capital counts.",
    )
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", help_text="Who said so."
    )
    at = models.DateTimeField(help_text="When.")

    objects = VocabularyWordQuerySet.as_manager()

    class Meta:
        ordering = ["queue", "word"]
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "word"],
                name="one_row_per_word",
                violation_error_message="The word is already confirmed in this queue.",
            ),
            models.CheckConstraint(condition=~Q(word=""), name="vocabulary_word_is_one"),
        ]

    def __str__(self) -> str:
        # Not the word: names of rows end up in logs, and a word confirmed by mistake may be a name.
        return f"word {self.pk}"

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Bring the word to the form in which texts are read, then check it."""
        self.word = self.as_kept(self.word)
        super().clean_fields(exclude)

    @staticmethod
    def as_kept(word: str) -> str:
        """Return a word as rows keep it and texts are compared with it: composed, its capitals as written."""
        return nfc(word.strip())

    @classmethod
    def confirm(cls, word: str, *, queue: Queue, by: User, now: datetime) -> Self:
        """Add a word; again changes nothing. Raise ValidationError for what is no single word."""
        row = cls(queue=queue, word=cls.as_kept(word), confirmed_by=by, at=now)
        row.clean_fields()
        made, _ = cls.objects.get_or_create(queue=queue, word=row.word, defaults={"confirmed_by": by, "at": now})
        return made
