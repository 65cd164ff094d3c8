"""Choose the model that drafts on this machine, and have its file if it is the embedded one: `make setup` runs this."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from agent.fetch import FetchError, fetch_model
from agent.llm.names import ModelNameError, model_from_name
from agent.llm.ollama import DEFAULT_HOST, OllamaModel
from reviewhub.embedded.options import CannotRunError, Options
from reviewhub.embedded.progress import say, stop_with

__all__ = ["choose_model", "main"]

_OLLAMA_MODEL = "llama3.2:3b"


def choose_model(options: Options, environment: Mapping[str, str]) -> tuple[str, Path | None]:
    """Return the model's name, and the verified file to serve when it is `embedded`.

    Without a choice of the person's, Ollama's own model is taken if Ollama runs here and has it. Raises CannotRunError
    with the ways on when the embedded model cannot be fetched.
    """
    name = options.model
    if not name:
        ollama = OllamaModel(_OLLAMA_MODEL, host=environment.get("OLLAMA_HOST") or DEFAULT_HOST)
        name = ollama.name if ollama.available() else "embedded"
    if name != "embedded":
        _require_name(name, environment)
        return name, None
    try:
        return name, fetch_model(environ=environment, report=lambda line: say(f"      {line}"))
    except FetchError as error:
        raise CannotRunError(str(error)) from error


def _require_name(name: str, environment: Mapping[str, str]) -> None:
    """Refuse a name that no worker could use: they would start and fail at every draft."""
    try:
        model_from_name(name, environ=environment, canned=lambda _messages: "{}")
    except ModelNameError as error:
        raise CannotRunError(f"REVIEWHUB_MODEL: {error}") from error


def main() -> int:
    """Fetch what the chosen model needs; returns the exit code."""
    try:
        choose_model(Options.read(os.environ), os.environ)
    except CannotRunError as error:
        return stop_with(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
