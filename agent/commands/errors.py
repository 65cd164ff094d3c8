"""Print the register of error types as the page `docs/errors.md`."""

import argparse

from agent.validators.register import register_page

__all__ = ["add_to"]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `errors`, which prints the register of error types as Markdown."""
    parser = commands.add_parser("errors", help="print every error type as Markdown", description=__doc__)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:  # noqa: ARG001 - one shape for all commands
    print(register_page(), end="")
    return 0
