"""Load the word lists that ship with the agent, one file per language and purpose."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

__all__ = ["LANGUAGES", "word_list", "word_patterns", "word_tables"]

LANGUAGES = ("de", "es", "fr", "it", "nl", "pl", "pt", "sv", "tr")
"""Languages whose commonest words are known, so that a passage in one of them is told from English."""


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of `agent/words/NAME.txt`, in lower case."""
    return frozenset(files("agent").joinpath("words", f"{name}.txt").read_text(encoding="utf-8").split())


@cache
def word_patterns(name: str) -> Mapping[str, Sequence[str]]:
    """Return the patterns of `agent/words/NAME.toml` by what they are for."""
    return tomllib.loads(files("agent").joinpath("words", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def word_tables(name: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the tables of patterns of `agent/words/NAME.toml`, each by what its patterns are for."""
    data = tomllib.loads(files("agent").joinpath("words", f"{name}.toml").read_text(encoding="utf-8"))
    return {key: value for key, value in data.items() if isinstance(value, Mapping)}
