"""Run the memory from a shell: `python -m memory COMMAND`."""

import argparse
import sys
from collections.abc import Sequence

from memory.commands import sanitize

__all__ = ["main"]

_COMMANDS = (sanitize,)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a wrong command line exits with 2."""
    parser = argparse.ArgumentParser(prog="python -m memory", description="Take personal details out of texts.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_to(commands)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
