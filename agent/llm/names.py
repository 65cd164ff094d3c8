"""Turn the name of a model, as a person or a setting gives it, into its client.

A client's module is imported when its model is named: their libraries take a quarter of a second, and most commands
call no model at all.
"""

import re
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from agent.llm.chat import ChatModel, Message
from agent.llm.scripted import ScriptedModel, ScriptError, read_script

__all__ = ["ModelNameError", "model_from_name"]

_ALLOWED = "use scripted, scripted:FILE, embedded, ollama:NAME or openai:URL#NAME"


class ModelNameError(ValueError):
    """A model name, or a setting that belongs to it, that cannot be used; the text says why."""


def model_from_name(
    name: str, *, environ: Mapping[str, str], canned: Callable[[Sequence[Message]], str] | None = None
) -> ChatModel:
    """Return the client of the model called `name`, without calling it.

    `canned` gives the outputs of the bare name "scripted". Keys come from `environ` alone. Make one client per draft:
    a script keeps its place. Raises ModelNameError.
    """
    kind, colon, rest = name.strip().partition(":")
    if kind == "scripted":
        return _scripted(rest, canned) if rest or not colon else _refuse(name, "names no file")
    if kind == "embedded" and not colon:
        from agent.llm.embedded import EmbeddedModel  # noqa: PLC0415 - see above

        return EmbeddedModel(environ=environ)
    if kind == "ollama":
        return _ollama(rest, environ) if rest else _refuse(name, "names no model of Ollama")
    if kind == "openai":
        return _openai(name, rest, environ)
    return _refuse(name, "is not the name of a model")


def _refuse(name: str, why: str) -> ChatModel:
    without_password = re.sub(r"[^/]*@", "...@", name)
    raise ModelNameError(f"{without_password!r} {why}; {_ALLOWED}")


def _scripted(file: str, canned: Callable[[Sequence[Message]], str] | None) -> ChatModel:
    if not file:
        if canned is None:
            raise ModelNameError(
                "'scripted' alone needs the argument canned, a function from a prompt to a draft: pass one, or give a "
                f"file; {_ALLOWED}"
            )
        return ScriptedModel(canned)
    try:
        return ScriptedModel(read_script(Path(file)), name=f"scripted:{file}")
    except ScriptError as error:
        raise ModelNameError(str(error)) from error


def _ollama(model: str, environ: Mapping[str, str]) -> ChatModel:
    from agent.llm.ollama import DEFAULT_HOST, OllamaModel  # noqa: PLC0415 - see above

    host = environ.get("OLLAMA_HOST") or DEFAULT_HOST
    _require_address(host if "://" in host else f"http://{host}", "OLLAMA_HOST")
    return OllamaModel(model, host=host)


def _openai(name: str, rest: str, environ: Mapping[str, str]) -> ChatModel:
    from agent.llm.openai_compatible import OpenAICompatibleModel  # noqa: PLC0415 - see above

    url, hash_sign, model = rest.rpartition("#")
    if not (url and hash_sign and model):
        return _refuse(name, "lacks the URL or, after a #, the model's name")
    parts = _require_address(url, "the URL after openai:")
    if parts.query or parts.fragment:
        return _refuse(name, "has a ? or a second # in its URL")
    if parts.path in ("", "/"):
        url = f"{url.rstrip('/')}/v1"
    return OpenAICompatibleModel(url, model, key=_key(environ), name=name.strip())


def _require_address(url: str, what: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ModelNameError(f"{what}: not an address such as http://127.0.0.1:8000/v1")
    if "@" in parts.netloc:
        raise ModelNameError(f"{what}: leave name and password out; a key is taken from REVIEWHUB_MODEL_KEY alone")
    return parts


def _key(environ: Mapping[str, str]) -> str | None:
    key = environ.get("REVIEWHUB_MODEL_KEY") or None
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise ModelNameError("REVIEWHUB_MODEL_KEY holds a space, a line break or a letter that no key has")
    return key
