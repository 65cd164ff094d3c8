"""Refuse placeholders that nobody filled.

Covers brackets and braces of every kind, capitals where a value belongs, blanks to fill, and filler text, in prose.
"""

from collections.abc import Iterator

from agent.text import Span
from agent.text.marked import Marked, marked
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

# Without case a pattern takes these for an i; folded they stay what they are.
_ODD_I = ("ı", "i\u0307")
# Marks are looked for in the folded text. What may not stand before a sign is looked up behind it: so the engine skips
# ahead to the sign.
_SHAPES: tuple[Marked, ...] = (
    marked(r"\{\{?[^{}\n]{0,80}\}?\}|\$\{[^{}\n]{0,80}\}?|\{%[^%\n]{0,80}%\}"),
    marked(r"\[[^\[\]\n]{0,80}\]"),
    marked(r"<[A-Za-z_][\w .:/-]{0,40}>|<<[^<>\n]{1,60}>>|«[A-Z_ ]{2,40}»"),
    marked(r"%[A-Z_]{2,40}%|%\([A-Za-z_]{1,40}\)[sdSD]|%(?<![\w%]%)[sd]\b|@@\w{2,40}@@|__[A-Z]\w{1,40}__"),
    marked(r"\$\[|\$(?!(?:USD|CAD|AUD|NZD|SGD|HKD)\b)[A-Z_]{3,40}\b"),
    marked(r"\b[Xx]{3,}\b|\bX{2,}\b", "xx"),
    marked(r"[$€£¥₹](?<![A-Za-z].)\s?[Xx#_?]+(?:[.,][Xx#_?]+)*"),
    marked(r"[XYDM](?<!\w.)[XYDM]{1,3}[/.-][XYDM]{2,4}[/.-][XYDM]{2,4}\b"),
    marked(r"___+|\?\?\?+|####+|\.(?<!\.\.)\.{4,}[ \t]*(?=[,;:)]|$|\n)"),
    marked(
        r"(?i:\b(?:tbd|tbc|tba|todo|fixme)\b)|\b(?:N\.N\.|[Tt]o be (?:confirmed|determined|advised|inserted|added))\b",
        *("tbd", "tbc", "tba", "todo", "fixme", "n.n.", "to be ", *_ODD_I),
    ),
    marked(r"(?i:\blorem ipsum\b|\bplaceholder\b)", "lorem", "placeholder"),
    marked(
        r"(?i:\b(?:enter|add|fill in) (?:the |your |a )?(?:amount|date|name|total|number|link)s? (?:here|below))",
        *(" here", " below"),
    ),
    marked(r"(?i:\binsert\s+(?:amount|date|name|total|client|invoice|link|number|reference)\b)", "insert", *_ODD_I),
    marked(
        r"\b(?:Your|Client|Customer|Company|Recipient|Sender|Contact|First|Last)(?:'s)? (?:Name|Title)\b",
        " name",
        " title",
    ),
    marked(
        r"(?:I(?<!\wI)NVOICE|C(?<!\wC)(?:LIENT|USTOMER|OMPANY|ONTACT)|T(?<!\wT)OTAL|A(?<!\wA)MOUNT|D(?<!\wD)UE"
        r"|P(?<!\wP)AYMENT)_[A-Z_]{2,30}\b"
    ),
)


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report every placeholder in prose."""
    taken: list[Span] = []
    for shape in _SHAPES:
        for match in shape.finditer(reading.bare, marks_in=reading.folded.text):
            span = Span(*match.span())
            if not any(span.meets(other) for other in taken):
                taken.append(span)
                yield Found("PLACEHOLDER", reading.text[span.start : span.end].strip() or "blank", span)


CHECK = Check(name="placeholders", version="1", run=check, blocking=True, core=True)
