"""Find e-mail addresses, links, handles and phone numbers, also where they are spelled out to get past a filter.

Every pattern has bounded repeats, so that a hostile text costs no more than its length.
"""

import re
from collections.abc import Iterator

import phonenumbers

from memory.sanitize.english import NO_MAILBOX, is_word
from memory.sanitize.found import Found
from memory.sanitize.plain import Plain

__all__ = ["find"]

_SPACE = r"[ \n]{0,2}"
_OPEN, _SHUT = r"[\[({<]", r"[\])}>]"
_DOT = (
    rf"(?:{_SPACE}{_OPEN}{_SPACE}(?:dot|\.){_SPACE}{_SHUT}{_SPACE}|[ \n]{{1,2}}(?:dot|punkt|point)[ \n]{{1,2}}|"
    r"[_-]dot[_-]|\.)"
)
_LINK = rf"(?:{_DOT}|[_+%'-]|[ ](?:underscore|dash|hyphen|plus)[ ])"
_AT = (
    rf"(?:{_SPACE}{_OPEN}{_SPACE}(?:at|@|a){_SPACE}{_SHUT}{_SPACE}|"
    rf"[ \n]{{1,2}}at[ \n]{{1,2}}|{_SPACE}@{_SPACE}|_at_|-at-)"
)
_LOCAL = rf"[^\W_]{{1,64}}(?:{_LINK}{{1,2}}[^\W_]{{1,64}}){{0,6}}"
_LABEL = r"[^\W_][\w-]{0,62}?(?: (?:dash|hyphen) [^\W_][\w-]{0,62}?){0,3}"
_DOMAIN = rf"{_LABEL}(?:(?:{_DOT}| \. ){_LABEL}){{1,6}}(?![\w-])"
_EMAIL = re.compile(rf"(?<![\w.+%-])(?P<local>{_LOCAL})(?P<at>{_AT})(?P<domain>{_DOMAIN})")
_PLAIN_EMAIL = re.compile(
    r"(?<![\w.+%'-])(?:[\w.+%'-]{1,64}|\"[^\"\n@]{1,64}\")@"
    r"(?:[^\W_][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}|\[[0-9a-f:.]{3,45}\])"
)
_DOTS = re.compile(rf"{_DOT}| \. ")
_SIGNS = {"underscore": "_", "dash": "-", "hyphen": "-", "plus": "+"}
_ENDINGS = (
    "com|org|net|edu|gov|mil|int|info|biz|io|ai|co|app|dev|cloud|shop|store|online|site|tech|xyz|eu|uk|de|fr|es|nl|ie|ca|"
    "au|nz|ch|se|no|dk|fi|pl|pt|cz|jp|cn|br|mx|za|ke|ng|ae|example|test|invalid|localhost|local"
)
_RISKY = "in|it|us|is|me|at|be|to|so|am|my|id|la"
_URL = re.compile(r"(?<![\w.+-])(?:[a-z][a-z0-9+.-]{1,15}:/{1,3}|www\d?\.|mailto:)[^\s<>\"\]]{1,2000}")
_SITE = re.compile(
    rf"(?<![\w@.-])(?:[^\W_][\w-]{{0,62}}{_DOT}){{1,6}}(?:(?:{_ENDINGS})\b(?:[:/?#][^\s<>\"\]]{{0,500}})?|(?:{_RISKY})\b[/?#][^\s<>\"\]]{{0,500}})"
)
_HANDLE = re.compile(r"(?<![\w.@])@[^\W_]\w{1,38}")
_IP = re.compile(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)|(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])"
)
_TRAILING = ".,;:!?)'*_-"
_FILE = re.compile(r"\.(?:pdf|docx?|xlsx?|csv|txt|zip|png|jpe?g|html?)$")

_NUMBER = re.compile(
    r"(?<![\w.,/+-])(?<![$£€¥₹]) ?(?P<number>(?:\(?\+ ?|\()?\d(?:[ ().\-/]{0,3}\d){5,16})"
    r"(?P<ext>,? ?(?:ext|extension|x)\.? ?\d{1,6})?(?![\w]|[.,/-]\d)"
)
_CUE = re.compile(
    r"\b(?:tel|telephone|phone|phones|phoned|call|calls|called|calling|ring|mobile|mob|cell|fax|whatsapp|text|sms|dial|"
    r"landline|handset|reach|reached|voicemail|telefon|handy)\b[^\d+(]{0,24}$"
)
_DATE = re.compile(r"\(?\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_AMOUNT = re.compile(r"\d{1,3}(?: \d{3})+|\d+\.\d{2}|[1-9]\d*")
_SHAPES = re.compile(
    r"\(?0\d{1,5}[) ./-]+\d[\d ./-]{3,}|0[1-9]\d{8,10}|\(\d{3}\) ?\d{3}[- .]?\d{4}|(?:1[- .])?\d{3}[-.]\d{3}[-.]\d{4}|"
    r"(?:1 )?\d{3} \d{3} \d{4}|\d{3}[-.]\d{4}|\d{5} \d{5,6}"
)
_REGIONS = ("GB", "US", "DE", "IN", "FR", "AU", "NL", "ES", "IT", "IE")


def find(page: Plain) -> Iterator[Found]:
    """Yield every contact of a text; equal ones, however they are written, with one key."""
    yield from _emails(page)
    for pattern in (_URL, _SITE):
        for match in pattern.finditer(page.lower):
            end = match.start() + len(match[0].rstrip(_TRAILING))
            text = _DOTS.sub(".", page.lower[match.start() : end])
            if not _is_sentence_break(page, match.start(), text):
                yield Found(match.start(), end, "URL", text.removeprefix("https://").removeprefix("http://"), rank=1)
    for match in _HANDLE.finditer(page.lower):
        yield Found(*match.span(), "HANDLE", match[0])
    for match in _IP.finditer(page.lower):
        yield Found(*match.span(), "URL", match[0], rank=1)
    yield from _phones(page)


def _emails(page: Plain) -> Iterator[Found]:
    for match in _PLAIN_EMAIL.finditer(page.lower):
        end = match.start() + len(match[0].rstrip(_TRAILING))
        yield Found(match.start(), end, "EMAIL", page.lower[match.start() : end], rank=1)
    if not any(sign in page.lower for sign in ("at", "@")):
        return
    for match in _EMAIL.finditer(page.lower):
        if not _is_address(match):
            continue
        key = f"{_DOTS.sub('.', match['local'])}@{_DOTS.sub('.', match['domain'])}"
        for word, sign in _SIGNS.items():
            key = key.replace(f" {word} ", sign)
        key = key.replace(" ", "")
        yield Found(match.start(), match.start("domain") + len(match["domain"].rstrip(_TRAILING)), "EMAIL", key, rank=1)


def _is_address(match: re.Match[str]) -> bool:
    """Tell whether words with "at" between them are an address: "ann at firm dot example", not "work at x.example"."""
    last = _DOTS.split(match["domain"])[-1]
    if not last.isalpha() or len(last) < 2 or (" . " in match["domain"] and "@" not in match["at"]):
        return False
    if match["at"].strip(" \n") != "at":
        return True
    if match["local"].split(" ")[-1] in NO_MAILBOX:
        return False
    spelled = " dot " in match["domain"].replace("\n", " ") or any(mark in match["domain"] for mark in "[({<")
    return spelled or not is_word(match["local"].split(" ")[-1])


def _is_sentence_break(page: Plain, start: int, text: str) -> bool:
    """Tell whether a stop with no space after it parts two sentences ("is settled.Com"), or ends a file's name."""
    if "/" in text or text.startswith("www"):
        return False
    if _FILE.search(text):
        return True
    before, _, after = page.text[start : start + len(text)].rpartition(".")
    return after[:1].isupper() and not after.isupper() and is_word(before.lower())


def _phones(page: Plain) -> Iterator[Found]:
    for match in _NUMBER.finditer(page.lower):
        number = match["number"]
        digits = re.sub(r"\D", "", number)
        if not 7 <= len(digits) <= 16 or _DATE.fullmatch(number):
            continue
        cued = bool(_CUE.search(page.lower, max(0, match.start() - 40), match.start()))
        key = _phone_key(number, sure=cued)
        if key:
            yield Found(match.start("number"), match.end(), "PHONE", key, rank=4)


def _phone_key(number: str, *, sure: bool) -> str:
    """Return a phone number's international form, or its digits; "" for a number that is none."""
    digits = re.sub(r"\D", "", number)
    shaped = bool(_SHAPES.fullmatch(number)) and not _AMOUNT.fullmatch(number)
    if number.lstrip("(").startswith("+") or digits.startswith("00"):
        read = _parsed("+" + digits.removeprefix("00").removeprefix("0"), None)
        return f"+{read.country_code}{read.national_number}" if read else digits
    if not (shaped or sure):
        return ""
    for region in _REGIONS:
        read = _parsed(number, region)
        if read and phonenumbers.is_valid_number(read):
            return f"+{read.country_code}{read.national_number}"
    return digits


def _parsed(number: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return None
