"""Print how long the verifier takes: each check on drafts of 100 to 150 words, and framed bodies of 50 and 500 lines.

Run it with `python -m tests.bench.verify_speed`. Times are of the processor, the shortest of several runs: so
other work on the machine counts less. Free drafts are true cases of a ledger put together, framed ones the
fixtures' first outputs. "never seen" forgets before each run what is remembered of sentences. The other rows do not:
they are a draft read again, as after a revision or an edit. A check alone is timed on a reading whose parts are made;
"reading" is the making of them all.
"""

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from statistics import median, quantiles

from agent.body import Body
from agent.domains import open_case
from agent.fixtures import fixtures
from agent.validators import CHECKS, Author, Reading, run_checks
from tests.agent.judging import NOW, ledger, line

_CASES = Path(__file__).parents[1] / "agent" / "cases"
_RUNS = 5
_OF_SENTENCES = 2048  # the most that any memory of what sentences say holds
_FEWEST, _MOST = 100, 150
_PARTS = ("folded", "bare", "sentences", "mentions", "plain", "figures", "words", "scenes")
_PROSE = {
    "opening": "This is a friendly reminder of the open items on your account.",
    "request": "Please settle the total of [TOTAL_DUE] as soon as you can.",
    "closing": "If you have a question, please reply to this message.",
}
_Made = Callable[[], Reading]


def _is_of_length(text: str) -> bool:
    return _FEWEST <= len(text.split()) <= _MOST


def _free() -> Iterator[_Made]:
    """Put true drafts of a ledger together until they are long enough."""
    cases = json.loads((_CASES / "pass.json").read_text(encoding="utf-8"))
    for path in sorted((_CASES / "ledgers").glob("*.json")):
        sheet = open_case("billing", json.loads(path.read_text(encoding="utf-8"))).sheet
        text = ""
        for case in (case for case in cases if case["ledger"] == path.stem):
            text = f"{text} {case['draft']}".strip()
            if _is_of_length(text):
                rendered = Body.free(text).render({})
                yield lambda sheet=sheet, rendered=rendered: Reading(sheet, rendered)
            if len(text.split()) >= _FEWEST:
                text = ""


def _framed() -> Iterator[_Made]:
    for fixture in fixtures("billing"):
        if (
            fixture.framed
            and fixture.expect.get("state") == "AWAITING_REVIEW"
            and isinstance(fixture.scripted[0], dict)
        ):
            made = _in_frame(fixture.facts, fixture.scripted[0])
            if _is_of_length(made().text):
                yield made


def _in_frame(facts: object, prose: dict[str, str]) -> _Made:
    case = open_case("billing", facts)
    body, slots = case.domain.frame(case, prose), case.slots()
    rendered = body.render(case.slot_values())
    return lambda: Reading(case.sheet, rendered, Author.AGENT, framed=True, slots=slots)


def _milliseconds(work: Callable[[Reading], object], make: _Made) -> float:
    times = []
    for _ in range(_RUNS):
        reading = make()
        start = time.process_time()
        work(reading)
        times.append(time.process_time() - start)
    return min(times) * 1000


def _forget() -> None:
    """Empty the memories of what sentences say."""
    for name in [name for name in sys.modules if name.startswith(("agent.text.", "agent.validators."))]:
        for value in list(vars(sys.modules[name]).values()):
            if hasattr(value, "cache_clear") and value.cache_parameters()["maxsize"] == _OF_SENTENCES:
                value.cache_clear()


def _unseen(make: _Made) -> _Made:
    def read() -> Reading:
        _forget()
        return make()

    return read


def _read(reading: Reading) -> None:
    for part in _PARTS:
        getattr(reading, part)


def _made(make: _Made) -> _Made:
    def read() -> Reading:
        reading = make()
        _read(reading)
        return reading

    return read


def _print(name: str, times: list[float]) -> None:
    p95 = quantiles(times, n=20)[-1]
    sys.stdout.write(f"{name:<28}{median(times):>8.2f}{p95:>8.2f}\n")


def main() -> None:
    """Print machine, day, median and 95th percentile of every check and of all, and the time of long bodies."""
    free, framed = list(_free()), list(_framed())
    sys.stdout.write(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}, ")
    sys.stdout.write(f"{cpu_count()} cores; {len(free)} free and {len(framed)} framed drafts of 100 to 150 words\n")
    sys.stdout.write("ms of processor time            median    95%\n")
    for check in CHECKS:
        work = lambda reading, check=check: list(check.run(reading, check.params))  # noqa: E731 - one line, used here
        _print(check.name, [_milliseconds(work, _made(make)) for make in (*free, *framed)])
    _print("reading", [_milliseconds(_read, make) for make in (*free, *framed)])
    for name, makes in (("all, free", free), ("all, framed", framed), ("all", [*free, *framed])):
        _print(name, [_milliseconds(lambda reading: run_checks(reading, CHECKS, now=NOW), make) for make in makes])
        first = [_milliseconds(lambda reading: run_checks(reading, CHECKS, now=NOW), _unseen(make)) for make in makes]
        _print(f"{name}, never seen", first)
    for count in (50, 500):
        rows = [line(f"BX-{1000 + i}", f"Service number {1000 + i}", 1000 + i) for i in range(count)]
        make = _in_frame(ledger(transactions=rows), _PROSE)
        milliseconds = _milliseconds(lambda reading: run_checks(reading, CHECKS, now=NOW), make)
        sys.stdout.write(f"framed body of {count} lines: {milliseconds:.0f} ms\n")


if __name__ == "__main__":
    main()
