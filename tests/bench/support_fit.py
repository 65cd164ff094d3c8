"""Fit the weights of the support check's signals on labelled drafts: `python -m tests.bench.support_fit FILE...`.

Logistic regression with a quadratic penalty, on standardised signals, each draft's rows weighing the same. Prints what
cross-validation over drafts gives, and writes agent/support/blend.json with the command that made it.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from agent.support.lexicon import read_sentence
from agent.support.signals import Evidence, signals
from agent.support.statements import statements
from agent.text import nfc
from tests.bench.support_labels import Labelled, is_marked, read_labelled

_BLEND = Path("agent/support/blend.json")
_FOLDS = 10
_FLAGGED = 0.12  # share of clean drafts that the threshold may flag


def rows(drafts: Sequence[Labelled]) -> list[tuple[str, bool, Mapping[str, float]]]:
    """Return draft, label and signals of every sentence; ambiguous ones are left out."""
    found = []
    for draft in drafts:
        evidence, text = Evidence.of(draft.facts), nfc(draft.text)
        parts = statements(text)
        for place, part in enumerate(parts):
            if is_marked(text, part.span, draft.ambiguous) and not is_marked(text, part.span, draft.unsupported):
                continue
            values = signals(read_sentence(part.text), evidence, place=place / max(1, len(parts) - 1))
            found.append((draft.id, is_marked(text, part.span, draft.unsupported), values))
    return found


def fitted(table: Sequence[tuple[str, bool, Mapping[str, float]]], penalty: float) -> tuple[float, dict[str, float]]:
    """Return intercept and weights on the signals as they are, not standardised."""
    names = sorted(table[0][2])
    values = np.array([[row[2][name] for name in names] for row in table])
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=penalty, max_iter=5000).fit(scaler.transform(values), [row[1] for row in table])
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - np.dot(weights, scaler.mean_))
    return intercept, dict(zip(names, map(float, weights), strict=True))


def against(values: Mapping[str, float], fit: tuple[float, Mapping[str, float]]) -> float:
    """Return the log-odds that a sentence is unsupported."""
    return fit[0] + sum(fit[1][name] * value for name, value in values.items())


def folded_scores(table: Sequence[tuple[str, bool, Mapping[str, float]]], penalty: float) -> list[float]:
    """Return for every row the log-odds by weights that were fitted without its draft's fold."""
    ids = sorted({row[0] for row in table})
    folds = {name: place % _FOLDS for place, name in enumerate(np.random.default_rng(0).permutation(ids))}
    scores = [0.0] * len(table)
    for fold in range(_FOLDS):
        fit = fitted([row for row in table if folds[row[0]] != fold], penalty)
        for place, row in enumerate(table):
            if folds[row[0]] == fold:
                scores[place] = against(row[2], fit)
    return scores


def figures(table: Sequence[tuple[str, bool, Mapping[str, float]]], scores: Sequence[float]) -> dict[str, Any]:
    """Return top-1, top-2 and, at the threshold that flags the allowed share of clean drafts, the share caught."""
    by_draft: dict[str, list[tuple[float, bool]]] = {}
    for row, score in zip(table, scores, strict=True):
        by_draft.setdefault(row[0], []).append((score, row[1]))
    ordered = {name: sorted(found, reverse=True) for name, found in by_draft.items()}
    bad = [found for found in ordered.values() if any(label for _, label in found)]
    clean = sorted((found[0][0] for found in ordered.values() if not any(label for _, label in found)), reverse=True)
    threshold = clean[int(_FLAGGED * len(clean))]
    return {
        "drafts": len(bad),
        "top1": sum(found[0][1] for found in bad) / len(bad),
        "top2": sum(any(label for _, label in found[:2]) for found in bad) / len(bad),
        "caught": sum(found[0][0] > threshold for found in bad) / len(bad),
        "threshold": threshold,
    }


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--penalty", type=float, default=0.1)
    options = parser.parse_args()
    table = rows([draft for file in options.files for draft in read_labelled(file)])
    report = figures(table, folded_scores(table, options.penalty))
    sys.stdout.write(f"{json.dumps(report)}\n")
    intercept, weights = fitted(table, options.penalty)
    blend = json.loads(_BLEND.read_text(encoding="utf-8"))
    blend |= {
        "made_by": f"python -m tests.bench.support_fit {' '.join(sys.argv[1:])}",
        "intercept": round(intercept, 4),
        "weights": {name: round(weight, 4) for name, weight in weights.items()},
        "threshold": round(1 / (1 + float(np.exp(report["threshold"]))), 4),
    }
    _BLEND.write_text(json.dumps(blend, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
