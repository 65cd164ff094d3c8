"""Write what the model is told: at first the circumstances, then also its best draft and what was wrong with it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.attempt import Attempt
from agent.body import Body, Prose
from agent.domains.domain import BlockTask, Case, Exemplar
from agent.llm.chat import Message
from agent.outcome import Outcome
from agent.validators.runner import is_blocking

__all__ = ["Request", "canned_reply", "first_request", "revision_request", "shown_draft", "weight"]

_EXEMPLARS = 2
_MAX_FAILURES = 6
_MAX_EVIDENCE = 160
_MAX_DRAFT = 4000
_MAX_REFERENCE_WORDS = 60
_MAX_PAST = 400
_MAX_AVOIDED = 5
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Request:
    """Hold what is sent to the model: the prompt, the blocks it is to write, and the prose that stays as it is."""

    prompt: tuple[Message, ...]
    tasks: tuple[BlockTask, ...]
    kept: Mapping[str, str]
    exemplars: tuple[str, ...]


def first_request(case: Case) -> Request:
    """Ask for a first draft: standing instruction, exemplars, circumstances."""
    return _request(case, _tasks("Write:", case, case.blocks()), case.blocks(), {})


def revision_request(case: Case, best: Attempt, history: Sequence[Attempt]) -> Request:
    """Ask for the blocks of the best draft that failed, with the reasons; its size does not grow with the history."""
    tasks = _failing(case, best)
    written = _prose(best.body)
    asked = {task.name for task in tasks}
    kept = {name: text for name, text in written.items() if case.framed and name not in asked}
    return _request(case, "\n".join(_reasons(case, best, history, tasks, kept)), tasks, kept)


def canned_reply(messages: Sequence[Message]) -> str:
    """Answer a request with the best exemplar it shows: drafts for a hub that has no model."""
    return next((message.content for message in messages if message.role == "assistant"), "{}")


def shown_draft(attempt: Attempt, *, without: Iterable[str] = ()) -> str:
    """Return a draft as the model is shown it again, cut where it is long: its prose in slot language, or a record.

    Not as JSON: a small model takes the last JSON it has seen for the answer.
    """
    if attempt.body and attempt.body.record is not None:
        return attempt.text[:_MAX_DRAFT]
    written = _prose(attempt.body)
    return "\n".join(f"{name}: {text}" for name, text in written.items() if name not in without)[:_MAX_DRAFT]


def weight(outcome: Outcome) -> float:
    """Return how much a failure counts: severity x confidence."""
    return outcome.severity * outcome.validator_confidence


def _request(case: Case, reasons: str, tasks: tuple[BlockTask, ...], kept: Mapping[str, str]) -> Request:
    exemplars = _exemplars(case)
    messages = [Message("system", case.domain.system(case))]
    for exemplar in exemplars:
        messages.append(Message("user", f"Situation: {exemplar.situation.replace('_', ' ')}. Show a good example."))
        messages.append(Message("assistant", exemplar.prose.get("record") or _json(exemplar.prose)))
    parts = (case.domain.circumstances(case), *_avoided(case), reasons)
    messages.append(Message("user", "\n".join(part for part in parts if part)))
    return Request(tuple(messages), tasks, kept, tuple(exemplar.id for exemplar in exemplars))


def _avoided(case: Case) -> Iterator[str]:
    if case.avoid:
        yield "\n".join(
            ("Drafts like this one often went wrong here:", *(f"- {line}" for line in case.avoid[:_MAX_AVOIDED]))
        )


def _exemplars(case: Case) -> tuple[Exemplar, ...]:
    return (*case.exemplars, *case.starters())[:_EXEMPLARS] if case.framed or case.domain.record else ()


def _prose(body: Body | None) -> dict[str, str]:
    return {block.name: block.text for block in body.blocks if isinstance(block, Prose)} if body else {}


def _failing(case: Case, best: Attempt) -> tuple[BlockTask, ...]:
    """Return the tasks of the blocks that a failure points into; all of them when one points nowhere or at code."""
    if best.body is None or not case.framed:
        return case.blocks()
    names: set[str] = set()
    for outcome in best.failures:
        place = _block_at(case, best.body, outcome)
        if place is None:
            return case.blocks()
        names.add(place)
    return tuple(task for task in case.blocks() if task.name in names) or case.blocks()


def _block_at(case: Case, body: Body, outcome: Outcome) -> str | None:
    span = outcome.metadata.get("span")
    if not span:
        return None
    for place in body.render(case.slot_values()).prose:
        if place.start <= span[0] < place.end and isinstance(place.block, Prose):
            return place.block.name
    return None


def _reasons(
    case: Case, best: Attempt, history: Sequence[Attempt], tasks: Sequence[BlockTask], kept: Mapping[str, str]
) -> Iterator[str]:
    if best.body is not None:
        yield f"\nYour best draft so far, which was refused:\n{shown_draft(best, without=kept)}"
    failures = sorted(best.failures, key=lambda outcome: (not is_blocking(outcome), -weight(outcome)))[:_MAX_FAILURES]
    for title, blocking in (("Mandatory:", True), ("Also improve:", False)):
        lines = [_line(case, best, outcome) for outcome in failures if is_blocking(outcome) is blocking]
        if lines:
            yield "\n".join((title, *dict.fromkeys(lines)))
    if kept:
        yield f"Passed, and kept as it is: {_json(kept)}"
    yield from _held(case, best)
    yield from _past(history)
    good = next((exemplar.prose for exemplar in _exemplars(case)), {})
    if examples := {task.name: good[task.name] for task in tasks if task.name in good}:
        yield f"Good: {_json(examples)}"
    yield _tasks("Write anew, shorter, more like the good one:", case, tasks)


def _tasks(title: str, case: Case, tasks: Sequence[BlockTask]) -> str:
    if not case.framed:
        return f"{title} {case.domain.whole}."
    return "\n".join((title, *(f"{task.name}: {task.task}." for task in tasks)))


def _line(case: Case, best: Attempt, outcome: Outcome) -> str:
    where = _block_at(case, best.body, outcome) if best.body and case.framed else None
    evidence = _in_slots(outcome.evidence or "", case)[:_MAX_EVIDENCE]
    written = [*_prose(best.body).values(), best.text]
    quoted = next((words for words in (evidence, *_QUOTED.findall(evidence)) if any(words in it for it in written)), "")
    # Words that stand in the draft are told as what to leave out: that is what a small model can act on.
    reason = f'leave out "{quoted}". {outcome.critique}' if quoted else f"{evidence}. {outcome.critique}"
    fix = f" {_in_slots(outcome.suggested_fix, case)}" if outcome.suggested_fix else ""
    return f"- {where + ': ' if where else ''}{reason}{fix}{_reference(outcome, case)}"


def _reference(outcome: Outcome, case: Case) -> str:
    """Quote the rule that was broken, where the validator gives one as `reference`."""
    words = str(outcome.metadata.get("reference") or "").split()
    return f' The rule: "{_in_slots(" ".join(words[:_MAX_REFERENCE_WORDS]), case)}"' if words else ""


def _held(case: Case, best: Attempt) -> Iterator[str]:
    if case.rubric and best.body:
        held = case.rubric.checks_held(best.outcomes)
        kept = [hard.description.rstrip(".") for hard in case.rubric.hard_checks if held[hard.id]]
        if kept:
            yield f"Passed, and must stay so: {'; '.join(kept)}."


def _past(history: Sequence[Attempt]) -> Iterator[str]:
    """Tell all earlier attempts in one line of bounded length; where they are many, the latest."""
    told: list[str] = []
    for attempt in history:
        kinds = dict.fromkeys(outcome.error_type for outcome in attempt.failures if outcome.error_type)
        if kinds:
            told.append(f"attempt {attempt.number} failed: {', '.join(kinds)}")
    while told and len(line := f"So far: {'; '.join(told)}.") > _MAX_PAST:
        if len(told) == 1:
            line = f"{line[: _MAX_PAST - 1]}…"
            break
        told.pop(0)
    if told:
        yield line


def _in_slots(text: str, case: Case) -> str:
    """Say in slots what a verdict quotes: the client's figures and names stay out of the prompt."""
    if not case.withholds:
        return text
    hidden = {own.value: "(name)" for own in case.sheet.strings}
    hidden |= {value: f"[{name}]" for name, value in case.slot_values().items()}
    hidden.pop("", None)
    if not hidden:
        return text
    values = "|".join(map(re.escape, sorted(hidden, key=len, reverse=True)))
    # Whole words and figures, in one pass: a line may be called 7; neither 17 nor a slot that was put in names it.
    return re.sub(rf"(?<!\w)(?<!\d[.,])(?:{values})(?!\w|[.,]\d)", lambda found: hidden[found[0]], text)


def _json(prose: Mapping[str, str]) -> str:
    return json.dumps(dict(prose), ensure_ascii=False)
