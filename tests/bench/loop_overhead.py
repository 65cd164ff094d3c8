"""Print what one attempt of the loop costs outside the model's own calls, in processor time of this process.

Run it with `python -m tests.bench.loop_overhead`. The model is scripted, and its own time is taken off, so all that
remains is ours: the prompt, reading the reply, the frame, every validator, the decision. The share of the validators is
shown beside. Each case of `fixtures/billing` that can be
drafted is drafted with its best starter, first by a draft that passes, then by one that is refused once and revised.
"""

import json
import platform
import statistics
import sys
import time
from datetime import UTC, datetime
from typing import Any

from agent.budget import limits_for
from agent.domains import Case
from agent.domains.domain import Assessment
from agent.fixtures import fixtures
from agent.llm.chat import Reply
from agent.llm.scripted import ScriptedModel
from agent.loop import DraftRun, run_draft
from agent.validators.verify import verify_body

_RUNS = 5


def _cases() -> list[Case]:
    cases = [fixture.case() for fixture in fixtures("billing")]
    return [case for case in cases if case.framed and case.domain.assess(case.facts, case.sheet) == Assessment()]


class _Timed:
    """Answer as a script does, and count the time of it."""

    name = "scripted"

    def __init__(self, outputs: list[str]) -> None:
        self._script = ScriptedModel(outputs)
        self.seconds = 0.0

    def chat(self, *given: Any, **how: Any) -> Reply:
        began = time.process_time()
        reply = self._script.chat(*given, **how)
        self.seconds += time.process_time() - began
        return reply


def _milliseconds(case: Case, outputs: list[str]) -> tuple[float, float]:
    """Return the shortest processor time of one attempt, and that of the validators in it."""
    spent = []
    for _ in range(_RUNS):
        model = _Timed(outputs)
        began = time.process_time()
        run = run_draft(case, model, limits=limits_for(case))
        spent.append((time.process_time() - began - model.seconds) * 1000 / len(run.attempts))
        if len(run.attempts) != len(outputs):
            raise SystemExit(f"{case.sheet.situation}: {len(run.attempts)} attempts: {run.stop.detail}")
    return min(spent), min(_verified(case, run) for _ in range(_RUNS))


def _verified(case: Case, run: DraftRun) -> float:
    slots, values, checks = case.slots(), case.slot_values(), case.checks()
    began = time.process_time()
    for attempt in run.attempts:
        assert attempt.body
        verify_body(attempt.body, sheet=case.sheet, slots=slots, values=values, now=attempt.started_at, checks=checks)
    return (time.process_time() - began) * 1000 / len(run.attempts)


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
        ranked = sorted(whole for whole, _ in figures)
        others = statistics.median(whole - verified for whole, verified in figures)
        sys.stdout.write(
            f"a draft that {name}: {len(ranked)} cases, median {statistics.median(ranked):.1f} ms an attempt, "
            f"95 % under {ranked[int(len(ranked) * 0.95) - 1]:.1f} ms, at most {ranked[-1]:.1f} ms; "
            f"without the validators {others:.1f} ms\n"
        )


if __name__ == "__main__":
    main()
