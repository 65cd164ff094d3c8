"""Find the words beside a figure that tell its role."""

import re
from decimal import Decimal
from functools import lru_cache

from agent.facts import LineStatus, Sheet
from agent.text import MASK
from agent.text.english_cues import AWAITED, CONDITIONS, NEGATED_PAYMENT, ROLE_CUES
from agent.text.figure import Figure, FigureKind
from agent.validators.binding import Scene

__all__ = ["left_of", "lines_of_every", "right_of", "roles_of"]

_ORDER = tuple(ROLE_CUES)
_CUE = re.compile(r"\b(?:" + "|".join(f"(?P<{role}>{pattern})" for role, pattern in ROLE_CUES.items()) + r")\b")
_BREAK_LEFT = re.compile(r".*(?:[;()|–—]|,\s|\bbut\b|\bwhile\b|\bwhereas\b|\bafter\b)", re.DOTALL)
_BREAK_RIGHT = re.compile(r"[,;()|–—:.]|\band\b|\bbut\b|\bwhile\b|\bwhereas\b|\bwhich\b|\bafter\b|\bso\b|\bplease\b")
_OPEN_BRACKET = re.compile(r"\s*\(")
_NEGATED_PAYMENT = re.compile(NEGATED_PAYMENT)
_CONDITION = re.compile(CONDITIONS)
_AWAITED = re.compile(AWAITED)
_IS_DUE = re.compile(
    r"\s*(?:(?:is|are|was|were|remains?|now|still|also)\s+)+(?:due|outstanding|open|overdue|payable|expected|required)\b"
)
_ASIDES = frozenset(["disputed", "credit", "paid", "overdue"])
_ASIDE = re.compile(
    r"\b(?:includ\w+|incl\.?|with|without|plus|excluding|after|before|less|minus)\s+(?:the |your |our |any |all )?$"
)
_EVERY = re.compile(
    rf"(?P<which>\ball|\beach|{MASK}+) (?:of (?:them|these|the \w+) )?(?:\w+ )?(?:invoices? |items? |bills? )?"
    r"(?:(?:is|are|was|were|have been|has been|fell|became|now|already|all|both) )+(?:due |overdue |late )?"
    r"(?:on |in |for |from |since |by )?$"
)
_RIGHT_REACH = 45
_LEFT_REACH = 120
_JOINT_REACH = 20


def roles_of(scene: Scene, figure: Figure) -> frozenset[str]:
    """Return the roles that the words beside a figure give it: the nearest cue before it, the cues after it."""
    before, after = left_of(scene, figure), right_of(scene, figure)
    left = _roles(before)
    found = {role for role, _ in left[-1:]}
    if len(left) > 1 and left[-1][0] == "total" and left[-1][1] - left[-2][1] < _JOINT_REACH:
        found.add(left[-2][0])  # "the settled balance", "paid a total of"
    found |= {role for role, _ in _roles(after)}
    if "paid" in found and _is_to_come(before, after):
        found = (found - {"paid"}) | {"pay"}
    return frozenset(found)


def _is_to_come(left: str, right: str) -> bool:
    """Tell whether a payment is one to come: "as soon as $5 is paid", "we await your payment of $5", "... is due"."""
    return bool(_CONDITION.search(left) or _AWAITED.search(left) or _IS_DUE.match(right))


def lines_of_every(sheet: Sheet, scene: Scene, figure: Figure) -> tuple[str, ...]:
    """Return the open invoices when a date or a duration is told of both or all of them: "both were due on"."""
    every = _EVERY.search(scene.between(scene.span.start, figure.span.start))
    lines = [line.id for line in sheet.lines if line.is_listed and line.status is not LineStatus.CREDIT]
    if every is None or not (every["which"].isalpha() or len(lines) in _counted_at(scene, every.end("which"))):
        return ()
    return tuple(lines)


def _counted_at(scene: Scene, at: int) -> tuple[Decimal, ...]:
    """Return what a count that ends at a place of its sentence is: "both" and "two invoices" are 2."""
    counts = (item for item in scene.figures if item.kind is FigureKind.COUNT)
    return next((item.numbers for item in counts if item.span.end == scene.span.start + at), ())


def left_of(scene: Scene, figure: Figure) -> str:
    """Return the clause before a figure, from the figure or line named before it on."""
    if scene.heads and figure in scene.heads:
        return scene.heads[figure]
    start = max(
        [scene.span.start, figure.span.start - _LEFT_REACH]
        + [other.span.end for other in scene.figures if other.span.end <= figure.span.start]
        + [mention.span.end for mention in scene.mentions if mention.span.end <= figure.span.start]
    )
    follows_figure = any(other.span.end == start for other in scene.figures)
    return _clause_before(scene.between(start, figure.span.start), follows_figure=follows_figure)


@lru_cache(maxsize=2048)
def _clause_before(text: str, *, follows_figure: bool) -> str:
    cut = _BREAK_LEFT.match(text)
    text = text[cut.end() :] if cut else text
    if cut or not follows_figure:
        return text
    text = text.rpartition(" and ")[2]
    own = _CUE.match(text.lstrip())  # "$200.00 credit is $5": the cue is the first figure's
    return text.lstrip()[own.end() :] if own else text


def right_of(scene: Scene, figure: Figure) -> str:
    """Return the words right after a figure, up to the next figure, line or pause."""
    end = min(
        [scene.span.end, figure.span.end + _RIGHT_REACH]
        + [other.span.start for other in scene.figures if other.span.start >= figure.span.end]
        + [mention.span.start for mention in scene.mentions if mention.span.start >= figure.span.end]
    )
    return _clause_after(scene.between(figure.span.end, end))


@lru_cache(maxsize=2048)
def _clause_after(text: str) -> str:
    bracket = _OPEN_BRACKET.match(text)
    if bracket:
        return text[bracket.end() :].split(")", 1)[0]
    cut = _BREAK_RIGHT.search(text)
    return text[: cut.start()] if cut else text


@lru_cache(maxsize=2048)
def _roles(text: str) -> tuple[tuple[str, int], ...]:
    """Return the roles of the cues in a passage, each with its place: "not paid" is open, "including credits" none."""
    found: list[tuple[str, int]] = []
    for match in _CUE.finditer(text):
        role = match.lastgroup or ""
        if role in _ASIDES and _ASIDE.search(text[: match.start()]):
            continue
        if role == "paid" and _NEGATED_PAYMENT.search(text[: match.end()]):
            role = "open"
        found.append((role, match.start()))
    return tuple(found)
