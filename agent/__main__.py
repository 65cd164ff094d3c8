"""Run the agent from a shell: `python -m agent COMMAND`."""

import argparse
import os
import sys
from collections.abc import Sequence

from agent.commands import calibrate, draft, errors, fetch_model, schema, study, support, teeth, validators, verify

__all__ = ["main"]

_COMMANDS = (verify, draft, calibrate, teeth, study, support, errors, validators, schema, fetch_model)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a wrong command line exits with 2."""
    parser = argparse.ArgumentParser(prog="python -m agent", description="Write and verify drafts.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_to(commands)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the answer has seen enough ("| head"); Python would try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
