"""Read what a person may choose for one machine, once and in one place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DEFAULT_PORT", "ROOT", "TORCH_INDEX", "CannotRunError", "Options"]

ROOT = Path(__file__).resolve().parent.parent.parent
DEFAULT_PORT = 8000
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"


class CannotRunError(Exception):
    """Something stands in the way of a start; the message is one line that says what, where and what to do."""


@dataclass(frozen=True)
class Options:
    """The choices of the environment. An empty variable counts as absent.

    `port` None means the default one, or the next that is free. `model` "" means Ollama's if Ollama has it, else the
    embedded one. `slots` drafts are written at once.
    """

    var: Path
    port: int | None
    model: str
    slots: int
    threads: int
    torch_index: str
    accept_cuda: bool

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Options:
        """Read the environment; raises CannotRunError for a value that makes no sense."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        port = _whole_number(environment, "REVIEWHUB_PORT", 0, least=1, most=65535)
        return cls(
            var=Path(_text(environment, "REVIEWHUB_VAR") or ROOT / "var").resolve(),
            port=port or None,
            model=_text(environment, "REVIEWHUB_MODEL"),
            slots=_whole_number(environment, "REVIEWHUB_DRAFTING_SLOTS", 1, least=1, most=64),
            threads=_whole_number(environment, "REVIEWHUB_MODEL_THREADS", cores, least=1, most=1024),
            torch_index=_text(environment, "TORCH_INDEX") or TORCH_INDEX,
            accept_cuda=_text(environment, "REVIEWHUB_CUDA") == "1",
        )


def _text(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip()


def _whole_number(environment: Mapping[str, str], name: str, default: int, *, least: int, most: int) -> int:
    text = _text(environment, name)
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise CannotRunError(f"{name}={text!r} is not a whole number from {least} to {most}. Set another, or unset it.")
    return int(text)
