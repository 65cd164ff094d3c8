"""Keep contacts and payment details out of prose: code blocks alone hold them, verbatim from the sheet.

Covers what is shaped like an e-mail address, a link, a phone number, a handle, an account, card or bank number or a
payment reference, and the sheet's own ones word for word. Digits written as words are read elsewhere, as figures.
"""

import re
from collections.abc import Iterator
from itertools import chain
from string import ascii_lowercase

from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import luhn

from agent.text import Span, find_strings
from agent.text.marked import Marked, marked
from agent.validators import english
from agent.validators.check import Check, Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

_SCHEMES = ("mailto:", "tel:", "sms:", "whatsapp:", "skype:", "javascript:", "data:")
_FILES = r"(?:pdf|docx?|xlsx?|csv|txt|zip|png|jpe?g|gif|html?)"
_ENDINGS = "com|org|net|io|co|uk|eu|biz|info|example|test"
_GLUED_STOPS = tuple(f".{letter}" for letter in ascii_lowercase)
_AT = r"\b[\w.-]{1,64}\s?(?:\(at\)|\[at\]|\{at\}|\sat)\s?[\w-]{1,63}"
_NO = r"[\w$€£¥₹.,/-]"  # what a number that follows it belongs to


def _spaced(pattern: str) -> str:
    return pattern.replace(r"\s?", r"\s{0,3}").replace(" ", r"\s{1,3}")


# Where a sign or a digit comes first, what may not stand before it is looked up behind it: so the engine skips ahead.
_CONTACTS: tuple[Marked, ...] = (
    marked(
        _spaced(r"[\w.+%-]{1,64}\s?@\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}|(?<![\w.])@\w{2,40}|\w{1,64}@\w{1,63}"), "@"
    ),
    marked(_spaced(rf"{_AT}(?:\s?[({{\[]dot[)}}\]]\s?|\sdot\s)[a-z]{{2,20}}\b"), "dot"),
    marked(_spaced(rf"{_AT}\.[a-z]{{2,20}}\b"), *_GLUED_STOPS),
    marked(_spaced(rf"\b\w{{2,63}}\s?(?:\(dot\)|\[dot\]|\sdot)\s?(?:{_ENDINGS})\b"), "dot"),
    marked(rf"\b[a-z][a-z0-9+.-]{{1,15}}:/{{1,2}}\S{{1,300}}|\b(?:{'|'.join(_SCHEMES)})\S{{1,300}}", ":/", *_SCHEMES),
    marked(r"\bwww\d?\.\S{1,300}|\bxn--[\w.-]{1,100}|\]\([^)\n]{1,300}\)", "www", "xn--", "]("),
    marked(r"\d(?<![\w.]\d)\d{0,2}(?:\.\d{1,3}){3}(?![\w.]\d)"),
    marked(rf"(?:1(?<!{_NO}1)-8|8(?<!{_NO}8))\d\d-[a-z0-9]{{3,4}}-?[a-z0-9]{{3,4}}\b"),
    marked(
        _spaced(
            rf"\b(?:{english.PHONE_CUES})\s?(?:(?:no\.?|number|line|us|me|at|on|is)\s?){{0,3}}[:.]?\s?"
            r"[+(]?\d[\d\s().-]{2,20}\d"
        ),
        *english.PHONE_CUES.split("|"),
    ),
    marked(_spaced(r"(?:e(?<!\we)xt(?:ension)?|x(?<!\wx))\.?\s?\d{2,6}\b(?!\s?%)")),
    marked(_spaced(rf"\+(?<!{_NO}\+)\s?\d[\d\s().-]{{6,22}}\d")),
    marked(_spaced(rf"\((?<!{_NO}\()\d{{2,5}}\)\s?\d{{2,5}}(?:[\s.-]?\d{{2,5}}){{1,3}}")),
    marked(rf"\d(?<!{_NO}\d)\d\d[-.\s]\d{{3}}[-.\s]\d{{4}}(?![\w,]|[.-]\d)"),
    marked(rf"\d(?<!{_NO}\d)\d\d[-.]\d{{4}}(?![\w,]|[.-]\d)"),
    marked(rf"0(?<!{_NO}0)\d{{2,4}}[\s-]\d{{3,4}}(?:[\s-]?\d{{3,4}})?(?![\w,]|[.-]\d)"),
    marked(english.CLICKS, *english.CLICK_MARKS),
)
_DOMAIN = marked(
    rf"(?<![\w@.-])[a-z0-9][a-z0-9-]{{1,62}}(?:\.[a-z0-9-]{{2,63}}){{0,4}}\.(?!{_FILES}\b)[a-z]{{2,24}}\b(?:/\S{{0,300}})?",
    *_GLUED_STOPS,
)
_SENTENCE_START = re.compile(r"\.[A-Z][a-z]*$")
_ABBREVIATED = re.compile(r"(?:[a-z]\.)+[a-z]?|p\.?o|ltd\.\w+|inc\.\w+")
_DETAIL = (
    rf"\b(?:{english.PAYMENT_CUES})(?:\s(?:{english.PAYMENT_CUES}))?(?:\s?(?:{english.DETAIL_NOUNS}))?"
    rf"(?:\s(?:{english.DETAIL_VERBS}))?\s?[:=#]?\s?[*x•.]{{0,12}}\s?"
    r"[a-z]{0,6}-?\d[a-z0-9]{1,33}(?:[\s-]\d[a-z0-9]{1,12}){0,6}"
)
_GLUED_DIGIT = re.compile(r"\d(?<=[a-z]\d)")
_IBAN = re.compile(_spaced(r"(?<![\w-])[a-z]{2}\d{2}(?:[\s-]?[a-z0-9]{4}){2,7}(?:[\s-]?[a-z0-9]{1,4})?(?!\w)"))
_PAYMENTS = tuple(
    re.compile(_spaced(pattern))
    for pattern in (
        r"\d(?<![\w$€£¥₹.,-]\d)\d{3}(?:[\s-]?\d{4}){2,3}(?:[\s-]?\d{1,3})?(?![\w,]|[.]\d)",
        r"\d(?<![\w$€£¥₹.,-]\d)\d{3}[\s-]\d{6}[\s-]\d{5}(?!\w)",
        r"(?:0(?<!\w0)x[0-9a-f]{20,64}|b(?<!\wb)c1[a-z0-9]{20,60})(?!\w)",
        _DETAIL,
    )
)
_BIC = marked(
    r"\b(?i:swift|bic)\b(?:[\s:/-]|(?i:code|is)){0,6}([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b"
    # In small letters only after "code": "swift delivery" has the shape too.
    r"|\b(?i:(?:swift|bic)\s+code(?:[\s:/-]|is){0,6}([a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?))\b",
    # Letters that are an i to a pattern without case, and stay what they are in a folded text, are marks too.
    *("swift", "bic", "ı", "i\u0307"),
)
_LONG_RUN = re.compile(rf"(?:\+(?<!{_NO}\+)\d|\((?<!{_NO}\()\d|\d(?<!{_NO}\d))[\d\s().-]{{5,24}}\d(?![\w]|[.,]\d)")
_NOT_DETAIL = re.compile(rf"\s?(?:{english.UNITS})\b|[.,]\d|\s?[$€£¥₹%]")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:  # noqa: ARG001 - every validator takes its parameters
    """Report contacts and payment details in prose, true ones too."""
    text = reading.plain
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
    for pattern in (_IBAN, *_PAYMENTS) if _GLUED_DIGIT.search(text) else _PAYMENTS:
        for match in chain.from_iterable(pattern.finditer(text, *passage) for passage in reading.passages):
            if not _NOT_DETAIL.match(text, match.end()):
                yield "PAYMENT_DETAIL", Span(*match.span())
    for match in _BIC.finditer(reading.bare, marks_in=reading.folded.text):
        yield "PAYMENT_DETAIL", reading.folded_span(*match.span(match.lastindex or 1))


def _contacts(reading: Reading, text: str) -> Iterator[tuple[str, Span]]:
    for pattern in _CONTACTS:
        for match in pattern.finditer(text, within=reading.passages):
            yield "CONTACT", Span(*match.span())
    for match in _DOMAIN.finditer(text, within=reading.passages):
        # A stop without a space after it ("settled.Please") parts sentences; a name of the net is in one case.
        shown = reading.folded.quote(*match.span())
        if not _SENTENCE_START.search(shown) and not _ABBREVIATED.fullmatch(match[0]):
            yield "CONTACT", Span(*match.span())


def _phones(reading: Reading, text: str) -> Iterator[tuple[str, Span]]:
    region = reading.sheet.locale.partition("_")[2][:2].upper() or "US"
    for run in chain.from_iterable(_LONG_RUN.finditer(text, *passage) for passage in reading.passages):
        digits = re.sub(r"\D", "", run[0])
        if len(digits) >= 13 and luhn.is_valid(digits):
            yield "PAYMENT_DETAIL", Span(*run.span())
        for number in PhoneNumberMatcher(run[0], region, leniency=Leniency.VALID, max_tries=5):
            yield "CONTACT", Span(run.start() + number.start, run.start() + number.end)


CHECK = Check(name="contacts", version="1", run=check, blocking=True, core=True)
