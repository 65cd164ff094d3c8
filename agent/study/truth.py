"""Judge a finished draft by what is true of its case, without the validators that judged it on the way.

Covers what figures, ids and total a mail must and may hold, and listed words for what needs a ground; a record is held
against the answers that were written down for its example. Does not see whether a sentence makes sense.
"""

from collections.abc import Callable, Mapping
from typing import Any

from agent.attempt import Attempt
from agent.fixtures import Fixture
from agent.study.billing_truth import wrong_in_billing

__all__ = ["JUDGED", "wrong_in"]

JUDGED: Mapping[str, Callable[[Any, str], tuple[str, ...]]] = {"billing": wrong_in_billing}
"""How a text is judged, by domain, given the facts as they came in."""


def wrong_in(fixture: Fixture, attempt: Attempt) -> tuple[str, ...]:
    """Return what is wrong with the draft of an attempt; nothing when it could be sent."""
    return JUDGED[fixture.domain](fixture.facts, attempt.text)
