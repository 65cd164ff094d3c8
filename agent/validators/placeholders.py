"""Refuse placeholders that nobody filled.

Covers brackets and braces of every kind, capitals where a value belongs, blanks to fill, and filler text, in prose.
"""

import re
from collections.abc import Iterator

from agent.text import Span
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

_SHAPES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\{\{?[^{}\n]{0,80}\}?\}|\$\{[^{}\n]{0,80}\}?|\{%[^%\n]{0,80}%\}",
        r"\[[^\[\]\n]{0,80}\]",
        r"<[A-Za-z_][\w .:/-]{0,40}>|<<[^<>\n]{1,60}>>|«[A-Z_ ]{2,40}»",
        r"%[A-Z_]{2,40}%|%\([A-Za-z_]{1,40}\)[sdSD]|(?<![\w%])%[sd]\b|@@\w{2,40}@@|__[A-Z]\w{1,40}__",
        r"\$\[|\$(?!(?:USD|CAD|AUD|NZD|SGD|HKD)\b)[A-Z_]{3,40}\b",
        r"\b[Xx]{3,}\b|\bX{2,}\b",
        r"(?<![A-Za-z])[$€£¥₹]\s?[Xx#_?]+(?:[.,][Xx#_?]+)*",
        r"\b[XYDM]{2,4}[/.-][XYDM]{2,4}[/.-][XYDM]{2,4}\b",
        r"_{3,}|\?{3,}|#{4,}|(?<!\.)\.{5,}[ \t]*(?=[,;:)]|$|\n)",
        r"(?i:\b(?:tbd|tbc|tba|todo|fixme)\b)|\b(?:N\.N\.|[Tt]o be (?:confirmed|determined|advised|inserted|added))\b",
        r"(?i:\blorem ipsum\b|\bplaceholder\b)",
        r"(?i:\b(?:enter|add|fill in) (?:the |your |a )?(?:amount|date|name|total|number|link)s? (?:here|below))",
        r"(?i:\binsert\s+(?:amount|date|name|total|client|invoice|link|number|reference)\b)",
        r"\b(?:Your|Client|Customer|Company|Recipient|Sender|Contact|First|Last)(?:'s)? (?:Name|Title)\b",
        r"\b(?:INVOICE|CLIENT|CUSTOMER|TOTAL|AMOUNT|DUE|COMPANY|CONTACT|PAYMENT)_[A-Z_]{2,30}\b",
    )
)


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report every placeholder in prose."""
    taken: list[Span] = []
    for shape in _SHAPES:
        for match in shape.finditer(reading.bare):
            span = Span(*match.span())
            if not any(span.meets(other) for other in taken):
                taken.append(span)
                yield Found("PLACEHOLDER", reading.text[span.start : span.end].strip() or "blank", span)


CHECK = Check(name="placeholders", version="1", run=check, blocking=True, core=True)
