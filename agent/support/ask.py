"""Ask a model whether facts bear out a sentence, and read how sure it is from its first token."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.llm.chat import ChatModel, Message, Sampling

__all__ = ["Answer", "AnswerUnreadable", "ask", "question"]

_SYSTEM = (
    "You check claims against facts. SUPPORTED: the facts say it or it follows from them. "
    "UNSUPPORTED: the facts do not say it, or say otherwise. Answer with one word."
)
_EXAMPLES = (
    ("The repair visit of April 8 took two hours.", "The visit on April 8 took three hours.", "UNSUPPORTED"),
    (
        "Invoice B-17 for $90.00 was due on May 2, 2026. B-17 is unpaid.",
        "B-17 has been open since the start of May.",
        "SUPPORTED",
    ),
    (
        "No refund has been decided. The client asked for a refund.",
        "You will get the money back this week.",
        "UNSUPPORTED",
    ),
    ("A copy can be sent by email.", "We can mail you a copy if you like.", "SUPPORTED"),
)
_SCHEMA = {"type": "string", "enum": ["SUPPORTED", "UNSUPPORTED"]}
_FIRST_TOKEN = Sampling(temperature=0.0, max_tokens=1, top_p=1.0, top_logprobs=10)
_WORD = Sampling(temperature=0.0, max_tokens=16, top_p=1.0)
_LEAST_SHARE = 0.05  # below it the model was about to say something else
_SMOOTH = 1e-4


class AnswerUnreadable(Exception):
    """A model that answered with neither of the two words; it cannot be used for this check."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold how likely a sentence is supported, from 0 to 1, and what the call used."""

    supported: float
    tokens_in: int
    tokens_out: int
    seconds: float
    calls: int = 1


def question(facts: Sequence[str], sentence: str) -> tuple[Message, ...]:
    """Return the conversation that asks about a sentence: examples, which a server keeps, facts, then the sentence."""
    turns = [Message("system", _SYSTEM)]
    for told, claimed, answer in _EXAMPLES:
        turns += [_claim(told, claimed), Message("assistant", answer)]
    return (*turns, _claim(" ".join(facts), sentence))


def _claim(facts: str, sentence: str) -> Message:
    return Message("user", f"Facts: {facts}\nClaim: {sentence}")


def ask(model: ChatModel, facts: Sequence[str], sentence: str, *, deadline_seconds: float) -> Answer:
    """Ask about one sentence; raises ModelError, or AnswerUnreadable for a model that does not follow.

    Without log-probabilities the model's word decides, so the answer is 0 or 1.
    """
    asked = question(facts, sentence)
    reply = model.chat(asked, sampling=_FIRST_TOKEN, schema=None, deadline_seconds=deadline_seconds)
    if reply.first_token is not None:
        return Answer(_share(reply.first_token), reply.tokens_in, reply.tokens_out, reply.seconds)
    left = deadline_seconds - reply.seconds
    word = model.chat(asked, sampling=_WORD, schema=_SCHEMA, deadline_seconds=left)
    return Answer(
        _said(word.text),
        reply.tokens_in + word.tokens_in,
        reply.tokens_out + word.tokens_out,
        reply.seconds + word.seconds,
        calls=2,
    )


def _share(first_token: Mapping[str, float]) -> float:
    """Return the share of SUPPORTED among the tokens that begin one of the two words."""
    supported, unsupported = (
        sum(math.exp(logprob) for token, logprob in first_token.items() if _begins(token, word))
        for word in ("supported", "unsupported")
    )
    if supported + unsupported < _LEAST_SHARE:
        raise AnswerUnreadable(f"the model was about to answer {max(first_token, key=first_token.__getitem__)!r}")
    return (supported + _SMOOTH) / (supported + unsupported + 2 * _SMOOTH)


def _begins(token: str, word: str) -> bool:
    return bool(token) and word.startswith(token.casefold())


def _said(text: str) -> float:
    try:
        word = json.loads(text)
    except ValueError:
        word = text
    said = str(word).strip().rstrip(".").casefold()
    if said not in ("supported", "unsupported"):
        raise AnswerUnreadable(f"the model answered {said[:40]!r}")
    return float(said == "supported")
