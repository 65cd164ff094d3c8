"""Read what a judge answers about a text, and lower what it cannot show.

A score above 2 needs words of the text behind it. A text that tries to tell the judge how to score earns 1 throughout.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.rubric import MAX_SCORE, MIN_SCORE, Rubric
from agent.strict_json import read_json
from agent.text import fold, nfc

__all__ = ["UNFOUNDED_CAP", "Judgement", "JudgementInvalid", "addressed_to_judge", "judgement_schema", "read_judgement"]

UNFOUNDED_CAP = 2
"""The most that a criterion earns whose quote is not in the text."""

_MAX_REPLY = 20_000
_MAX_QUOTE = 40
_MIN_QUOTED_WORDS = 2
_LONGER_QUOTE_WORDS = 4
_WORD = re.compile(r"[^\W_]+(?:['.,_-][^\W_]+)*")
_ADDRESSED = re.compile(
    r"(?:ignore|disregard|forget|override|skip) (?:\w+ ){0,3}"
    r"(?:instructions?|criteria|rubric|rules|prompts?|guidelines)"
    r"|(?:note|message|instructions?|attention|dear|hello|hi),? (?:to |for )?(?:the |all )?"
    r"(?:judges?|graders?|evaluators?|reviewer model|ai|language model|llm|assistant|model)\b"
    r"|(?:you are|act as|as) (?:an? |the )?(?:\w+ )?(?:judge|grader|evaluator|language model|llm)\b"
    r"|(?:give|award|assign|grant|score|rate|grade|mark) (?:\w+ ){0,3}"
    r"(?:criteri(?:on|a)|all|every(?:thing)?|this|it|each) "
    r"(?:\w+ ){0,4}(?:5|five|10|ten|full|top|perfect|maximum|max|highest|best)\b"
    r"|(?:give|award|assign|grant|set|return|output|answer with|respond with|reply with) (?:\w+ ){0,6}"
    r"(?:(?:5|five|10|ten|full|top|perfect|maximum|max|highest|best) "
    r"(?:out of|marks?|scores?|points?|ratings?|grades?|stars?)\b"
    r"|5 ?/ ?5)"
    r"|\"?(?:score|rating|grade|overall)\"?\s*[:=]\s*\"?(?:5|10|five)\b(?!\d)"
    r"|(?:all|every) (?:\w+ )?(?:scores?|criteri(?:on|a)|ratings?) (?:\w+ ){0,3}(?:5|five|top|maximum|perfect)\b"
    r"|(?:begin|end|start) (?:of )?(?:system|assistant|user) (?:prompt|message)|<\|?(?:im_start|im_end|system)\|?>"
)


class JudgementInvalid(ValueError):
    """Refuse a reply that is no judgement by the rubric; the text says why."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Hold the scores of one reply as they count, the quotes that are in the text, and what was lowered.

    `unfounded` are the criteria whose score was capped because the quote is not in the text. `addressed` holds the
    words by which the text spoke to its judge; empty when it did not.
    """

    scores: Mapping[str, int]
    quotes: Mapping[str, str]
    unfounded: tuple[str, ...] = ()
    addressed: str = ""


def judgement_schema(rubric: Rubric) -> dict[str, Any]:
    """Return the JSON schema of a reply: for each criterion a quote, then a score."""
    scores = list(range(MIN_SCORE, MAX_SCORE + 1))
    graded = {
        "type": "object",
        "properties": {
            "quote": {"type": "string", "maxLength": _MAX_QUOTE},
            "score": {"type": "integer", "enum": scores},
        },
        "required": ["quote", "score"],
        "additionalProperties": False,
    }
    ids = [criterion.id for criterion in rubric.criteria]
    return {
        "type": "object",
        "properties": dict.fromkeys(ids, graded),
        "required": ids,
        "additionalProperties": False,
    }


def read_judgement(reply: str, rubric: Rubric, text: str) -> Judgement:
    """Return the scores of a reply, each lowered to what its quote supports; raise JudgementInvalid for another form.

    A criterion that is left out counts as 1, an unknown one is ignored, and one object at least has to be ours.
    """
    data = _object(reply)
    ours = {criterion.id: data[criterion.id] for criterion in rubric.criteria if criterion.id in data}
    if not ours:
        raise JudgementInvalid("the reply scores no criterion of the rubric")
    given = {name: _graded(name, value) for name, value in ours.items()}
    shown = _words(text)
    founded = {name: quote for name, (_, quote) in given.items() if _is_quoted(quote, shown)}
    unfounded = tuple(name for name, (score, _) in given.items() if score > UNFOUNDED_CAP and name not in founded)
    addressed = addressed_to_judge(text)
    scores = {criterion.id: MIN_SCORE for criterion in rubric.criteria}
    if not addressed:
        scores |= {name: UNFOUNDED_CAP if name in unfounded else score for name, (score, _) in given.items()}
    return Judgement(scores, founded, unfounded, addressed)


def addressed_to_judge(text: str) -> str:
    """Return the words by which a text tells its judge what to do, or an empty text."""
    folded = fold(nfc(text))
    found = _ADDRESSED.search(folded.text.replace("\n", " "))
    return folded.quote(*found.span()).strip() if found else ""


def _object(reply: str) -> Mapping[str, Any]:
    if len(reply) > _MAX_REPLY:
        raise JudgementInvalid(f"the reply has {len(reply)} characters, more than any judgement may have")
    bare = reply.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        data = read_json(bare)
    except json.JSONDecodeError as error:
        raise JudgementInvalid(f"the reply is not JSON at line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise JudgementInvalid(f"the reply is no usable JSON: {error}") from None
    except RecursionError:
        raise JudgementInvalid("the reply is JSON nested too deeply") from None
    if not isinstance(data, Mapping):
        raise JudgementInvalid("the reply is JSON, but no object")
    return data


def _graded(name: str, value: Any) -> tuple[int, str]:
    if not isinstance(value, Mapping):
        raise JudgementInvalid(f'"{name}" is no object with quote and score')
    score, quote = value.get("score"), value.get("quote", "")
    if type(score) is not int or not MIN_SCORE <= score <= MAX_SCORE:
        raise JudgementInvalid(f'the score of "{name}" is no whole number from {MIN_SCORE} to {MAX_SCORE}')
    if not isinstance(quote, str):
        raise JudgementInvalid(f'the quote of "{name}" is no text')
    return score, quote.strip()


def _words(text: str) -> list[str]:
    """Return the words alone: a judge copies words, not typography."""
    return _WORD.findall(fold(nfc(text)).text)


def _is_quoted(quote: str, text: Sequence[str]) -> bool:
    """Tell whether a quote is in a text; the last word of a longer one may be cut off."""
    words = _words(quote)
    if not words or (len(words) < _MIN_QUOTED_WORDS and words != list(text)):
        return False
    longest = max((_agreeing(words, text[start:]) for start in range(len(text))), default=0)
    return longest >= len(words) - (len(words) >= _LONGER_QUOTE_WORDS)


def _agreeing(words: Sequence[str], text: Sequence[str]) -> int:
    return next(
        (place for place, pair in enumerate(zip(words, text, strict=False)) if pair[0] != pair[1]),
        min(len(words), len(text)),
    )
