"""Hold the memo of a journal entry against its description.

Covers a memo that is empty, figures and ids that the description does not have, and numbers from a thousand on that are
written without their comma. Does not judge whether a memo is well put.
"""

import re
from collections.abc import Iterator

from agent.text import fold
from agent.validators.check import Check, Found, NoParams
from agent.validators.postings import field
from agent.validators.reading import Reading

__all__ = ["MEMOS"]

_WITH_DIGIT = re.compile(r"[^\s]*\d[^\s]*")
_EDGES = ".,;:!?()[]\"'$€£¥₹"
_UNGROUPED = re.compile(r"(?<![\d.,/-])[1-9]\d{3,}(?:\.\d+)?(?![\d/-])")
_YEARS = range(1900, 2100)


def _check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report what the memo says that the description does not."""
    memo = reading.record.get("memo")
    if memo is None:
        return
    if not memo.strip():
        yield field(reading, "memo", "MEMO_EMPTY", "the memo is empty")
        return
    known = {_bare(token) for token in _WITH_DIGIT.findall(reading.sheet.policy["description"])}
    day = str(reading.record.get("date") or "")
    known |= {day, *(part.lstrip("0") for part in day.split("-"))}
    for token in _WITH_DIGIT.findall(memo):
        if _bare(token) not in known:
            yield field(reading, "memo", "MEMO_FIGURE", f'the description does not have "{token.strip(_EDGES)}"')
    for match in _UNGROUPED.finditer(memo):
        if not (match[0].isdigit() and int(match[0]) in _YEARS):
            grouped = f"{int(match[0].partition('.')[0]):,}"
            evidence = f'"{match[0]}" has no comma between its thousands'
            yield field(reading, "memo", "MEMO_COMMA", evidence, fix=f"Write {grouped}.")


def _bare(token: str) -> str:
    """Return a token without the marks round it, its grouping and its minor digits where they are zero."""
    bare = fold(token).text.strip(_EDGES).replace(",", "")
    return bare.removesuffix(".00") if bare.replace(".", "").isdigit() else bare


MEMOS: tuple[Check, ...] = (Check(name="memo", version="1", run=_check),)
"""The validators of the memo."""
