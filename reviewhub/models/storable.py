"""Make text that came from outside storable in both databases, leaving a mark where something was taken out."""

import re

__all__ = ["storable"]

# PostgreSQL takes no NUL, and no encoding has half a surrogate pair.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with U+FFFD for each character that a database refuses."""
    return _UNSTORABLE.sub("\ufffd", text)
