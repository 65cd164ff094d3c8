"""Print what one attempt of the loop costs outside the model's own calls, in processor time of this process.

Run it with `python -m tests.bench.loop_overhead`. The model is scripted and takes no time, so all that remains is ours:
the prompt, reading the reply, the frame, every validator, the decision. Each case of `fixtures/billing` that can be
drafted is drafted with its best starter, first by a draft that passes, then by one that is refused once and revised.
"""

import json
import platform
import statistics
import sys
import time
from datetime import UTC, datetime

from agent.budget import limits_for
from agent.domains import Case
from agent.domains.domain import Assessment
from agent.fixtures import fixtures
from agent.llm.scripted import ScriptedModel
from agent.loop import run_draft

_RUNS = 5


def _cases() -> list[Case]:
    cases = [fixture.case() for fixture in fixtures("billing")]
    return [case for case in cases if case.framed and case.domain.assess(case.facts, case.sheet) == Assessment()]


def _milliseconds(case: Case, outputs: list[str]) -> float:
    """Return the shortest processor time of one attempt."""
    spent = []
    for _ in range(_RUNS):
        began = time.process_time()
        run = run_draft(case, ScriptedModel(outputs), limits=limits_for(case))
        spent.append((time.process_time() - began) * 1000 / len(run.attempts))
        if len(run.attempts) != len(outputs):
            raise SystemExit(f"{case.sheet.situation}: {len(run.attempts)} attempts: {run.stop.detail}")
    return min(spent)


def main() -> None:
    """Print the median, the 95th percentile and the most, over all cases."""
    sys.stdout.write(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}\n")
    cases = _cases()
    for name, worse in (("passes at once", ()), ("is revised once", ("It was due in July.",))):
        figures = []
        for case in cases:
            good = dict(case.starters()[0].prose)
            first = next(iter(good))
            outputs = [json.dumps({**good, first: bad}) for bad in worse] + [json.dumps(good)]
            figures.append(_milliseconds(case, outputs))
        ranked = sorted(figures)
        sys.stdout.write(
            f"a draft that {name}: {len(ranked)} cases, median {statistics.median(ranked):.1f} ms an attempt, "
            f"95 % under {ranked[int(len(ranked) * 0.95) - 1]:.1f} ms, at most {ranked[-1]:.1f} ms\n"
        )


if __name__ == "__main__":
    main()
