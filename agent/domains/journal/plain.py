"""Write a right entry for a plain description, without a model, for the teeth suite.

Knows purchases, sales, loans and payments by their words; a person would know more.
"""

import json
import re
from collections.abc import Sequence

from agent.domains.domain import Case
from agent.domains.journal.entry import dates_of
from agent.domains.journal.schema import Account, JournalFacts
from agent.facts import FactType
from agent.text import fold
from agent.validators.postings import parted, within

__all__ = ["ranked_accounts", "true_text"]

_WORD = re.compile(r"[a-z]{3,}")
_EARNED = re.compile(r"\b(?:invoiced|sold|sales?(?! tax)|revenue|earned|billed|income)\b", re.IGNORECASE)
_RAISED = re.compile(r"\b(?:loan|borrowed|share capital|paid in by)\b", re.IGNORECASE)
_ON_ACCOUNT = re.compile(r"\b(?:from|by|on account|owed|due to|invoice from|bill from)\b", re.IGNORECASE)
_PAID = re.compile(r"\b(?:paid|pay|cash|card|wire|bank)\b", re.IGNORECASE)


def ranked_accounts(facts: JournalFacts) -> tuple[Account, ...]:
    """Return the chart with the accounts first that the description speaks of, by their ranges and names."""
    described = fold(facts.description).text
    words = {_stem(word) for word in _WORD.findall(described)}
    meant = facts.ranges_meant

    def fit(account: Account) -> tuple[int, int]:
        is_meant = any(within(account.code, one.from_, one.to) for one in meant)
        named = {_stem(word) for word in _WORD.findall(fold(account.name).text)}
        return -10 * is_meant - len(named & words), _order(account)

    return tuple(sorted(facts.chart, key=fit))


def true_text(case: Case) -> str:
    """Return the JSON of an entry: each stated amount to the account that fits best, against cash or what is owed."""
    facts: JournalFacts = case.facts
    stated = [fact.value for fact in case.sheet.of_type(FactType.MONEY) if isinstance(fact.value, int)]
    is_raised = bool(_RAISED.search(facts.description))
    is_earned = is_raised or bool(_EARNED.search(facts.description))
    kinds = ("liability", "equity") if is_raised else ("revenue", "income") if is_earned else ("expense", "asset")
    own = _first(facts, kinds)
    against = _counterpart(facts, is_earned=is_earned and not is_raised, apart_from=own)
    first, second = ("credit_cents", "debit_cents") if is_earned else ("debit_cents", "credit_cents")
    whole = parted(stated)
    ours, theirs = ([whole], [cents for cents in stated if cents != whole]) if whole else (stated, [sum(stated)])
    lines = [{"code": own, first: cents, second: 0} for cents in ours]
    lines += [{"code": against, first: 0, second: cents} for cents in theirs]
    return json.dumps(
        {
            "date": dates_of(case)[0],
            "memo": _memo(facts),
            "lines": lines,
            "prepared_by": facts.actor,
            "approved_by": next(name for name in facts.duties.approve if name != facts.actor),
        }
    )


def _first(facts: JournalFacts, types: Sequence[str]) -> str:
    ranked = ranked_accounts(facts)
    fitting = [one for one in ranked if one.type.casefold() in types and not _is_counterpart(one)]
    return (fitting or list(ranked))[0].code


def _counterpart(facts: JournalFacts, *, is_earned: bool, apart_from: str) -> str:
    """Return the account of cash, or of what is owed by or to the firm."""
    wanted = "receivable" if is_earned else "payable"
    if (
        _PAID.search(facts.description)
        or _RAISED.search(facts.description)
        or not (is_earned or _ON_ACCOUNT.search(facts.description))
    ):
        wanted = "cash"
    named = [one for one in facts.chart if one.code != apart_from and wanted in one.name.casefold()]
    others = [one for one in facts.chart if one.code != apart_from and _is_counterpart(one)]
    return (named or others or [one for one in facts.chart if one.code != apart_from])[0].code


def _is_counterpart(account: Account) -> bool:
    return any(word in account.name.casefold() for word in ("cash", "bank", "payable", "receivable"))


def _memo(facts: JournalFacts) -> str:
    bare = re.sub(r"\s+", " ", re.sub(r"\S*\d\S*", " ", facts.description)).strip(" .,;:")
    return bare[:120].strip() or "Entry"


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _order(account: Account) -> int:
    return {"expense": 0, "revenue": 1, "income": 1, "asset": 2, "liability": 3}.get(account.type.casefold(), 4)
