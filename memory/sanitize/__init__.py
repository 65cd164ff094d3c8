"""Take personal details out of a text: every one becomes a slot that says its role."""

from memory.sanitize.found import Span
from memory.sanitize.record import RecordInvalid, read_record
from memory.sanitize.sanitizer import MAX_CHARACTERS, Known, Sanitized, Sanitizer, TextTooLong

__all__ = [
    "MAX_CHARACTERS",
    "Known",
    "RecordInvalid",
    "Sanitized",
    "Sanitizer",
    "Span",
    "TextTooLong",
    "read_record",
]
