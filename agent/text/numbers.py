"""Read one number: digits grouped as the locale writes them, or English words."""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from babel.numbers import NumberFormatError, get_decimal_symbol, get_group_symbol, parse_decimal
from text_to_num import text2num

from agent.text.english import CARDINALS, ORDINALS, SCALES
from agent.text.tokens import Token

__all__ = ["NUMBER_OPENERS", "NumberFormat", "Numeral", "numeral_at", "ordinal_at"]

_MULTIPLIERS = frozenset(["lakh", "lakhs", "lac", "lacs", "crore", "crores", "dozen", "score", "grand"])
_WORDS = frozenset(CARDINALS) | _MULTIPLIERS
_JOINED_BY_AND = frozenset(["hundred", "thousand", "million", "billion"]) | _MULTIPLIERS
_ZEROS = frozenset(["oh", "o", "nought", "naught", "nil"])
_MAX_WORDS = 24

NUMBER_OPENERS = _WORDS | frozenset(ORDINALS) | {"a", "an"}
"""Words that a number can begin with."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """Hold a number as it is written: all the values it can have, none when it cannot be read.

    `decimals` counts the digits after the decimal mark; it is None for words and for numbers with a scale.
    """

    values: tuple[Decimal, ...]
    decimals: int | None
    in_words: bool = False
    raw: str = ""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """Hold how a locale writes numbers."""

    locale: str

    @property
    def group(self) -> str:
        """Return the mark between groups of digits."""
        return _symbols(self.locale)[0]

    @property
    def decimal(self) -> str:
        """Return the decimal mark."""
        return _symbols(self.locale)[1]

    def parse(self, raw: str) -> Decimal | None:
        """Return the value of digits, None unless they are grouped exactly as the locale writes them, or not at all."""
        digits = raw.replace("\n", "").replace(" ", "")
        group = self.group
        if group.isspace():
            digits = " ".join(raw.split()).replace(" ", group)
        if len(digits) > 40:
            return None
        return _strict(digits, self.locale)


@lru_cache(maxsize=64)
def _symbols(locale: str) -> tuple[str, str]:
    return get_group_symbol(locale), get_decimal_symbol(locale)


@lru_cache(maxsize=4096)
def _strict(digits: str, locale: str) -> Decimal | None:
    if digits.isdigit():
        # Babel's strict parser refuses leading zeros only beside group marks; a figure never has them.
        return Decimal(digits) if digits == "0" or not digits.startswith("0") else None
    if _symbols(locale) == ("'", "."):
        # Babel 2.19 drops two apostrophes of a figure as quotes, and then refuses it: en_CH differs by that mark alone.
        return None if "," in digits else _strict(digits.replace("'", ","), "en")
    try:
        return parse_decimal(digits, locale=locale, strict=True)
    except NumberFormatError:
        return None


def numeral_at(found: list[Token], at: int, form: NumberFormat) -> tuple[Numeral, int] | None:
    """Read the number that begins at a token; return it and the index after it."""
    token = found[at]
    if token.kind == "number":
        value = None if "\n" in token.text else form.parse(token.text)
        decimals = len(token.text.rsplit(form.decimal, 1)[1]) if form.decimal in token.text else 0
        return _scaled(found, at + 1, Numeral(() if value is None else (value,), decimals, raw=token.text))
    if token.kind == "odd":
        return Numeral((), 0, raw=token.text), at + 1
    if token.text not in NUMBER_OPENERS:
        return None
    words, end = _number_words(found, at)
    if not words:
        return None
    return Numeral(_values(words), None, in_words=True, raw=" ".join(words)), end


def ordinal_at(found: list[Token], at: int) -> tuple[int, int] | None:
    """Read an ordinal ("2nd", "second", "twenty-first"); return its value and the index after it."""
    token = found[at]
    if token.kind == "number" and token.text.isdigit() and at + 1 < len(found):
        suffix = found[at + 1]
        return (int(token.text), at + 2) if suffix.glued and suffix.text in ("st", "nd", "rd", "th") else None
    if token.kind != "word":
        return None
    if token.text in ORDINALS:
        return CARDINALS[ORDINALS[token.text]], at + 1
    tens = CARDINALS.get(token.text, 0)
    if 20 <= tens < 100:
        unit = at + 2 if at + 2 < len(found) and found[at + 1].text == "-" else at + 1
        if unit < len(found) and found[unit].text in ORDINALS:
            low = CARDINALS[ORDINALS[found[unit].text]]
            return (tens + low, unit + 1) if low < 10 else None
    return None


def _scaled(found: list[Token], at: int, numeral: Numeral) -> tuple[Numeral, int]:
    if at >= len(found) or found[at].kind != "word":
        return numeral, at
    word = found[at]
    scale = SCALES.get(word.text)
    if scale is None or (len(word.text) < 3 and not word.glued) or word.text in ("score", "m", "b", "cr"):
        return numeral, at
    # "4.12k" is an amount cut short, even where it comes out even; "1.65 lakh" is how some write it in full.
    values = () if word.text == "k" else tuple(value * scale for value in numeral.values)
    return Numeral(values, None, raw=f"{numeral.raw} {word.text}"), at + 1


def _number_words(found: list[Token], at: int) -> tuple[list[str], int]:
    """Return the longest run of number words from a token on, and the index after it."""
    words: list[str] = []
    index = at
    if found[at].text in ("grand", "score"):
        return [], at
    if found[at].text in ("a", "an") and _is_word(found, at + 1) and found[at + 1].text in _JOINED_BY_AND:
        words, index = ["one"], at + 1
    while _is_word(found, index) or (words and index < len(found) and found[index].text in _ZEROS):
        words.append(found[index].text)
        index = _after_joint(found, index, words)
        if len(words) > _MAX_WORDS:
            break
    if words and index < len(found) and found[index].text == "point" and _is_word(found, index + 1):
        digits, end = _number_words(found, index + 1)
        return [*words, "point", *digits], end
    return words, index


def _after_joint(found: list[Token], index: int, words: list[str]) -> int:
    """Return the index of the next number word when the run goes on behind a hyphen, a comma or "and"."""
    after = index + 1
    if after >= len(found):
        return after
    text = found[after].text
    inside = (text == "-" and found[after].glued) or (text in ("and", ",", "&") and words[-1] in _JOINED_BY_AND)
    if inside and text == "," and after + 1 < len(found) and found[after + 1].text == "and":
        after += 1
    if inside and (_is_word(found, after + 1) or (text == "-" and _is_zero(found, after + 1))):
        return after + 1
    return index + 1


def _is_word(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].text in _WORDS


def _is_zero(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].text in _ZEROS


def _values(words: list[str]) -> tuple[Decimal, ...]:
    """Return what a run of number words can mean: its cardinal, or its digits or pairs read one by one."""
    if "point" in words:
        at = words.index("point")
        whole, digits = _values(words[:at]), _spelled(words[at + 1 :])
        return (Decimal(f"{whole[0]}.{digits}"),) if whole and digits else ()
    cardinal = _cardinal(tuple(words))
    if cardinal is not None:
        return (Decimal(cardinal),)
    spelled = _spelled(words)
    return (Decimal(spelled),) if spelled else ()


@lru_cache(maxsize=1024)
def _cardinal(words: tuple[str, ...]) -> int | None:
    for index in range(len(words) - 1, -1, -1):
        if words[index] in _MULTIPLIERS:
            before = _cardinal(words[:index]) if index else 1
            after = _cardinal(words[index + 1 :]) if index + 1 < len(words) else 0
            scale = SCALES[words[index]]
            if before is None or after is None or after >= scale:
                return None
            return before * scale + after
    try:
        return int(text2num(" ".join(words), "en"))
    except ValueError:
        return None


def _spelled(words: list[str]) -> str:
    """Return the digits of a number that is said by digits or pairs ("one nine", "nineteen seventy-five"), else ""."""
    said: list[str] = []
    for word in words:
        value = 0 if word in _ZEROS else CARDINALS.get(word, 100)
        if value >= 100:
            return ""
        if said and len(said[-1]) == 2 and said[-1][1] == "0" and said[-1] != "10" and 0 < value < 10:
            said[-1] = f"{said[-1][0]}{value}"
        else:
            said.append(str(value))
    return "".join(said)
