"""Tell from the facts as they came in, and from nothing of the verifier, what is wrong with a billing mail."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from babel.numbers import get_currency_precision

__all__ = ["wrong_in_billing"]

_NUMBER = re.compile(r"\d+(?:[,'\u00a0\u202f]\d{2,3}(?!\d))*(?:\.\d+)?")
_NUMBER_WITH_COMMA = re.compile(r"\d+(?:[\u00a0\u202f ]\d{3}(?!\d))*(?:,\d+)?")
_UNGROUPED = re.compile(r"['\u00a0\u202f ]")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "call": (r"\b(?:spoke|phone call|our call|called you|telephoned)\b",),
    "promise": (r"\b(?:you|your)\b[^.]*\bpromis",),
    "agreement": (r"\bas (?:we )?agreed\b", r"\bour agreement\b"),
    "attachments": (r"\b(?:attached|enclosed|attachment)\b",),
    "late_fee_percent": (r"\b(?:late fee|penalt|surcharge|interest (?:charge|of|will))",),
    "collections_after_days": (r"\b(?:collections? agency|debt collect)",),
    "pay_by": (
        r"\b(?:within|in) (?:the next )?(?:\w+|\d+) (?:business |working )?days\b",
        r"\bby (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    ),
    "never": (r"\b(?:lawyer|solicitor|legal (?:action|proceedings|fee|steps)|court|sue)\b", r"\[[A-Z][A-Z_0-9]*\]"),
}


def wrong_in_billing(facts: Any, text: str) -> tuple[str, ...]:
    """Return what a mail lacks, what figure it has that the account does not, and what it says without a ground."""
    return (*_missing(facts, text), *_foreign(facts, text), *_groundless(facts, text))


def _missing(facts: Any, text: str) -> Iterator[str]:
    for line in _open(facts):
        if line["id"].casefold() not in text.casefold():
            yield f"{line['id']} is not named"
    total = _total_due(facts)
    if _major(total, facts) not in _numbers(_without_strings(facts, text), facts):
        yield "the total due is not stated"


def _foreign(facts: Any, text: str) -> Iterator[str]:
    known = set(_known(facts))
    for number in _numbers(_without_strings(facts, text), facts):
        if number not in known:
            yield f"a figure that is not of this account: {number}"


def _groundless(facts: Any, text: str) -> Iterator[str]:
    grounds = {event["kind"] for event in facts.get("events", ())} | {
        name for name, value in facts.get("policy", {}).items() if value is not None
    }
    if facts.get("attachments"):
        grounds.add("attachments")
    if "promise" in grounds or "agreement" in grounds:
        grounds |= {"call", "promise", "agreement"}
    for ground, patterns in _WORDS.items():
        said = next(
            (found[0] for found in (re.search(words, text, re.IGNORECASE) for words in patterns) if found), None
        )
        if said and ground not in grounds:
            yield f"said without a ground: {' '.join(said.split())}"


def _open(facts: Any) -> list[Mapping[str, Any]]:
    return [line for line in facts["transactions"] if line["amount_cents"] > line.get("paid_cents", 0)]


def _left(line: Mapping[str, Any]) -> int:
    return int(line["amount_cents"]) - int(line.get("paid_cents", 0))


def _total_due(facts: Any) -> int:
    asked = [line for line in _open(facts) if line["kind"] == "invoice" and not line.get("disputed")]
    return sum(map(_left, asked)) - sum(_left(line) for line in _open(facts) if line["kind"] == "credit")


def _known(facts: Any) -> Iterator[Decimal]:
    lines = facts["transactions"]
    for line in lines:
        for cents in (line["amount_cents"], line.get("paid_cents", 0), _left(line)):
            yield _major(cents, facts)
    invoices = [line for line in _open(facts) if line["kind"] == "invoice"]
    credit = [line for line in _open(facts) if line["kind"] == "credit"]
    disputed = [line for line in _open(facts) if line.get("disputed")]
    for group in (invoices, credit, disputed, lines):
        yield _major(sum(map(_left, group)), facts)
        yield Decimal(len(group))
    yield _major(_total_due(facts), facts)
    yield _major(sum(int(line.get("paid_cents", 0)) for line in invoices), facts)
    yield Decimal(len(_open(facts)))
    yield Decimal(facts.get("reminders_sent", 0))
    yield Decimal(facts.get("reminders_sent", 0) + 1)
    yield from _of_dates(facts)


def _of_dates(facts: Any) -> Iterator[Decimal]:
    as_of = date.fromisoformat(facts["as_of"])
    days = [as_of, *_days(facts)]
    for day in days:
        late = (as_of - day).days
        yield from map(Decimal, (day.day, day.month, day.year, late, late // 7, late // 30))
    for line in facts["transactions"]:
        year, month = line["period"].split("-")
        yield from (Decimal(year), Decimal(month))
    for rule in ("late_fee_percent", "collections_after_days"):
        if value := facts.get("policy", {}).get(rule):
            yield Decimal(str(value).removesuffix("%").strip())


def _days(facts: Any) -> Iterator[date]:
    for line in facts["transactions"]:
        yield from (date.fromisoformat(line[key]) for key in ("due", "paid_on") if line.get(key))
    yield from (date.fromisoformat(event["on"]) for event in facts.get("events", ()))
    if pay_by := facts.get("policy", {}).get("pay_by"):
        yield date.fromisoformat(pay_by)


def _major(cents: int, facts: Any) -> Decimal:
    return Decimal(cents).scaleb(-get_currency_precision(facts["currency"]))


def _without_strings(facts: Any, text: str) -> str:
    """Take out every string of the account, longest first, so that the figures in names and ids do not count."""
    for own in sorted(set(_strings(facts)), key=len, reverse=True):
        text = re.sub(re.escape(own), " ; ", text, flags=re.IGNORECASE)
    return text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        # Dates and bare numbers are figures, and have to be right.
        if not re.fullmatch(r"[\d\s.,%-]+", value) and value.strip():
            yield value
    elif isinstance(value, Mapping):
        yield from (own for key, item in value.items() if key not in ("kind", "currency") for own in _strings(item))
        if re.fullmatch(r"\d+", str(value.get("id", ""))):
            yield str(value["id"])
    elif isinstance(value, list):
        yield from (own for item in value for own in _strings(item))


def _numbers(text: str, facts: Any) -> list[Decimal]:
    """Read the numbers of a text as its locale writes them: a comma stands before the minor digits in South Africa."""
    if facts["locale"].endswith("ZA"):
        return [Decimal(_UNGROUPED.sub("", found[0]).replace(",", ".")) for found in _NUMBER_WITH_COMMA.finditer(text)]
    return [Decimal(_UNGROUPED.sub("", found[0]).replace(",", "")) for found in _NUMBER.finditer(text)]
