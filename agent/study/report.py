"""Lay out the figures of a study as tables, beside the published ones."""

from collections.abc import Iterator, Sequence

from agent.study.cells import HANDLING_MINUTES, Cell, Difference

__all__ = ["PUBLISHED", "tables"]

PUBLISHED = {
    "journal": {"first pass": 42, "escalated": 11, "success": 89, "errors a failed output": 1.8, "exhausted": 7}
    | {"escalated without correction": 58, "retries a failed run": 1.4, "fixed at first retry": 73},
    "contracts": {"first pass": 38, "escalated": 19, "success": 81, "errors a failed output": 2.1, "exhausted": 12}
    | {"escalated without correction": 62, "retries a failed run": 2.1},
    "support": {"first pass": 51, "escalated": 13, "success": 87, "errors a failed output": 1.5, "exhausted": 5}
    | {"escalated without correction": 49, "retries a failed run": 1.2},
}
"""What the source of the design claims, in percent unless it is a count; without data behind it."""

_COLUMNS = (
    "arm", "n", "first pass", "success (95 %)", "let through wrong", "escalated", "exhausted", "retries a run",
    "retries a failed run", "fixed at first retry", "errors a failed output", "tokens", "seconds", "minutes saved",
)  # fmt: skip


def tables(found: Sequence[Cell], held: Sequence[Difference]) -> str:
    """Return Markdown: for each domain its arms, why they escalated, and the differences to structured outcomes."""
    return "\n".join(
        line for domain in dict.fromkeys(cell.domain for cell in found) for line in _domain(domain, found, held)
    )


def _domain(domain: str, found: Sequence[Cell], held: Sequence[Difference]) -> Iterator[str]:
    ours = [cell for cell in found if cell.domain == domain]
    yield f"## {domain}\n"
    yield from _table(_COLUMNS, [_row(cell) for cell in ours])
    if published := PUBLISHED.get(domain):
        yield f"\nPublished: {'; '.join(f'{name} {value}' for name, value in published.items())}."
    yield f"\nMinutes saved: in 100 cases, at {HANDLING_MINUTES:g} minutes an escalation, beside one attempt.\n"
    yield from _table(
        ("arm", "escalated by", "most frequent errors"),
        [(f"{cell.arm}", _counts(cell.escalated_by), _counts(cell.frequent)) for cell in ours],
    )
    beside = [item for item in held if item.domain == domain]
    if beside:
        yield ""
        yield from _table(("success of", "above", "n", "difference (95 %)"), [_compared(item) for item in beside])
    yield ""


def _row(cell: Cell) -> tuple[str, ...]:
    low, high = cell.succeeded_interval
    return (
        str(cell.arm),
        str(cell.n),
        _share(cell.first_pass),
        f"{_share(cell.succeeded)} ({low:.0%} to {high:.0%})",
        _share(cell.wrong),
        _share(cell.escalated),
        _share(cell.exhausted),
        f"{cell.retries_per_run:.2f}",
        _figure(cell.retries_per_failed),
        "-" if cell.fixed_at_first_retry is None else _share(cell.fixed_at_first_retry),
        _figure(cell.errors_per_failed_output),
        f"{cell.tokens:.0f}",
        f"{cell.seconds:.1f}",
        "-" if cell.minutes_saved is None else f"{cell.minutes_saved:.0f}",
    )


def _compared(item: Difference) -> tuple[str, ...]:
    interval = f" ({item.interval[0]:+.0%} to {item.interval[1]:+.0%})" if item.interval else ""
    return str(item.arm), str(item.beside), str(item.n), f"{item.mean:+.0%}{interval}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _counts(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts) or "-"


def _share(value: float) -> str:
    return f"{value:.0%}"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
