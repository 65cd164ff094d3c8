"""Read who a clause speaks of, in which mode, and its verb in plain form."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from agent.text import MASK

__all__ = ["Clause", "grammar", "listed", "read_clause", "spelled_out"]


@cache
def grammar() -> dict[str, Any]:
    """Return the closed grammar of statements as `agent/words/en_statements.toml` holds it."""
    return tomllib.loads(files("agent").joinpath("words", "en_statements.toml").read_text(encoding="utf-8"))


@cache
def listed(name: str) -> frozenset[str]:
    """Return the words of one list of the grammar."""
    return frozenset(grammar()["words"][name].split())


@cache
def _irregular() -> dict[str, str]:
    forms: dict[str, str] = {}
    for entry in grammar()["words"]["irregular"].split(";"):
        plain, *others = entry.split()
        for form in others:
            forms.setdefault(form, plain)
    return forms


_CONTRACTED = {"'ve": "have", "'ll": "will", "'d": "would", "'m": "am", "'re": "are"}
_MODALS = {
    **dict.fromkeys(("can", "could", "will", "would", "shall"), "able"),
    **dict.fromkeys(("may", "might", "perhaps", "maybe", "probably", "possibly", "presumably", "likely"), "maybe"),
    **dict.fromkeys(("must", "should", "ought"), "must"),
}


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold a clause: `who` is first, second, person or thing; `mode` as the grammar names it; `said` = verb and rest.

    `is_future`: by will, shall or going to. `is_past`: of an event behind us. `subject` is the words before the verb.
    """

    who: str
    mode: str
    said: str
    subject: tuple[str, ...]
    is_negated: bool = False
    is_future: bool = False
    is_past: bool = False


@lru_cache(maxsize=20_000)
def spelled_out(word: str) -> tuple[str, ...]:
    """Return the words that a token stands for: contracted verbs and "not" are words of their own, hidden ones "x"."""
    if word.startswith(MASK):
        return ("x",)
    if word == "cannot":
        return ("can", "not")
    if word.endswith("n't"):
        return ({"won't": "will", "can't": "can", "shan't": "shall"}.get(word, word[:-3]), "not")
    stem, mark, tail = word.partition("'")
    verb = _CONTRACTED.get(mark + tail)
    if verb:
        return (stem, verb)
    if tail == "s" and stem in listed("contracted_is"):
        return (stem, "is")
    return (word,)


def read_clause(words: Sequence[str]) -> Clause | None:
    """Return what a clause states; None when it has no subject with a finite verb that this reader knows."""
    at = next((index for index in range(1, len(words)) if _is_finite(words, index)), None)
    if at is None:
        return None
    subject = tuple(words[:at])
    return _verb_group(_who(subject), subject, words, at)


def _is_finite(words: Sequence[str], index: int) -> bool:
    """Tell whether a word is the finite verb of the clause, by itself and the word before it."""
    word, before = words[index], words[index - 1]
    if word in listed("auxiliaries") and word not in ("be", "been", "being", "need", "needs"):
        return before not in ("to", "not")
    if before in listed("subjects") or (before in listed("adverbs") and words[max(index - 2, 0)] in ("we", "i", "you")):
        return _follows_subject(words, index)
    if before in listed("determiners") or before in ("to", "please", "and", "or", "for", "as"):
        return before in ("all", "both") and word in _irregular() and _is_past(word)
    if word in listed("present"):
        return before not in ("will", "not")
    if word.endswith("ed") and _is_reduced(words, index):
        return False
    follows = words[index + 1] if index + 1 < len(words) else ""
    return _is_past(word) and follows not in ("above", "below", "here") and before not in ("be", "been")


def _follows_subject(words: Sequence[str], index: int) -> bool:
    """Tell whether the word after a pronoun is its verb; "you" may be an object, "this" may belong to a noun."""
    word, before = words[index], words[index - 1]
    is_object = before == "you" and index > 1 and words[index - 2] not in ("that", "and")
    if before in ("this", "that", "who") or is_object:
        return _is_past(word) or word in listed("present")
    if before in listed("persons") and word in listed("prepositions") | {"here", "there", "else"}:
        return False
    return word not in listed("adverbs") and word not in ("and", "or", "to", "of", "for", "as", "both")


def _is_reduced(words: Sequence[str], index: int) -> bool:
    """Tell whether a participle belongs to the subject: "the amount needed to clear the account is"."""
    later = words[index + 1 :]
    verb = next(
        (at for at, word in enumerate(later) if word in listed("be") or word in _MODALS or word in ("has", "have")),
        None,
    )
    return verb is not None and not any(word in ("and", "we", "you", "i") for word in later[:verb])


@lru_cache(maxsize=20_000)
def _is_past(word: str) -> bool:
    return word not in listed("never_past") and (word in _irregular() or (word.endswith("ed") and len(word) > 4))


def _who(subject: Sequence[str]) -> str:
    nouns = [word for word in subject if word not in listed("adverbs")]
    last = nouns[-1] if nouns else ""
    if last in ("we", "i"):
        return "first"
    if last == "you" or nouns[-2:] == ["of", "you"]:
        return "second"
    cut = next((index for index, word in enumerate(nouns) if index and word in listed("prepositions")), len(nouns))
    if listed("persons").intersection(nouns[cut - 1 : cut]) or nouns[-2:] == ["no", "one"]:
        return "person"
    return "thing"


def _verb_group(who: str, subject: tuple[str, ...], words: Sequence[str], at: int) -> Clause | None:
    group, rest = _auxiliaries(words, at)
    is_negated = "not" in group or (who == "thing" and not listed("denying").isdisjoint(subject))
    is_be = not listed("be").isdisjoint(group)
    # "You will have to": what must be stands before what may or will be.
    modals = {_MODALS[word] for word in group if word in _MODALS}
    modal = next((one for one in ("must", "maybe", "able") if one in modals), "")
    if not rest and not is_be:
        return None
    is_past = not {"was", "were", "perfect", "did"}.isdisjoint(group)
    is_past = is_past or (not modal and not is_be and _is_past(rest[0]))
    said = " ".join(["be"] * is_be + [_plain(word) for word in rest[:1]] + rest[1:])
    mode = _mode(who, modal, is_negated, is_past, is_be)
    return Clause(who, mode, said, subject, is_negated, not {"will", "shall"}.isdisjoint(group), is_past)


def _auxiliaries(words: Sequence[str], at: int) -> tuple[set[str], list[str]]:
    """Part a clause behind its subject into the words that help its verb, and the verb with the rest."""
    group: set[str] = set()
    index = at
    while index < len(words):
        word = words[index]
        after = words[index + 1] if index + 1 < len(words) else ""
        if word in ("not", "never"):
            group.add("not")
        elif word in ("have", "has", "had", "need", "needs") and after == "to":
            group |= {"must", "did"} if word == "had" else {"must"}
            index += 1
        elif word in listed("be") and after == "going" and words[index + 2 : index + 3] == ["to"]:
            group.add("will")
            index += 2
        elif word in _MODALS or word in listed("be"):
            group.add(word)
        elif word in ("have", "has", "had") and _is_perfect(words, index + 1):
            group.add("perfect")
        elif word in ("do", "does", "did") and group.isdisjoint(_MODALS) and _is_helper(words, index + 1):
            group.add(word)
        elif word not in listed("adverbs") and (not word.endswith("ly") or len(word) < 5 or word == "reply"):
            break
        index += 1
    return group, [word for word in words[index:] if word != "not"]


def _mode(who: str, mode: str, negated: bool, past: bool, be: bool) -> str:
    if mode == "able" and negated and who == "first":
        return "unable"
    if mode:
        return mode
    if past and negated:
        return "denied"
    if past:
        return "past"
    return "be" if be else "present"


def _is_perfect(words: Sequence[str], at: int) -> bool:
    follows = [word for word in words[at : at + 4] if word not in ("not", "never", *listed("adverbs"), *_MODALS)]
    return bool(follows) and (_is_past(follows[0]) or follows[0] in ("become", "come", "run", "been"))


def _is_helper(words: Sequence[str], at: int) -> bool:
    follows = words[at] if at < len(words) else ""
    return (
        follows == "not" or follows in listed("adverbs") or (follows.isalpha() and follows not in listed("determiners"))
    )


@lru_cache(maxsize=20_000)
def _plain(word: str) -> str:
    """Return a verb in its plain form, as well as its ending tells."""
    if word in _irregular():
        return _irregular()[word]
    known = _known_verbs()
    for ending, put in (
        ("ied", "y"),
        ("ies", "y"),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
        ("es", ""),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)] + put
            if stem in known or stem in _irregular().values():
                return stem
            if put == "" and stem[-1:] == stem[-2:-1] and stem[:-1] in known:
                return stem[:-1]
    return word


@cache
def _known_verbs() -> frozenset[str]:
    """Return the words of all verbs and forms of the grammar: what a plain form is sought among."""
    text = " ".join(
        " ".join(value) if isinstance(value, list) else value
        for table in grammar().values()
        for part in table.values()
        for value in (part.values() if isinstance(part, dict) else [part])
    )
    return frozenset(re.findall(r"[a-z]{2,}", text.replace("\\b", " ")))
