"""Ask for every open line and the total due.

Covers ids and the total anywhere in the text, code blocks included. Amounts of lines may be left out.
"""

from collections.abc import Iterator

from agent.facts import LineStatus
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each listed line that is not named, and a missing total due."""
    named = {mention.line for mention in reading.mentions}
    for line in reading.sheet.lines:
        if line.is_listed and line.id not in named:
            kind = {LineStatus.CREDIT: "credit", LineStatus.DISPUTED: "disputed line"}.get(line.status, "open line")
            critique = f"The draft does not name {line.id}, a {kind}." if kind != "open line" else None
            yield Found(
                "LINE_MISSING",
                f"{line.id} is not named",
                facts=(line.id,),
                critique=critique or f"The draft does not name {line.id}, an open line.",
                fix=f"Name {line.id}.",
            )
    if "total_due" in reading.sheet.by_role and not _states_total(reading):
        yield Found("TOTAL_MISSING", "the total due is not given", facts=("total_due",))


def _states_total(reading: Reading) -> bool:
    total = reading.sheet.money("total_due")
    # The prose is read anyway; code blocks may be long, and are read only when the prose does not say it.
    return any(total in money.cents for money in reading.figures) or any(
        total in money.cents for money in reading.amounts
    )


CHECK = Check(name="completeness", version="1", run=check, blocking=True, core=True)
