"""Hold every validator that a rubric or a rule may name, and describe them as one page of the documentation."""

import sys
from collections.abc import Iterator, Mapping

from agent.validators import answers, docstrings, duties, json_schema, memos, postings, reasonable
from agent.validators.check import Check, Kind
from agent.validators.checks import CHECKS
from agent.validators.describe import described
from agent.validators.register import REGISTER
from agent.validators.replies import actions, promises, questions, told

__all__ = ["CATALOGUE", "catalogue_page"]

_OF_TASKS = (docstrings.BEHAVIOUR, *docstrings.DOCSTRINGS, *answers.ANSWERS)
_OF_REPLIES = (told.CHECK, promises.CHECK, actions.CHECK, questions.CHECK)
_OF_JOURNAL = (*postings.POSTINGS, *duties.DUTIES, *memos.MEMOS, *reasonable.REASONABLE)
_ALL = (*CHECKS, json_schema.CHECK, *_OF_REPLIES, *_OF_TASKS, *_OF_JOURNAL)

CATALOGUE: Mapping[str, Check] = {check.name: check for check in _ALL}
"""The validators by name; each stands there with its default parameters."""

_KINDS = {
    Kind.DETERMINISTIC: "a rule of code",
    Kind.HEURISTIC: "a guess of code; people confirm or refuse what it finds",
    Kind.MODEL: "asks a model",
}


def catalogue_page() -> str:
    """Return the catalogue as Markdown, in the order in which the validators run."""
    return "\n".join(_page_lines()) + "\n"


def _page_lines() -> Iterator[str]:
    for check in CATALOGUE.values():
        module = sys.modules[check.run.__module__]
        summary, _, covers = (module.__doc__ or "").strip().partition("\n\n")
        yield f"\n### {check.name}\n"
        yield " ".join(summary.split())
        if covers:
            yield ""
            yield " ".join(covers.split())
        yield ""
        yield f"- Kind: {_KINDS[check.kind]}; declared confidence {check.confidence:g}{_standing(check)}"
        codes = [code for code, entry in sorted(REGISTER.items()) if entry.validator == check.name] or ["CHECK_FAILED"]
        yield f"- Reports: {', '.join(f'[{code}](errors.md#{code.lower()})' for code in codes)}"
        yield from (
            f"- Parameter `{line.partition(':')[0]}`:{line.partition(':')[2]}" for line in described(check.params)
        )


def _standing(check: Check) -> str:
    if check.core:
        return "; core, cannot be switched off"
    return "; blocks" if check.blocking else ""
