"""Answer with outputs that were written before: for tests, and for a hub that has no model."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from agent.llm.acceptance import fewest_tokens, require_text
from agent.llm.chat import Message, Reply, Sampling

__all__ = ["ScriptError", "ScriptedModel", "read_script"]


class ScriptError(ValueError):
    """A file that holds no list of outputs."""


class ScriptedModel:
    """Give one output of a list after another, the last one again and again; or what a function makes of the messages.

    An output is the raw text, or a JSON object or list that stands for its text. The place in the list is this
    object's: make one for each draft.
    """

    def __init__(self, outputs: Sequence[Any] | Callable[[Sequence[Message]], str], *, name: str = "scripted") -> None:
        self.name = name
        self._outputs = outputs
        self._given = 0
        self._lock = Lock()

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling,  # noqa: ARG002 - the interface's
        schema: Mapping[str, Any] | None,  # noqa: ARG002 - the interface's
        deadline_seconds: float,  # noqa: ARG002 - the interface's
    ) -> Reply:
        """Answer `messages`; see ChatModel. Tokens are the least that the texts can come to."""
        output = self._outputs(messages) if callable(self._outputs) else self._next(self._outputs)
        text = require_text("the script", output if isinstance(output, str) else json.dumps(output, ensure_ascii=False))
        return Reply(
            text=text,
            tokens_in=fewest_tokens(messages),
            tokens_out=fewest_tokens([Message("assistant", text)]),
            seconds=0.0,
            model=self.name,
            finish="stop",
        )

    def _next(self, outputs: Sequence[Any]) -> Any:
        with self._lock:
            output = outputs[min(self._given, len(outputs) - 1)]
            self._given += 1
            return output


def read_script(path: Path) -> list[Any]:
    """Read a JSON list of outputs, or raise ScriptError that names the file and what is wrong with it."""
    try:
        outputs = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScriptError(f"cannot read the scripted outputs in {path}: {error.strerror}") from error
    except ValueError as error:
        raise ScriptError(f"{path} is not JSON, so it holds no scripted outputs: {error}") from error
    if not isinstance(outputs, list) or not outputs:
        raise ScriptError(f"{path} must hold a JSON list of at least one output (a text, or JSON that stands for it)")
    for place, output in enumerate(outputs, start=1):
        if not isinstance(output, str | dict | list):
            raise ScriptError(f"{path}: output {place} is {output!r}; give a text, an object or a list")
    return outputs
