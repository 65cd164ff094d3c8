"""Let this process write to no file for a while, as on a disk that is full."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["full_disk"]


@contextmanager
def full_disk() -> Iterator[None]:
    """Refuse every byte that this process writes to a file; names can still be made and removed, as on a full disk.

    The system says "File too large" in the place of "No space left on device". Keep the block short: nothing else of
    the process can write meanwhile either, the database's own files among it.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
