"""Hold what a text says a line is for against the line's description.

Covers a description of the sheet beside a line's id that has another one, and words about what a line is for that no
description holds. The second only warns: a text may paraphrase.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from agent.outcome import Status
from agent.text import Span, find_strings, fold
from agent.validators import english
from agent.validators.check import Check, Found, NoParams
from agent.validators.mentions import Mention
from agent.validators.reading import Reading
from agent.validators.words import word_list

__all__ = ["CHECK", "check"]

_PARTS = re.compile(r"\s*[,;(]\s*|\s+[-–]\s+")
_JOINED = re.compile(r"\s*(?:,|&|/|and|,\s*and|as well as|plus)\s*")
_LINK = re.compile(rf"\s*[(:,-]?\s*(?:(?:{english.FOR_WORDS})\s+){{0,6}}['\"]?")
_BRACKET = re.compile(r"\s*\(\s*(?:invoice\s+|no\.?\s+|ref\.?\s+)?")
_ALL = re.compile(r"\b(?:both|all|each|were|are|relate|cover)\b")
_COVERS = re.compile(rf"\b(?:{english.COVERS})\s+(?P<what>[^.;:!?()\n]{{3,120}})")
_DELIVERED = re.compile(english.DELIVERED)
_WORD = re.compile(r"[a-z][a-z'-]{3,}")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report a line that is described as another one, and warn about details that no description holds."""
    owners = _owners(tuple((line.id, line.description) for line in reading.sheet.lines))
    described = find_strings(reading.unowned, owners)
    for sentence in reading.prose_sentences:
        start, end = sentence
        mentions = [item for item in reading.mentions if start <= item.span.start and item.span.end <= end]
        terms = [span for span in described if start <= span.start and span.end <= end]
        yield from _swapped(reading, mentions, terms, owners)
        if mentions or terms:
            yield from _unknown(reading, sentence)
        before = max(0, start - 1)
        for place in _delivered(reading.masked[before:end], start - before):
            span = Span(before + place.start, before + place.end)
            said = reading.folded.quote(*span)
            yield Found("DETAIL_UNSUPPORTED", said, reading.folded.span(*span), status=Status.WARN)


@lru_cache(maxsize=2048)
def _delivered(text: str, start: int) -> tuple[Span, ...]:
    return tuple(Span(*match.span()) for match in _DELIVERED.finditer(text, start))


@lru_cache(maxsize=64)
def _owners(described: tuple[tuple[str, str], ...]) -> Mapping[str, frozenset[str]]:
    """Map each description, and each part of one that is said alone, to the lines that have it."""
    owners: dict[str, set[str]] = {}
    for line_id, description in described:
        folded = fold(description).text
        for term in {folded, *_PARTS.split(folded)}:
            if len(term.strip()) > 3:
                owners.setdefault(term.strip(), set()).add(line_id)
    return {term: frozenset(lines) for term, lines in owners.items()}


def _swapped(
    reading: Reading, mentions: list[Mention], terms: list[Span], owners: Mapping[str, frozenset[str]]
) -> Iterator[Found]:
    text = reading.folded.text
    for mention, term in _pairs(text, mentions, terms):
        words = " ".join(text[term.start : term.end].split())
        if mention.line not in owners.get(words, frozenset({mention.line})):
            start, end = min(mention.span.start, term.start), max(mention.span.end, term.end)
            evidence = " ".join(reading.folded.quote(start, end).split())
            yield Found("LINE_DETAIL", evidence, reading.folded.span(start, end), facts=(mention.line,))


def _pairs(text: str, mentions: list[Mention], terms: list[Span]) -> Iterator[tuple[Mention, Span]]:
    """Yield each line with the description that the sentence gives it, either before the other."""
    for index, term in enumerate(terms):
        yield from ((mention, term) for mention in mentions if _BRACKET.fullmatch(text, term.end, mention.span.start))
        groups = _groups(text, [mention for mention in mentions if mention.span.end <= term.start])
        link = _LINK.fullmatch(text, groups[-1][-1].span.end, term.start) if groups else None
        if link is None:
            continue
        group, listed = groups[-1], _run_of(text, terms[index:])
        if len(listed) == len(group):
            yield from zip(group, listed, strict=True)
        elif len(listed) == 1 and _ALL.search(link[0]):
            yield from ((mention, term) for mention in group)
        else:
            yield group[-1], term


def _groups(text: str, mentions: list[Mention]) -> list[list[Mention]]:
    """Part mentions into runs that are joined by commas and "and"."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if groups and _JOINED.fullmatch(text, groups[-1][-1].span.end, mention.span.start):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _run_of(text: str, terms: list[Span]) -> list[Span]:
    run = terms[:1]
    for term in terms[1:]:
        if not _JOINED.fullmatch(text, run[-1].end, term.start):
            break
        run.append(term)
    return run


def _unknown(reading: Reading, sentence: Span) -> Iterator[Found]:
    shown = reading.masked[sentence.start : sentence.end]
    for match in _COVERS.finditer(shown):
        known = (word_list("en_common"), word_list("en_plain"), _own_words(reading))
        strange = [word for word in _WORD.findall(match["what"]) if not any(word in words for words in known)]
        if strange:
            start = sentence.start + match.start()
            end = sentence.start + match.end()
            evidence = f"{' '.join(reading.folded.quote(start, end).split())} ({', '.join(strange[:5])})"
            yield Found("DETAIL_UNSUPPORTED", evidence, reading.folded.span(start, end), status=Status.WARN)


def _own_words(reading: Reading) -> frozenset[str]:
    return frozenset(word for string in reading.own for word in _WORD.findall(fold(string).text))


CHECK = Check(name="details", version="1", run=check, blocking=True)
