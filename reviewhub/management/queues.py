"""Find the queues that a command was given."""

from django.core.management.base import CommandError

from reviewhub.models import Queue

__all__ = ["queue_named", "queues_named"]


def queue_named(slug: str) -> Queue:
    """Return the queue of that short name; raise CommandError that names those there are."""
    queue = Queue.objects.filter(slug=slug).first()
    if queue is None:
        known = ", ".join(Queue.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no queue {slug!r}. Queues: {known}.")
    return queue


def queues_named(slug: str | None) -> list[Queue]:
    """Return the queue of that short name alone, or every queue in the order in which they were made."""
    return [queue_named(slug)] if slug is not None else list(Queue.objects.order_by("pk"))
