"""Verify one text or body against a sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent.body import Block, Body, Code, Prose
from agent.domains import open_case
from agent.facts import Sheet
from agent.slots import Slot
from agent.text import nfc
from agent.validators.check import Check, Params
from agent.validators.checks import CHECKS
from agent.validators.reading import Author, Reading
from agent.validators.runner import Verdict, run_checks

__all__ = ["UnknownValidator", "verify", "verify_body"]


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
    """Verify a text as one free block against facts as they came in.

    Raise FactsInvalid when the facts do not have the domain's shape, UnknownDomain when there is no such domain.
    `params` replaces the parameters of validators by name; it cannot switch one off.
    """
    sheet = open_case(domain, facts).sheet
    return verify_body(Body.free(draft), sheet=sheet, now=now, text_by=text_by, checks=_with_params(params or {}))


def verify_body(
    body: Body,
    *,
    sheet: Sheet,
    now: datetime,
    slots: Mapping[str, Slot] | None = None,
    values: Mapping[str, str] | None = None,
    text_by: Author | str = Author.AGENT,
    checks: Sequence[Check] = CHECKS,
) -> Verdict:
    """Verify a body of prose and code blocks, with its slots filled by `values`; never raises for what a text holds."""
    rendered = Body(tuple(_normal(block) for block in body.blocks), body.framed).render(values or {})
    reading = Reading(sheet, rendered, Author(text_by), body.framed, slots or {})
    return Verdict(rendered.text, run_checks(reading, checks, now=now))


def _normal(block: Block) -> Block:
    return replace(block, text=nfc(block.text)) if isinstance(block, Prose | Code) else block


def _with_params(params: Mapping[str, Params]) -> tuple[Check, ...]:
    by_name = {check.name: check for check in CHECKS}
    for name, given in params.items():
        if name not in by_name or type(given) is not type(by_name[name].params):
            known = ", ".join(f"{check.name} ({type(check.params).__name__})" for check in CHECKS)
            raise UnknownValidator(f"{name} takes no {type(given).__name__}. There are: {known}.")
    return tuple(replace(check, params=params.get(check.name, check.params)) for check in CHECKS)
