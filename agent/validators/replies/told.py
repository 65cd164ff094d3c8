"""Hold what a reply tells against its sources: figures, the articles they are from, and whose words they are.

Covers figures of the prose, each by its value and by the words that it stands among, and the article that a passage of
the knowledge base is from. Does not cover ordinals, and does not judge a statement without a figure beyond its article:
that is left to the check of each statement against the facts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from agent.text import Span
from agent.text.figure import Figure, FigureKind
from agent.validators.check import Check, Found, NoParams
from agent.validators.phrases import pattern_of
from agent.validators.reading import Reading
from agent.validators.replies.sources import Keys, Passage, Source, keys_of, sources_of, stems
from agent.validators.words import word_patterns

__all__ = ["CHECK", "check"]

_CLOSE = 0.75  # the share of an article's telling words that makes a sentence one of the article's
_LEAST = 4
_MEASURES = {"money", "duration", "percent"}
_NEED_TOPIC = {"duration", "percent"}


@dataclass
class _Sentence:
    """Hold a sentence of the reply with its stems, those of what it follows, and the sources that it draws on."""

    span: Span
    words: frozenset[str]
    before: frozenset[str]
    used: list[Source] = field(default_factory=list)


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report figures of no source, values that differ from the article's, and passages that name no article."""
    sources = sources_of(reading.sheet)
    # A slot of a frame is held to its clause by its own check.
    filled = [fill for place in reading.rendered.prose for fill in place.fills] if reading.framed else []
    fills = [reading.folded_span(fill.start, fill.end) for fill in filled]
    before: frozenset[str] = frozenset()
    for span in reading.prose_sentences:
        sentence = _Sentence(span, stems(reading.unowned[span.start : span.end]), before)
        for figure in reading.figures:
            if (
                span.holds(figure.span)
                and not _is_place(reading, figure)
                and not any(fill.holds(figure.span) for fill in fills)
            ):
                yield from _figure(reading, figure, sentence, sources)
        yield from _uncited(reading, sentence, sources)
        before = sentence.words


def _is_place(reading: Reading, figure: Figure) -> bool:
    """Tell whether a figure only says which one is meant: "your first message", "both answers", "the lost weekend"."""
    shown = reading.folded.text[figure.span.start : figure.span.end]
    return figure.kind is FigureKind.ORDINAL or shown.split()[0] == "both" or shown == "weekend"


def _figure(reading: Reading, figure: Figure, sentence: _Sentence, sources: Sequence[Source]) -> Iterator[Found]:
    keys = keys_of(figure, reading.folded.text)
    ours = [source for source in sources if source.kind != "customer"]
    holders = [source for source in ours if source.keys & keys]
    span, said = reading.folded.span(*figure.span), reading.folded.quote(*figure.span)
    theirs = any(source.keys & keys for source in sources if source.kind == "customer")
    if theirs and _attribution().search(reading.unowned[sentence.span.start : sentence.span.end]):
        return
    if holders:
        sentence.used += holders
        if told := _told_otherwise(keys, sentence, holders, ours):
            source, passage = told
            evidence = f'"{said}", but {source.id} says: {passage.text}'
            fix = f"Give the value of {source.id}, or leave it out."
            yield Found("ARTICLE_VALUE", evidence, span, facts=(source.id,), fix=fix)
    elif theirs:
        yield Found("CUSTOMER_FIGURE", f'"{said}" is only what the customer says', span)
    else:
        nearest = max(ours, key=lambda source: len(sentence.words & source.stems), default=None)
        hint = f"; {nearest.id} says: {nearest.text}" if nearest and len(sentence.words & nearest.stems) > 1 else ""
        yield Found("REPLY_FIGURE", f'"{said}" stands in no article, policy, order or event{hint}', span)


def _told_otherwise(
    keys: Keys, sentence: _Sentence, holders: Sequence[Source], sources: Sequence[Source]
) -> tuple[Source, Passage] | None:
    """Return the passage that speaks of the same and gives another value, or the figure's own one of something else."""
    measures = _measures(keys)
    if not measures:
        return None
    own = [(source, one) for source in holders for one in source.passages if _has(one, keys)]
    near = max(len(sentence.words & one.stems) for _, one in own)
    for source in sources:
        for passage in source.passages:
            rival = not _has(passage, keys) and any(_measures(one) & measures for one in passage.keys)
            if rival and len(sentence.words & passage.stems) > max(near + 1, 1):
                return source, passage
    about = sentence.words | sentence.before
    if any(kind in _NEED_TOPIC for kind, _ in measures) and not any(about & one.stems for _, one in own):
        return own[0]
    return None


def _measures(keys: Keys) -> set[tuple[str, str]]:
    return {(key[0], key[1] if key[0] == "duration" else "") for key in keys if key[0] in _MEASURES}


def _has(passage: Passage, keys: Keys) -> bool:
    return any(one & keys for one in passage.keys)


def _uncited(reading: Reading, sentence: _Sentence, sources: Sequence[Source]) -> Iterator[Found]:
    told = [source for source in sources if source.kind == "article" and _tells(sentence.words, source)]
    if not told and all(source.kind == "article" for source in sentence.used):
        told = sentence.used
    if told and not any(_names(reading, source) for source in told):
        shown = " ".join(reading.folded.quote(*sentence.span).split())[:120]
        span = reading.folded.span(*sentence.span)
        fix = f"Name {told[0].id} behind it."
        yield Found(
            "ARTICLE_UNCITED", f'"{shown}" is from {told[0].id}, which is not named', span, facts=(told[0].id,), fix=fix
        )


def _tells(words: frozenset[str], source: Source) -> bool:
    return any(len(words & one.stems) >= max(_LEAST, _CLOSE * len(one.stems)) for one in source.passages)


def _names(reading: Reading, source: Source) -> bool:
    text = reading.text.casefold()
    return source.id.casefold() in text or (bool(source.uri) and source.uri.casefold() in text)


@cache
def _attribution() -> re.Pattern[str]:
    return pattern_of(word_patterns("en_replies")["attribution"])


CHECK = Check(name="article_facts", version="1", run=check, blocking=True, confidence=0.95)
