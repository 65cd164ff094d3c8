"""Read what is counted or measured: percentages, durations, counts, ordinals, fractions and multiples."""

from decimal import Decimal

from agent.text.english import COUNTED, DURATIONS, FRACTIONS, MULTIPLES, REMINDERS, words
from agent.text.figure import Figure, FigureKind
from agent.text.fold import Span
from agent.text.numbers import NUMBER_OPENERS, NumberFormat, Numeral, numeral_at, ordinal_at
from agent.text.tokens import Token

__all__ = ["QUANTITY_OPENERS", "quantity_at"]

_PERCENT = {"%": 1, "percent": 1, "pct": 1, "percentage": 1}
_POINTS = {"bps": 100, "bp": 100}
_WORKING = words("business working calendar full whole complete more further additional clear")
_LATE = words("overdue late past behind ago old outstanding unpaid open since")
_ENDS_NOUN_PHRASE = words(
    "is are was were be been has have had to for in on at by from with and or but that which who will would can could "
    "may should must if when while because please you we it they i not now still"
)
_ORDINAL_IDIOMS = (
    words("look glance thought thoughts opinion party parties to of is was hand nature home") | _ENDS_NOUN_PHRASE
)
_VAGUE_NUMBERS = words("hundreds thousands millions billions dozens scores lakhs crores")
_DOUBLE_IDIOMS = words("- check checked checking sure")
_DETERMINERS = words("the these those all your our other first last remaining both")
_PREDICATES = words("are remain were have")
_LABELS = words("reminder notice letter number no total balance is")
_LASTING = words("for by than over nearly almost about around since")
_SMALL = {"both": 2, "couple": 2, "pair": 2, "duo": 2, "trio": 3, "single": 1, "sole": 1}
_ONLY = words("only just single sole last")
_NOT_COUNTED = words("payment transfer go step click place way hand thing sum lump moment day")
_ADJECTIVE_REACH = 5


QUANTITY_OPENERS = MULTIPLES | NUMBER_OPENERS | _VAGUE_NUMBERS | frozenset(_SMALL) | {"x", "half", "halves"}
"""Words that a quantity can begin with."""


def quantity_at(found: list[Token], at: int, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read the quantity that begins at a token; a number that goes with nothing is a NUMBER, or UNREADABLE."""
    return (
        _multiple(found, at, form)
        or _fraction(found, at, form)
        or _small_word(found, at)
        or _ordinal(found, at)
        or _article_duration(found, at)
        or _number(found, at, form)
    )


def _figure(found: list[Token], at: int, end: int, kind: FigureKind, **more: object) -> tuple[Figure, int]:
    return Figure(Span(found[at].start, found[end - 1].end), kind, **more), end  # type: ignore[arg-type]


def _multiple(found: list[Token], at: int, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read "twice", "double", "2x", "3 x", "two times", "three-fold"."""
    token = found[at]
    following = found[at + 1] if at + 1 < len(found) else None
    if token.text in MULTIPLES and not (following and following.text in _DOUBLE_IDIOMS and token.text == "double"):
        values = (Decimal(2),) if token.text == "twice" else ()
        return _figure(found, at, at + 1, FigureKind.DERIVED, numbers=values, fault="multiple", unit=token.text)
    if token.text in ("x", "×") and following and following.kind == "number" and following.glued:
        return _figure(found, at, at + 2, FigureKind.DERIVED, fault="multiple")
    read = numeral_at(found, at, form)
    if read is None:
        return None
    numeral, end = read
    if end + 1 < len(found) and found[end].text == "-" and found[end + 1].text == "fold":
        end += 1
    after = found[end].text if end < len(found) else ""
    if after not in ("x", "×", "*", "times", "fold"):
        return None
    return _figure(found, at, end + 1, FigureKind.DERIVED, numbers=numeral.values, fault="multiple", unit=after)


def _fraction(found: list[Token], at: int, form: NumberFormat) -> tuple[Figure, int] | None:
    """Read "half", "a third of", "two-thirds", "one quarter of", "one in three"."""
    text = found[at].text
    if text in ("half", "halves") and not (at + 1 < len(found) and found[at + 1].text == "yearly"):
        return _figure(found, at, at + 1, FigureKind.DERIVED, fault="fraction")
    index = at + 1
    if text not in ("a", "one"):
        read = numeral_at(found, at, form)
        if read is None or found[at].kind != "word":
            return None
        index = read[1]
    if index < len(found) and found[index].text == "-":
        index += 1
    if index >= len(found) or found[index].text not in FRACTIONS:
        return None
    plural = found[index].text.endswith("s") and text not in ("a", "one")
    followed = index + 1 < len(found) and found[index + 1].text == "of"
    if plural or followed or text == "one":
        return _figure(found, at, index + 1, FigureKind.DERIVED, fault="fraction")
    return None


def _small_word(found: list[Token], at: int) -> tuple[Figure, int] | None:
    """Read "both", "a couple of", "the pair", "a single invoice" as counts."""
    text = found[at].text
    if text in _VAGUE_NUMBERS and at + 1 < len(found) and found[at + 1].text == "of":
        return _figure(found, at, at + 1, FigureKind.COUNT, unit="item")
    value = _SMALL.get(text)
    if value is None:
        return None
    after = at + 2 if at + 1 < len(found) and found[at + 1].text == "of" else at + 1
    if text in ("couple", "pair") and after < len(found) and found[after].text in DURATIONS:
        return _figure(
            found, at, after + 1, FigureKind.DURATION, numbers=(Decimal(2),), unit=DURATIONS[found[after].text]
        )
    noun, quality, end = _noun_phrase(found, at + 1)
    if text in ("single", "sole"):
        if not noun or noun == "payment" or found[end - 1].text in _NOT_COUNTED:
            return None
        return _figure(found, at, end, FigureKind.COUNT, numbers=(Decimal(1),), unit=noun, quality=quality)
    return _figure(found, at, at + 1, FigureKind.COUNT, numbers=(Decimal(value),), unit=noun or "item", quality=quality)


def _ordinal(found: list[Token], at: int) -> tuple[Figure, int] | None:
    """Read "second reminder", "2nd notice", "third invoice"; a small ordinal word that goes with nothing is none."""
    read = ordinal_at(found, at)
    if read is None:
        return None
    value, end = read
    index = end
    quality: list[str] = []
    while index < len(found) and index - end < _ADJECTIVE_REACH and found[index].kind in ("word", "mark"):
        text = found[index].text
        if text in REMINDERS:
            number = (Decimal(value),)
            return _figure(
                found, at, index + 1, FigureKind.ORDINAL, numbers=number, unit="reminder", quality=tuple(quality)
            )
        if text in COUNTED and text not in ("of", "one"):
            return _figure(found, at, index + 1, FigureKind.ORDINAL, numbers=(Decimal(value),), unit=COUNTED[text])
        if text in _ENDS_NOUN_PHRASE and text != "and":
            break
        if found[index].kind == "mark" and text not in ("-", "/"):
            break
        quality.append(text)
        index += 1
    if found[at].kind == "word" and value < 4 and not _is_numbered(found, at, end):
        return None
    return _figure(found, at, end, FigureKind.ORDINAL, numbers=(Decimal(value),))


def _is_numbered(found: list[Token], at: int, end: int) -> bool:
    """Tell whether "your third repair" numbers a thing; "the first", "a second look" and "third parties" do not."""
    if found[at].text == "first" or not at or found[at - 1].text not in ("your", "our", "this"):
        return False
    return end < len(found) and found[end].kind in ("word", "mask") and found[end].text not in _ORDINAL_IDIOMS


def _article_duration(found: list[Token], at: int) -> tuple[Figure, int] | None:
    """Read "a week overdue", "a full month late" as durations of one."""
    if found[at].text not in ("a", "an"):
        return None
    index = at + 1
    while index < len(found) and (found[index].text in _WORKING or found[index].text == "-"):
        index += 1
    if index >= len(found) or found[index].text not in DURATIONS:
        return None
    after = found[index + 1].text if index + 1 < len(found) else ""
    before = found[at - 1].text if at else ""
    if after not in _LATE and before not in _LASTING:
        return None
    unit = DURATIONS[found[index].text]
    return _figure(found, at, index + 1, FigureKind.DURATION, numbers=(Decimal(1),), unit=unit)


def _number(found: list[Token], at: int, form: NumberFormat) -> tuple[Figure, int] | None:
    read = numeral_at(found, at, form)
    if read is None or _is_idiom(found, at, read[1]):
        return None
    numeral, end = read
    measured = _percent(found, at, end, numeral) or _duration(found, at, end, numeral)
    if measured:
        return measured
    noun, quality, stop = _noun_phrase(found, end)
    if numeral.raw == "one" and numeral.in_words:
        return _lone_one(found, at, stop, noun, quality)
    if noun and numeral.decimals in (0, None):
        return _figure(found, at, stop, FigureKind.COUNT, numbers=numeral.values, unit=noun, quality=quality)
    if _is_tally(found, at, end, numeral):
        return _figure(found, at, end, FigureKind.COUNT, numbers=numeral.values, unit="item")
    fault = "" if numeral.values else "format"
    kind = FigureKind.NUMBER if numeral.values else FigureKind.UNREADABLE
    # The caller needs to know how the number was written to read it as money.
    written = ("words",) if numeral.in_words else (f"decimals:{numeral.decimals or 0}",)
    return _figure(found, at, end, kind, numbers=numeral.values, fault=fault, quality=written)


def _is_idiom(found: list[Token], at: int, end: int) -> bool:
    """Tell whether number words are none: "thanks a million", "zero in on"."""
    if "thanks" in [token.text for token in found[max(0, at - 2) : at]]:
        return True
    return found[at].text == "zero" and end < len(found) and found[end].text == "in"


def _is_tally(found: list[Token], at: int, end: int, numeral: Numeral) -> bool:
    """Tell whether a small number counts things that were named before: "all three", "of the two", "two are open"."""
    if not numeral.values or numeral.decimals not in (0, None) or not 1 < numeral.values[0] < 1000:
        return False
    before = found[at - 1].text if at else ""
    after = found[end].text if end < len(found) else ""
    return (numeral.in_words and before in _DETERMINERS) or (after in _PREDICATES and before not in _LABELS)


def _lone_one(found: list[Token], at: int, stop: int, noun: str, quality: tuple[str, ...]) -> tuple[Figure, int] | None:
    """Read "one invoice" and "only one" as a count; the pronoun is no figure."""
    before = found[at - 1].text if at else ""
    last = found[stop - 1].text
    if noun and noun != "payment" and last not in ("of", "one", "ones") and last not in _NOT_COUNTED:
        return _figure(found, at, stop, FigureKind.COUNT, numbers=(Decimal(1),), unit=noun, quality=quality)
    after = found[at + 1].text if at + 1 < len(found) else ""
    if before in _ONLY or (before in ("and", ",", "but") and after in ("is", "was", "has", "remains")):
        return _figure(found, at, at + 1, FigureKind.COUNT, numbers=(Decimal(1),), unit="item")
    return None


def _percent(found: list[Token], at: int, end: int, numeral: Numeral) -> tuple[Figure, int] | None:
    texts = [token.text for token in found[end : end + 3]]
    if texts[:1] == ["-"]:
        texts, end = texts[1:], end + 1
    if not texts:
        return None
    scale, length = _PERCENT.get(texts[0]), 1
    if texts[:2] == ["per", "cent"]:
        scale, length = 1, 2
    elif texts[0] in _POINTS:
        scale = _POINTS[texts[0]]
    elif texts[:2] == ["basis", "points"] or texts[:2] == ["basis", "point"]:
        scale, length = 100, 2
    elif texts[:2] == ["percentage", "points"]:
        scale, length = 1, 2
    if scale is None:
        return None
    values = tuple(value / scale for value in numeral.values)
    return _figure(found, at, end + length, FigureKind.PERCENT, numbers=values, fault="" if values else "format")


def _duration(found: list[Token], at: int, end: int, numeral: Numeral) -> tuple[Figure, int] | None:
    index = end
    while index < len(found) and (found[index].text == "-" or found[index].text in _WORKING):
        index += 1
    if index >= len(found):
        return None
    unit = DURATIONS.get(found[index].text) or DURATIONS.get(found[index].text.removesuffix("'s").removesuffix("'"))
    if unit is None:
        return None
    return _figure(found, at, index + 1, FigureKind.DURATION, numbers=numeral.values, unit=unit)


def _noun_phrase(found: list[Token], at: int) -> tuple[str, tuple[str, ...], int]:
    """Return the kind of thing that a number counts ("reminder", ...), its adjectives and the phrase's end."""
    quality: list[str] = []
    index = at
    while index < len(found) and index - at < _ADJECTIVE_REACH:
        token = found[index]
        if token.kind not in ("word", "mark") or token.text in _ENDS_NOUN_PHRASE:
            break
        if token.kind == "mark" and token.text not in ("-", "/"):
            break
        noun = _noun(found, index, quality)
        if noun:
            return noun, tuple(quality), index + 1
        if token.text in DURATIONS:
            return "", tuple(quality), index + 1
        quality.append(token.text)
        index += 1
    return "", (), at


def _noun(found: list[Token], at: int, quality: list[str]) -> str:
    text = found[at].text
    following = found[at + 1].text if at + 1 < len(found) else ""
    if text == "credit" and following in ("note", "notes"):
        return ""
    if text in ("note", "notes") and "credit" in quality:
        return "credit"
    if text in REMINDERS and text not in ("time", "times", "statement", "statements"):
        return "reminder"
    return COUNTED.get(text, "")
