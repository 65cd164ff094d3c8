"""Spoil true drafts of the example cases in every way the domain knows, and show what the verifier catches.

Exit 0 when nothing got through and no true draft was refused, 1 otherwise, 2 when there are no examples to spoil.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from agent.commands import advisers
from agent.domains import DOMAINS
from agent.fixtures import FIXTURES, draftable
from agent.llm.names import ModelNameError
from agent.loop import Clock
from agent.teeth import Bite, Teeth, bite

__all__ = ["add_to"]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `teeth`, which exits 1 when something got through or a true draft was refused."""
    parser = commands.add_parser("teeth", help="spoil true drafts and count what is caught", description=__doc__)
    parser.add_argument("--domain", choices=sorted(DOMAINS), help="one domain; else all")
    parser.add_argument("--model", help="a model to ask about what is wrong only in meaning; else that is undecided")
    parser.add_argument("--fixtures", type=Path, default=FIXTURES, metavar="DIR", help="folder of the example cases")
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    domains = [options.domain] if options.domain else sorted(DOMAINS)
    cases = {
        name: fixture.case() for domain in domains for name, fixture in draftable(domain, options.fixtures).items()
    }
    if not cases:
        print(f"{options.fixtures}: holds no example cases. Give the fixtures folder of a checkout.", file=sys.stderr)
        return 2
    try:
        asked = (*advisers.support_check(options.model), *advisers.judge(options.model))
    except ModelNameError as error:
        print(error, file=sys.stderr)
        return 2
    table = bite(cases, clock=Clock(), advisers=asked)
    print(json.dumps(table.as_json(), indent=2) if options.json else _shown(table))
    return 1 if table.missed or table.clean_rejected else 0


def _shown(table: Teeth) -> str:
    kinds: dict[str, list[Bite]] = defaultdict(list)
    for item in table.cases:
        kinds[item.kind].append(item)
    rows = [_row(kind, bites) for kind, bites in kinds.items()]
    missed = [f"got through: {item.id}" for item in table.missed]
    clean = f"true drafts refused: {table.clean_rejected} of {table.clean}"
    if table.clean_doubted is not None:
        clean += f"; doubted by the model: {table.clean_doubted}"
    return "\n".join((f"{'kind':24} {'caught':>9}  found as", *rows, *missed, clean))


def _row(kind: str, bites: Sequence[Bite]) -> str:
    caught = sum(item.caught is True for item in bites)
    errors = sorted({error for item in bites for error in item.errors})
    undecided = sum(item.caught is None for item in bites)
    note = f" ({undecided} need a model)" if undecided else ""
    return f"{kind:24} {f'{caught}/{len(bites)}':>9}  {', '.join(errors)}{note}"
