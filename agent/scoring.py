"""Score labelled texts with a judge, keep every score as it comes, and go on where an earlier run ended."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from agent.calibration import Calibration, calibrate, overrated, padded, probe
from agent.domains import Case, open_case
from agent.judge import Judge
from agent.labels import LabelledText
from agent.rubric import MAX_SCORE, MIN_SCORE
from agent.verify import verify

__all__ = ["Scorer", "ScoresUnreadable", "measure"]

_DEADLINE_SECONDS = 1800.0
_LOWEST = 1


class ScoresUnreadable(ValueError):
    """Refuse a file of scores that another model wrote, or that holds no scores."""


@dataclass(frozen=True, slots=True)
class _Variant:
    """One way to score a text: as it is, longer, with the criteria in reverse, or with another seed."""

    name: str
    longer: bool = False
    reversed: bool = False
    seed: int = 0


_MAIN = _Variant("main")
_LONGER = _Variant("padded", longer=True)
_REVERSED = _Variant("reversed", reversed=True)
_AGAIN = _Variant("repeat", seed=1)


class Scorer:
    """Score texts by their rubrics; with a file, scores are kept there, one JSON line each, and not asked for twice.

    Raise ModelError when the model cannot be reached: scores so far are kept. A text whose judgement cannot be read
    scores 1 throughout; `unreadable` counts them.
    """

    def __init__(self, judge: Judge, kept: Path | None = None) -> None:
        self.judge = judge
        self.unreadable = 0
        self._kept = kept
        self._scores: dict[str, Mapping[str, int]] = {}
        if kept and kept.exists():
            self._scores, self.unreadable = _read(kept, judge.model.name)

    def score(self, item: LabelledText, variant: _Variant = _MAIN) -> Mapping[str, int]:
        """Return a text's scores by criterion."""
        key = f"{variant.name}/{item.id}"
        if key not in self._scores:
            before = self.unreadable
            self._scores[key] = self._asked(item, variant)
            if self._kept:
                line: dict[str, Any] = {"key": key, "model": self.judge.model.name, "scores": dict(self._scores[key])}
                if self.unreadable > before:
                    line["unreadable"] = True
                with self._kept.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(line)}\n")
        return self._scores[key]

    def _asked(self, item: LabelledText, variant: _Variant) -> Mapping[str, int]:
        case = open_case("tasks", item.facts)
        rubric = case.rubric
        if rubric is None:
            raise ScoresUnreadable(f"{item.id} has no rubric. Give one in its facts.")
        scored = self.judge.score(
            replace(rubric, criteria=rubric.criteria[::-1]) if variant.reversed else rubric,
            task=case.domain.particulars(case),
            text=padded(item.text) if variant.longer else item.text,
            deadline_seconds=_DEADLINE_SECONDS,
            seed=variant.seed,
        )
        if scored.judgement is None:
            self.unreadable += 1
            return {criterion.id: _LOWEST for criterion in rubric.criteria}
        return scored.judgement.scores


def measure(
    items: Sequence[LabelledText], scorer: Scorer | None, *, probes: int, now: datetime, seed: int = 0
) -> Calibration:
    """Calibrate on labelled texts: with a scorer all are scored anew, and `probes` of them three more times.

    Without one every text has to come with scores.
    """
    scored = [replace(item, scores=scorer.score(item)) for item in items] if scorer else list(items)
    graded = ((item.scores or {}, _held(item, now)) for item in scored if item.facts is not None)
    share = overrated(graded)
    if scorer is None:
        return calibrate(scored, overrated=share, seed=seed)
    tried = scored[:: max(1, len(scored) // probes)][:probes] if probes else []
    plain = [scorer.score(item) for item in tried]
    longer, turned, again = ([scorer.score(item, it) for item in tried] for it in (_LONGER, _REVERSED, _AGAIN))
    return calibrate(
        scored,
        length=probe(plain, longer),
        order=probe(plain, turned),
        repeat=probe(plain, again),
        overrated=share,
        seed=seed,
    )


def _held(item: LabelledText, now: datetime) -> dict[str, bool]:
    """Return by criterion whether the hard checks that ask the same held."""
    case: Case = open_case("tasks", item.facts)
    if case.rubric is None or not case.rubric.hard_checks:
        return {}
    checks = case.rubric.checks_held(verify(item.text, domain="tasks", facts=item.facts, now=now).outcomes)
    held: dict[str, bool] = {}
    for hard in case.rubric.hard_checks:
        if hard.criterion:
            held[hard.criterion] = held.get(hard.criterion, True) and checks[hard.id]
    return held


def _read(file: Path, model: str) -> tuple[dict[str, Mapping[str, int]], int]:
    """Return the scores of a file by key, and how many of its judgements could not be read."""
    found: dict[str, Mapping[str, int]] = {}
    unreadable = 0
    for place, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            kept: Any = json.loads(line)
            key, by, scores = kept["key"], kept["model"], kept["scores"]
            usable = all(type(score) is int and MIN_SCORE <= score <= MAX_SCORE for score in scores.values())
        except (ValueError, KeyError, TypeError, AttributeError):
            usable = False
        if not usable:
            raise ScoresUnreadable(f"{file}: line {place} holds no scores. Remove it, or give another file.")
        if by != model:
            raise ScoresUnreadable(f"{file}: line {place} was scored by {by}, not {model}. Give another file.")
        found[key] = scores
        unreadable += bool(kept.get("unreadable"))
    return found, unreadable
