"""Verify a draft from standard input against a file of facts."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.domains import UnknownDomain
from agent.facts import FactsInvalid
from agent.strict_json import read_json
from agent.validators import Author
from agent.verify import verify

__all__ = ["BadInput", "add_to", "read_facts_file", "read_text"]

_MAX_BYTES = 3_000_000


class BadInput(Exception):
    """Refuse input that cannot be judged at all; the message names the file or field and says what to do."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `verify`, which exits 0 for PASS, 1 for FAIL and 2 for bad input."""
    parser = commands.add_parser("verify", help="verify a draft from standard input against facts", description=__doc__)
    parser.add_argument("--domain", required=True, help="the domain of the facts, such as billing")
    parser.add_argument("--facts", required=True, type=Path, metavar="F.json", help="the facts as JSON")
    parser.add_argument(
        "--text-by", choices=[author.value for author in Author], default="agent", help="who wrote the text"
    )
    parser.add_argument("--no-model", action="store_true", help="run deterministic validators only")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        facts = read_facts_file(options.facts)
        draft = read_text(sys.stdin.buffer.read(_MAX_BYTES + 1), "standard input")
        verdict = verify(draft, domain=options.domain, facts=facts, text_by=options.text_by, now=datetime.now(UTC))
    except FactsInvalid as error:
        print(f"{options.facts}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except (BadInput, UnknownDomain) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    outcomes = [outcome.model_dump(mode="json") for outcome in verdict.outcomes]
    print(json.dumps({"verdict": verdict.verdict, "outcomes": outcomes}, indent=2))
    return 1 if verdict.failures else 0


def read_facts_file(path: Path) -> Any:
    """Read a file of facts as JSON; raise BadInput when it is missing, too long, not UTF-8 or not JSON."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Give a file of facts.") from None
    text = read_text(raw, str(path))
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}: is not JSON at line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except ValueError as error:
        raise BadInput(f"{path}: {error}. Correct the value.") from None
    except RecursionError:
        raise BadInput(f"{path}: is nested too deeply.") from None


def read_text(raw: bytes, source: str) -> str:
    """Decode UTF-8, with or without a byte order mark; raise BadInput for other bytes or more than 3 MB."""
    if len(raw) > _MAX_BYTES:
        raise BadInput(f"{source}: is longer than {_MAX_BYTES // 1_000_000} MB. Shorten it.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{source}: is not UTF-8 at byte {error.start}. Save it as UTF-8.") from None
