"""Hold which past edits each draft was shown, why, and what people thought of that."""

from datetime import datetime

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q

from reviewhub.models.drafts import Draft
from reviewhub.models.exemplars import Exemplar

__all__ = ["ExemplarUse", "Recall", "RecallWay"]


class RecallWay(models.TextChoices):
    """Say how a draft's exemplars were found."""

    STORE = "store", "by the vector store"
    EXACT = "exact", "by exact search, because the vector store did not answer"
    NOTHING = "nothing", "not at all, because no edit of this queue can be learned from yet"
    STARTERS = "starters", "not at all, because the embedding model cannot be used: starters stood in"


class Recall(models.Model):
    """Hold how the exemplars of a draft were looked for, once: whoever takes the draft over shows the same ones."""

    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="recall")
    way = models.CharField(max_length=10, choices=RecallWay.choices)
    skipped = models.JSONField(default=list, help_text="Sentences on what was near and could not be shown.")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(way__in=RecallWay.values), name="recall_way_known")]

    def __str__(self) -> str:
        return f"recall for draft {self.draft_id}"


class ExemplarUse(models.Model):
    """Hold that a draft was shown an exemplar, and why; `rank` is 1 for the first one shown."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="exemplar_uses")
    exemplar = models.ForeignKey(Exemplar, on_delete=models.CASCADE, related_name="uses")
    rank = models.PositiveSmallIntegerField()
    similarity = models.FloatField()
    reasons = models.JSONField(default=list)
    marked_bad_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    marked_bad_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "exemplar"], name="one_use_per_draft_and_exemplar"),
            models.UniqueConstraint(fields=["draft", "rank"], name="one_use_per_rank"),
            models.CheckConstraint(condition=Q(rank__gte=1), name="use_rank_from_one"),
            models.CheckConstraint(condition=Q(similarity__gte=-1.001, similarity__lte=1.001), name="use_similarity"),
            models.CheckConstraint(
                condition=Q(marked_bad_by__isnull=True, marked_bad_at__isnull=True)
                | Q(marked_bad_by__isnull=False, marked_bad_at__isnull=False),
                name="use_marked_bad_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"exemplar {self.exemplar_id} in draft {self.draft_id}"

    def mark_bad(self, *, user_id: int, now: datetime) -> bool:
        """Note that the exemplar misled this draft, and count it; False when that was noted already."""
        unmarked = ExemplarUse.objects.filter(pk=self.pk, marked_bad_at__isnull=True)
        with transaction.atomic():
            marked = bool(unmarked.update(marked_bad_by=user_id, marked_bad_at=now))
            if marked:
                Exemplar.objects.filter(pk=self.exemplar_id).update(bad=F("bad") + 1)
        self.refresh_from_db(fields=["marked_bad_by", "marked_bad_at"])
        return marked

    def unmark_bad(self) -> bool:
        """Take the mark back, whoever set it; False when there was none."""
        marked = ExemplarUse.objects.filter(pk=self.pk, marked_bad_at__isnull=False)
        with transaction.atomic():
            unmarked = bool(marked.update(marked_bad_by=None, marked_bad_at=None))
            if unmarked:
                Exemplar.objects.filter(pk=self.exemplar_id).update(bad=F("bad") - 1)
        self.refresh_from_db(fields=["marked_bad_by", "marked_bad_at"])
        return unmarked
