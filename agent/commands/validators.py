"""Print the catalogue of validators as Markdown, the last part of `docs/validators.md`."""

import argparse

from agent.validators.catalogue import catalogue_page

__all__ = ["add_to"]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `validators`, which prints the catalogue and exits 0."""
    parser = commands.add_parser("validators", help="print the catalogue of validators", description=__doc__)
    parser.set_defaults(run=_run)


def _run(_options: argparse.Namespace) -> int:
    print(catalogue_page(), end="")
    return 0
