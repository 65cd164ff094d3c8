"""Say which sentences of drafts their facts do not bear out.

F.json is a list of {id, facts: [sentences], text}. The answer is a list of {id, statements, flagged, checked_by}:
statements are [{span: [start, end), text, score}], least supported first, where score runs from 0 (unsupported) to 1.
Exit 0 when all were read; 2 for bad input.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agent.commands.verify import BadInput, read_text
from agent.llm.chat import ChatModel, Message
from agent.llm.names import ModelNameError, model_from_name
from agent.strict_json import read_json
from agent.support.rank import rank
from agent.text import nfc

__all__ = ["add_to"]

_MAX_BYTES = 3_000_000


class _Draft(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int
    facts: Annotated[tuple[str, ...], Field(max_length=200)]
    text: Annotated[str, Field(max_length=100_000)]


_DRAFTS = TypeAdapter(list[_Draft])


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `support`, which exits 0 with a JSON list, or 2 for bad input."""
    parser = commands.add_parser("support", help="rank a draft's sentences by support", description=__doc__)
    parser.add_argument(
        "--model", default="embedded", help="none, scripted:FILE, embedded, ollama:NAME, openai:URL#NAME"
    )
    parser.add_argument("--json", action="store_true", help="print JSON; the only form there is")
    parser.add_argument("--deadline", type=float, default=60.0, metavar="S", help="seconds of model time for a draft")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        model = None if options.model == "none" else model_from_name(options.model, environ=os.environ, canned=_canned)
        drafts = _drafts(sys.stdin.buffer.read(_MAX_BYTES + 1))
    except (BadInput, ModelNameError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    print(json.dumps([_answer(draft, model, options.deadline) for draft in drafts], indent=2, ensure_ascii=False))
    return 0


def _canned(messages: Sequence[Message]) -> str:  # noqa: ARG001 - the shape of canned outputs
    return "no answers are canned for this check"


def _drafts(raw: bytes) -> list[_Draft]:
    try:
        return _DRAFTS.validate_python(read_json(read_text(raw, "standard input")))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in wrong["loc"]) or "the whole"
        raise BadInput(f"standard input: {where}: {wrong['msg']}. Give a list of {{id, facts, text}}.") from None
    except ValueError as error:
        raise BadInput(f"standard input: is not JSON: {error}.") from None
    except RecursionError:
        raise BadInput("standard input: is nested too deeply.") from None


def _answer(draft: _Draft, model: ChatModel | None, deadline_seconds: float) -> dict[str, Any]:
    text = nfc(draft.text)
    ranking = rank(text, draft.facts, model, deadline_seconds=deadline_seconds)
    return {
        "id": draft.id,
        "statements": [
            {
                "span": list(scored.statement.span),
                "text": text[slice(*scored.statement.span)],
                "score": round(scored.support, 4),
                "why": list(scored.why),
            }
            for scored in ranking.scored
        ],
        "flagged": ranking.flagged,
        "checked_by": ranking.checked_by,
    }
