"""Hold who prepares and who approves a journal entry against the duties that are set.

Covers one person in both parts, and persons who do not hold the part that they take. Does not know who is absent.
"""

from collections.abc import Iterator

from agent.text import fold
from agent.validators.check import Check, Found, NoParams
from agent.validators.postings import field
from agent.validators.reading import Reading

__all__ = ["DUTIES"]


def _check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report a part that is taken by somebody who may not, or by one person twice."""
    if not reading.record:
        return
    duties, actor = reading.sheet.policy["duties"], reading.sheet.policy["actor"]
    preparer, approver = reading.record.get("prepared_by"), reading.record.get("approved_by")
    others = [name for name in duties["approve"] if not _is_same(name, actor)]
    fix = f"Have it approved by {others[0]}." if others else "Have it approved by somebody else."
    if preparer is not None and not _is_same(preparer, actor):
        evidence = f"{preparer} is named as preparer; {actor} prepares this entry"
        yield field(reading, "prepared_by", "DUTY_NOT_HELD", evidence, fix=f"Name {actor} as preparer.")
    if approver is None:
        yield field(reading, "approved_by", "DUTY_NOT_HELD", "nobody is named as approver", fix=fix)
    elif preparer is not None and _is_same(approver, preparer):
        evidence = f"{approver} both prepares and approves"
        yield field(reading, "approved_by", "DUTIES_NOT_SEGREGATED", evidence, fix=fix)
    elif not any(_is_same(approver, name) for name in duties["approve"]):
        evidence = f"{approver} is not among those who may approve: {', '.join(duties['approve'])}"
        yield field(reading, "approved_by", "DUTY_NOT_HELD", evidence, fix=fix)


def _is_same(one: str, other: str) -> bool:
    """Compare names up to case and white space: "ana  ruiz" is the person "Ana Ruiz"."""
    return " ".join(fold(one).text.split()) == " ".join(fold(other).text.split())


DUTIES: tuple[Check, ...] = (Check(name="segregation", version="1", run=_check, blocking=True, confidence=0.95),)
"""The validators of who does what."""
