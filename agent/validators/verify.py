"""Verify a body of prose and code blocks against a sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from agent.body import Block, Body, Code, Prose
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
    return replace(block, text=nfc(block.text)) if isinstance(block, Prose | Code) else block
