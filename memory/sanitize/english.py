"""Know which words are English, which of them are names too, and the words that stand around names."""

import tomllib
from functools import lru_cache
from pathlib import Path

__all__ = [
    "BEFORE_FIRMS", "CALENDAR", "COUNTRIES", "DETERMINERS", "FIRM_WORDS", "GREETINGS", "LEGAL_FORMS", "LEGAL_WORDS",
    "NOBODY", "NO_MAILBOX", "PARTICLES", "POST_NOMINALS", "PROPER_WORDS", "TITLES", "is_given", "is_name_too",
    "is_word",
]  # fmt: skip

_FOLDER = Path(__file__).parent.parent / "words"
_LISTS = ("en_openers", "en_words", "en_rare", "en_names", "en_given")
_AROUND = {
    name: frozenset(words.split())
    for name, words in tomllib.loads((_FOLDER / "en_sanitize.toml").read_text(encoding="utf-8")).items()
}

TITLES = _AROUND["titles"]
GREETINGS = _AROUND["greetings"]
PARTICLES = _AROUND["particles"]
LEGAL_FORMS = _AROUND["legal_forms"]
LEGAL_WORDS = _AROUND["legal_words"]
FIRM_WORDS = LEGAL_FORMS | _AROUND["firm_words"]
CALENDAR = _AROUND["calendar"]
PROPER_WORDS = CALENDAR | _AROUND["proper"]
NOBODY = _AROUND["nobody"]
NO_MAILBOX = _AROUND["no_mailbox"]
COUNTRIES = _AROUND["countries"]
POST_NOMINALS = _AROUND["post_nominals"]
DETERMINERS = _AROUND["determiners"]
BEFORE_FIRMS = _AROUND["before_firms"]


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset().union(*(_read(name) for name in _LISTS))


@lru_cache(maxsize=1)
def _named() -> frozenset[str]:
    return _read("en_names") | _given()


@lru_cache(maxsize=1)
def _given() -> frozenset[str]:
    return _read("en_given")


def _read(name: str) -> frozenset[str]:
    return frozenset((_FOLDER / f"{name}.txt").read_text(encoding="utf-8").split())


def is_word(word: str) -> bool:
    """Tell whether a word in small letters is English, or a proper name that names nobody (Friday, German, VAT)."""
    return len(word) == 1 or word in _words() or word in PROPER_WORDS or (word.endswith("s") and word[:-1] in _words())


def is_name_too(word: str) -> bool:
    """Tell whether an English word is a given or a family name too (will, march, baker)."""
    return word in _named()


def is_given(word: str) -> bool:
    """Tell whether an English word is a given name too (will, grant, rose)."""
    return word in _given()
