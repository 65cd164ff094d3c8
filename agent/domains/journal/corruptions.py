"""Spoil a right journal entry in the ways that models and people get one wrong."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from agent.domains.domain import Case, Corruption
from agent.facts import FactType
from agent.validators.postings import within

__all__ = ["CORRUPTIONS"]

_Spoil = Callable[[Case, dict[str, Any]], bool]


def _on(spoil: _Spoil) -> Callable[[Case, str], str | None]:
    """Make a corruption of a change to the entry's data, which says whether it applies."""

    def spoilt(case: Case, text: str) -> str | None:
        entry = json.loads(text)
        return json.dumps(entry) if spoil(case, entry) else None

    return spoilt


def _sets(name: str, value: Any) -> Callable[[Case, str], str | None]:
    def spoil(_case: Case, entry: dict[str, Any]) -> bool:
        entry[name] = value
        return True

    return _on(spoil)


def _unknown_code(_case: Case, entry: dict[str, Any]) -> bool:
    entry["lines"][0]["code"] = "9999"
    return True


def _outside_range(case: Case, entry: dict[str, Any]) -> bool:
    other = entry["lines"][-1]["code"]
    spare = next((one.code for one in case.facts.chart if one.code not in (other, entry["lines"][0]["code"])), None)
    meant = case.facts.ranges_meant
    if spare is None or not meant or any(within(spare, one.from_, one.to) for one in meant):
        return False
    for line in entry["lines"][:-1]:
        line["code"] = spare
    return True


def _unbalanced(_case: Case, entry: dict[str, Any]) -> bool:
    entry["lines"].pop()
    return True


def _shifted_digit(_case: Case, entry: dict[str, Any]) -> bool:
    for line in entry["lines"]:
        line["debit_cents"] *= 10
        line["credit_cents"] *= 10
    return True


def _one_cent(_case: Case, entry: dict[str, Any]) -> bool:
    entry["lines"][-1]["credit_cents" if entry["lines"][-1]["credit_cents"] else "debit_cents"] += 1
    return True


def _both_sides(_case: Case, entry: dict[str, Any]) -> bool:
    line = entry["lines"][0]
    line["debit_cents"] = line["credit_cents"] = max(line["debit_cents"], line["credit_cents"])
    return True


def _amount_left_out(case: Case, entry: dict[str, Any]) -> bool:
    stated = [fact.value for fact in case.sheet.of_type(FactType.MONEY)]
    if len(set(stated)) < 2:
        return False
    side = "debit_cents" if entry["lines"][0]["debit_cents"] else "credit_cents"
    other = "credit_cents" if side == "debit_cents" else "debit_cents"
    dropped = entry["lines"].pop(0)
    entry["lines"][-1][other] -= dropped[side]
    return True


def _approves_own(case: Case, entry: dict[str, Any]) -> bool:
    entry["approved_by"] = case.facts.actor
    return True


def _closed_period(case: Case, entry: dict[str, Any]) -> bool:
    day = case.facts.as_of.replace(year=case.facts.as_of.year - 3)
    entry["date"] = day.isoformat()
    return entry["date"][:7] not in case.facts.open_periods


def _ahead(case: Case, entry: dict[str, Any]) -> bool:
    day = case.facts.as_of + timedelta(days=1)
    entry["date"] = day.isoformat()
    return True


def _memo_figure(_case: Case, entry: dict[str, Any]) -> bool:
    entry["memo"] += " order PX-48812"
    return True


def _fraction(_case: Case, entry: dict[str, Any]) -> bool:
    entry["lines"][0]["debit_cents"] = 12.5
    return True


CORRUPTIONS: tuple[Corruption, ...] = (
    Corruption("unknown_code", _on(_unknown_code)),
    Corruption("outside_range", _on(_outside_range)),
    Corruption("unbalanced", _on(_unbalanced)),
    Corruption("one_cent_off", _on(_one_cent)),
    Corruption("shifted_digit", _on(_shifted_digit)),
    Corruption("both_sides", _on(_both_sides)),
    Corruption("amount_left_out", _on(_amount_left_out)),
    Corruption("approves_own_entry", _on(_approves_own)),
    Corruption("stranger_approves", _sets("approved_by", "Nobody Known")),
    Corruption("no_approver", _sets("approved_by", None)),
    Corruption("stranger_prepares", _sets("prepared_by", "Nobody Known")),
    Corruption("closed_period", _on(_closed_period)),
    Corruption("day_ahead", _on(_ahead)),
    Corruption("memo_figure", _on(_memo_figure)),
    Corruption("memo_empty", _sets("memo", " ")),
    Corruption("no_lines", _sets("lines", [])),
    Corruption("money_as_fraction", _on(_fraction)),
    Corruption("unknown_field", _sets("comment", "see attachment")),
)
"""The kinds of wrong entry."""
