"""Fit the weights of the support check's signals on labelled drafts: `python -m tests.bench.support_fit FILE...`.

Logistic regression whose weights start from what each signal is expected to mean (PRIOR: mean, spread, least, most) and
move only as far as the labels push them: some kinds of claim stand in a handful of drafts. Prints what cross-validation
over drafts gives, and writes agent/support/blend.json with the command that made it.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from agent.support.lexicon import read_sentence
from agent.support.signals import Evidence, place_of, signals
from agent.support.statements import statements
from agent.text import nfc
from tests.bench.support_labels import Labelled, is_marked, read_labelled

_BLEND = Path("agent/support/blend.json")
_FOLDS = 10
_FLAGGED = 0.12  # share of clean drafts that the threshold may flag
_START = -3.0
_Prior = tuple[float, float, float | None, float | None]
_HARD: _Prior = (1.2, 0.7, 0.0, None)
_SOFT: _Prior = (0.5, 0.5, 0.0, None)
PRIOR: Mapping[str, _Prior] = {
    **dict.fromkeys(("fee", "refund", "reduction", "agreement", "threat", "attachment"), _HARD),
    **dict.fromkeys(("permission", "duty", "promise", "action", "status", "cause", "deadline"), _SOFT),
    **dict.fromkeys(("sweeping", "mind", "universal", "opposite"), _SOFT),
    "figures": (1.0, 0.3, 0.0, None),
    "dates": (1.2, 0.5, 0.0, None),
    "contacts": (2.0, 0.5, 0.0, None),
    "misvalued": (1.2, 0.7, 0.0, None),
    "history": (1.0, 0.7, 0.0, None),
    "denial": (1.2, 0.6, 0.0, None),
    "silence": (1.0, 0.7, 0.0, None),
    "misplaced": (1.0, 0.7, 0.0, None),
    "denied": (0.7, 0.5, 0.0, None),
    "novel": (0.7, 0.5, 0.0, None),
    "novel_asked": (0.0, 0.5, None, None),
    "novel_share": (0.3, 0.5, 0.0, None),
    "uncovered": (0.5, 0.7, 0.0, None),
    "bare": (-0.5, 0.7, None, None),
    "small_figures": (0.2, 0.3, 0.0, None),
    "durations": (2.0, 0.4, 0.0, None),
    "names": (0.7, 0.5, 0.0, None),
    "other_polarity": (1.0, 1.0, 0.0, None),
    "same_polarity": (-0.5, 1.0, None, 0.5),
    "unknown": (1.0, 1.0, 0.0, None),
    "compares": (0.2, 0.4, None, None),
    "orders": (0.2, 0.4, None, None),
    "asks": (-1.0, 0.6, None, 0.0),
    "thanks": (-1.0, 0.6, None, 0.0),
    "supposes": (-0.3, 0.5, None, None),
    "length": (0.2, 0.5, None, None),
    "first": (-1.0, 0.6, None, 0.0),
    "last": (-0.7, 0.6, None, 0.0),
}
_OTHER: _Prior = (0.0, 0.5, None, None)
Row = tuple[str, bool, Mapping[str, float]]
Fit = tuple[float, Mapping[str, float]]


def rows(drafts: Sequence[Labelled]) -> list[Row]:
    """Return draft, label and signals of every sentence; ambiguous ones are left out."""
    found = []
    for draft in drafts:
        evidence, text = Evidence.of(draft.facts), nfc(draft.text)
        parts = statements(text)
        for place, part in enumerate(parts):
            label = is_marked(text, part.span, draft.unsupported)
            if label or not is_marked(text, part.span, draft.ambiguous):
                values = signals(read_sentence(part.text), evidence, place=place_of(place, len(parts)))
                found.append((draft.id, label, values))
    return found


def fitted(table: Sequence[Row]) -> Fit:
    """Return intercept and weights."""
    names = sorted(table[0][2])
    values = np.array([[row[2][name] for name in names] for row in table])
    labels = np.array([float(row[1]) for row in table])
    priors = [PRIOR.get(name, _OTHER) for name in names]
    means, spreads, least, most = (list(part) for part in zip(*priors, strict=True))
    centre, spread = np.array(means), np.array(spreads)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = weights[0] + values @ weights[1:]
        pull = (weights[1:] - centre) / spread
        error = 1 / (1 + np.exp(-odds)) - labels
        total = np.logaddexp(0, np.where(labels > 0, -odds, odds)).sum() + 0.5 * (pull**2).sum()
        return total, np.concatenate([[error.sum()], values.T @ error + pull / spread])

    bounds = [(None, None), *zip(least, most, strict=True)]
    found = minimize(loss, np.concatenate([[_START], centre]), jac=True, method="L-BFGS-B", bounds=bounds).x
    return float(found[0]), dict(zip(names, map(float, found[1:]), strict=True))


def against(values: Mapping[str, float], fit: Fit) -> float:
    """Return the log-odds that a sentence is unsupported."""
    return fit[0] + sum(fit[1][name] * value for name, value in values.items())


def held_out_scores(table: Sequence[Row]) -> list[float]:
    """Return for every row the log-odds by weights that were fitted without its draft's fold."""
    ids = sorted({row[0] for row in table})
    folds = {str(name): place % _FOLDS for place, name in enumerate(np.random.default_rng(0).permutation(ids))}
    fits = [fitted([row for row in table if folds[row[0]] != fold]) for fold in range(_FOLDS)]
    return [against(row[2], fits[folds[row[0]]]) for row in table]


def figures(table: Sequence[Row], scores: Sequence[float]) -> dict[str, Any]:
    """Return top-1, top-2 and, at the threshold that flags the allowed share of clean drafts, the share caught."""
    by_draft: dict[str, list[tuple[float, bool]]] = {}
    for row, score in zip(table, scores, strict=True):
        by_draft.setdefault(row[0], []).append((score, row[1]))
    ordered = [sorted(found, reverse=True) for found in by_draft.values()]
    bad = [found for found in ordered if any(label for _, label in found)]
    clean = sorted((found[0][0] for found in ordered if not any(label for _, label in found)), reverse=True)
    threshold = clean[int(_FLAGGED * len(clean))]
    return {
        "drafts": len(bad),
        "top1": round(sum(found[0][1] for found in bad) / len(bad), 3),
        "top2": round(sum(any(label for _, label in found[:2]) for found in bad) / len(bad), 3),
        "caught": round(sum(found[0][0] > threshold for found in bad) / len(bad), 3),
        "threshold": round(float(threshold), 3),
    }


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    table = rows([draft for file in parser.parse_args().files for draft in read_labelled(file)])
    report = figures(table, held_out_scores(table))
    sys.stdout.write(f"cross-validated: {json.dumps(report)}\n")
    intercept, weights = fitted(table)
    blend = json.loads(_BLEND.read_text(encoding="utf-8"))
    blend |= {
        "made_by": f"python -m tests.bench.support_fit {' '.join(sys.argv[1:])}",
        "intercept": round(intercept, 3),
        "weights": {name: round(weight, 3) for name, weight in weights.items()},
    }
    _BLEND.write_text(json.dumps(blend, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
