"""Print the JSON Schema of what comes in or goes out: the facts of a domain, or a validator's outcome."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from agent.domains.billing.schema import BillingFacts
from agent.domains.journal.entry import Entry
from agent.domains.journal.schema import JournalFacts
from agent.domains.support.schema import SupportFacts
from agent.domains.tasks.schema import TaskForm
from agent.outcome import Outcome

__all__ = ["SCHEMAS", "add_to", "schema_of"]

SCHEMAS: Mapping[str, type[BaseModel]] = {
    "draft-journal": Entry,
    "facts-billing": BillingFacts,
    "facts-journal": JournalFacts,
    "facts-support": SupportFacts,
    "facts-tasks": TaskForm,
    "outcome": Outcome,
}


def schema_of(name: str) -> dict[str, Any]:
    """Return a schema by its name: draft 2020-12, unknown keys refused."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMAS[name].model_json_schema()}


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `schema`, which prints one JSON Schema."""
    parser = commands.add_parser("schema", help="print a JSON Schema of facts or outcomes", description=__doc__)
    parser.add_argument("name", choices=sorted(SCHEMAS))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    print(json.dumps(schema_of(options.name), indent=2, ensure_ascii=False))
    return 0
