"""Talk to any server of OpenAI's chat interface: vLLM, llama.cpp, NIM, Groq and the embedded one."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx
import pydantic

from agent.llm.acceptance import first_token, require_complete, require_count, require_text, require_whole_prompt
from agent.llm.chat import Message, ModelError, Reason, Reply, Sampling
from agent.llm.wire import BoundedTransport, Budget, model_errors, not_json_error, status_error

__all__ = ["OpenAICompatibleModel"]


class _Said(pydantic.BaseModel):
    content: str | None = None


class _Likely(pydantic.BaseModel):
    token: str
    logprob: float


class _Token(pydantic.BaseModel):
    top_logprobs: list[_Likely] = []


class _Logprobs(pydantic.BaseModel):
    content: list[_Token] | None = None


class _Choice(pydantic.BaseModel):
    message: _Said
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Usage(pydantic.BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(pydantic.BaseModel):
    choices: list[_Choice] = pydantic.Field(min_length=1)
    usage: _Usage = _Usage()
    model: str | None = None


class OpenAICompatibleModel:
    """One model of one server.

    `url` is what OpenAI's clients call the base URL, "/v1" included. The key goes into one header and nowhere else: not
    into the name, a log or an error. `sleep` waits before the one retry that a busy server asks for.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        name: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name or f"openai:{url}#{model}"
        self._endpoint = f"{url.rstrip('/')}/chat/completions"
        self._server = f"the model server at {url}"
        self._model = model
        self._headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._sleep = sleep

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
        completion = self._completion(self._request(messages, sampling, schema), budget)
        choice = completion.choices[0]
        finish = require_complete(self._server, choice.finish_reason, sampling)
        return Reply(
            tokens_in=require_whole_prompt(self._server, completion.usage.prompt_tokens, messages),
            text=require_text(self._server, choice.message.content or ""),
            tokens_out=require_count(self._server, completion.usage.completion_tokens),
            seconds=budget.elapsed(),
            model=completion.model or self._model,
            finish=finish,
            first_token=_first_token(choice) if sampling.top_logprobs else None,
        )

    def _request(
        self, messages: Sequence[Message], sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": sampling.temperature,
            "seed": sampling.seed,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
        }
        if sampling.top_logprobs:
            request |= {"logprobs": True, "top_logprobs": sampling.top_logprobs}
        if schema is not None:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": dict(schema), "strict": True},
            }
        return request

    def _completion(self, request: Mapping[str, Any], budget: Budget) -> _Completion:
        response = self._post(request, budget)
        pause = _pause_seconds(response)
        if pause is not None and pause < budget.remaining():
            self._sleep(pause)
            response = self._post(request, budget)
        if response.status_code != httpx.codes.OK:
            raise status_error(self._server, response.status_code, response.text, self._model)
        try:
            return _Completion.model_validate(response.json())
        except (json.JSONDecodeError, UnicodeError):
            raise not_json_error(self._server, response.text) from None
        except (pydantic.ValidationError, RecursionError):
            raise ModelError(Reason.NOT_JSON, f"{self._server} sent JSON that is no chat completion") from None

    def _post(self, request: Mapping[str, Any], budget: Budget) -> httpx.Response:
        with (
            model_errors(self._server, budget),
            httpx.Client(
                transport=BoundedTransport(budget), headers=self._headers, timeout=budget.timeouts(), trust_env=False
            ) as client,
        ):
            return client.post(self._endpoint, json=request)


def _first_token(choice: _Choice) -> Mapping[str, float] | None:
    tokens = (choice.logprobs.content if choice.logprobs else None) or []
    return first_token((likely.token, likely.logprob) for likely in (tokens[0].top_logprobs if tokens else ()))


def _pause_seconds(response: httpx.Response) -> float | None:
    """Return how long a busy server asks its client to wait; None if it does not ask, or names a date."""
    asked = response.headers.get("retry-after", "")
    return float(asked) if response.status_code in (429, 503) and asked.isascii() and asked.isdigit() else None
