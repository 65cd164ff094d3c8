"""Verify a text against facts as they came in: the verifier by itself, without a model or a draft."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent.domains import body_of, open_case
from agent.outcome import Outcome
from agent.record import RecordInvalid
from agent.text import nfc
from agent.validators.check import Check, Params
from agent.validators.reading import Author
from agent.validators.runner import Verdict, printable, stopped
from agent.validators.verify import verify_body

__all__ = ["UnknownValidator", "verify"]


class UnknownValidator(ValueError):
    """Refuse parameters that belong to no validator."""


def verify(
    draft: str,
    *,
    domain: str,
    facts: Any,
    now: datetime,
    text_by: Author | str = Author.AGENT,
    params: Mapping[str, Params] | None = None,
) -> Verdict:
    """Verify a text as one free block against facts as they came in; of a domain with a record, the text is its JSON.

    Raise FactsInvalid when the facts do not have the domain's shape, UnknownDomain when there is no such domain.
    `params` replaces the parameters of validators by name; it cannot switch one off.
    """
    case = open_case(domain, facts)
    checks = case.checks(_with_params(case.domain.checks, params or {}))
    try:
        body = body_of(case, draft)
    except RecordInvalid as error:
        return Verdict(nfc(draft), tuple(_unreadable(path, told, now) for path, told in error.problems))
    return verify_body(body, sheet=case.sheet, now=now, text_by=text_by, checks=checks)


def _unreadable(path: str, told: str, now: datetime) -> Outcome:
    evidence = printable(f"{path}: {told}" if path else told)
    more = {"fields": [path] if path else [], "facts": []}
    return stopped("RECORD_INVALID", "record@1", evidence, now, more=more)


def _with_params(checks: Sequence[Check], params: Mapping[str, Params]) -> tuple[Check, ...]:
    by_name = {check.name: check for check in checks}
    for name, given in params.items():
        if name not in by_name or type(given) is not type(by_name[name].params):
            known = ", ".join(f"{check.name} ({type(check.params).__name__})" for check in checks)
            raise UnknownValidator(f"{name} takes no {type(given).__name__}. There are: {known}.")
    return tuple(replace(check, params=params.get(check.name, check.params)) for check in checks)
