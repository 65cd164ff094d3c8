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
_FIXED = _SPELLED | _LOOKALIKES | dict.fromkeys("\n\x0b\x0c\x85\u2028\u2029", "\n") | {"\t": " ", MASK: MASK}
# Control, format and combining characters stand between no two letters; surrogates are none.
_BY_CATEGORY = dict.fromkeys(("Cc", "Cf", "Mn", "Me", "Cs"), "") | {"Zs": " ", "Pd": "-"}


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
    fixed = _FIXED.get(char)
    if fixed is not None:
        return fixed
    if char.isascii() and char.isprintable():
        return char
    category = unicodedata.category(char)
    if category in _BY_CATEGORY:
        return _BY_CATEGORY[category]
    if category == "Nd":
        return str(unicodedata.decimal(char))
    return "".join(_simple(part) for part in unicodedata.normalize("NFKD", char))


def _simple(part: str) -> str:
    return _BY_CATEGORY.get(unicodedata.category(part), "/" if part == "⁄" else _SPELLED.get(part, part))
