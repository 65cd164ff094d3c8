"""Decide whether what a model server sent back may be used as an answer.

Covers: an answer that stopped early, that is empty, that holds characters no text may hold, and one to a prompt that
the server cut. Does not cover what the words say, nor whether they are the JSON that was asked for: that is the loop's.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from agent.llm.chat import Message, ModelError, Reason, Sampling

__all__ = [
    "fewest_tokens",
    "first_token",
    "most_tokens",
    "require_complete",
    "require_count",
    "require_text",
    "require_whole_prompt",
]

_RUN = re.compile(r"[^\W\d_]+|\d+")
_LONG_NUMBER = re.compile(r"\d{4,}")
_TOLERANCE = 0.9
_MOST_TOKENS = 10_000_000  # more than any context holds
# All of Unicode's control characters but line breaks and tabs, and halves of a pair (categories Cc and Cs).
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# JSON's escapes of what may not stand in a text: control characters, and halves of a pair without the other half.
_ESCAPE = re.compile(
    r"\\u(?:00(?:0[0-8bcef]|1[0-9a-f]|7f|[89][0-9a-f])"
    r"|d[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})"
    r"|(?<!\\ud[89ab][0-9a-f]{2}\\u)d[c-f][0-9a-f]{2})",
    re.IGNORECASE,
)


def fewest_tokens(messages: Sequence[Message]) -> int:
    """Return how many tokens `messages` come to at the very least, for any tokenizer in use.

    A token of the models served here never spans two words, and takes three digits at most. Real prompts come to about
    1.4 times this figure.
    """
    return sum(
        len(_RUN.findall(message.content)) + sum((len(run) - 1) // 3 for run in _LONG_NUMBER.findall(message.content))
        for message in messages
    )


def most_tokens(messages: Sequence[Message]) -> int:
    """Return a figure that English prompts with their ids and amounts stay below, template included."""
    return sum(len(message.content) // 2 + 16 for message in messages)


def require_whole_prompt(server: str, tokens_in: int | None, messages: Sequence[Message]) -> int:
    """Return `tokens_in`, or raise ModelError if the server read less of the prompt than was sent.

    Servers report the count with the part they had cached, so a repeated prompt counts in full (Ollama since 0.2 but
    for the first releases of 0.30, llama.cpp and vLLM always). A missing count proves nothing, so it is refused too.
    """
    fewest = fewest_tokens(messages)
    if not tokens_in:
        raise ModelError(
            Reason.PROMPT_CUT, f"{server} does not say how much of the prompt it read; use a release that counts tokens"
        )
    if tokens_in < fewest * _TOLERANCE:
        raise ModelError(
            Reason.PROMPT_CUT,
            f"{server} read {tokens_in} tokens of a prompt that has at least {fewest}: it cut the prompt; "
            "give it a larger context, or a newer release if it leaves out what it had cached",
        )
    return require_count(server, tokens_in)


def require_count(server: str, tokens: int | None) -> int:
    """Return `tokens`, 0 for None, or raise ModelError if no answer has that many: a budget is kept by these counts."""
    if tokens is None:
        return 0
    if not 0 <= tokens <= _MOST_TOKENS:
        raise ModelError(Reason.NOT_JSON, f"{server} counts {tokens} tokens, which cannot be")
    return tokens


def require_complete(server: str, finish: str | None, sampling: Sampling) -> str:
    """Return `finish`, or raise ModelError if the answer did not come to its own end.

    Where only the first token is asked for, the limit of tokens is an end like any other.
    """
    if finish == "stop" or (finish == "length" and sampling.top_logprobs):
        return finish
    why = "it reached the limit of tokens" if finish == "length" else f"it ended with {finish or 'no reason'!r}"
    raise ModelError(Reason.INCOMPLETE, f"the answer of {server} is incomplete: {why}")


def require_text(server: str, text: str) -> str:
    """Return `text`, or raise ModelError if it is empty or holds control characters or lone surrogates.

    Their escapes count as well: most answers are JSON, and what they turn into breaks databases.
    """
    if not text.strip():
        raise ModelError(Reason.EMPTY, f"{server} sent an empty answer")
    if control := _CONTROL.search(text):
        raise ModelError(
            Reason.CONTROL_CHARACTERS, f"the answer of {server} holds the character U+{ord(control[0]):04X}"
        )
    if escape := _ESCAPE.search(text):
        raise ModelError(Reason.CONTROL_CHARACTERS, f"the answer of {server} holds the escape {escape[0]}")
    return text


def first_token(likeliest: Iterable[tuple[str, float]]) -> Mapping[str, float] | None:
    """Return log-probabilities by token, the same word's added up; None if the server gave none.

    Tokens are bare words: a server may list "YES", " YES" and "yes" apart, and which one it writes is chance.
    """
    shares: dict[str, float] = {}
    for token, logprob in likeliest:
        if not math.isnan(logprob):
            word = token.strip()
            shares[word] = shares.get(word, 0.0) + math.exp(min(logprob, 0.0))
    return {word: math.log(share) for word, share in shares.items() if share > 0} or None
