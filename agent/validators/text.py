"""Refuse text that a reader would not see as it was checked: hidden or odd characters, hidden markup, too much of it.

Covers what stands in the whole text, code blocks included. Whether the text is English is asked in `language`.
"""

import re
import unicodedata
from collections.abc import Iterator

from pydantic import Field

from agent.text import Span, find_strings
from agent.validators.check import Check, Found, Params
from agent.validators.reading import Reading

__all__ = ["CHECK", "TextParams", "check"]

_SUSPECT = re.compile(r"[^\n\t\x20-\x7e]")
_MARKUP = re.compile(
    r"<!--|-->|<!\[CDATA\[|</?[A-Za-z][^<>\n]{0,300}>|<[!?][^<>\n]{0,300}>"
    r"|</?(?:a|b|br|div|em|font|i|iframe|img|input|link|meta|object|p|script|small|span|strong|style|svg|table|td|tr|u)\b"
    r"|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_FINE = {"™", "℠", "\u02bc"}  # the last is an apostrophe
_BLANKS = {"\u2800", "\u3164", "\uffa0", "\u115f", "\u1160"}  # drawn as nothing although they are letters or symbols
_LOST = {"\ufffc", "\ufffd"}  # stand where a thing or a character was lost on the way
_SLASHES = {"\u2044", "\u2215"}
_EMOJI_STYLE = "\ufe0f"
_HIDDEN_KINDS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_SMALL_FORMS = ("<super>", "<sub>", "<fraction>")
_DRAWN_FORMS = ("<wide>", "<narrow>", "<circle>", "<square>", "<font>")


class TextParams(Params):
    """Set the longest text and the longest prose in it that are read, in characters."""

    max_chars: int = Field(default=100_000, ge=100, le=200_000, description="The longest text, in characters.")
    max_prose_chars: int = Field(
        default=10_000, ge=100, le=20_000, description="The longest prose in it, in characters."
    )


def check(reading: Reading, params: TextParams) -> Iterator[Found]:
    """Report an empty or overlong text, refused characters and HTML."""
    text = reading.text
    prose = sum(end - start for start, end in reading.prose)
    for name, length, limit in (
        ("The draft", len(text), params.max_chars),
        ("The prose", prose, params.max_prose_chars),
    ):
        if length > limit:
            critique = f"{name} holds {length} characters; at most {limit} can be checked."
            yield Found("TOO_LONG", f"{text[:60]} ...", critique=critique)
            return
    if not any(char.isalnum() for char in text):
        yield Found("EMPTY_DRAFT", "no word in the draft")
        return
    yield from _characters(reading)
    for match in _MARKUP.finditer(text):
        yield Found("HIDDEN_MARKUP", match[0], match.span())


def _characters(reading: Reading) -> Iterator[Found]:
    text = reading.text
    own: list[Span] | None = None
    bad: list[tuple[int, int, str]] = []
    for match in _SUSPECT.finditer(text):
        at = match.start()
        error = _refusal(text, at)
        if error in ("ODD_FIGURE", "FOREIGN_SCRIPT"):
            own = _own_places(reading) if own is None else own
            if any(span.start <= at < span.end for span in own):
                continue
        if error:
            _merge(bad, at, error)
    for start, end, error in bad:
        yield Found(error, _around(text, start, end), (start, end), more={"characters": _codes(text[start:end])})


def _merge(bad: list[tuple[int, int, str]], at: int, error: str) -> None:
    if bad and bad[-1][1] == at and bad[-1][2] == error:
        bad[-1] = (bad[-1][0], at + 1, error)
    else:
        bad.append((at, at + 1, error))


def _own_places(reading: Reading) -> list[Span]:
    ids = (line.id for line in reading.sheet.lines)
    spans = find_strings(reading.folded.text, (*reading.own, *ids))
    return [reading.folded.span(*span) for span in spans]


def _refusal(text: str, at: int) -> str | None:
    """Return the error type of one character, or None when it may stand."""
    char = text[at]
    if _is_hidden(text, at):
        return "HIDDEN_CHARACTER"
    if char in _FINE:
        return None
    form = unicodedata.decomposition(char)
    if unicodedata.category(char)[0] == "N" or char in _SLASHES or form.startswith(_SMALL_FORMS):
        return "ODD_FIGURE"
    return "FOREIGN_SCRIPT" if form.startswith(_DRAWN_FORMS) or _is_foreign(char) else None


def _is_hidden(text: str, at: int) -> bool:
    char = text[at]
    category = unicodedata.category(char)
    if category[0] == "M":
        # What NFC leaves of combining marks strikes through or covers; an emoji's style mark is the one in use.
        return not (char == _EMOJI_STYLE and at > 0 and unicodedata.category(text[at - 1]) == "So")
    return category in _HIDDEN_KINDS or char in _BLANKS or char in _LOST


def _is_foreign(char: str) -> bool:
    category = unicodedata.category(char)
    if category[0] == "L":
        return not unicodedata.name(char, "").startswith("LATIN ")
    return category == "So" and unicodedata.normalize("NFKC", char).isalnum()


def _around(text: str, start: int, end: int) -> str:
    return text[max(0, start - 20) : end + 20].strip() or _codes(text[start:end])


def _codes(chars: str) -> str:
    return " ".join(f"U+{ord(char):04X}" for char in chars[:10])


CHECK = Check(name="text", version="1", run=check, params=TextParams(), blocking=True, core=True)
