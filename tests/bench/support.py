"""Measure the support check on labelled drafts: `python -m tests.bench.support FILE... [--model M]`.

Prints, with 95 % intervals (Wilson), how often the unsupported sentence of a bad draft is the first, or among the first
two, to be read; how many bad drafts the frozen threshold catches and how many clean ones it flags; and the seconds a
draft takes, as processor time of this process and as the model's own. Nothing is fitted here.
"""

import argparse
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.llm.chat import ChatModel
from agent.llm.names import model_from_name
from agent.support.rank import Ranking, rank
from agent.text import nfc
from tests.bench.support_labels import Labelled, is_marked, read_labelled

_Z = 1.96


@dataclass(frozen=True, slots=True)
class Result:
    """Hold how one draft came out; `found_at` is the place of its first unsupported sentence, 0 for the first."""

    draft: Labelled
    ranking: Ranking
    found_at: int | None
    seconds: float


def measured(draft: Labelled, model: ChatModel | None) -> Result:
    """Rank one draft; sentences that are only ambiguous are passed over when the place is counted."""
    text = nfc(draft.text)
    began = time.process_time()
    ranking = rank(text, draft.facts, model, deadline_seconds=600.0)
    seconds = time.process_time() - began
    place = 0
    for scored in ranking.scored:
        if is_marked(text, scored.statement.span, draft.unsupported):
            return Result(draft, ranking, place, seconds)
        place += not is_marked(text, scored.statement.span, draft.ambiguous)
    return Result(draft, ranking, None, seconds)


def interval(hits: int, of: int) -> str:
    """Return a share with its Wilson interval, in per cent."""
    if not of:
        return "none"
    share, spread = hits / of, _Z**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return f"{hits}/{of} = {share:.0%} ({middle - half:.0%} to {middle + half:.0%})"


def table(results: Sequence[Result]) -> list[str]:
    """Return the rows of the table, as Markdown."""
    bad = [result for result in results if result.draft.unsupported]
    clean = [result for result in results if not result.draft.unsupported]
    first = sum(result.found_at == 0 for result in bad)
    among = sum(result.found_at is not None and result.found_at < 2 for result in bad)
    spent = sum(result.seconds for result in results)
    answers = [answer.seconds for result in results for answer in result.ranking.answers]
    return [
        f"| unsupported sentence is the first to read | {interval(first, len(bad))} |",
        f"| it is among the first two | {interval(among, len(bad))} |",
        f"| bad drafts flagged | {interval(sum(result.ranking.flagged for result in bad), len(bad))} |",
        f"| clean drafts flagged | {interval(sum(result.ranking.flagged for result in clean), len(clean))} |",
        f"| processor time, model apart, a draft | {1000 * spent / len(results):.0f} ms |",
        f"| model time, a draft | {sum(answers) / len(results):.1f} s in {len(answers) / len(results):.1f} calls |",
    ]


def by_domain(results: Sequence[Result]) -> list[str]:
    """Return top-1 and top-2 for each domain."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.draft.unsupported:
            groups[result.draft.domain].append(result)
    return [
        f"| {domain} | {sum(r.found_at == 0 for r in group)}/{len(group)} "
        f"| {sum(r.found_at is not None and r.found_at < 2 for r in group)}/{len(group)} |"
        for domain, group in sorted(groups.items())
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--model", default="none", help="none, embedded, ollama:NAME, openai:URL#NAME")
    parser.add_argument("--first", type=int, help="only so many drafts of each file, from its beginning")
    options = parser.parse_args()
    model = None if options.model == "none" else model_from_name(options.model, environ=os.environ)
    for file in options.files:
        results = [measured(draft, model) for draft in read_labelled(file)[: options.first]]
        notes = sorted({result.ranking.checked_by for result in results})
        lines = [f"{file}, {len(results)} drafts, {'; '.join(notes)}", "", "| | |", "|---|---|", *table(results)]
        lines += ["", "| domain | first | first two |", "|---|---|---|", *by_domain(results), ""]
        sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
