"""Read the values of a text with the stance that it takes to each: asserted, refused, only mentioned, or asked.

Covers digits, decimals and English number words, with or without a percent sign, negation, contrast, and the common
ways to call an answer wrong. Does not cover irony, or a refusal more than one sentence away.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from agent.text import Folded, Span, fold, nfc, sentences
from agent.text.numbers import NumberFormat, numeral_at
from agent.text.tokens import Token, tokens

__all__ = ["Stance", "Stated", "stated_values", "without_fences"]

_FORM = NumberFormat("en_US")
_FENCED = re.compile(
    r"^(?P<mark> {0,3}(?:`{3,}|~{3,}))[^\n]*\n.*?(?:^ {0,3}(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_PERCENT = re.compile(r"\s*(?:%|percent\b|per ?cent\b|pct\b|percentage points?\b)")
_JUDGED = (
    r"(?:wrong|incorrect|false|untrue|mistaken|inaccurate|misleading|naive|tempting|"
    r"too (?:high|much|low|large|big|small)|"
    r"(?:an? |the )?(?:\w+ )?(?:mistakes?|errors?|traps?|fallacy|misconceptions?|pitfalls?))"
)
_RIGHT = (
    r"(?:the )?(?:right|correct|true|so|case|(?:right |correct |true |actual |final )?answer|total|overall|combined)"
)
_CONTRAST = re.compile(
    r"\b(?:but|however|actually|in fact|in reality|in truth|whereas|while|so|therefore|thus|hence|because|since|"
    r"(?:the )?(?:right|correct|true|actual|real) (?:answer|discount|figure|result|total|one|value))\b|;| - |[—–]"
)
_NOT_WORDS = r"\bnot\b|n't\b"
_SEGMENT = re.compile(rf"{_CONTRAST.pattern}|,|:|[()]")
_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|without|cannot|rather than|instead of|as opposed to|unlike|different from|"
    r"differs? from)\b|n't\b)(?P<between>(?: [^ ]+){0,9}?) ?[^ ]{0,3}$"
)
_NO_NEGATION = re.compile(r"\b(?:not only|no (?:more|less|fewer) than|nothing but|not just|no doubt)\b[^,;]*$")
_LEAD = re.compile(
    rf"\b(?:{_JUDGED}|at first (?:glance|sight)|(?:it )?(?:seems?|appears?|looks?)|intuit\w+|beware|avoid|"
    r"(?:you|one|people|many|some|they|we|someone|anyone|anybody|whoever|those|everyone)(?: who)?(?:'d)? "
    r"(?:might|may|could|would|often|usually|sometimes|commonly|tend to)? ?"
    r"(?<!\bwe )(?:be tempted|think|thinks|expect|expects|guess|says?|assumes?|adds?|answers?|believes?|concludes?)\b|"
    r"(?:mistakenly|wrongly|incorrectly|naively|falsely))\b"
)
_ADDED = re.compile(
    r"\b(?:if (?:you|one|we) (?:\w+ )?(?:add|sum)|adding|(?:simply|just|merely) add|add(?:ed)? (?:up|together)|"
    r"(?:the )?sum of|simple addition)\b"
)
_COMPARED = re.compile(
    r"\b(?:(?:\w+er|less|more) than|below|under|above|over|short of|versus|vs\.?|compared (?:to|with)) (?:the )?$"
)
_TRAIL = re.compile(
    rf"(?:\b(?:is|are|was|be|being|would be|'s|sounds|looks|seems)|'s) (?:\w+ ){{0,2}}?{_JUDGED}\b"
    rf"|(?:\b(?:is|was|would|can|could|does|do|are) ?(?:not|n't)|\bcannot|n't) (?:be )?(?:\w+ ){{0,2}}?{_RIGHT}\b"
    r"|\b(?:would|might|could) (?:only )?(?:be|hold|apply) (?:\w+ ){0,2}?(?:only )?(?:if|when)\b"
    r"|\b(?:overstates|overestimates|overcounts|double[- ]counts|ignores|forgets|overlooks|misses|neglects)\b"
    r"|\b(?:you|one|people|many|some|they|we) (?:might|may|could|would|often|usually)? ?"
    r"(?:think|expect|guess|say|assume)\b"
    rf"|\((?:{_JUDGED})\)|^ as (?:\w+ )?{_JUDGED}\b"
)
_AGREED = re.compile(
    r"^(?:,? and| who)? ?(?:is|are|would be|will be|'s) (?:\w+ly |quite |also |indeed )?(?:right|correct)\b"
)
"""What turns "anyone who says 28 %" into an answer of the text's own."""
_SAYS = re.compile(r"\b(?:anyone|anybody|whoever|those|everyone|people)(?: who)? (?:says?|answers?) [^.;,]*$")
_UNREAL = re.compile(r"^ would (?:leave|give|mean|need|require|make|imply)\b.*(?:\bnot|n't) (?:what|how|the case)\b")
_NEXT_REFUSES = re.compile(
    rf"(?:no\b[,.!:]?(?: |$)|(?:but |yet )?(?:that|this|it|which|both|they)(?: (?:answer|figure|sum|value|number))?"
    rf"(?: (?:is|was|would be|are|be)|'s) (?:\w+ ){{0,2}}?(?:{_JUDGED}|not {_RIGHT})\b(?! to\b| that\b)"
    rf"|(?:but |yet )?(?:that|this|it) (?:is|was|would)(?:n't| not) (?:be )?{_RIGHT}\b)"
)
_NEXT_CONTRASTS = re.compile(r"(?:but|however|yet|instead|in fact|actually|in reality|not so)\b")


class Stance(StrEnum):
    """Say how a text takes a value that stands in it."""

    ASSERTED = "asserted"
    MENTIONED = "mentioned"
    REFUSED = "refused"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Stated:
    """Hold one value: `span` in the folded text, `before` and `after` what surrounds it in its own segment."""

    value: Decimal
    percent: bool
    span: Span
    stance: Stance
    before: str
    after: str


def without_fences(text: str) -> str:
    """Return a text, same length, with fenced code blocks blank."""
    return _FENCED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@lru_cache(maxsize=32)  # every check of an answer reads the same text
def stated_values(text: str, *, neutral: tuple[Decimal, ...] = ()) -> tuple[Stated, ...]:
    """Return the values of a text in order; `neutral` are the values that the task itself gives."""
    folded = fold(nfc(text))
    found: list[Stated] = []
    spans = sentences(folded)
    for place, span in enumerate(spans):
        after = folded.text[spans[place + 1].start :] if place + 1 < len(spans) else ""
        found += _in_sentence(folded, span, after, neutral)
    return tuple(found)


def _in_sentence(folded: Folded, span: Span, following: str, neutral: Sequence[Decimal]) -> Iterator[Stated]:
    read = list(_read(folded, span))
    asked = folded.text[span.start : span.end].rstrip(" \"')").endswith("?")
    for place, one in enumerate(read):
        rest = (other for other in read[place + 1 :] if other.value not in neutral)
        until = next((other.span.start for other in rest), span.end)
        stance = (
            _asked_about(folded.text[span.start : one.span.start])
            if asked
            else _stance(folded.text, span, one.span, until)
        )
        if until == span.end and stance is not Stance.REFUSED:
            stance = _after_all(stance, following)
        yield replace(one, stance=stance)


def _read(folded: Folded, span: Span) -> Iterator[Stated]:
    found = tokens(folded, folded.text, span, ",")
    at = 0
    while at < len(found):
        numeral = numeral_at(found, at, _FORM)
        if numeral is None:
            at += 1
            continue
        start, end = found[at].start, found[numeral[1] - 1].end
        value = next(iter(numeral[0].values), None)
        if value is not None and not _is_part_of_name(found, at, numeral[1]):
            if _is_bare_decimal(found, at):
                start, value = start - 1, Decimal(f"0.{numeral[0].raw}")
            percent = _PERCENT.match(folded.text, end)
            before, after = _segment(folded.text, span, Span(start, percent.end() if percent else end))
            yield Stated(
                value,
                percent is not None,
                Span(start, percent.end() if percent else end),
                Stance.ASSERTED,
                before,
                after,
            )
        at = numeral[1]


def _is_part_of_name(found: list[Token], at: int, end: int) -> bool:
    """Tell whether digits belong to a word, such as has_28 or v2."""
    before, after = found[at - 1] if at else None, found[end] if end < len(found) else None
    glued_before = before is not None and found[at].glued and (before.kind == "word" or before.text == "_")
    glued_after = (
        after is not None
        and after.glued
        and (
            after.text == "_"
            or (after.kind == "word" and len(after.text) > 2 and not after.text.startswith(("percent", "per", "pct")))
        )
    )
    return found[at].kind == "number" and (glued_before or glued_after)


def _is_bare_decimal(found: list[Token], at: int) -> bool:
    if at == 0 or found[at].kind != "number" or not found[at].glued or found[at - 1].text != ".":
        return False
    return found[at].text.isdigit() and not found[at - 1].glued


def _segment(text: str, sentence: Span, value: Span) -> tuple[str, str]:
    before, after = text[sentence.start : value.start], text[value.end : sentence.end]
    cuts = list(_SEGMENT.finditer(before))
    ends = _SEGMENT.search(after)
    start = 0
    if cuts:
        start = cuts[-1].start() if cuts[-1][0][:1].isalpha() else cuts[-1].end()
    return before[start:], after[: ends.start()] if ends else after


def _stance(text: str, sentence: Span, value: Span, until: int) -> Stance:
    before = text[sentence.start : value.start]
    segment, _ = _segment(text, sentence, value)
    contrasts = list(_CONTRAST.finditer(before))
    lead = before[contrasts[-1].start() :] if contrasts else before
    trail = text[value.end : until]
    contrast = _CONTRAST.search(trail)
    trail = trail[: contrast.start()] if contrast else trail
    called = _is_called_wrong(lead) and not (_SAYS.search(lead) and _AGREED.search(trail))
    if _is_negated(segment) or _UNREAL.search(text[value.end : sentence.end]):
        return Stance.REFUSED
    if called or _TRAIL.search(trail):
        return Stance.REFUSED
    return Stance.MENTIONED if _ADDED.search(lead) or _COMPARED.search(segment) else Stance.ASSERTED


def _asked_about(before: str) -> Stance:
    """Return the stance of a question: "why not" and "why is it wrong" take a refusal for granted."""
    taken = re.search(rf"\bwhy\b[^?]*(?:{_NOT_WORDS}|\b{_JUDGED}\b)", before)
    return Stance.REFUSED if taken else Stance.ASKED


def _is_negated(segment: str) -> bool:
    found = _NEGATION.search(segment)
    if found is None or _NO_NEGATION.search(segment):
        return False
    return not re.search(rf"\b{_JUDGED}\b", found["between"])  # "not wrong to say" asserts


def _is_called_wrong(lead: str) -> bool:
    for found in _LEAD.finditer(lead):
        before, after = lead[: found.start()], lead[found.end() :]
        other = before.endswith(" as ") and after.startswith(",")  # "rejecting 28 % as wrong, we get 30 %"
        if not other and not re.search(r"(?:\b(?:not|never|nothing|no|hardly)|n't)(?: \w+)?[ ]$", before):
            return True
    return False


def _after_all(stance: Stance, following: str) -> Stance:
    if stance is Stance.ASKED or _NEXT_REFUSES.match(following):
        return Stance.REFUSED if _NEXT_REFUSES.match(following) else stance
    return Stance.REFUSED if stance is Stance.MENTIONED and _NEXT_CONTRASTS.match(following) else stance
