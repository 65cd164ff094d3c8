"""Fetch the embedded model's file and prove that it is the true one."""

import argparse
import os
import sys

from agent.fetch import FetchError, fetch_model

__all__ = ["add_to"]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `fetch-model`, which exits 0 with the file's path, or 1 when it could not be fetched."""
    parser = commands.add_parser("fetch-model", help="fetch the embedded model's file", description=__doc__)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:  # noqa: ARG001 - one shape for all commands
    try:
        path = fetch_model(environ=os.environ, report=lambda line: print(line, file=sys.stderr, flush=True))
    except FetchError as error:
        print(error, file=sys.stderr)
        return 1
    print(path)
    return 0
