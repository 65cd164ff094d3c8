"""Make an example to train on of an approval: what was asked, shown and approved, sanitised and examined again."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.crypto import salted_hmac

from agent.body import Body, Prose
from agent.domains.domain import Case as AgentCase
from agent.reflection import first_request
from memory.preferences import Example, LeftOut
from memory.sanitize import Known, TextTooLong
from memory.sanitize.gate import examine
from reviewhub.examining import clients_of, known_of, sanitizer, vocabulary_of
from reviewhub.models import FREE_BLOCK, Decision, ExemplarState, Verdict, Written

__all__ = ["example_of"]

_log = logging.getLogger(__name__)


def example_of(decision: Decision, *, now: datetime) -> Example:
    """Sanitise and examine what was asked, shown and approved; raise LeftOut unless all of it is clean."""
    is_free = decision.written == Written.BY_HAND
    try:
        approved = _approved(decision, now)
        case = replace(decision.draft.sheet.as_case(), framed=not is_free)
        known = known_of(decision.draft.sheet)
        shown = None if is_free else _prose(decision.draft.shown.stored_body() if decision.draft.shown else None)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # Rows of an older shape, or mended by hand. The message may repeat a value.
        _log.error("decision %s cannot be read for an export: %s", decision.pk, type(error).__name__)
        raise LeftOut("unreadable") from None
    cleaner = _Cleaner(decision, case, known)
    request = first_request(replace(case, message=cleaner.message(case.message)))
    return Example(
        prompt=[{"role": said.role, "content": said.content} for said in (request.prompt[0], request.prompt[-1])],
        asked=[FREE_BLOCK] if is_free else [task.name for task in request.tasks],
        approved=cleaner.prose(approved),
        shown=cleaner.prose(shown) if shown is not None else None,
        is_edited=decision.verdict == Verdict.APPROVED_WITH_EDITS,
        is_free=is_free,
        provenance=_provenance(decision, case),
    )


def _approved(decision: Decision, now: datetime) -> dict[str, str]:
    """Return the approved prose by block: of an edit what was learned from it, which a person may have corrected."""
    if decision.undone_at is not None:
        raise LeftOut("undone")
    if decision.overridden:
        raise LeftOut("overridden")
    if decision.effects_at > now:
        raise LeftOut("not_effective")
    if decision.verdict == Verdict.APPROVED_AS_IS:
        prose = _prose(Body.from_json(decision.body) if decision.body else None)
    else:
        exemplar = getattr(decision, "exemplar", None)
        if exemplar is None or not exemplar.is_clean:
            raise LeftOut(exemplar.state if exemplar else ExemplarState.WAITING.value)
        prose = dict(exemplar.prose)
    if not prose:
        raise LeftOut("no_prose")
    return prose


def _prose(body: Body | None) -> dict[str, str] | None:
    if body is None:
        return None
    return {block.name: block.text for block in body.blocks if isinstance(block, Prose) and block.text.strip()}


class _Cleaner:
    """Sanitise texts of one decision and let through what is provably free of personal details."""

    def __init__(self, decision: Decision, case: AgentCase, known: Known) -> None:
        self._clients = clients_of(decision.draft.queue_id)
        self._words = vocabulary_of(decision.draft.queue_id)
        self._known = known
        self._slots = tuple(case.slots())

    def prose(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Return each block sanitised; raise LeftOut when one is doubtful, or uses a slot that the sheet lacks."""
        return {block: self._clean(text, self._slots) for block, text in texts.items()}

    def message(self, text: str) -> str:
        """Return the client's message sanitised; it may hold slots of its own, such as a name's."""
        return self._clean(text, None) if text.strip() else ""

    def _clean(self, text: str, slots: Sequence[str] | None) -> str:
        try:
            clean = sanitizer().sanitize(text, known=self._known).text
        except TextTooLong:
            raise LeftOut("too_long") from None
        if examine(clean, known=self._clients, sanitizer=sanitizer(), vocabulary=self._words, slots=slots):
            raise LeftOut("not_clean")
        return clean


def _provenance(decision: Decision, case: AgentCase) -> dict[str, str]:
    """Say where a row is from: digests that only this hub can make keep subjects apart and tell nobody's id."""
    shown = decision.draft.shown
    return {
        "source": _opaque(f"decision/{decision.pk}"),
        "subject": _opaque(f"subject/{decision.draft.case.subject}"),
        "domain": case.domain.name,
        "situation": case.situation.name,
        "written": decision.written,
        "approved": f"{decision.decided_at:%Y-%m}",
        "prompt_version": case.domain.prompt_version,
        "drafted_by": _model_name(shown.model) if shown else "",
        "drafted_with": shown.prompt_version if shown else "",
    }


def _opaque(value: str) -> str:
    return salted_hmac("reviewhub.exporting", value, algorithm="sha256").hexdigest()[:32]


def _model_name(name: str) -> str:
    # A server's address or a path of a machine is nobody's business.
    return re.split(r"[/\\#]", name)[-1][:80]
