"""Hold the lines of a journal entry against the chart, the open periods and the amounts that its description states.

Covers codes that do not exist or lie outside the range that is set for what the description is about, lines without
exactly one side, entries that do not balance, amounts that are neither stated nor the sum or difference of stated ones,
and days outside open periods. Does not know accounting: which of two fitting accounts is better is for a person to say.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Any

from babel.numbers import get_currency_precision

from agent.facts import FactType, Sheet
from agent.text import fold
from agent.text.writing import write_money
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["POSTINGS", "code_order", "field", "parted", "ranges_meant", "severity_at_stake", "within"]

_MOST_SUMMED = 12  # more amounts than this are only held against the stated ones and their sum


def within(code: str, first: str, last: str) -> bool:
    """Tell whether a code lies in a range, its ends included."""
    return code_order(first) <= code_order(code) <= code_order(last)


def code_order(code: str) -> tuple[int, int, str]:
    """Return what codes are ordered by: those of digits by their value, the rest as text behind them."""
    return (0, int(code), "") if code.isdigit() else (1, 0, code)


def severity_at_stake(cents: int, digits: int = 2) -> float:
    """Return how bad a wrong posting of an amount is: .3 for one unit of the currency, .1 more for each power of ten.

    So 5,000 counts .67, and ten million or more 1.0.
    """
    return round(min(1.0, max(0.3, 0.3 + 0.1 * math.log10(max(abs(cents) / 10**digits, 1)))), 2)


def field(reading: Reading, path: str, error: str, evidence: str, **more: Any) -> Found:
    """Return a finding about one field of the record, whose value it underlines."""
    span = reading.fields.get(path)
    return Found(error, evidence, span, more={"fields": [path]}, **more)


def _codes(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report codes that the chart does not have, and entries that post nothing to what they are about."""
    if not reading.record:
        return
    chart = {account["code"]: account["name"] for account in reading.sheet.policy["chart"]}
    ranges = _ranges(reading.sheet)
    lines: Sequence[Mapping[str, Any]] = reading.record.get("lines", ())
    for place, line in enumerate(lines):
        if line["code"] not in chart:
            yield field(
                reading,
                f"lines[{place}].code",
                "GL_CODE_UNKNOWN",
                f"GL code {line['code']} does not exist{_valid(ranges)}",
                fix=_use(ranges, chart),
                severity=_stake(reading, line),
            )
    for one in ranges:
        used = [line["code"] for line in lines if line["code"] in chart]
        if used and len(used) == len(lines) and not any(within(code, one["from_"], one["to"]) for code in used):
            yield Found(
                "GL_CODE_OUT_OF_RANGE",
                f"no line posts to a code for {one['for_']} ({one['from_']}-{one['to']})",
                fix=_use([one], chart),
                severity=_stake(reading),
                more={"fields": [f"lines[{place}].code" for place in range(len(lines))]},
            )


def ranges_meant(description: str, names: Iterable[str]) -> frozenset[str]:
    """Return the names of code ranges that a description speaks of; a name begins a word, and may go on ("rents")."""
    described = f" {' '.join(fold(description).text.split())} "
    return frozenset(name for name in names if f" {fold(name).text.strip()}" in described)


def _ranges(sheet: Sheet) -> list[Mapping[str, Any]]:
    """Return the ranges that are set for what the description is about."""
    meant = ranges_meant(sheet.policy["description"], (one["for_"] for one in sheet.policy["ranges"]))
    return [one for one in sheet.policy["ranges"] if one["for_"] in meant]


def _valid(ranges: Sequence[Mapping[str, Any]]) -> str:
    told = ", ".join(f"valid codes for {one['for_']} are {one['from_']}-{one['to']}" for one in ranges)
    return f"; {told}" if told else ""


def _use(ranges: Sequence[Mapping[str, Any]], chart: Mapping[str, str]) -> str:
    fitting = sorted(
        (code for code in chart for one in ranges if within(code, one["from_"], one["to"])), key=code_order
    )
    return f"Use {fitting[0]}." if fitting else "Use a code of the chart."


def _stake(reading: Reading, line: Mapping[str, Any] | None = None) -> float:
    lines = [line] if line else reading.record.get("lines", ())
    return _severity(max((max(one["debit_cents"], one["credit_cents"]) for one in lines), default=0), reading)


def _severity(cents: int, reading: Reading) -> float:
    return severity_at_stake(cents, get_currency_precision(reading.sheet.currency))


def _balance(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report lines without exactly one side, and an entry whose sides differ."""
    if not reading.record:
        return
    lines: Sequence[Mapping[str, Any]] = reading.record.get("lines", ())
    if len(lines) < 2:
        yield Found("ENTRY_UNBALANCED", f"the entry has {len(lines)} of at least 2 lines", severity=1.0)
    for place, line in enumerate(lines):
        if (line["debit_cents"] > 0) == (line["credit_cents"] > 0):
            told = "both a debit and a credit" if line["debit_cents"] else "neither a debit nor a credit"
            yield field(reading, f"lines[{place}].debit_cents", "LINE_SIDES", f"line {place + 1} has {told}")
    debited, credited = (sum(line[side] for line in lines) for side in ("debit_cents", "credit_cents"))
    if debited != credited:
        evidence = f"debits are {_money(debited, reading)} and credits {_money(credited, reading)}"
        yield Found("ENTRY_UNBALANCED", evidence, severity=_severity(max(debited, credited), reading))


def _amounts(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report amounts that do not follow from the stated ones, and stated ones that are posted nowhere."""
    if not reading.record:
        return
    stated = [fact.value for fact in reading.sheet.of_type(FactType.MONEY) if isinstance(fact.value, int)]
    allowed = _derived(stated)
    lines: Sequence[Mapping[str, Any]] = reading.record.get("lines", ())
    posted: set[int] = set()
    for place, line in enumerate(lines):
        for side in ("debit_cents", "credit_cents"):
            cents = line[side]
            posted.add(cents)
            if cents and cents not in allowed:
                told = ", ".join(_money(value, reading) for value in stated)
                yield field(
                    reading,
                    f"lines[{place}].{side}",
                    "AMOUNT_NOT_STATED",
                    f"{_money(cents, reading)} does not follow from {told}",
                    fix=f"Post {told}.",
                    severity=_severity(cents, reading),
                )
    most, total = parted(stated) or sum(stated), sum(line["debit_cents"] for line in lines)
    if stated and total > most:
        evidence = f"the entry comes to {_money(total, reading)}, and the description to {_money(most, reading)}"
        yield Found("AMOUNT_DOUBLED", evidence, severity=_severity(total, reading))
    sides = {side: {line["code"] for line in lines if line[side]} for side in ("debit_cents", "credit_cents")}
    for code in sorted(sides["debit_cents"] & sides["credit_cents"]):
        yield Found("AMOUNT_DOUBLED", f"{code} is both debited and credited", severity=_severity(total, reading))
    for cents in dict.fromkeys(stated):
        if lines and cents not in posted:
            evidence = f"{_money(cents, reading)} is stated and posted nowhere"
            yield Found("AMOUNT_LEFT_OUT", evidence, facts=("amount",), severity=_severity(cents, reading))


def parted(stated: Sequence[int]) -> int:
    """Return the stated amount that all others add up to ("$5,000: $2,000 now, $3,000 later"); 0 when none is one."""
    return next((cents for cents in stated if len(stated) > 2 and 2 * cents == sum(stated)), 0)


def _derived(stated: Sequence[int]) -> set[int]:
    """Return the stated amounts with the sums and differences of several."""
    allowed = {*stated, sum(stated)}
    if len(stated) <= _MOST_SUMMED:
        for count in range(2, len(stated) + 1):
            allowed |= {sum(some) for some in combinations(stated, count)}
    return allowed | {abs(one - other) for one, other in combinations(stated, 2)}


def _period(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report a day that lies in no open period, or after the day of the facts."""
    day = reading.record.get("date")
    if not day:
        return
    periods = reading.sheet.policy["open_periods"]
    if day[:7] not in periods:
        evidence = f"{day} lies in no open period; open are {', '.join(periods)}"
        yield field(reading, "date", "PERIOD_CLOSED", evidence, fix=f"Use a day of {periods[-1]}." if periods else None)
    elif date.fromisoformat(day) > reading.sheet.as_of:
        yield field(reading, "date", "DATE_AHEAD", f"{day} is after {reading.sheet.as_of}, the day of the facts")


def _money(cents: int, reading: Reading) -> str:
    return write_money(cents, reading.sheet.currency, reading.sheet.locale)


POSTINGS: tuple[Check, ...] = (
    Check(name="gl_code", version="1", run=_codes, blocking=True, core=True),
    Check(name="balance", version="1", run=_balance, blocking=True, core=True),
    Check(name="posted_amounts", version="1", run=_amounts, blocking=True, core=True),
    Check(name="period", version="1", run=_period, blocking=True, core=True),
)
"""The validators of an entry's lines and day."""
