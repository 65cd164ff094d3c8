"""Verify a body of prose and code blocks against a sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent.body import Block, Body, Code, Prose, Record
from agent.facts import Sheet
from agent.slots import Slot
from agent.text import nfc
from agent.validators.check import Check
from agent.validators.checks import CHECKS
from agent.validators.reading import Author, Reading
from agent.validators.runner import Verdict, run_checks

__all__ = ["verify_body"]


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
    match block:
        case Prose() | Code():
            return replace(block, text=nfc(block.text))
        case Record(data):
            return Record(_composed(data))


def _composed(value: Any) -> Any:
    """Return a record's data with every text in NFC."""
    match value:
        case str():
            return nfc(value)
        case Mapping():
            return {name: _composed(item) for name, item in value.items()}
        case list() | tuple():
            return [_composed(item) for item in value]
        case _:
            return value
