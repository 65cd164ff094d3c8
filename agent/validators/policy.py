"""Refuse what only the sender's policy or an event could allow: grants, threats, legal claims, fees, claims, files.

Covers statements by their words, sentence by sentence, with the conditions and negations that make them no statement. A
grant is refused as an offer too: a question about a payment plan offers one. Does not judge what a statement means
beyond its words; that is left to the check of each statement against the facts.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from agent.facts import Event, LineStatus, Sheet
from agent.text import Span, mask
from agent.validators.attachments import attachment_faults
from agent.validators.check import Check, Found, NoParams
from agent.validators.phrases import Phrases, pattern_of
from agent.validators.reading import Reading
from agent.validators.statements import unsupported_claims

__all__ = ["CHECK", "check", "check_pressure"]

_WORDS = tomllib.loads(files("agent").joinpath("words", "en_policy.toml").read_text(encoding="utf-8"))
_SPACE = re.compile(r"\s")
_CLAUSE_BREAK = re.compile(r"[,;:()]|\s-+\s|\s[–—]")
_MODAL = re.compile(r"\b(?:could|can|would|will|may|might|should|shall|do|please|must|need to)\s+$")
_WE_LAST = re.compile(r"\b(?:we|i)\s+$")
_OUR_DOING = re.compile(r"\b(?:answered|replied|responded|explained|called|written)$")
_TOLD = re.compile(r"\b(?:promis|agree|commit|pledg|assur|you\s+(?:said|told)|undert|your\s+word)")
_IN_WRITING = re.compile(r"\b(?:e-?mail|letter|mail|post|writ|wrote|fax|message)")
_HOLDING = re.compile(r"\b(?:if|provided|as long as|so long as|until|unless|when you)\b")


_CONDITION = pattern_of(_WORDS["conditions"])
_NEGATION = pattern_of(_WORDS["negations"])
_MANY = pattern_of(_WORDS["claims"]["many"])
_LEADS_ON = re.compile(
    r"\b(?:(?:after|before|when|whenever)|(?:sure|ensure|check|confirm|hope|verify)(?:\s+that)?)\s+$"
)
_PROMPT = pattern_of(_WORDS["claims"]["prompt"])
_ADDED = pattern_of(_WORDS["fees"]["added"])
_LATE_FEE = pattern_of(_WORDS["fees"]["late"])


@dataclass(frozen=True)
class _Statement:
    """Hold a matched passage within its sentence."""

    sheet: Sheet
    sentence: str
    match: re.Match[str]
    lines: frozenset[str]
    events: tuple[Event, ...]

    @cached_property
    def before(self) -> str:
        """Return what stands before the match in its clause."""
        return _CLAUSE_BREAK.split(self.sentence[: self.match.start()])[-1]

    @cached_property
    def is_negated(self) -> bool:
        """Tell whether the passage, or what leads to it, is denied."""
        return bool(_NEGATION.search(self.before[-60:] + self.match[0]))

    @cached_property
    def is_conditional(self) -> bool:
        """Tell whether the clause only supposes the passage, or asks for it."""
        return bool(_CONDITION.search(self.before) or _MODAL.search(self.before))

    @cached_property
    def is_denied(self) -> bool:
        """Tell whether a grant or fee is plainly denied, with no string attached that would make it one."""
        return bool(_NEGATION.search(self.before[-60:])) and not _HOLDING.search(self.sentence)

    def has_event(self, *kinds: str) -> bool:
        """Tell whether the sheet holds an event of one of these kinds."""
        return any(event.kind in kinds for event in self.events)

    def is_granted(self, stem: str) -> bool:
        """Tell whether an agreement on the sheet speaks of this grant."""
        return any(event.kind == "agreement" and stem in event.text.casefold() for event in self.events)


_Licence = Callable[[_Statement], bool]


def _never(statement: _Statement) -> bool:  # noqa: ARG001 - one shape for all licences
    return False


def _grant(stem: str) -> _Licence:
    return lambda statement: statement.is_denied or statement.is_granted(stem)


def _waiver(statement: _Statement) -> bool:
    spoken_of = [one for one in statement.sheet.lines if one.id in statement.lines]
    # A disputed line is not demanded, and a paid one need not be paid again.
    if spoken_of and statement.match[0].endswith("pay") and all(one.status is not LineStatus.OPEN for one in spoken_of):
        return True
    return statement.is_denied or statement.is_granted("waive") or statement.has_event("fee_waived")


def _aside(statement: _Statement) -> bool:
    # "If it is paid, please ignore the invoice."
    return bool(_CONDITION.search(statement.sentence)) or _waiver(statement)


def _plan(statement: _Statement) -> bool:
    return (
        bool(statement.sheet.policy.get("payment_plan")) or _grant("instal")(statement) or statement.is_granted("plan")
    )


def _fee(statement: _Statement) -> bool:
    is_late_fee = bool(_LATE_FEE.search(statement.sentence)) and not re.search(
        r"legal|admin|collect|interest", statement.match[0]
    )
    waived = statement.has_event("fee_waived") and "waiv" in statement.sentence
    charged = (bool(statement.sheet.policy.get("late_fee_percent")) or waived) and not _ADDED.search(statement.sentence)
    return statement.is_denied or (is_late_fee and charged)


def _collections(statement: _Statement) -> bool:
    after = statement.sheet.policy.get("collections_after_days")
    late = max((line.days_overdue for line in statement.sheet.lines if line.status is LineStatus.OPEN), default=0)
    return after is not None and late >= after


def _final(statement: _Statement) -> bool:
    return statement.sheet.situation == "formal_notice"


def _event(*kinds: str) -> _Licence:
    return lambda statement: statement.is_conditional or statement.is_negated or statement.has_event(*kinds)


def _call(statement: _Statement) -> bool:
    # A ledger may bill a call or a meeting, and the text may then speak of it.
    billed = " ".join(line.description.casefold() for line in statement.sheet.lines)
    is_billed = (
        re.search(r"\b(?:call|meeting|discussion)\b", statement.match[0]) and statement.match[0].split()[-1] in billed
    )
    return bool(is_billed) or _event("call")(statement) or _is_told_by_phone(statement)


def _is_told_by_phone(statement: _Statement) -> bool:
    """Tell whether a sentence only says of a promise or agreement of the sheet that it was made on the phone."""
    told = (event for event in statement.events if event.kind in ("promise", "agreement"))
    return bool(_TOLD.search(statement.sentence)) and any(
        not _IN_WRITING.search(event.text.casefold()) for event in told
    )


def _exchange(statement: _Statement) -> bool:
    return _event("call", "email", "agreement", "promise", "dispute_opened")(statement) or _has_dispute(statement.sheet)


def _client_did(statement: _Statement) -> bool:
    # "after you have checked" looks forward, "make sure that you received" supposes.
    return bool(_LEADS_ON.search(statement.before)) or _exchange(statement)


def _earlier_mail(statement: _Statement) -> bool:
    needed = 2 if _MANY.search(statement.match[0]) else 1
    sent = next((fact.value for fact in statement.sheet.by_role.get("reminders_sent", ())), 0)
    return (isinstance(sent, int) and sent >= needed) or _event("email")(statement)


def _silence(statement: _Statement) -> bool:
    # A question that we have not answered is no silence of theirs.
    is_ours = bool(_WE_LAST.search(statement.before) and _OUR_DOING.search(statement.match[0]))
    return statement.is_conditional or is_ours


def _supposed(statement: _Statement) -> bool:
    return statement.is_conditional or statement.is_negated


def _receipt(statement: _Statement) -> bool:
    came_in = any(line.paid_cents for line in statement.sheet.lines) or statement.has_event("payment")
    supposed = _CONDITION.search(statement.sentence[: statement.match.start()]) or re.search(
        r"\bwhen\b", statement.before
    )
    return came_in or bool(supposed) or statement.is_negated or bool(_PROMPT.search(statement.match[0]))


def _has_dispute(sheet: Sheet) -> bool:
    return any(line.status is LineStatus.DISPUTED for line in sheet.lines)


def _dispute(statement: _Statement) -> bool:
    return _has_dispute(statement.sheet) or _event("dispute_opened", "dispute_closed")(statement)


def _credit(statement: _Statement) -> bool:
    has_credit = any(line.status is LineStatus.CREDIT for line in statement.sheet.lines)
    return has_credit or _receipt(statement) or statement.is_conditional


def _action(statement: _Statement) -> bool:
    if statement.is_conditional or statement.is_negated:
        return True
    done = statement.match[0]
    if re.search(r"resolv|clos|reject", done):
        return statement.has_event("dispute_closed")
    if re.search(r"approv|arrang|authori", done):
        return statement.has_event("agreement")
    has_credit = any(line.status is LineStatus.CREDIT for line in statement.sheet.lines)
    return bool(re.search(r"adjust|correct|amend|revers", done)) and has_credit


_Rule = tuple[str, str, _Licence]
"""An error type, the group of phrases that it is found by, and what allows them."""

_RULES: tuple[_Rule, ...] = (
    ("FEE_UNLICENSED", "fees.legal", _never),
    ("LEGAL_CLAIM", "legal.any", _never),
    ("CITATION_UNSUPPORTED", "citations.any", _never),
    ("THREAT_UNLICENSED", "threats.collections", _collections),
    ("THREAT_UNLICENSED", "threats.final", _final),
    ("THREAT_UNLICENSED", "threats.withheld", _never),
    ("THREAT_UNLICENSED", "threats.other", _never),
    ("PROMISE_UNLICENSED", "promises.waive", _waiver),
    ("PROMISE_UNLICENSED", "promises.aside", _aside),
    ("PROMISE_UNLICENSED", "promises.instal", _plan),
    ("PROMISE_UNLICENSED", "promises.discount", _grant("discou")),
    ("PROMISE_UNLICENSED", "promises.refund", _grant("refund")),
    ("PROMISE_UNLICENSED", "promises.extension", _grant("extens")),
    ("PROMISE_UNLICENSED", "promises.guarantee", _grant("guaran")),
    ("FEE_UNLICENSED", "fees.any", _fee),
    ("CLAIM_UNSUPPORTED", "claims.silence", _silence),
    ("CLAIM_UNSUPPORTED", "claims.dispute_over", _event("dispute_closed")),
    ("CLAIM_UNSUPPORTED", "claims.dispute", _dispute),
    ("CLAIM_UNSUPPORTED", "claims.unsent", _supposed),
    ("CLAIM_UNSUPPORTED", "claims.copies", _event("email")),
    ("CLAIM_UNSUPPORTED", "claims.earlier_mail", _earlier_mail),
    ("CLAIM_UNSUPPORTED", "claims.call", _call),
    ("CLAIM_UNSUPPORTED", "claims.agreement", _event("agreement", "promise")),
    ("CLAIM_UNSUPPORTED", "claims.promise", _event("promise", "agreement")),
    ("CLAIM_UNSUPPORTED", "claims.exchange", _exchange),
    ("CLAIM_UNSUPPORTED", "claims.receipt", _receipt),
    ("CLAIM_UNSUPPORTED", "claims.credit", _credit),
    ("CLAIM_UNSUPPORTED", "claims.action", _action),
    ("CLAIM_UNSUPPORTED", "claims.action_by_us", _action),
    ("CLAIM_UNSUPPORTED", "claims.attempts", _event("call")),
    ("CLAIM_UNSUPPORTED", "claims.client_is", _supposed),
    ("CLAIM_UNSUPPORTED", "claims.habits", _silence),
    ("CLAIM_UNSUPPORTED", "claims.client_did", _client_did),
    ("CLAIM_UNSUPPORTED", "claims.failed", _silence),
)


def _of_customers(licence: _Licence) -> _Licence:
    # Whoever answers customers passes cases on and speaks of complaints, and threatens nobody by it.
    return lambda statement: bool(re.search("escalat|complain", statement.match[0])) or licence(statement)


_PRESSURE: tuple[_Rule, ...] = tuple(
    (error, group, _of_customers(licence))
    for error, group, licence in _RULES
    if error == "LEGAL_CLAIM" or group in ("fees.legal", "threats.collections", "threats.other")
)


@cache
def _phrases() -> Phrases:
    groups = [group for _, group, _ in _RULES] + ["attachments.claim", "attachments.file"]
    parted = ((group, group.partition(".")) for group in groups)
    return Phrases({group: _WORDS[table][name] for group, (table, _, name) in parted})


@lru_cache(maxsize=2048)  # a draft is read again after each edit, and the sentences of most drafts are alike
def _phrases_of(sentence: str) -> Mapping[str, Sequence[re.Match[str]]]:
    return _phrases().found(sentence)


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report each statement that neither policy nor events allow."""
    yield from _problems(reading, _RULES, claims=True)


def check_pressure(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - see above
    """Report only threats, legal claims, legal fees and files that do not go out: what no kind of letter may say."""
    yield from _problems(reading, _PRESSURE, claims=False)


def _problems(reading: Reading, rules: Sequence[_Rule], *, claims: bool) -> Iterator[Found]:
    text = _stated(reading)
    for sentence in reading.prose_sentences:
        shown = text[sentence.start : sentence.end]
        matches = _phrases_of(shown)
        lines: frozenset[str] = frozenset()
        if matches or reading.sheet.events:
            lines = frozenset(mention.line for mention in reading.mentions if sentence.holds(mention.span))
        events = tuple(_events_meant(reading, sentence, lines))
        taken: list[Span] = []
        licensed: list[Span] = []
        for error, group, licence in rules if matches else ():
            for match in matches.get(group, ()):
                span = Span(sentence.start + match.start(), sentence.start + match.end())
                if any(span.meets(other) for other in taken):
                    continue
                statement = _Statement(reading.sheet, shown, match, lines, events)
                if licence(statement):
                    # "You never wrote" is no claim of a mail, yet a claim.
                    licensed += [] if error == "CLAIM_UNSUPPORTED" and statement.is_negated else [span]
                    continue
                taken.append(span)
                yield _found(reading, error, span)
        for span in attachment_faults(reading, sentence, shown, matches) if matches else ():
            taken.append(span)
            yield _found(reading, "ATTACHMENT_UNSUPPORTED", span)
        made = unsupported_claims(reading.sheet, reading.words, sentence, events) if claims else ()
        for error, span, status in made:
            if not any(span.meets(other) for other in [*taken, *licensed]):
                yield replace(_found(reading, error, span), status=status)


def _events_meant(reading: Reading, sentence: Span, lines: frozenset[str]) -> Iterator[Event]:
    """Yield the events that a sentence may speak of: not of other lines, and not of another day than one it names."""
    if not reading.sheet.events:
        return
    days = {
        days.first
        for figure in reading.figures
        if sentence.holds(figure.span)
        for days in figure.days
        if days.first == days.last
    }
    days &= {event.on for event in reading.sheet.events}
    days -= {line.due for line in reading.sheet.lines if line.due}
    for event in reading.sheet.events:
        if (event.line is None or not lines or event.line in lines) and (not days or event.on in days):
            yield event


def _found(reading: Reading, error: str, span: Span) -> Found:
    return Found(error, " ".join(reading.folded.quote(*span).split()), reading.folded.span(*span))


def _stated(reading: Reading) -> str:
    """Hide the sheet's own strings, but a single word ("Interest") only beside a line's id or in brackets."""
    text = reading.unowned
    hidden = [span for span in reading.owned if _SPACE.search(text, *span) or _is_label(reading, text, span)]
    return mask(text, (), [*hidden, *(mention.span for mention in reading.mentions)])


def _is_label(reading: Reading, text: str, span: Span) -> bool:
    before = text[max(0, span.start - 2) : span.start]
    after = text[span.end : span.end + 2]
    follows = any(0 <= span.start - mention.span.end <= 6 for mention in reading.mentions)
    leads = any(0 <= mention.span.start - span.end <= 3 for mention in reading.mentions)
    return before.endswith(("(", '"', "'")) or after.startswith((")", '"')) or follows or leads


CHECK = Check(name="policy", version="1", run=check, blocking=True)
