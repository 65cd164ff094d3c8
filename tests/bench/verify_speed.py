"""Print how long the verifier takes: a free text of 800 characters, and framed bodies of 50 and 500 lines.

Run it with `python -m tests.bench.verify_speed`. Each figure is the shortest of several runs, in wall-clock time.
"""

import sys
import time
from collections.abc import Callable

from agent.domains import open_case
from agent.validators import Verdict, verify_body
from tests.agent.judging import NOW, OPENING, judge, ledger, line

_PROSE = {
    "opening": "This is a friendly reminder of the open items on your account.",
    "request": "Please settle the total of [TOTAL_DUE] as soon as you can.",
    "closing": "If you have a question, please reply to this message.",
}
_TEXT = (
    OPENING
    + "BX-301 (Refrigeration service) is for $980.00 and was due on April 10, 2026, which makes it 40 days overdue. "
    "BX-302 (Shelf labels, 12 rolls) is for $750.00 and was due on May 4, 2026. This is our second reminder. "
    "Together the two invoices come to $1,730.00, and we would be glad to see them settled as soon as you can. "
    "If something about the invoices is unclear to you, please reply to this message and tell us what is missing, so "
    "that we can look into it with our colleagues and come back to you with an answer. If the payment is already on "
    "its way, please accept our thanks and disregard this message. We value working with you and your team, and hope "
    "to go on doing so for a long time.\nKind regards\nTheo Lind"
)


def _shortest_seconds(verified: Callable[[], Verdict], runs: int) -> float:
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        verdict = verified()
        seconds.append(time.perf_counter() - start)
        if verdict.verdict != "PASS":
            raise SystemExit(f"a true draft fails: {[outcome.evidence for outcome in verdict.failures]}")
    return min(seconds)


def _framed(count: int) -> Callable[[], Verdict]:
    rows = [line(f"BX-{1000 + i}", f"Service number {1000 + i}", 1000 + i) for i in range(count)]
    case = open_case("billing", ledger(transactions=rows))
    body, slots, values = case.domain.frame(case, _PROSE), case.slots(), case.slot_values()
    return lambda: verify_body(body, sheet=case.sheet, slots=slots, values=values, now=NOW)


def main() -> None:
    """Print one line for each size."""
    milliseconds = _shortest_seconds(lambda: judge(_TEXT), 50) * 1000
    sys.stdout.write(f"free text, {len(_TEXT)} characters: {milliseconds:.1f} ms\n")
    for count, runs in ((50, 10), (500, 5)):
        sys.stdout.write(f"framed body, {count} lines: {_shortest_seconds(_framed(count), runs):.2f} s\n")


if __name__ == "__main__":
    main()
