"""Compare ways of telling a model what was wrong with its draft, and print the figures of every run kept so far.

Appends a line to the file of runs for each run that is not in it yet, so that the same command goes on where it was
stopped. Exit 0 with the figures, 2 for bad input, 3 when the model gave no answer, 130 when it was stopped.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from agent.domains import Case, open_case
from agent.fixtures import FIXTURES, Fixture, draftable
from agent.llm.chat import ChatModel, ModelError
from agent.llm.names import ModelNameError, model_from_name
from agent.llm.scripted import ScriptedModel
from agent.study.arms import Arm, Feedback, Setting
from agent.study.cells import cells, differences
from agent.study.report import PUBLISHED, tables
from agent.study.running import Run, RunsUnreadable, Studied, read_runs, study
from agent.study.truth import JUDGED

__all__ = ["add_to"]

_SCRIPTED = "scripted"


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `study`, which exits 0 with its figures."""
    parser = commands.add_parser("study", help="compare ways of correcting drafts", description=__doc__)
    parser.add_argument("--domain", choices=sorted(JUDGED), help="one domain; else all that have right answers")
    parser.add_argument("--arm", choices=list(Feedback), help="one way of correcting, beside one attempt; else all")
    parser.add_argument("--setting", choices=list(Setting), help="one form of asking; else all that a case has")
    parser.add_argument("--model", default=_SCRIPTED, help="scripted (the examples' own outputs) or a model's name")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how often each case is drafted")
    parser.add_argument("--runs", type=Path, metavar="F.jsonl", help="keep the runs here, and go on from them")
    parser.add_argument("--fixtures", type=Path, default=FIXTURES, metavar="DIR", help="folder of the example cases")
    parser.add_argument("--report", action="store_true", help="run nothing, print the figures of the runs kept")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        kept = [*read_runs(options.runs)] if options.runs else []
        if not options.report:
            kept += _new(options, kept)
    except (ModelNameError, RunsUnreadable) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{options.runs}: cannot be read or written ({error.strerror}). Give a file of yours.", file=sys.stderr)
        return 2
    except ModelError as error:
        print(error, file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("Stopped. The same command with the same --runs goes on from here.", file=sys.stderr)
        return 130
    if not kept:
        print(
            f"{options.runs or options.fixtures}: holds nothing to report. Give example cases or runs.", file=sys.stderr
        )
        return 2
    found, held = cells(kept), differences(kept)
    if options.json:
        told = {"cells": [item.as_json() for item in found], "differences": [item.as_json() for item in held]}
        print(json.dumps({**told, "published": PUBLISHED}, indent=2))
    else:
        print(tables(found, held))
    return 0


def _new(options: argparse.Namespace, kept: Sequence[Run]) -> list[Run]:
    """Run what is not kept yet; each run is in the file before the next one starts."""
    domains = [options.domain] if options.domain else sorted(JUDGED)
    examples = [
        Studied(fixture, _as_asked(fixture, options.model))
        for domain in domains
        for fixture in draftable(domain, options.fixtures).values()
    ]
    runs = study(
        examples,
        model_for=_models(options.model),
        kept=kept,
        arms=lambda arm: _is_wanted(arm, options),
        seeds=range(max(options.seeds, 1)),
    )
    return [_keep(run, options.runs) for run in runs]


def _is_wanted(arm: Arm, options: argparse.Namespace) -> bool:
    """Tell whether a run is asked for; scripted outputs have the form of the usual setting alone."""
    if options.model == _SCRIPTED and arm.setting is not Setting.USUAL:
        return False
    return (not options.arm or arm.feedback == options.arm) and (not options.setting or arm.setting == options.setting)


def _as_asked(fixture: Fixture, model: str) -> Case:
    """Return the case in the form of its scripted outputs, or for a model in the form that the domain has."""
    return fixture.case() if model == _SCRIPTED else open_case(fixture.domain, fixture.facts)


def _models(name: str) -> Callable[[Fixture, int], ChatModel]:
    if name != _SCRIPTED:
        model = model_from_name(name, environ=os.environ)
        return lambda _fixture, _given: model
    return lambda fixture, given: ScriptedModel(fixture.scripted[min(given, len(fixture.scripted) - 1) :])


def _keep(run: Run, file: Path | None) -> Run:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as kept:
            kept.write(f"{json.dumps(run.as_json(), ensure_ascii=False)}\n")
    print(f"{run.domain}/{run.fixture} {run.arm} {run.seed}: {run.state}, {run.stop_reason}", file=sys.stderr)
    return run
