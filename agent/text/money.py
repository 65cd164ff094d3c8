"""Read an amount of money: sign, currency and number in any order that people write them in."""

import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from agent.text.currencies import CODES, EXPLICIT_SIGNS, Currency, money_origins, money_words
from agent.text.english import MINOR_OF
from agent.text.figure import Figure, FigureKind
from agent.text.fold import Span
from agent.text.numbers import NUMBER_OPENERS, NumberFormat, Numeral, numeral_at
from agent.text.tokens import Token

__all__ = ["MONEY_OPENERS", "cents_of", "money_at"]

_MINUS = frozenset(["-", "minus", "negative"])
_GLUED_SCALES = frozenset(["m", "mn", "b", "bn", "cr"])
_ONE_SIGN = "+"

MONEY_OPENERS = _MINUS | CODES | frozenset(EXPLICIT_SIGNS) | NUMBER_OPENERS
"""Words that an amount can begin with; one that a currency's sign is glued to ("US$") is known by that."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """Hold a currency's sign, code or word as found: whether it means the expected currency, and where it ends."""

    ours: bool
    end: int


def cents_of(numeral: Numeral, digits: int) -> tuple[int, ...]:
    """Return what a number is in minor units, () unless it has exactly the currency's minor digits or none."""
    if numeral.decimals not in (None, 0, digits):
        return ()
    factor = Decimal(10) ** digits
    amounts = (value * factor for value in numeral.values)
    return tuple(int(amount) for amount in amounts if amount == int(amount))


def money_at(found: list[Token], at: int, form: NumberFormat, currency: Currency) -> tuple[Figure, int] | None:
    """Read the amount that begins at a token: `-$1,975.00`, `$-5`, `1975 dollars and 50 cents`, `USD 5`, `50p`.

    A number without a currency is no amount here. An amount in another currency, or with a number that the locale does
    not write so, has no reading and says why.
    """
    start = at
    negative = found[at].text in _MINUS and _is_outer_sign(found, at)
    if negative or (found[at].text == _ONE_SIGN and at + 1 < len(found)):
        at += 1
    before = _sign_at(found, at, currency) if at < len(found) else None
    number_at = before.end if before else at
    if before and number_at < len(found) and found[number_at].text in _MINUS:
        negative, number_at = True, number_at + 1
    read = numeral_at(found, number_at, form) if number_at < len(found) else None
    if read is None:
        return _lonely(found, start, before)
    numeral, end = read
    if before:
        numeral, end = _glued_scale(found, end, numeral)
    return _amount(found, start, _Amount(numeral, end, before, negative), form, currency)


@dataclass(slots=True)
class _Amount:
    numeral: Numeral
    end: int
    before: _Sign | None
    negative: bool


def _amount(
    found: list[Token], start: int, read: _Amount, form: NumberFormat, currency: Currency
) -> tuple[Figure, int] | None:
    hundredths, end = _of_hundred(found, read.end)
    after = _word_at(found, end, currency)
    minor = _minor_at(found, end, currency) if read.before is None and after is None else None
    signs = [sign for sign in (read.before, after, minor) if sign]
    if not signs:
        return None
    end = max(end, *(sign.end for sign in signs))
    cents = cents_of(read.numeral, 0 if minor else currency.digits)
    if minor is None:
        extra, end, ours = _small_change(found, end, form, currency)
        cents = tuple(value + extra + hundredths for value in cents)
        signs.append(_Sign(ours, end))
    if end < len(found) and found[end].text in ("-", "cr") and _is_trailing_sign(found, end):
        read.negative, end = True, end + 1
    cents = tuple(-value if read.negative else value for value in cents)
    if end < len(found) and found[end].glued and found[end].kind in ("word", "number"):
        cents = ()  # "$5.00p", "$5X": something goes on that is no part of an amount
    fault = "" if cents else "format"
    if not all(sign.ours for sign in signs):
        cents, fault = (), "currency"
    span = Span(found[start].start, found[end - 1].end)
    return Figure(span, FigureKind.MONEY, numbers=read.numeral.values, cents=cents, fault=fault), end


def _lonely(found: list[Token], start: int, sign: _Sign | None) -> tuple[Figure, int] | None:
    """Report a currency sign without a number; a code or a word without one is only a word."""
    if sign is None or unicodedata.category(found[sign.end - 1].text[-1]) != "Sc":
        return None
    span = Span(found[start].start, found[sign.end - 1].end)
    return Figure(span, FigureKind.UNREADABLE, fault="format"), sign.end


def _is_outer_sign(found: list[Token], at: int) -> bool:
    """Tell whether a minus is a sign: a word, or a hyphen that no word or number stands right before."""
    if found[at].text != "-":
        return True
    return not (found[at].glued and at > 0 and found[at - 1].kind in ("word", "number", "mask"))


def _is_trailing_sign(found: list[Token], at: int) -> bool:
    if found[at].text == "cr":
        return True
    return found[at].glued and (at + 1 == len(found) or not found[at + 1].glued or found[at + 1].text in ".,;)")


def _sign_at(found: list[Token], at: int, currency: Currency) -> _Sign | None:
    """Read a currency's sign or code before a number."""
    token = found[at]
    if token.kind == "mark" and unicodedata.category(token.text) == "Sc":
        return _Sign(currency.has_sign(token.text), at + 1)
    if token.kind != "word" or at + 1 >= len(found):
        return None
    following = found[at + 1]
    if following.glued and following.kind == "mark" and unicodedata.category(following.text) == "Sc":
        sign = token.text + following.text
        known = sign in EXPLICIT_SIGNS or token.text in CODES
        ours = currency.has_sign(sign) if sign in EXPLICIT_SIGNS else token.text == currency.code.casefold()
        return _Sign(ours, at + 2) if known else None
    dotted = following.text == "." and following.glued and token.text in EXPLICIT_SIGNS
    end = at + 2 if dotted else at + 1
    if end >= len(found) or not _begins_number(found, end):
        return None
    is_code = token.text in CODES and (token.upper or token.text == currency.code.casefold())
    is_sign = token.text in EXPLICIT_SIGNS and token.capital
    return _Sign(currency.has_sign(token.text), end) if is_code or is_sign else None


def _begins_number(found: list[Token], at: int) -> bool:
    if found[at].text == "-" and at + 1 < len(found):
        at += 1
    return found[at].kind in ("number", "odd")


def _word_at(found: list[Token], at: int, currency: Currency) -> _Sign | None:
    """Read a currency's name, code or sign after a number."""
    if at >= len(found):
        return None
    token = found[at]
    if token.kind == "mark" and unicodedata.category(token.text) == "Sc":
        loose = not token.glued and at + 1 < len(found) and found[at + 1].glued
        return None if loose else _Sign(currency.has_sign(token.text), at + 1)
    if token.kind != "word":
        return None
    for length in (3, 2, 1):
        name = " ".join(item.text for item in found[at : at + length])
        if len(found) >= at + length and name in money_words():
            return _Sign(currency.has_word(name), at + length)
    if at + 1 < len(found) and found[at + 1].text in money_words() and (token.capital or token.text in money_origins()):
        # "Swiss euros": whatever they are, they are no currency.
        return _Sign(ours=False, end=at + 2)
    is_code = token.text in CODES and (token.upper or token.text == currency.code.casefold())
    return _Sign(token.text == currency.code.casefold(), at + 1) if is_code else None


def _minor_at(found: list[Token], at: int, currency: Currency) -> _Sign | None:
    if at >= len(found) or found[at].text not in MINOR_OF:
        return None
    if found[at].text == "p" and not found[at].glued:
        return None
    return _Sign(currency.has_minor(found[at].text), at + 1)


def _small_change(found: list[Token], at: int, form: NumberFormat, currency: Currency) -> tuple[int, int, bool]:
    """Read "and 50 cents" after an amount; return the minor units, the index after them, and whether they are ours."""
    joint = at + 1 if at < len(found) and found[at].text in ("and", ",", "&") else at
    read = numeral_at(found, joint, form) if joint < len(found) else None
    if read is None or not read[0].values:
        return 0, at, True
    minor = _minor_at(found, read[1], currency)
    if minor is None:
        return 0, at, True
    return int(read[0].values[0]), minor.end, minor.ours


def _of_hundred(found: list[Token], at: int) -> tuple[int, int]:
    """Read the "and 50/100" of a cheque."""
    texts = [token.text for token in found[at : at + 4]]
    if (
        len(texts) == 4
        and texts[0] == "and"
        and texts[2:] == ["/", "100"]
        and texts[1].isdigit()
        and len(texts[1]) == 2
    ):
        return int(texts[1]), at + 4
    return 0, at


def _glued_scale(found: list[Token], at: int, numeral: Numeral) -> tuple[Numeral, int]:
    if at < len(found) and found[at].glued and found[at].text in _GLUED_SCALES:
        return Numeral((), None, raw=numeral.raw), at + 1
    return numeral, at
