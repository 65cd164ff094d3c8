"""Keep contacts and payment details out of prose: code blocks alone hold them, verbatim from the sheet.

Covers what is shaped like an e-mail address, a link, a phone number, a handle, an account, card or bank number or a
payment reference, and the sheet's own ones word for word. Digits written as words are read elsewhere, as figures.
"""

import re
from collections.abc import Iterator
from itertools import chain

from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import luhn

from agent.text import Span, find_strings, mask
from agent.validators import english
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

_FILES = r"(?:pdf|docx?|xlsx?|csv|txt|zip|png|jpe?g|gif|html?)"
_CONTACTS = tuple(
    re.compile(pattern.replace(r"\s?", r"\s{0,3}").replace(" ", r"\s{1,3}"))
    for pattern in (
        r"[\w.+%-]{1,64}\s?@\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}|(?<![\w.])@\w{2,40}|\w{1,64}@\w{1,63}",
        r"\b[\w.-]{1,64}\s?(?:\(at\)|\[at\]|\{at\}|\sat)\s?[\w-]{1,63}(?:\s?[({\[]dot[)}\]]\s?|\sdot\s|\.)[a-z]{2,20}\b",
        r"\b\w{2,63}\s?(?:\(dot\)|\[dot\]|\sdot)\s?(?:com|org|net|io|co|uk|eu|biz|info|example|test)\b",
        r"\b[a-z][a-z0-9+.-]{1,15}:/{1,2}\S{1,300}|\b(?:mailto|tel|sms|whatsapp|skype|javascript|data):\S{1,300}",
        r"\bwww\d?\.\S{1,300}|\bxn--[\w.-]{1,100}|\]\([^)\n]{1,300}\)",
        r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)",
        r"(?<![\w$€£¥₹.,/-])(?:1-)?8\d\d-[a-z0-9]{3,4}-?[a-z0-9]{3,4}\b",
        rf"\b(?:{english.PHONE_CUES})\s?(?:(?:no\.?|number|line|us|me|at|on|is)\s?){{0,3}}[:.]?\s?[+(]?\d[\d\s().-]{{2,20}}\d",
        r"\b(?:ext|extension|x)\.?\s?\d{2,6}\b(?!\s?%)",
        r"(?<![\w$€£¥₹.,/-])\+\s?\d[\d\s().-]{6,22}\d",
        r"(?<![\w$€£¥₹.,/-])\(\d{2,5}\)\s?\d{2,5}(?:[\s.-]?\d{2,5}){1,3}",
        r"(?<![\w$€£¥₹.,/-])\d{3}[-.\s]\d{3}[-.\s]\d{4}(?![\w,]|[.-]\d)",
        r"(?<![\w$€£¥₹.,/-])\d{3}[-.]\d{4}(?![\w,]|[.-]\d)",
        r"(?<![\w$€£¥₹.,/-])0\d{2,4}[\s-]\d{3,4}(?:[\s-]?\d{3,4})?(?![\w,]|[.-]\d)",
    )
)
_DOMAIN = re.compile(
    rf"(?<![\w@.-])[a-z0-9][a-z0-9-]{{1,62}}(?:\.[a-z0-9-]{{2,63}}){{0,4}}\.(?!{_FILES}\b)[a-z]{{2,24}}\b(?:/\S{{0,300}})?"
)
_CLICKS = re.compile(english.CLICKS)
_SENTENCE_START = re.compile(r"\.[A-Z][a-z]*$")
_ABBREVIATED = re.compile(r"(?:[a-z]\.)+[a-z]?|p\.?o|ltd\.\w+|inc\.\w+")
_DETAIL = (
    rf"\b(?:{english.PAYMENT_CUES})(?:\s(?:{english.PAYMENT_CUES}))?(?:\s?(?:{english.DETAIL_NOUNS}))?"
    rf"(?:\s(?:{english.DETAIL_VERBS}))?\s?[:=#]?\s?[*x•.]{{0,12}}\s?"
    r"[a-z]{0,6}-?\d[a-z0-9]{1,33}(?:[\s-]\d[a-z0-9]{1,12}){0,6}"
)
_PAYMENTS = tuple(
    re.compile(pattern.replace(r"\s?", r"\s{0,3}").replace(" ", r"\s{1,3}"))
    for pattern in (
        r"(?<![\w-])[a-z]{2}\d{2}(?:[\s-]?[a-z0-9]{4}){2,7}(?:[\s-]?[a-z0-9]{1,4})?(?!\w)",
        r"(?<![\w$€£¥₹.,-])\d{4}(?:[\s-]?\d{4}){2,3}(?:[\s-]?\d{1,3})?(?![\w,]|[.]\d)",
        r"(?<![\w$€£¥₹.,-])\d{4}[\s-]\d{6}[\s-]\d{5}(?!\w)",
        r"(?<!\w)(?:0x[0-9a-f]{20,64}|bc1[a-z0-9]{20,60})(?!\w)",
        _DETAIL,
    )
)
_BIC = re.compile(
    r"\b(?i:swift|bic)\b(?:[\s:/-]|(?i:code|is)){0,6}([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b"
    # In small letters only after "code": "swift delivery" has the shape too.
    r"|\b(?i:(?:swift|bic)\s+code(?:[\s:/-]|is){0,6}([a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?))\b"
)
_LONG_RUN = re.compile(r"(?<![\w$€£¥₹.,/-])[+(]?\d[\d\s().-]{5,24}\d(?![\w]|[.,]\d)")
_NOT_DETAIL = re.compile(rf"\s?(?:{english.UNITS})\b|[.,]\d|\s?[$€£¥₹%]")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report contacts and payment details in prose, true ones too."""
    text = mask(reading.masked, (), [mention.span for mention in reading.mentions])
    taken: list[Span] = []
    families = (_verbatim(reading), _payment(reading, text), _contacts(reading, text), _phones(reading, text))
    for error, span in chain.from_iterable(families):
        if not any(span.meets(other) for other in taken):
            taken.append(span)
            yield Found(error, reading.folded.quote(*span).strip(), reading.folded.span(*span))


def _verbatim(reading: Reading) -> Iterator[tuple[str, Span]]:
    for span in find_strings(reading.unowned, (value for value in reading.sheet.payment if len(value) > 3)):
        yield "PAYMENT_DETAIL", span
    for span in find_strings(reading.unowned, reading.sheet.contacts):
        yield "CONTACT", span


def _payment(reading: Reading, text: str) -> Iterator[tuple[str, Span]]:
    for pattern in _PAYMENTS:
        for match in pattern.finditer(text):
            if not _NOT_DETAIL.match(text, match.end()):
                yield "PAYMENT_DETAIL", Span(*match.span())
    for match in _BIC.finditer(reading.bare):
        yield "PAYMENT_DETAIL", reading.folded_span(*match.span(match.lastindex or 1))


def _contacts(reading: Reading, text: str) -> Iterator[tuple[str, Span]]:
    for pattern in _CONTACTS:
        for match in pattern.finditer(text):
            yield "CONTACT", Span(*match.span())
    for match in _CLICKS.finditer(text):
        yield "CONTACT", Span(*match.span())
    for match in _DOMAIN.finditer(text):
        # A stop without a space after it ("settled.Please") parts sentences; a name of the net is in one case.
        shown = reading.folded.quote(*match.span())
        if not _SENTENCE_START.search(shown) and not _ABBREVIATED.fullmatch(match[0]):
            yield "CONTACT", Span(*match.span())


def _phones(reading: Reading, text: str) -> Iterator[tuple[str, Span]]:
    region = reading.sheet.locale.partition("_")[2][:2].upper() or "US"
    for run in _LONG_RUN.finditer(text):
        digits = re.sub(r"\D", "", run[0])
        if len(digits) >= 13 and luhn.is_valid(digits):
            yield "PAYMENT_DETAIL", Span(*run.span())
        for number in PhoneNumberMatcher(run[0], region, leniency=Leniency.VALID, max_tries=5):
            yield "CONTACT", Span(run.start() + number.start, run.start() + number.end)


CHECK = Check(name="contacts", version="1", run=check, blocking=True, core=True)
