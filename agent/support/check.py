"""Advise on a finished draft: which sentences to read first, because the facts bear them out least.

Covers the prose of a draft, sentence by sentence, against its facts as sentences. What it does not name is not thereby
true: it ranks, and a text without a finding is an unchecked text.
"""

from collections.abc import Sequence

from agent.advice import Advice, Subject, Usage
from agent.body import Prose
from agent.llm.chat import ChatModel
from agent.outcome import Outcome, Status
from agent.support.ask import Answer
from agent.support.rank import BLEND, Blend, Ranking, Scored, rank
from agent.validators.register import error_type
from agent.validators.runner import printable

__all__ = ["SupportCheck"]

_SOURCE = "support@1"
_MOST = 2
_WHY = "{} Its support is {:.2f} of 1."


class SupportCheck:
    """Name at most two sentences to read first, as WARN; FAIL only below a threshold that has earned it.

    Without a usable model the words alone decide the order, and the outcomes say so.
    """

    always = False

    def __init__(self, model: ChatModel | None, *, blend: Blend = BLEND) -> None:
        self.model = model
        self.blend = blend

    def __call__(self, subject: Subject) -> Advice:
        """Return the sentences to read first; see Adviser."""
        facts = subject.case.domain.sentences(subject.case)
        if not facts:
            return Advice()
        ranking = rank(_prose(subject), facts, self.model, blend=self.blend, deadline_seconds=subject.deadline_seconds)
        doubtful = [scored for scored in ranking.scored[:_MOST] if scored.support < self.blend.read_below]
        outcomes = tuple(self._outcome(scored, ranking, subject) for scored in doubtful)
        return Advice(outcomes, _usage(ranking.answers))

    def _outcome(self, scored: Scored, ranking: Ranking, subject: Subject) -> Outcome:
        fails = self.blend.fail_below is not None and not ranking.note and scored.support < self.blend.fail_below
        entry = error_type("CLAIM_UNSUPPORTED" if fails else "READ_FIRST")
        quote = subject.text[slice(*scored.statement.span)]
        return Outcome(
            status=Status.FAIL if fails else Status.WARN,
            error_type=entry.code,
            evidence=printable(quote),
            evidence_uri=entry.uri,
            critique=_WHY.format(_sentence(scored.why) or entry.critique, scored.support),
            severity=entry.severity,
            suggested_fix=entry.remedy,
            validator_source=_SOURCE,
            validator_confidence=self.blend.confidence,
            metadata={
                "span": list(scored.statement.span),
                "facts": [],
                "score": round(scored.support, 4),
                "flagged": ranking.flagged,
                "checked_by": ranking.checked_by,
            },
            timestamp=subject.now,
        )


def _prose(subject: Subject) -> str:
    """Return the text with everything blanked that a model or a person did not write, at the same places."""
    rendered = subject.body.render(subject.case.slot_values())
    if rendered.text != subject.text:
        return subject.text
    parts = [
        part if isinstance(place.block, Prose) else "".join("\n" if char == "\n" else " " for char in part)
        for place in rendered.placed
        for part in [subject.text[place.start : place.end]]
    ]
    return "\n\n".join(parts)


def _sentence(why: Sequence[str]) -> str:
    said = "; ".join(why)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _usage(answers: Sequence[Answer]) -> Usage:
    return Usage(
        calls=sum(answer.calls for answer in answers),
        tokens_in=sum(answer.tokens_in for answer in answers),
        tokens_out=sum(answer.tokens_out for answer in answers),
        seconds=sum(answer.seconds for answer in answers),
    )
