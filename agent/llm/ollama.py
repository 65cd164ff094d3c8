"""Talk to an Ollama server with Ollama's own client."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import ollama
import pydantic

from agent.llm.acceptance import (
    first_token,
    most_tokens,
    require_complete,
    require_count,
    require_text,
    require_whole_prompt,
)
from agent.llm.chat import Message, ModelError, Reason, Reply, Sampling
from agent.llm.wire import BoundedTransport, Budget, model_errors, not_json_error, status_error

__all__ = ["DEFAULT_HOST", "OllamaModel"]

DEFAULT_HOST = "http://127.0.0.1:11434"
# Steps, because Ollama loads the model anew whenever the size changes. Without one it uses 4,096 tokens or so and cuts
# what is longer without a word.
_CONTEXT_SIZES = (8192, 16_384, 32_768)


class OllamaModel:
    """One model of one Ollama server. It is used only if the server lists it."""

    def __init__(self, model: str, *, host: str = DEFAULT_HOST) -> None:
        self.name = f"ollama:{model}"
        self._model = model
        self._host = host
        self._server = f"Ollama at {host}"
        self._listed = False

    def available(self, *, deadline_seconds: float = 2.0) -> bool:
        """Say whether the server is there and lists the model."""
        try:
            self._require_listed(Budget(deadline_seconds))
        except ModelError:
            return False
        return True

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling,
        schema: Mapping[str, Any] | None,
        deadline_seconds: float,
    ) -> Reply:
        """Answer `messages`; see ChatModel."""
        budget = Budget(deadline_seconds)
        context = self._context_tokens(messages, sampling)
        self._require_listed(budget)
        with self._client(budget) as client:
            pieces, last = _collect(
                self._server,
                client.chat(
                    model=self._model,
                    messages=[{"role": message.role, "content": message.content} for message in messages],
                    format=dict(schema) if schema is not None else None,
                    logprobs=True if sampling.top_logprobs else None,
                    top_logprobs=sampling.top_logprobs or None,
                    options={
                        "temperature": sampling.temperature,
                        "seed": sampling.seed,
                        "top_p": sampling.top_p,
                        "num_predict": sampling.max_tokens,
                        "num_ctx": context,
                    },
                    stream=True,
                ),
            )
        if last.model is not None and _tagged(last.model) != _tagged(self._model):
            raise ModelError(Reason.WRONG_MODEL, f"{self._server} answered with {last.model}, not {self._model}")
        finish = require_complete(self._server, last.done_reason, sampling)
        return Reply(
            tokens_in=require_whole_prompt(self._server, last.prompt_eval_count, messages),
            text=require_text(self._server, "".join(piece.message.content or "" for piece in pieces)),
            tokens_out=require_count(self._server, last.eval_count),
            seconds=budget.elapsed(),
            model=last.model or self._model,
            finish=finish,
            first_token=_first_token(pieces) if sampling.top_logprobs else None,
        )

    def _require_listed(self, budget: Budget) -> None:
        if self._listed:
            return
        with self._client(budget) as client:
            listed = sorted(entry.model for entry in client.list().models if entry.model)
        if _tagged(self._model) not in {_tagged(name) for name in listed}:
            raise ModelError(
                Reason.WRONG_MODEL,
                f"{self._server} does not list {self._model}; run `ollama pull {self._model}` there, "
                f"or name one that it has: {', '.join(listed) or 'none yet'}",
            )
        self._listed = True

    def _context_tokens(self, messages: Sequence[Message], sampling: Sampling) -> int:
        needed = most_tokens(messages) + sampling.max_tokens
        for size in _CONTEXT_SIZES:
            if needed <= size:
                return size
        raise ModelError(
            Reason.PROMPT_TOO_LONG,
            f"the prompt and its answer may need {needed} tokens, more than the {_CONTEXT_SIZES[-1]} that are allowed",
        )

    @contextmanager
    def _client(self, budget: Budget) -> Iterator[ollama.Client]:
        try:
            client = ollama.Client(
                self._host,
                transport=BoundedTransport(budget),
                follow_redirects=False,
                trust_env=False,
                timeout=budget.timeouts(),
            )
        except (ValueError, httpx.InvalidURL):
            raise ModelError(Reason.UNREACHABLE, f"{self._host!r} is not the address of an Ollama server") from None
        with model_errors(self._server, budget), client:
            try:
                yield client
            except ollama.ResponseError as error:
                raise status_error(self._server, error.status_code, str(error.error), self._model) from None
            except json.JSONDecodeError as error:
                raise not_json_error(self._server, error.doc) from None
            # What the client does with JSON of another shape: a list, null, a number that is text, endless nesting.
            except (pydantic.ValidationError, UnicodeError, AttributeError, TypeError, RecursionError):
                raise ModelError(Reason.NOT_JSON, f"{self._server} sent JSON that is no answer of Ollama's") from None


def _collect(
    server: str, chunks: Iterable[ollama.ChatResponse]
) -> tuple[Sequence[ollama.ChatResponse], ollama.ChatResponse]:
    """Return all chunks, and the last one by itself, which holds the counts."""
    pieces: list[ollama.ChatResponse] = []
    for chunk in chunks:
        pieces.append(chunk)
        if chunk.done:
            return pieces, chunk
    if not pieces:
        raise ModelError(Reason.EMPTY, f"{server} sent an empty answer")
    raise ModelError(Reason.INCOMPLETE, f"the answer of {server} is incomplete: it ended before it was done")


def _first_token(pieces: Sequence[ollama.ChatResponse]) -> Mapping[str, float] | None:
    tokens = next((piece.logprobs for piece in pieces if piece.logprobs), ())
    likeliest = (tokens[0].top_logprobs or ()) if tokens else ()
    return first_token((likely.token, likely.logprob) for likely in likeliest)


def _tagged(model: str) -> str:
    return model if ":" in model.rpartition("/")[2] else f"{model}:latest"
