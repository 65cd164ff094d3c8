"""Write a text plainly for matching, character by character, with a map back to the text as it is shown."""

import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.text import MASK

__all__ = ["Plain", "key_of", "plain"]

_SPELLED = {
    "ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d",
    "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ı": "i", "ħ": "h", "ŋ": "n", "№": "no",
} | dict.fromkeys("‘’‚‛′ʼ´`ʹ＇", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−﹣－", "-")  # fmt: skip
# Letters that only look Latin: a name typed with them is still that name.
_LOOKALIKES = dict(
    zip(
        "аеорсухіјѕһԁАВЕКМНОРСТУХІЈЅοανΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdABEKMHOPCTYXIJSoavABEZHIKMNOPTYX",
        strict=True,
    )
)
_LINE_BREAKS = frozenset("\n\x0b\x0c\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Plain:
    """Hold a matching copy: `lower` is `text` in small letters, of the same length; `offsets` point into the source."""

    text: str
    lower: str
    offsets: Sequence[int]
    end: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a passage stands in the source, with the marks that belong to its last letter."""
        stop = self.offsets[end] if end < len(self.offsets) else self.end
        last = self.offsets[end - 1]
        return self.offsets[start], max(last + 1, stop if stop - last <= 8 and end < len(self.offsets) else last + 1)


def plain(text: str) -> Plain:
    """Write an NFC text without accents, typographic marks, look-alikes, control and format characters.

    Digits of every script and width become ASCII; every kind of space becomes a space, of line break a newline.
    """
    if text.isascii() and text.isprintable():
        return Plain(text, text.lower(), range(len(text)), len(text))
    parts: list[str] = []
    offsets = array("l")
    for at, char in enumerate(text):
        written = _plain(char)
        parts.append(written)
        offsets.extend([at] * len(written))
    joined = "".join(parts)
    lowered = joined.lower()
    if len(lowered) != len(joined):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in joined)
    return Plain(joined, lowered, offsets, len(text))


def key_of(text: str) -> str:
    """Return the letters and digits of a text, plain and small: what is left of a value however it is written."""
    return "".join(char for char in plain(unicodedata.normalize("NFC", text)).lower if char.isalnum())


@lru_cache(maxsize=8192)
def _plain(char: str) -> str:
    if char in _LINE_BREAKS:
        return "\n"
    if char == "\t":
        return " "
    if char in (MASK, " ") or (char.isascii() and char.isprintable() and char != "`"):
        return char
    if char in _SPELLED or char in _LOOKALIKES:
        return _SPELLED.get(char) or _LOOKALIKES[char]
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Mn", "Me", "Cs"):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Zs":
        return " "
    if category == "Pd":
        return "-"
    return "".join(_simple(part) for part in unicodedata.normalize("NFKD", char))


def _simple(part: str) -> str:
    if unicodedata.category(part) in ("Mn", "Me", "Cc", "Cf"):
        return ""
    return "/" if part == "⁄" else _SPELLED.get(part, part)
