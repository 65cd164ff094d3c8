"""Refuse what the sender's policy, an article or an event does not allow: refunds, replacements, favours, guarantees.

Covers promises and refusals by their words, sentence by sentence. A refund is held against the window, the order and
what went back already; see `agent.validators.replies.refunds`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from agent.outcome import Status
from agent.text import Span
from agent.text.figure import FigureKind
from agent.validators.check import Check, Found, NoParams
from agent.validators.phrases import pattern_of
from agent.validators.reading import Reading
from agent.validators.replies.refunds import Refund, refund_of
from agent.validators.replies.sources import sources_of, stems
from agent.validators.words import word_patterns, word_tables

__all__ = ["CHECK", "check"]

_WORDS = word_patterns("en_replies")
_REFUND = re.compile(r"\b(?:refund\w*|reimburs\w*|money back)\b")
_CLAUSE = re.compile(r"[,;:]|\bso\b|\bbut\b")
_NO = re.compile(r"\b(?:no|not|never|cannot|unable|nor|without|outside|neither)\b|n't\b")
_WHOLE = re.compile(
    r"\b(?:full|whole|entire|complete) (?:refund|price|amount)\b"
    r"|\b(?:refund\w*|money back|reimburs\w*)\b[^.;,]*\bin full\b"
)
_LEADS = re.compile(
    r"\b(?:refund\w*|reimburs\w*|get back|receive|money back)\b(?:(?!\b(?:paid|price|cost)\b)[^.;,]){0,30}$"
)
_FOLLOWS = re.compile(r"\s(?:back\b|(?:\w+ ){0,3}(?:refunded|returned|reimbursed)\b|refund\b|went back\b)")
_PAST = re.compile(r"\b(?:refunded|went back|issued|was made|has been|sent|processed|on its way)\b")
_IF = pattern_of(_WORDS["condition"])
_EVENTS = {"replacement": "replacement", "goodwill": "credit", "exception": "agreement", "deadline": "agreement"}


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each promise that nothing allows, and a refund above what may go back."""
    refund = refund_of(reading.sheet)
    for sentence in reading.prose_sentences:
        shown = reading.unowned[sentence.start : sentence.end]
        yield from _refund(reading, sentence, shown, refund)
        yield from _others(reading, sentence, shown)


def _refund(reading: Reading, sentence: Span, shown: str, refund: Refund) -> Iterator[Found]:
    made = any(event.kind == "refund" for event in reading.sheet.events)
    if _patterns()["refusal"].search(shown):
        if refund.is_allowed and not made:
            evidence = f"{_quote(reading, sentence)}; {_why(refund)}"
            yield Found("REFUND_REFUSED", evidence, reading.folded.span(*sentence), status=Status.WARN)
        return
    match = _patterns()["refund"].search(shown)
    if (
        match
        and not made
        and not refund.is_allowed
        and not (_NO.search(_CLAUSE.split(shown[: match.start()])[-1] + match[0]) or _is_general(shown, match))
    ):
        span = reading.folded.span(sentence.start + match.start(), sentence.start + match.end())
        yield Found("REFUND_UNLICENSED", f"{_quote(reading, sentence)}; {_why(refund)}", span)
    elif not _NO.search(shown):
        yield from _amount(reading, sentence, shown, refund)


def _amount(reading: Reading, sentence: Span, shown: str, refund: Refund) -> Iterator[Found]:
    """Report amounts that stand as a refund's and are more than may go back, or than went back."""
    most = max(refund.open_cents, refund.made_cents)
    if refund.order and most < refund.paid_cents and _WHOLE.search(shown) and not _IF.search(shown):
        yield Found("REFUND_AMOUNT", f"{_quote(reading, sentence)}; a part goes back", reading.folded.span(*sentence))
    for figure in reading.figures:
        if figure.kind is not FigureKind.MONEY or not sentence.holds(figure.span) or not figure.cents:
            continue
        before = shown[: figure.span.start - sentence.start]
        after = shown[figure.span.end - sentence.start :]
        if not (_LEADS.search(before) or _FOLLOWS.match(after)):
            continue
        limit = refund.made_cents if refund.made_cents and _PAST.search(shown) else most
        if min(figure.cents) > limit:
            said, span = reading.folded.quote(*figure.span), reading.folded.span(*figure.span)
            yield Found("REFUND_AMOUNT", f'"{said}" is more than a refund here comes to', span)


def _is_general(shown: str, match: re.Match[str]) -> bool:
    """Tell whether a sentence only says what holds for everybody: "you can get a refund within 30 days of delivery"."""
    after = shown[match.start() :]
    return (bool(re.search(r"\bwithin\b[^.;]*\b(?:of|after|from)\b", after)) and "your" not in shown) or bool(
        _IF.search(shown[: match.start()])
    )


def _why(refund: Refund) -> str:
    if refund.window is None:
        return "no policy gives a refund window"
    if refund.days is None:
        return "no order has a day of delivery"
    if refund.is_refused or refund.is_allowed:
        return f"asked for {refund.days} days after delivery, the window is {refund.window} days"
    return "all that may go back went back already"


def _others(reading: Reading, sentence: Span, shown: str) -> Iterator[Found]:
    events = {event.kind for event in reading.sheet.events}
    for kind in word_tables("en_replies")["promises"]:
        match = _patterns()[kind].search(shown)
        if match is None or _NO.search(shown[: match.start()]) or _IF.search(shown[: match.start()]):
            continue
        if _EVENTS.get(kind) in events or _is_told(reading, shown, match[0]):
            continue
        if kind == "goodwill" and "goodwill_cents" in reading.sheet.policy:
            continue
        if kind == "replacement" and "exchange_window_days" in reading.sheet.policy:
            continue
        span = reading.folded.span(sentence.start + match.start(), sentence.start + match.end())
        yield Found("PROMISE_UNLICENSED", _quote(reading, sentence), span)


def _is_told(reading: Reading, shown: str, words: str) -> bool:
    """Tell whether an article or an event says it: its telling words all stand in one passage."""
    wanted = stems(words) & stems(shown)
    return bool(wanted) and any(
        wanted <= passage.stems
        for source in sources_of(reading.sheet)
        if source.kind in ("article", "event")
        for passage in source.passages
    )


def _quote(reading: Reading, sentence: Span) -> str:
    return " ".join(reading.folded.quote(*sentence).split())[:160]


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    promises = {kind: pattern_of(forms) for kind, forms in word_tables("en_replies")["promises"].items()}
    return promises | {kind: pattern_of(_WORDS[kind]) for kind in ("refund", "refusal")}


CHECK = Check(name="reply_policy", version="1", run=check, blocking=True, confidence=0.9)
