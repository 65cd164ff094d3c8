"""Judge a draft by code: `verify_body` for a body of prose and code blocks, and what a validator is made of."""

from agent.validators.check import Check, Found, Kind, NoParams, Params
from agent.validators.checks import CHECKS
from agent.validators.reading import Author, Reading
from agent.validators.runner import Verdict, is_blocking, run_checks
from agent.validators.verify import verify_body

__all__ = [
    "CHECKS",
    "Author",
    "Check",
    "Found",
    "Kind",
    "NoParams",
    "Params",
    "Reading",
    "Verdict",
    "is_blocking",
    "run_checks",
    "verify_body",
]
