"""Run a command of the agent in this process: arguments and standard input in, answer and code out."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

from agent.__main__ import main


@dataclass(frozen=True)
class Done:
    """Hold how a command ended."""

    returncode: int
    stdout: str
    stderr: str


def command(*arguments: str, given: str = "") -> Done:
    """Run `python -m agent ARGUMENTS` on what is given, without the price of a process."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdin = before
    return Done(code, out.getvalue(), err.getvalue())
