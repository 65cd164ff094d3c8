"""Over the grammar of drafts: a true draft passes, and one wrong figure or two that are swapped make it fail."""

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, note, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from agent.outcome import Outcome
from agent.verify import verify
from tests.agent.grammar import Draft, drafts
from tests.agent.renderings import Figure, Kind

_NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
settings.register_profile(
    "long" if _LONG else "verifier",
    max_examples=5000 if _LONG else 60,
    derandomize=not _LONG,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
_PROFILE = settings.get_profile("long" if _LONG else "verifier")


def _failures(draft: Draft) -> list[Outcome]:
    note(draft.text)
    verdict = verify(draft.text, domain="billing", facts=draft.ledger.facts(), text_by="agent", now=_NOW)
    failures = [outcome for outcome in verdict.outcomes if outcome.status == "FAIL"]
    assert verdict.verdict == ("FAIL" if failures else "PASS")
    return failures


def _described(draft: Draft, failures: list[Outcome]) -> str:
    ledger = draft.ledger
    found = [f"{outcome.error_type}: {outcome.evidence}" for outcome in failures]
    return f"{draft.text}\n{ledger.money.locale} as of {ledger.as_of}, {ledger.lines}\n" + "\n".join(found)


def _other_values(draft: Draft, figure: Figure) -> st.SearchStrategy[Any]:
    """Draw values of the figure's type, near and far, that no fact of the ledger has."""
    near: st.SearchStrategy[Any]
    if figure.kind is Kind.MONEY:
        unit = 10**draft.ledger.money.digits
        shifts = st.sampled_from((1, -1, 9, 10, unit, -unit, 10 * unit, 90 * unit, 1000 * unit))
        near = (
            shifts.map(lambda shift: figure.value + shift)
            | st.just(figure.value * 10)
            | st.integers(unit, 99_999 * unit)
        )
    elif figure.kind is Kind.DATE:
        near = st.integers(-150, 30).map(lambda days: draft.ledger.as_of + timedelta(days=days))
    elif figure.kind is Kind.ORDINAL:
        near = st.integers(1, 9)
    else:
        near = st.integers(1, 200)
    true_values = draft.ledger.values(figure.kind)
    return near.filter(lambda value: _is_sound(value) and value not in true_values)


def _is_sound(value: Any) -> bool:
    return value.year == 2026 if isinstance(value, date) else value > 0


def _swaps(draft: Draft) -> Iterator[dict[int, Any]]:
    """Give the exchanges of two figures between named lines that make a false statement of each."""
    for (first, a), (second, b) in combinations(draft.figures.items(), 2):
        if a.kind is not b.kind or a.line is None or b.line is None or a.line == b.line or a.value == b.value:
            continue
        if b.value in draft.ledger.line_values(a.line, a.kind) or a.value in draft.ledger.line_values(b.line, b.kind):
            continue
        yield {first: b.value, second: a.value}


@settings(_PROFILE)
@drawn(drafts(), st.data())
def test_a_true_draft_passes_and_with_one_wrong_figure_or_two_swapped_it_fails(
    draft: Draft, data: st.DataObject
) -> None:
    # One draft for all three: most of the time goes into drawing it.
    failures = _failures(draft)
    assert not failures, _described(draft, failures)
    index = data.draw(st.sampled_from(sorted(draft.figures)))
    value = data.draw(_other_values(draft, draft.figures[index]))
    wrong = draft.changed({index: value})
    assert _failures(wrong), f"{draft.figures[index]} -> {value}\n" + _described(wrong, [])
    if swaps := list(_swaps(draft)):
        swapped = draft.changed(data.draw(st.sampled_from(swaps)))
        assert _failures(swapped), _described(swapped, [])
