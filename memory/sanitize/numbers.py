"""Find bank, card, tax and other official numbers by their check digits, and ids and references by their shape."""

import re
from collections.abc import Callable, Iterator

from stdnum import get_cc_module, iban, luhn
from stdnum.au import abn, tfn
from stdnum.br import cnpj, cpf
from stdnum.ca import sin
from stdnum.ch import uid
from stdnum.de import idnr
from stdnum.es import nif
from stdnum.fr import siret
from stdnum.in_ import aadhaar, gstin, pan
from stdnum.it import codicefiscale
from stdnum.us import itin

from memory.sanitize.english import is_word
from memory.sanitize.found import Found
from memory.sanitize.matching import Token, tokens
from memory.sanitize.plain import Plain

__all__ = ["find"]

_VAT_COUNTRIES = frozenset(
    [
        "at",
        "be",
        "bg",
        "ch",
        "cy",
        "cz",
        "de",
        "dk",
        "ee",
        "el",
        "es",
        "eu",
        "fi",
        "fr",
        "gb",
        "gr",
        "hr",
        "hu",
        "ie",
        "it",
        "lt",
        "lu",
        "lv",
        "mt",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "se",
        "si",
        "sk",
        "xi",
    ]
)
_GAP = re.compile(r"[ \n./-]{0,2}")
_IBAN_START = re.compile(r"[a-z]{2}\d{2}[a-z0-9]*")
_IBAN_SHAPE = re.compile(r"(?<!\w)[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){3,7}(?: ?[a-z0-9]{1,3})?(?!\w)")
_CARD = re.compile(r"(?<![\w.,])\d(?:[ -]?\d){12,18}(?![\w]|[.,]\d)")
_CARD_SHAPE = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5}")
_Check = Callable[[str], bool]
_VALIDATED: tuple[tuple[re.Pattern[str], _Check], ...] = tuple(
    (re.compile(rf"(?<![\w.,/-]){pattern}(?![\w]|[./-]\d)"), check)
    for pattern, check in (
        (r"\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", abn.is_valid),
        (r"\d{3}[ ]\d{3}[ ]\d{3}", lambda number: sin.is_valid(number) or tfn.is_valid(number)),
        (r"\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", idnr.is_valid),
        (r"\d{4}[ ]?\d{4}[ ]?\d{4}", aadhaar.is_valid),
        (r"[a-z]{5}\d{4}[a-z]", pan.is_valid),
        (r"\d{2}[a-z]{5}\d{4}[a-z][1-9a-z]z[0-9a-z]", gstin.is_valid),
        (r"[a-z]{6}\d{2}[a-z]\d{2}[a-z]\d{3}[a-z]", codicefiscale.is_valid),
        (r"[0-9xyz]\d{7}-?[a-z]", nif.is_valid),
        (r"\d{3}[ ]?\d{3}[ ]?\d{3}[ ]?\d{5}", siret.is_valid),
        (r"che-?\d{3}\.?\d{3}\.?\d{3}", uid.is_valid),
        (r"\d{3}\.\d{3}\.\d{3}-\d{2}", cpf.is_valid),
        (r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", cnpj.is_valid),
        (r"9\d{2}-\d{2}-\d{4}", itin.is_valid),
        # Shapes that are nothing else: a US EIN and SSN, a UK National Insurance number.
        (r"\d{2}-\d{7}|\d{3}[- ]\d{2}[- ]\d{4}", lambda _: True),
        (r"[a-ceghj-prs-tw-z][a-ceghj-npr-tw-z][ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[a-d]", lambda _: True),
    )
)
_VALUE = (
    r"(?P<value>(?:[a-z]{1,6}[ ./-]?)?\d[0-9a-z]{0,20}(?:[ ./-]{1,2}\d[0-9a-z]{0,12}){0,6}(?:[ ./-]?[a-z]{1,2}\b)?)"
)
_LINK = (
    r"(?:[ ]?(?:no|nos|nr|num|number|numbers|id|ids|code|is|was|ending|ends|in|with|the|reg|registration|of|card)\b\.?)"
    r"{0,4}[ ]?[:=#.]{0,2}[ ]{0,2}"
)
_CUED = tuple(
    (kind, re.compile(rf"(?<![\w-])(?:{cues})\b\.?{_LINK}[*x•. ]{{0,20}}{_VALUE}"))
    for kind, cues in {
        "IBAN": r"iban",
        "VAT": r"vat|v\.a\.t|ust-?id(?:-?nr)?|tva|btw|iva|mwst|gst(?:in)?",
        "TAX_ID": (
            r"ein|fein|ssn|social security|nino|ni|national insurance|utr|tax|tin|itin|pan|aadhaar|abn|acn|tfn|sin|"
            r"siret|siren|nif|cif|nie|cpf|cnpj|pesel|nip|regon|bsn|kvk|cvr|codice fiscale|"
            r"steuer(?:nummer|-?id)?|steuer-nr|company|companies house|"
            r"registration|crn|passport|licence|license|nhs|charity|duns|lei"
        ),
        "ACCOUNT": (
            r"account|acct|acc|a/c|ac|sort code|routing|aba|bsb|ifsc|customer|client|member|membership|konto|blz|"
            r"card|visa|mastercard|amex|policy|meter|swift|bic"
        ),
        "REF": (
            r"ref|refs|reference|references|invoice|invoices|inv|bill|order|orders|po|p\.o|purchase order|quote|"
            r"quotation|"
            r"ticket|case|job|contract|docket|tracking|credit note|cn|statement|receipt|transaction|booking|"
            r"reservation|claim|project|serial|batch|item|file|folio|cheque|check|mandate|delivery note"
        ),
    }.items()
)  # fmt: skip
_BIC = re.compile(
    r"\b(?:SWIFT|BIC|swift|bic|Swift|Bic)\b[ ]?(?:code|CODE)?[ ]?(?:is)?[ :/-]{0,3}"
    r"([A-Za-z]{6}[A-Za-z0-9]{2}(?:[A-Za-z0-9]{3})?)\b"
)
_IFSC = re.compile(r"(?<!\w)[a-z]{4}0[a-z0-9]{6}(?!\w)")
_MIXED = re.compile(r"(?<![\w])(?=[a-z0-9_/#.-]{0,40}\d)[a-z0-9]{1,24}(?:[-/_#.]{1,2}[a-z0-9]{1,24}){0,7}(?!\w)")
_SPACED = re.compile(r"(?<![\w-])[A-Z]{2,5} \d{3,10}(?:[-/]\d{1,8})?(?!\w|[.,]\d)")
_CURRENCY = re.compile(r"(?:usd|eur|gbp|inr|chf|cad|aud|nzd|jpy|sek|nok|dkk|zar|sgd|hkd|aed|pln|kwd|cny|us|rs|fy|q)")
_PLAIN_NUMBER = re.compile(r"[\d.,/:-]+")
_ORDINARY = re.compile(
    r"\d{1,4}(?:st|nd|rd|th|am|pm|k|m|mm|cm|kg|g|x|hrs?|h|min|mins|d|p|bn|mn|cr)|(?:19|20)\d\d-?s|q[1-4]"
)


def find(page: Plain) -> Iterator[Found]:
    """Yield official numbers, account numbers and references."""
    found = tokens(page)
    yield from _joined(page, found)
    for match in _IBAN_SHAPE.finditer(page.lower):
        if sum(char.isdigit() for char in match[0]) >= 10:
            yield Found(*match.span(), "IBAN", _bare(match[0]), rank=3)
    for match in _CARD.finditer(page.lower):
        if luhn.is_valid(_bare(match[0])) or _CARD_SHAPE.fullmatch(match[0]):
            yield Found(*match.span(), "CARD", _bare(match[0]), rank=3)
    for pattern, check in _VALIDATED:
        for match in pattern.finditer(page.lower):
            if check(match[0].upper()):
                yield Found(*match.span(), "TAX_ID", _bare(match[0]), rank=4)
    yield from _cued(page)
    yield from _shaped(page)


def _bare(number: str) -> str:
    return re.sub(r"[^a-z0-9]", "", number)


def _joined(page: Plain, found: list[Token]) -> Iterator[Found]:
    """Yield IBANs and VAT numbers, which people part as they like: the longest run of words that checks."""
    for at, token in enumerate(found):
        if not 2 <= len(token.key) <= 34 or not token.key.isascii():
            continue
        is_iban = bool(_IBAN_START.fullmatch(token.key))
        country = token.key[:2]
        is_vat = country in _VAT_COUNTRIES and (len(token.key) == 2 or token.key[2].isdigit() or token.key[2] == "u")
        if not (is_iban or is_vat):
            continue
        best: Found | None = None
        key = ""
        for stop in range(at, min(len(found), at + 10)):
            if stop > at and not _GAP.fullmatch(page.lower, found[stop - 1].end, found[stop].start):
                break
            key += found[stop].key
            if len(key) > 34:
                break
            if is_iban and len(key) > 14 and iban.is_valid(key):
                best = Found(token.start, found[stop].end, "IBAN", key, rank=2)
            elif is_vat and 8 <= len(key) <= 16 and _is_vat(country, key):
                best = Found(token.start, found[stop].end, "VAT", key, rank=2)
        if best:
            yield best


def _is_vat(country: str, key: str) -> bool:
    module = get_cc_module({"el": "gr", "xi": "gb"}.get(country, country), "vat")
    number = key[2:] if country == "xi" else key
    return bool(module and module.is_valid(number.upper()))


def _cued(page: Plain) -> Iterator[Found]:
    for kind, pattern in _CUED:
        for match in pattern.finditer(page.lower):
            value = match["value"]
            digits = sum(char.isdigit() for char in value)
            if digits < 2 or (digits < 3 and kind != "REF"):
                continue
            start, end = match.span("value")
            head = re.match(r"[a-z]+(?= )", value)
            if head and is_word(head[0]) and len(head[0]) > 2:
                start += len(head[0]) + 1
            tail = re.search(r"[ ./-][a-z]{1,2}$", value)
            if tail and not (kind == "TAX_ID" and page.text[start:end].isupper()):
                end -= len(tail[0])
            if _CURRENCY.fullmatch(head[0] if head else "") or _is_figure(page.lower, end):
                continue
            start -= page.text[start - 1 : start] == "#"
            yield Found(start, end, kind, _bare(page.lower[start:end]), rank=6 if kind == "REF" else 2)
    for match in _BIC.finditer(page.text):
        if not is_word(match[1].lower()):
            yield Found(*match.span(1), "ACCOUNT", match[1].lower(), rank=6)
    for match in _IFSC.finditer(page.lower):
        yield Found(*match.span(), "ACCOUNT", match[0], rank=6)


def _is_figure(text: str, end: int) -> bool:
    """Tell whether digits behind a cue go on as an amount or a share: "invoice 1,975.00", "order 20 %"."""
    return bool(
        re.match(
            r"[.,]\d| ?(?:%|percent|per cent|days|weeks|months|usd|eur|gbp|dollars|pounds|euros)", text[end : end + 9]
        )
    )


def _shaped(page: Plain) -> Iterator[Found]:
    """Yield what mixes letters and digits ("TX-9999", "9f3a-77", "2024/0031"), but for "3rd", "10am" and the like."""
    for match in _MIXED.finditer(page.lower):
        text = match[0]
        digits = sum(char.isdigit() for char in text)
        letters = any(char.isalpha() for char in text)
        if not digits or _ORDINARY.fullmatch(text) or (not letters and not _is_number_id(text)):
            continue
        if _CURRENCY.fullmatch("".join(char for char in text if char.isalpha())) and _PLAIN_NUMBER.search(text):
            continue
        if _worded(text):
            continue
        start = match.start() - (page.text[match.start() - 1 : match.start()] == "#")
        yield Found(start, match.end(), "REF", _bare(text), rank=7)
    for match in _SPACED.finditer(page.text):
        if not _CURRENCY.fullmatch(match[0].split()[0].lower()) and not is_word(match[0].split()[0].lower()):
            yield Found(*match.span(), "REF", _bare(match[0].lower()), rank=7)


def _is_number_id(text: str) -> bool:
    return bool(re.fullmatch(r"\d{3,}[-/]\d{3,}(?:[-/]\d+)*|\d{6,}", text))


def _worded(text: str) -> bool:
    """Tell whether words are joined to a small number: "30-day", "7-10-day", "2-week", "24/7"."""
    parts = re.split(r"[-/_#.]+", text)
    return all(
        (part.isdigit() and len(part) < 4) or (part.isalpha() and is_word(part) and len(part) > 2) for part in parts
    )
