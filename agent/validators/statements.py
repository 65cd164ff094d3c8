"""Judge each clause of a payment mail by a closed grammar: what is no courtesy, status or licensed event is a claim.

Covers statements, not questions, requests, conditions or wishes. Who is spoken of (we, you, a person, a thing), the
mode (present, past, denied, able, maybe, must, be) and the verb decide; `en_statements.toml` lists what is harmless.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from agent.facts import Event, LineStatus, Sheet
from agent.outcome import Status
from agent.text import MASK, Span
from agent.validators.verb_groups import Clause, grammar, listed, read_clause, spelled_out

__all__ = ["Claimed", "unsupported_claims"]

Claimed = tuple[str, Span, Status]
"""An error type, the clause as a span of the folded text, and how it is to be told."""

# "i.e." is one word: its "i" is nobody who claims something.
_STOP = re.compile(r"[;:()\[\]\"|•\n,–—-]")
_TOKEN = re.compile(
    rf"[;:()\[\]\"|•\n,–—]|(?<=\s)-+(?=\s)"
    rf"|{MASK}+|\b(?:i\.e|e\.g)\b|[a-z0-9]+(?:-[a-z0-9]+)*(?:'[a-z]+)?"
)
_BEGINS_WITH = {
    "so": listed("joined") | {"that"},
    "in": frozenset({"case"}),
    "should": frozenset({"you", "your", "the", "this"}),
}
_OFFER = re.compile(
    r"(?:be )?(?:happy|glad|pleased?|willing|prepared?|ready|able|delight(?:ed)?|free|inclined?) to (\S.*)"
)
_ASIDE = re.compile(r"\b(?:of course|no doubt)\b")
_DEGREE = re.compile(
    r"^(?:(?:a (?:bit|little|touch)|slightly|somewhat|rather|truly|extremely|ever|so|most|terribly|genuinely|deeply) )+"
)
_BEING = ("able", "maybe")
_OUR_MAIL = re.compile(r"\b(?:reminders?|message|note|letter|mail|e-?mail|notice)\b")
_KINDS = {
    "exchange": (
        re.compile(
            r"\b(?:speak|spoke|spoken|talk|call|called|phone|ring|discuss|discussed|meet|met|mention|tell|told|say|said|write|"
            r"wrote|email|answer|reply|promise|promised|agree|agreed|confirm|confirmed|ask|asked|raise|query|assure|"
            r"acknowledge|accept|accepted|approve|let|explain|offer|dispute|waive|have|give|make|set|commit|undertake)"
        ),
        ("call", "email", "promise", "agreement", "dispute_opened", "dispute_closed", "fee_waived"),
    ),
}
_PAYING = re.compile(
    r"\b(?:pay|paid|payments?|settle\w*|receiv\w*|arriv\w*|transfer\w*|came in|come in|clear\w*|reach\w*|thank)\b"
)


def unsupported_claims(sheet: Sheet, text: str, sentence: Span, events: Sequence[Event]) -> Iterator[Claimed]:
    """Yield the clauses of a sentence that state what neither the grammar nor the sheet allows.

    `events` are those of the sheet that the sentence may speak of.
    """
    start = max(0, sentence.start - 1)  # what stands right before tells a dash from a hyphen
    for clause, place, (error, status) in _unlisted(text[start : sentence.end], sentence.start - start):
        if not _is_licensed(sheet, clause, events):
            yield error, Span(start + place.start, start + place.end), status


@lru_cache(maxsize=2048)  # a draft is read again after each edit, and the sentences of most drafts are alike
def _unlisted(text: str, start: int) -> tuple[tuple[Clause, Span, tuple[str, Status]], ...]:
    """Return the clauses of a sentence that the grammar does not list, each with its place and what it would be."""
    if text[start:].rstrip("\"' )").endswith("?"):
        return ()
    return tuple(_judged_clauses(text, Span(start, len(text))))


def _judged_clauses(text: str, sentence: Span) -> Iterator[tuple[Clause, Span, tuple[str, Status]]]:
    led_by: Sequence[str] = ()
    parts = [([word for token in part for word in spelled_out(token[0])], part) for part in _parts(text, sentence)]
    is_offer = any(words[0] in listed("requests") or not listed("offering").isdisjoint(words) for words, _ in parts)
    for words, part in parts:
        stated = _stated(words, led_by)
        led_by = words
        clause = read_clause(stated) if stated else None
        if clause is None or _is_allowed(clause, is_offer=is_offer):
            continue
        judged = _judged(clause)
        if judged is not None:
            yield clause, Span(part[0].start(), part[-1].end()), judged


def _parts(text: str, sentence: Span) -> Iterator[list[re.Match[str]]]:
    """Yield the clauses of a sentence, each as the tokens of its words."""
    tokens = list(_TOKEN.finditer(text, *sentence))
    start = 0
    for at, role in enumerate([_role(token[0]) for token in tokens]):
        if not role:
            continue
        after = tokens[at + 1][0].partition("'")[0] if at + 1 < len(tokens) else ""
        is_dropped = role == "stop" or (role == "joins" and after in listed("joined"))
        if is_dropped or role == "begins" or after in _BEGINS_WITH.get(tokens[at][0], ()):
            if at > start:
                yield tokens[start:at]
            start = at + is_dropped
    if start < len(tokens):
        yield tokens[start:]


@lru_cache(maxsize=20_000)
def _role(token: str) -> str:
    """Tell what a token does to the clauses around it; nothing for most words."""
    stem = token.partition("'")[0]
    if _STOP.match(token):
        return "stop"
    if stem in listed("begins"):
        return "begins"
    if stem in _BEGINS_WITH:
        return "may begin"
    return "joins" if stem in listed("joins") else ""


def _stated(words: Sequence[str], led_by: Sequence[str]) -> list[str]:
    """Return the words of a clause that states something, without what leads it; [] when it states nothing."""
    conditions, unstated = listed("conditions"), listed("unstated")
    if words[:2] in (["in", "case"], ["no", "doubt"]) or (words and words[0] in conditions):
        return []
    is_complement = bool(words) and words[0] in ("that", "what", "how", "why", "who", "which", "where")
    if is_complement and (
        any(word in unstated for word in led_by[-4:])
        or led_by[-2:] in (["may", "be"], ["might", "be"], ["could", "be"])
    ):
        return []
    if words[:1] == ["who"] and not listed("asked").isdisjoint(led_by[-1:]):
        return []
    if words[:1] and words[0] in ("how", "what", "why", "where"):
        return []
    kept = _ASIDE.sub("", " ".join(words)).split()
    while kept and kept[0] in listed("leading") and not (kept[0] in ("that", "which") and _begins_verb(kept)):
        kept = kept[1:]
    if kept and kept[0] in listed("asides"):
        kept = kept[next((at for at, word in enumerate(kept) if word in ("we", "i", "you")), len(kept)) :]
    if not kept or kept[0] in listed("requests") or kept[0] in conditions:
        return []
    return kept


def _begins_verb(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[1] in listed("auxiliaries") | listed("present")


def _is_allowed(clause: Clause, *, is_offer: bool) -> bool:
    """Tell whether the grammar lists a clause; `is_offer`: its sentence makes what we will do depend on the reader."""
    is_promised = clause.who == "first" and clause.is_future and clause.mode == "able" and not is_offer
    if is_promised and not _matches("first", "will", clause.said):
        return False
    offer = _OFFER.match(clause.said)
    if offer and not clause.is_negated and clause.who in ("first", "person"):
        return _matches(clause.who, "able", offer[1])
    if (
        clause.is_negated
        and clause.mode == "present"
        and clause.who == "first"
        and _matches("first", "denied", clause.said)
    ):
        return True
    # What we are, we may also have been, or be in future: "we were unable", "we would be grateful".
    is_be = clause.who in ("first", "person") and clause.said.startswith("be ")
    if (
        is_be
        and clause.mode in (*_BEING, *["past"] * (clause.who == "first"))
        and _matches(clause.who, "be", clause.said)
    ):
        return True
    return _matches(clause.who, clause.mode, clause.said)


def _matches(who: str, mode: str, said: str) -> bool:
    if mode == "be":
        said = _DEGREE.sub("", said.removeprefix("be "))
    verbs, forms, drop = _allowed(who, mode)
    if drop is not None and drop.match(said):
        return False
    return said.split(" ")[0] in verbs or bool(forms and forms.match(said))


@cache
def _allowed(who: str, mode: str) -> tuple[frozenset[str], re.Pattern[str] | None, re.Pattern[str] | None]:
    table = grammar()[who].get(mode, {})
    forms, drop = table.get("forms"), table.get("drop")
    return (
        frozenset(table.get("verbs", "").split()),
        re.compile("|".join(forms)) if forms else None,
        re.compile(drop) if drop else None,
    )


def _is_licensed(sheet: Sheet, clause: Clause, events: Sequence[Event]) -> bool:
    """Tell whether an event or a line's status allows the claim."""
    meant = {event.kind for event in events}
    told = " ".join((*clause.subject, clause.said))
    if (
        (_OUR_MAIL.search(" ".join(clause.subject)) or clause.subject == ("x",))
        and clause.said.startswith("be sen")
        and _is_reminded(sheet, clause)
    ):
        return True
    if sheet.situation == "formal_notice" and "notice" in told:
        return True
    pattern, kinds = _KINDS["exchange"]
    if meant & set(kinds) and pattern.search(told) and not clause.is_future:
        return True
    has_dispute = any(line.status is LineStatus.DISPUTED for line in sheet.lines)
    if has_dispute and re.search(r"\b(?:disput|quer|contest|question|review|look|investigat|clarif|resol)", told):
        return True
    came_in = any(line.paid_cents for line in sheet.lines) or "payment" in meant
    return (came_in or any(line.status is LineStatus.CREDIT for line in sheet.lines)) and bool(
        _PAYING.search(told) or re.search(r"\bcredit|\bappl|\bdeduct|\bset against|\boffset", told)
    )


def _is_reminded(sheet: Sheet, clause: Clause) -> bool:
    """Tell whether our mail that a clause calls sent was: this one, or an earlier reminder of the sheet."""
    sent = next((fact.value for fact in sheet.by_role.get("reminders_sent", ())), 0)
    return clause.subject[0] == "this" or bool(sent)


def _judged(clause: Clause) -> tuple[str, Status] | None:
    """Return the error of a claim that nothing allows, and whether it fails; None where the grammar cannot tell."""
    nouns = set(clause.subject)
    if nouns & listed("files") and clause.who == "thing":
        return "ATTACHMENT_UNSUPPORTED", Status.FAIL if clause.mode in ("be", "able") else Status.WARN
    if clause.mode == "must" and clause.who == "first":
        return "THREAT_UNLICENSED", Status.FAIL
    if clause.who == "first" and clause.mode in ("able", "maybe"):
        return ("THREAT_UNLICENSED" if clause.is_negated else "PROMISE_UNLICENSED"), Status.FAIL
    if clause.who in ("first", "second", "person"):
        return "CLAIM_UNSUPPORTED", Status.FAIL
    if clause.is_past or clause.is_future or nouns & listed("authorities") or clause.mode == "must":
        return "CLAIM_UNSUPPORTED", Status.FAIL
    tells = clause.mode == "be" and re.match(
        r"be (?:\S+ed\b|free\b|on (?:its|the|their) way|in (?:the|this|our)\b)", clause.said
    )
    return "CLAIM_UNSUPPORTED", Status.FAIL if tells else Status.WARN
