"""Hold a judge against labelled texts: agreement with its interval, bias, and whether length or order move its scores.

A judge gates only while its calibration holds: the lower bound of its kappa's interval reaches the bar, there were
enough texts, and padding a text did not raise its scores.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from agent import agreement
from agent.agreement import Interval, Pair
from agent.labels import LabelledText

__all__ = [
    "BAR",
    "ENOUGH_PADDED",
    "ENOUGH_TEXTS",
    "Calibration",
    "Probe",
    "calibrate",
    "overrated",
    "padded",
    "probe",
    "prose_words",
]

BAR = 0.70
"""What the lower bound of kappa has to reach: the usual bar for a machine that scores beside a person."""

ENOUGH_TEXTS = 30
"""Fewer texts prove nothing: fifteen that all agree would give an interval of no width."""

ENOUGH_PADDED = 10
"""Fewer texts made longer say nothing of what length does to the scores."""

Scores = Mapping[str, int]

_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_WORD = re.compile(r"[^\W_](?:\S*[^\W_])?")
_PADDING = (
    "As was said above, the points made here stand as they are.",
    "This paragraph repeats them in other words and adds nothing to them.",
    "The reader may take it that what has been written has been written with the reader in mind.",
)


@dataclass(frozen=True, slots=True)
class Probe:
    """Hold how scores moved when something changed that should not matter; shares are of scores, not of texts."""

    texts: int
    scores: int
    mean_change: float
    share_raised: float
    share_changed: float

    @property
    def rises(self) -> bool:
        """Tell whether scores went up on the whole."""
        return self.mean_change > 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Hold the measures of one judge; None is undefined, and a probe that was not made is None too.

    `length_correlation` is that of prose words with score minus label. `overrated` is the share of criteria scored 4 or
    5 whose hard check fails.
    """

    texts: int
    pairs: int
    kappa: float | None
    interval: Interval | None
    error: float | None
    pearson: float | None
    within_one: float | None
    exact: float | None
    bias: float | None
    confusion: tuple[tuple[int, ...], ...]
    by_criterion: Mapping[str, float | None]
    length_correlation: float | None
    length: Probe | None = None
    order: Probe | None = None
    repeat: Probe | None = None
    overrated: float | None = None

    def holds(self, bar: float = BAR) -> bool:
        """Tell whether the judge may gate; without an interval, or enough texts and padded texts, never."""
        sure = self.kappa is not None and self.interval is not None and self.interval[0] >= bar
        steady = self.length is not None and self.length.texts >= ENOUGH_PADDED and not self.length.rises
        return sure and self.texts >= ENOUGH_TEXTS and steady

    def as_json(self) -> dict[str, Any]:
        """Return the measures as plain data."""
        return {
            "texts": self.texts,
            "pairs": self.pairs,
            "qwk": self.kappa,
            "qwk_interval": list(self.interval) if self.interval else None,
            "qwk_undefined": self.kappa is None,
            "mae": self.error,
            "pearson_r": self.pearson,
            "within_1": self.within_one,
            "exact": self.exact,
            "bias": self.bias,
            "confusion": [list(row) for row in self.confusion],
            "qwk_by_criterion": dict(self.by_criterion),
            "length_correlation": self.length_correlation,
            "length_bias": _probe_json(self.length),
            "order": _probe_json(self.order),
            "repeat": _probe_json(self.repeat),
            "overrated": self.overrated,
            "bar": BAR,
            "gates": self.holds(),
        }


def calibrate(
    scored: Sequence[LabelledText],
    *,
    length: Probe | None = None,
    order: Probe | None = None,
    repeat: Probe | None = None,
    overrated: float | None = None,
    seed: int = 0,
) -> Calibration:
    """Measure texts that have been scored; the interval is over texts, drawn with `seed`."""
    groups = [item.pairs for item in scored]
    pairs: list[Pair] = [pair for group in groups for pair in group]
    off = [
        (float(prose_words(item.text)), float(score - label))
        for item in scored
        if item.text
        for label, score in item.pairs
    ]
    return Calibration(
        texts=len(scored),
        pairs=len(pairs),
        kappa=agreement.quadratic_kappa(pairs),
        interval=agreement.bootstrap(groups, agreement.quadratic_kappa, seed=seed),
        error=agreement.mean_absolute_error(pairs),
        pearson=agreement.pearson(pairs),
        within_one=agreement.within_one(pairs),
        exact=agreement.exact(pairs),
        bias=agreement.bias(pairs),
        confusion=agreement.confusion(pairs),
        by_criterion=_by_criterion(scored),
        length_correlation=agreement.pearson(off),
        length=length,
        order=order,
        repeat=repeat,
        overrated=overrated,
    )


def probe(before: Sequence[Scores], after: Sequence[Scores]) -> Probe | None:
    """Compare two scorings of the same texts, criterion by criterion; None when there is nothing to compare."""
    changes = [
        second[name] - first[name]
        for first, second in zip(before, after, strict=True)
        for name in first
        if name in second
    ]
    if not changes:
        return None
    return Probe(
        texts=len(before),
        scores=len(changes),
        mean_change=fmean(changes),
        share_raised=fmean(change > 0 for change in changes),
        share_changed=fmean(change != 0 for change in changes),
    )


def padded(text: str) -> str:
    """Return a text made at least twice as long by sentences that add nothing."""
    filling: list[str] = []
    while sum(map(len, filling)) <= len(text):
        filling += _PADDING
    return f"{text}\n\n{' '.join(filling)}"


def prose_words(text: str) -> int:
    """Count the words of a text outside fenced code blocks; a fence that is never closed runs to the end."""
    return len(_WORD.findall(_without_code(text)))


def overrated(graded: Iterable[tuple[Scores, Mapping[str, bool]]]) -> float | None:
    """Return the share of criteria scored 4 or 5 whose hard check fails.

    Each pair is the scores of one text and, by criterion, whether the hard checks that ask the same held. None when no
    such criterion was scored 4 or 5.
    """
    failed = [not held for scores, checks in graded for name, held in checks.items() if scores.get(name, 1) >= 4]
    return fmean(failed) if failed else None


def _by_criterion(scored: Sequence[LabelledText]) -> dict[str, float | None]:
    pairs: dict[str, list[Pair]] = {}
    for item in scored:
        for name, pair in zip(item.labels, item.pairs, strict=True):
            pairs.setdefault(name, []).append(pair)
    return {name: agreement.quadratic_kappa(ours) for name, ours in pairs.items()}


def _without_code(text: str) -> str:
    kept: list[str] = []
    opened = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        mark = fence["mark"] if fence else ""
        if opened:
            if mark.startswith(opened) and not line.strip().strip(opened[0]):
                opened = ""
        elif mark:
            opened = mark
        else:
            kept.append(line)
    return "\n".join(kept)


def _probe_json(found: Probe | None) -> dict[str, Any] | None:
    return {**asdict(found), "rises": found.rises} if found else None
