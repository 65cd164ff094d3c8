"""Read a docstring out of a draft and part it into statements, whatever style it is written in.

Covers Google, NumPy and reST sections and plain prose, in or out of code fences and triple quotes. Signature and code
beside a docstring are no part of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agent.text import fold, nfc

__all__ = ["Statement", "docstring_of", "examples_of", "statements_of"]

_QUOTED = re.compile(r"(?:[rRuU]?)(\"\"\"|''')(.*?)(?:\1|\Z)", re.DOTALL)
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_SIGNATURE = re.compile(r"^[ \t]*(?:async )?def \w+\([^)]*\)[^:\n]*:[ \t]*$", re.MULTILINE)
_SECTIONS = {
    "args": "args?|arguments?|parameters?|params?|inputs?",
    "returns": "returns?|return values?|yields?|output",
    "raises": "raises?|exceptions?|errors?|throws?",
    "other": "notes?|edge cases?|examples?|warnings?|see also|behaviou?r|details?|precision|summary|description|usage",
}
_HEADER = re.compile(
    rf"#*\s*(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _SECTIONS.items())})\s*"
    r"(?:(?P<colon>:|: *-+)\s*(?P<rest>.*))?$"
)
_FIELD = re.compile(
    r":(?:(?P<raises>raises?|exceptions?|except|throws)|(?P<returns>returns?|rtype)|(?P<args>param|parameter|arg|type))"
    r"(?P<name>[^:]*):\s*(?P<rest>.*)$"
)
_BULLET = re.compile(r"(?:[-*•·–]|\d{1,2}[.)])\s+")
_ERROR = r"\w+(?:error|exception)"
_RAISED = re.compile(rf"(?P<names>{_ERROR}(?:(?:,| or|, or) {_ERROR})*)\s*(?:(?::|--?|–|—|\()\s*(?P<rest>.*))?$")
_ENTRY = re.compile(r"(?P<names>[a-z_]\w*(?:(?:,| and|, and) [a-z_]\w*)*)\s*(?:\([^)]*\)\s*)?:\s+(?P<rest>\S.*)$")
_RULE = re.compile(r"[-=~^]{3,}$")
_STOP = re.compile(r"(?<=[.!?;])\s+(?=\S)")
_EXAMPLE = re.compile(r"^\s*>>>[ \t]*(?P<call>[^\n]+)\n(?P<result>(?!\s*>>>)[^\n]*\S[^\n]*)?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold one sentence, folded, with its section: "args", "returns", "raises" or empty.

    `subject` is what an entry of a section is about: a parameter, or the exceptions that are raised.
    """

    text: str
    section: str = ""
    subject: str = ""


def docstring_of(draft: str) -> str:
    """Return the docstring of a draft: what stands in triple quotes, else the whole text without fences and code."""
    text = nfc(draft)
    quoted = [found[2] for found in _QUOTED.finditer(text)]
    body = max(quoted, key=len) if quoted else text
    return _SIGNATURE.sub("", _FENCE.sub("", body)).strip()


def examples_of(draft: str) -> list[tuple[str, str]]:
    """Return the interactive examples of a draft as call and stated result, as they are written."""
    found = _EXAMPLE.finditer(docstring_of(draft))
    return [(one["call"].strip(), (one["result"] or "").strip()) for one in found]


@lru_cache(maxsize=32)  # every check of a docstring reads the same text
def statements_of(draft: str) -> tuple[Statement, ...]:
    """Return the statements of a draft's docstring in order; interactive examples are left out."""
    prose = _EXAMPLE.sub("\n", docstring_of(draft))
    return tuple(
        Statement(sentence.strip(), entry.section, entry.subject)
        for entry in _entries(fold(prose).text.split("\n"))
        for sentence in _STOP.split(entry.text)
        if sentence.strip(" .")
    )


def _entries(lines: list[str]) -> Iterator[Statement]:
    """Join wrapped lines, and begin anew at headers, entries, bullets and blank lines."""
    section, current = "", Statement("")
    for raw in lines:
        line = raw.strip()
        bullet = _BULLET.match(line)
        line = line[bullet.end() :] if bullet else line
        opened = _opened(line, section)
        if not line or _RULE.match(line) or opened or bullet:
            yield current
            current = opened or Statement(
                line if not _RULE.match(line) else "", section, current.subject if _RULE.match(line) else ""
            )
            if opened:
                section = opened.section
            elif not line:
                current = Statement("", section)
        else:
            current = Statement(f"{current.text} {line}".strip(), section, current.subject)
    yield current


def _opened(line: str, section: str) -> Statement | None:
    """Return the entry that a line opens: a section's header, a field, a parameter or an exception."""
    if header := _HEADER.match(line):
        name = next(name for name in _SECTIONS if header[name])
        rest = header["rest"] or ""
        if header["colon"] is None and len(line.split()) > 2:
            return None
        inner = _opened(rest, name) if rest and name == "raises" else None
        return inner or Statement(rest, "" if name == "other" else name)
    if one := _FIELD.match(line):
        name = next(name for name in ("raises", "returns", "args") if one[name])
        return Statement(one["rest"], name, one["name"].strip())
    if section == "raises" and (one := _RAISED.match(line)):
        return Statement((one["rest"] or "").rstrip(")"), section, one["names"])
    if section == "args" and (one := _ENTRY.match(line)):
        return Statement(one["rest"], section, one["names"])
    return None
