"""Define what every chat model takes, what it gives back and how it may fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol

__all__ = ["ChatModel", "Message", "ModelError", "Reason", "Reply", "Sampling"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model is to choose its words; saved with each attempt, so that it can be repeated.

    With `top_logprobs` above 0 the answer's first token is what is asked for: the reply says how likely the likeliest
    `top_logprobs` tokens were, and an answer that meets `max_tokens` is whole.
    """

    temperature: float = 0.2
    seed: int = 0
    max_tokens: int = 768
    top_p: float = 0.95
    top_logprobs: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """One complete answer. `tokens_in` counts the whole prompt, also the part that the server had cached.

    `first_token` gives the log-probabilities of the likeliest first tokens, None where the server has none.
    """

    text: str
    tokens_in: int
    tokens_out: int
    seconds: float
    model: str
    finish: str
    first_token: Mapping[str, float] | None = None


class Reason(StrEnum):
    """Why a call gave no usable answer."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    UNAUTHORISED = "unauthorised"
    HTTP_400 = "http_400"
    HTTP_404 = "http_404"
    HTTP_429 = "http_429"
    HTTP_500 = "http_500"
    HTTP_503 = "http_503"
    REDIRECT = "redirect"
    HTML = "html"
    NOT_JSON = "not_json"
    EMPTY = "empty"
    INCOMPLETE = "incomplete"
    TOO_LARGE = "too_large"
    PROMPT_CUT = "prompt_cut"
    PROMPT_TOO_LONG = "prompt_too_long"
    CONTROL_CHARACTERS = "control_characters"
    WRONG_MODEL = "wrong_model"


# The same call would end the same way: the set-up or the prompt has to change first.
_FINAL = frozenset(
    {
        Reason.UNAUTHORISED,
        Reason.HTTP_400,
        Reason.HTTP_404,
        Reason.REDIRECT,
        Reason.TOO_LARGE,
        Reason.PROMPT_CUT,
        Reason.PROMPT_TOO_LONG,
        Reason.WRONG_MODEL,
    }
)


class ModelError(Exception):
    """A call that gave no usable answer. The text says what happened and what to do; it never holds a key."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def retryable(self) -> bool:
        """Say whether the same call may succeed when made again."""
        return self.reason not in _FINAL


class ChatModel(Protocol):
    """A model that answers a conversation."""

    @property
    def name(self) -> str:
        """The name that `--model` takes and that is stored with each attempt."""

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling,
        schema: Mapping[str, Any] | None,
        deadline_seconds: float,
    ) -> Reply:
        """Answer `messages`, as JSON of `schema` if one is given.

        Returns within `deadline_seconds` (plus at most one) or raises ModelError, whatever the server does.
        An incomplete answer, or one to a prompt that the server cut, is an error and never a reply.
        """
