"""Judge a draft by code: `verify` for a text as one free block, `verify_body` for a body of prose and code blocks."""

from agent.validators.check import Check, Found, Kind, NoParams, Params
from agent.validators.checks import CHECKS
from agent.validators.reading import Author, Reading
from agent.validators.runner import Verdict, is_blocking, run_checks
from agent.validators.verify import UnknownValidator, verify, verify_body

__all__ = [
    "CHECKS",
    "Author",
    "Check",
    "Found",
    "Kind",
    "NoParams",
    "Params",
    "Reading",
    "UnknownValidator",
    "Verdict",
    "is_blocking",
    "run_checks",
    "verify",
    "verify_body",
]
