"""Hold a judge against labelled texts: agreement with its interval, bias, and what length and order do to its scores.

Exit 0 with the figures, 2 for bad input, 3 when the model gave no answer (with --scores, run again to go on).
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.calibration import Calibration, Probe
from agent.commands.verify import BadInput, read_facts_file
from agent.facts import FactsInvalid
from agent.judge import Judge
from agent.labels import LabelledText, LabelsInvalid, read_labels
from agent.llm.chat import ModelError
from agent.llm.names import ModelNameError, model_from_name
from agent.scoring import Scorer, ScoresUnreadable, measure

__all__ = ["PUBLISHED", "add_to"]

PUBLISHED = {"qwk": 0.942, "mae": 0.067, "pearson_r": 0.974, "within_1": 1.0, "texts": 15}
"""What the source of the design gives for its judge."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `calibrate`, which prints how far a judge's scores agree with labels."""
    parser = commands.add_parser("calibrate", help="hold a judge against labelled texts", description=__doc__)
    parser.add_argument("--labels", required=True, type=Path, metavar="F.json", help="labelled texts or scored pairs")
    parser.add_argument("--model", help="the judge; without one the file has to hold scores")
    parser.add_argument(
        "--scores", type=Path, metavar="F.jsonl", help="keep the model's scores here, and go on from it"
    )
    parser.add_argument("--probes", type=int, default=10, metavar="N", help="texts to score longer, reversed and again")
    parser.add_argument("--seed", type=int, default=0, help="of the interval")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        items = read_labels(read_facts_file(options.labels))
        scorer = _scorer(options, items)
        found = measure(items, scorer, probes=max(options.probes, 0), now=datetime.now(UTC), seed=options.seed)
    except (BadInput, FactsInvalid, LabelsInvalid, ModelNameError, ScoresUnreadable) as error:
        print(f"{options.labels}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except ModelError as error:
        print(f"{error}", file=sys.stderr)
        return 3
    told = {"model": options.model, **found.as_json(), "unreadable": scorer.unreadable if scorer else 0}
    print(json.dumps({**told, "published": PUBLISHED}, indent=2) if options.json else "\n".join(_shown(found, told)))
    return 0


def _scorer(options: argparse.Namespace, items: tuple[LabelledText, ...]) -> Scorer | None:
    if options.model:
        bare = next((item for item in items if item.facts is None or not item.text), None)
        if bare:
            raise LabelsInvalid(f"{bare.id} has no facts or no text, so a model cannot score it. Leave --model out.")
        return Scorer(Judge(model_from_name(options.model, environ=os.environ)), options.scores)
    unscored = next((item for item in items if item.scores is None), None)
    if unscored:
        raise LabelsInvalid(f"{unscored.id} has no scores. Give --model, or scores for every text.")
    return None


def _shown(found: Calibration, told: dict[str, Any]) -> Iterator[str]:
    interval = f" (95 % {found.interval[0]:.3f} to {found.interval[1]:.3f})" if found.interval else ""
    rows = (
        ("texts, scores", f"{found.texts}, {found.pairs}", f"{PUBLISHED['texts']}"),
        ("quadratic kappa", f"{_figure(found.kappa)}{interval}", f"{PUBLISHED['qwk']}"),
        ("mean absolute error", _figure(found.error), f"{PUBLISHED['mae']}"),
        ("Pearson r", _figure(found.pearson), f"{PUBLISHED['pearson_r']}"),
        ("within 1", _figure(found.within_one), f"{PUBLISHED['within_1']:.3f}"),
        ("equal", _figure(found.exact), ""),
        ("bias (score - label)", _figure(found.bias), ""),
        ("r of prose words and score - label", _figure(found.length_correlation), ""),
        ("scored 4-5 though its hard check fails", _figure(found.overrated), ""),
        ("longer text", _probed(found.length), ""),
        ("criteria reversed", _probed(found.order), ""),
        ("asked again", _probed(found.repeat), ""),
        ("unreadable", str(told["unreadable"]), ""),
    )
    yield f"{'':40}{'here':>34}  {'published':>9}"
    yield from (f"{name:40}{value:>34}  {published:>9}" for name, value, published in rows)
    yield "labels (rows) by scores (columns), 1 to 5:"
    yield from (" ".join(f"{count:>5}" for count in row) for row in found.confusion)
    yield f"bar {told['bar']}: the judge {'may gate' if told['gates'] else 'is advice only'}"


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _probed(found: Probe | None) -> str:
    if found is None:
        return "not tried"
    return f"{found.mean_change:+.3f}, {found.share_raised:.0%} raised, {found.share_changed:.0%} changed"
