"""Doubt amounts and sides of a journal entry that are unusual for their accounts.

Covers amounts far from what was posted to an account before, from five postings on, and expenses that are only credited
or revenues only debited without a word that reverses them. Both are guesses: people confirm or refuse them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Annotated, Any

from pydantic import Field

from agent.text.writing import write_money
from agent.validators.check import Check, Found, Kind, NoParams, Params
from agent.validators.postings import field
from agent.validators.reading import Reading

__all__ = ["REASONABLE", "HistoryParams"]

_REVERSED = re.compile(
    r"\b(?:revers|refund|return|correct|reclass|credit note|write[- ]?off|writ(?:e|ten|ing) (?:back|off)|adjust|cancel"
    r"|rebate|discount|void|transfer|clos(?:e|ing)|accru|defer|prepa)\w*",
    re.IGNORECASE,
)


class HistoryParams(Params):
    """Say when an amount is unusual."""

    fewest: Annotated[int, Field(ge=3, le=1000, description="Postings that an account needs to be judged by.")] = 5
    factor: Annotated[
        float, Field(gt=1, le=1000, description="How many times the median, or what part of it, is unusual.")
    ] = 10.0


def _history(reading: Reading, params: HistoryParams) -> Iterator[Found]:
    """Report amounts that are many times, or a small part of, the median of their account."""
    if not reading.record:
        return
    posted: dict[str, list[int]] = defaultdict(list)
    for item in reading.sheet.policy["history"]:
        posted[item["code"]].append(item["amount_cents"])
    for place, line in enumerate(reading.record.get("lines", ())):
        before = posted.get(line["code"], [])
        usual = median(before) if len(before) >= params.fewest else 0
        for side in ("debit_cents", "credit_cents"):
            if usual > 0 and line[side] and not usual / params.factor <= line[side] <= usual * params.factor:
                told, middle = (
                    write_money(round(cents), reading.sheet.currency, reading.sheet.locale)
                    for cents in (line[side], usual)
                )
                evidence = f"{told} is unusual for {line['code']}: the median of {len(before)} postings is {middle}"
                yield field(reading, f"lines[{place}].{side}", "AMOUNT_UNUSUAL", evidence)


def _sides(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report accounts that stand on the side where their kind seldom does."""
    if not reading.record:
        return
    if _REVERSED.search(reading.sheet.policy["description"]):
        return
    kinds: Mapping[str, str] = {
        account["code"]: account["type"].casefold() for account in reading.sheet.policy["chart"]
    }
    lines: Sequence[Mapping[str, Any]] = reading.record.get("lines", ())
    for place, line in enumerate(lines):
        kind = kinds.get(line["code"], "")
        if kind == "expense" and line["credit_cents"] and not line["debit_cents"]:
            yield field(
                reading, f"lines[{place}].credit_cents", "SIDE_UNUSUAL", f"{line['code']}, an expense, is credited"
            )
        elif kind in ("revenue", "income") and line["debit_cents"] and not line["credit_cents"]:
            yield field(
                reading, f"lines[{place}].debit_cents", "SIDE_UNUSUAL", f"{line['code']}, a revenue, is debited"
            )


REASONABLE: tuple[Check, ...] = (
    Check(name="sides", version="1", run=_sides, kind=Kind.HEURISTIC, confidence=0.7),
    Check(name="history", version="1", run=_history, params=HistoryParams(), kind=Kind.HEURISTIC, confidence=0.7),
)
"""The validators that guess."""
