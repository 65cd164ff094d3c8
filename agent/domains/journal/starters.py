"""Show a model two right entries, of accounts that no chart of a case has by chance."""

import json
from collections.abc import Mapping

from agent.domains.domain import Exemplar

__all__ = ["STARTERS"]


def _entry(memo: str, debit: str, credit: str, cents: int) -> Mapping[str, str]:
    lines = [
        {"code": debit, "debit_cents": cents, "credit_cents": 0},
        {"code": credit, "debit_cents": 0, "credit_cents": cents},
    ]
    entry = {"date": "2020-02-03", "memo": memo, "lines": lines, "prepared_by": "P", "approved_by": "A"}
    return {"record": json.dumps(entry)}


STARTERS: tuple[Exemplar, ...] = (
    Exemplar("journal-purchase", "entry", _entry("Fuel for the vans, on account", "EX-FUEL", "EX-PAYABLES", 12_300)),
    Exemplar("journal-sale", "entry", _entry("Repair work sold, on account", "EX-RECEIVABLES", "EX-SALES", 45_600)),
)
"""One purchase and one sale."""
