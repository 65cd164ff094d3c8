"""Judge a finished draft by what is true of its case, without the validators that judged it on the way.

Covers what figures, ids and total a mail must and may hold, and listed words for what needs a ground; a record is held
against the answers that were written down for its example. Does not see whether a sentence makes sense.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from agent.attempt import Attempt
from agent.fixtures import Fixture
from agent.study.billing_truth import wrong_in_billing

__all__ = ["JUDGED", "wrong_in"]


def _mail(fixture: Fixture, attempt: Attempt) -> tuple[str, ...]:
    return wrong_in_billing(fixture.facts, attempt.text)


def _entry(fixture: Fixture, attempt: Attempt) -> tuple[str, ...]:
    """Compare what an entry does to each account with what it ought to do: debits less credits, in minor units."""
    if fixture.truth is None:
        return ("no right answer was written down for this example",)
    found: Counter[str] = Counter()
    for line in (attempt.body.record or {}).get("lines", ()) if attempt.body else ():
        found[line["code"]] += line["debit_cents"] - line["credit_cents"]
    right: Mapping[str, int] = fixture.truth["net_cents"]
    codes = sorted({*found, *right})
    return tuple(
        f"{code}: {found[code]} instead of {right.get(code, 0)}" for code in codes if found[code] != right.get(code, 0)
    )


JUDGED: Mapping[str, Callable[[Fixture, Attempt], tuple[str, ...]]] = {"billing": _mail, "journal": _entry}
"""How a draft is judged, by domain."""


def wrong_in(fixture: Fixture, attempt: Attempt) -> tuple[str, ...]:
    """Return what is wrong with the draft of an attempt; nothing when it could be sent."""
    return JUDGED[fixture.domain](fixture, attempt)
