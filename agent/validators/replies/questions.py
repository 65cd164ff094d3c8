"""Ask for an answer to each question of the customer.

A guess by words: a question counts as answered when a sentence of the reply, code blocks included, shares its telling
words or those of the source that answers it. Whether the answer is right is not judged here.
"""

from collections.abc import Iterator, Sequence

from pydantic import Field

from agent.facts import Sheet
from agent.validators.check import Check, Found, Kind, Params
from agent.validators.reading import Reading
from agent.validators.replies.sources import Source, sources_of, stems

__all__ = ["CHECK", "QuestionsParams", "answering", "check"]


class QuestionsParams(Params):
    """Set how much of a question a reply has to take up."""

    min_share: float = Field(
        default=0.34, gt=0, le=1, description="The share of a question's telling words that an answer takes up."
    )


def check(reading: Reading, params: QuestionsParams) -> Iterator[Found]:
    """Report each question that no passage of the reply takes up."""
    said = stems(reading.folded.text)
    for fact in reading.sheet.by_role.get("question", ()):
        question = str(fact.value)
        if not _is_taken_up(said, stems(question), answering(reading.sheet, question), params):
            fix = "Answer it, or say that it cannot be answered yet."
            yield Found("QUESTION_UNANSWERED", question, facts=(fact.id,), fix=fix)


def _is_taken_up(
    said: frozenset[str], asked: frozenset[str], sources: Sequence[Source], params: QuestionsParams
) -> bool:
    if not asked or (len(said & asked) >= params.min_share * len(asked) and len(said & asked) >= min(2, len(asked))):
        return True
    return any(len(said & source.stems) >= max(3, len(source.stems) // 3) for source in sources)


def answering(sheet: Sheet, question: str) -> tuple[Source, ...]:
    """Return the sources that speak of what a question asks, nearest first."""
    asked = stems(question)
    found = []
    for source in sources_of(sheet):
        shared = len(asked & source.stems)
        if source.kind != "customer" and (shared >= 2 or (shared and shared * 3 >= len(asked))):
            found.append((-shared, source))
    return tuple(source for _, source in sorted(found, key=lambda item: item[0]))


CHECK = Check(name="questions", version="1", run=check, params=QuestionsParams(), kind=Kind.HEURISTIC, confidence=0.7)
