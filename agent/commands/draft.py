"""Write a draft for a file of facts and print the whole run as JSON.

Exit 0 when the run came to an end, whatever it was (see `state` and `stop_reason`); 2 for bad input.
"""

import argparse
import json
import math
import os
import sys
from pathlib import Path

from agent.budget import limits_for
from agent.commands import advisers
from agent.commands.verify import BadInput, read_facts_file
from agent.domains import Case, UnknownDomain, UnknownSituation, open_case
from agent.facts import FactsInvalid
from agent.fixtures import Fixture, fixture_beside
from agent.llm.chat import ChatModel
from agent.llm.names import ModelNameError, model_from_name
from agent.llm.scripted import ScriptedModel
from agent.loop import Gate, run_draft
from agent.reflection import canned_reply

__all__ = ["add_to"]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `draft`, which exits 0 with the JSON of a run, or 2 for bad input."""
    parser = commands.add_parser("draft", help="write a draft for a file of facts", description=__doc__)
    parser.add_argument("--domain", required=True, help="the domain of the facts, such as billing")
    parser.add_argument("--facts", required=True, type=Path, metavar="F.json", help="the facts as JSON")
    parser.add_argument(
        "--model", default="embedded", help="scripted, scripted:FILE, embedded, ollama:NAME, openai:URL#NAME"
    )
    parser.add_argument("--max-retries", type=_count, metavar="N", help="base number of retries, before difficulty")
    parser.add_argument("--difficulty", type=_factor, metavar="X", help="factor on the retries; else derived")
    parser.add_argument("--situation", help="the kind of letter; else derived")
    parser.add_argument("--message", default="", help="what the client wrote")
    parser.add_argument("--seed", type=_count, default=0)
    advisers.add_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        facts = read_facts_file(options.facts)
        fixture = fixture_beside(options.facts, options.domain) if options.model.startswith("scripted") else None
        case = open_case(
            options.domain,
            facts,
            situation=options.situation,
            message=options.message,
            difficulty=options.difficulty,
            framed=fixture is None or fixture.framed,
        )
        model = _model(options.model, fixture)
        gate = _gate(options, case)
    except FactsInvalid as error:
        print(f"{options.facts}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except (BadInput, ModelNameError, UnknownDomain, UnknownSituation) as error:
        print(error, file=sys.stderr)
        return 2
    run = run_draft(case, model, limits=limits_for(case, max_retries=options.max_retries), seed=options.seed, gate=gate)
    print(json.dumps(run.as_json(), indent=2))
    return 0


def _gate(options: argparse.Namespace, case: Case) -> Gate:
    advising = (*advisers.support_check(options.support), *advisers.judge(options.judge))
    if options.judge and case.rubric is None:
        raise BadInput("--judge: these facts name no rubric, so there is nothing to grade by. Leave --judge out.")
    return Gate(advisers=advising)


def _model(name: str, fixture: Fixture | None) -> ChatModel:
    if name == "scripted" and fixture is not None:
        return ScriptedModel(fixture.scripted)
    return model_from_name(name, environ=os.environ, canned=canned_reply)


def _count(given: str) -> int:
    number = int(given)
    if not 0 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError("give a whole number that is not negative")
    return number


def _factor(given: str) -> float:
    number = float(given)
    if not math.isfinite(number) or not 0 < number <= 10:
        raise argparse.ArgumentTypeError("give a factor above 0, at most 10")
    return number
