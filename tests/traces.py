"""List what would tell an example's client from others, as it may stand in a file, a store or a log."""

from collections.abc import Iterator, Mapping
from typing import Any

from agent.text.writing import write_money
from reviewhub.models import DOMAINS

__all__ = ["traces"]

_SHORTEST = 4  # "7" is an id of the examples too, and stands in every file


def traces(facts: Mapping[str, Any], domain: str = "billing") -> set[bytes]:
    """Return names, parts of a contact's name, contact details, ids and amounts, each as bytes of UTF-8."""
    return {trace.encode() for trace in (*_words(facts), *_amounts(facts, domain)) if len(trace) >= _SHORTEST}


def _words(facts: Mapping[str, Any]) -> Iterator[str]:
    client, sender = facts["client"], facts.get("sender") or {}
    yield from (str(value) for value in client.values())
    yield from (part for part in client.get("contact", "").split() if len(part) > _SHORTEST)
    yield from (sender[key] for key in ("name", "email", "phone") if key in sender)
    yield (sender.get("pay_to") or {}).get("account", "")
    yield from (line["id"] for line in facts["transactions"])


def _amounts(facts: Mapping[str, Any], domain: str) -> Iterator[str]:
    sheet = DOMAINS[domain].derive(DOMAINS[domain].read_facts(facts))
    cents = {fact.value for fact in sheet.facts if fact.type == "money" and isinstance(fact.value, int)}
    for value in cents:
        written = write_money(value, sheet.currency, sheet.locale)
        digits = "".join(char for char in written if char.isdigit() or char in ".,")
        yield from (text for text in (written, digits, digits.replace(",", "")) if len(text) > 5)
