"""Tell which ledger line a figure belongs to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from agent.text import MASK, Span
from agent.text.english_cues import LIST_GLUE, TOTAL_AFTER, TOTAL_BEFORE
from agent.text.figure import Figure
from agent.validators.mentions import Mention

__all__ = ["Bound", "Scene", "bind", "is_listed_with", "named_lists"]

_FOR = re.compile(
    r"(?:is|are|was|were|remains?|remaining|left|still|now|open|outstanding|due|unpaid|overdue|owed|owing|,|"
    r"in total|\s)*"
    r"(?:(?:for|on|under|against|from|regarding|relating to|relates to|in respect of|belongs to|concerns|towards|=)\s*"
    r"|[:-]\s+|\(\s*)"
    rf"(?:the|your|our|both|{MASK}|open|unpaid|overdue|outstanding|invoices?|items?|lines?|bills?|transactions?|"
    rf"no\.?|nos\.?|"
    r"number|ref\.?|#|:|credit|note|\s)*"
    r"|\s*(?:open|unpaid|overdue|outstanding|disputed)?\s*(?:invoice|item|line|bill|charge|credit note|credit|"
    r"transaction)\s*"
    r"(?:no\.?|number|#)?\s*"
)
_BRACKETED = re.compile(r"\([^()]{0,200}\)")
_GLUE = re.compile(LIST_GLUE)
_TOTAL = re.compile(TOTAL_BEFORE)
_TOTAL_AFTER = re.compile(TOTAL_AFTER)
_OTHER_FIGURE = re.compile(rf"\s*(?:of|is|due|:|=|at|to|due is|\s)*{MASK}")
_NEW_CLAUSE = re.compile(r"\s*,\s*(?:and|or)\b")
_VERB = re.compile(r"\b(?:has|have|is|are|was|were|had|been)\b")
_COPULA = re.compile(r"\b(?:is|are|comes?|stands?|was)\b")
_ASIDE = re.compile(
    r"\b(?:includ\w+|incl\.?|with|without|after|less|excluding|besides|plus|minus|apart from)\s+\S*\s*$"
)
_LED_BY_ASIDE = re.compile(
    r"\s*(?:including|counting|excluding|without|after|less)\s+(?:the |our |your )?(?:[a-z ]+ )?$"
)
_OF_LINE = re.compile(r"[^,;]{0,40}\b(?:balance|sum|totals?|comes? to|amounts? to|adds? up)\b")
_WHOLE = re.compile(r"\b(?:your|the|full|overall|whole|account|total|together|all|grand|combined|so|and)\b")


@dataclass(frozen=True, slots=True)
class Scene:
    """Hold one sentence: its place, its masked text, the lines it names and the figures it holds."""

    span: Span
    plain: str  # the whole text, names, ids and figures masked: spans are offsets into it
    mentions: tuple[Mention, ...]
    figures: tuple[Figure, ...]
    heads: Mapping[Figure, str] = field(default_factory=dict)  # a table's column headings, for the figures of a row
    before: int = field(init=False)  # where `passage` begins: one character before the sentence, where there is one
    passage: str = field(init=False)  # the sentence behind that character: what is remembered of sentences goes by it

    def __post_init__(self) -> None:
        """Cut the passage."""
        object.__setattr__(self, "before", max(0, self.span.start - 1))
        object.__setattr__(self, "passage", self.plain[self.before : self.span.end])

    def between(self, start: int, end: int) -> str:
        """Return the masked text of a passage."""
        return self.plain[start:end]


@dataclass(frozen=True, slots=True)
class Bound:
    """Hold what a figure belongs to: `lines` by id (several when they are named as one list); `total` when it sums up.

    `pair`: the figure stands at its own place in a list, so it is that one line's. `after`: an earlier figure stands
    between it and the line.
    """

    lines: tuple[str, ...] = ()
    total: bool = False
    pair: bool = False
    after: bool = False


@dataclass(slots=True)
class _Run:
    mentions: list[Mention]
    figures: list[Figure]


def bind(scene: Scene, figures: Sequence[Figure], *, totals: bool) -> dict[Figure, Bound]:
    """Bind figures of one type to the lines of their sentence.

    A figure belongs to the nearest line named before it, unless a figure of its type or, with `totals`, a total cue
    stands since; n lines then n figures pair in order, as do n figures "for" n lines. "FIGURE for ID" binds forward.
    """
    bound: dict[Figure, Bound] = {}
    if not figures:
        return bound
    runs = _runs(scene, figures)
    taken: set[int] = set()
    for index, run in enumerate(runs):
        if not run.figures:
            continue
        following = runs[index + 1].mentions if index + 1 < len(runs) else []
        count = _forward(scene, run.figures, following)
        if count and totals and _is_sum_of_rest(scene, run.figures[-1], runs[index + 1]):
            count = 0
        if count and index + 1 < len(runs):
            taken.add(index + 1)
            bound |= _ahead(run.figures[-count:], following, count)
        rest = run.figures[: len(run.figures) - count]
        bound |= _behind(scene, rest, [] if index in taken else run.mentions, totals=totals)
    return bound


def is_listed_with(scene: Scene, first: Mention, second: Mention) -> bool:
    """Tell whether two lines are named as one list: only brackets, figures and list words stand between them."""
    text = scene.between(first.span.end, second.span.start)
    outside = _BRACKETED.sub(" ", text).replace(MASK, " ")
    if not _GLUE.fullmatch(outside):
        return False
    # "No payment came for TX-1, and TX-2 is open": a comma and a verb before it part clauses, not a list.
    return not (_NEW_CLAUSE.search(outside) and _VERB.search(scene.between(scene.span.start, first.span.start)))


def named_lists(scene: Scene) -> frozenset[tuple[str, ...]]:
    """Return the lines that a sentence names: in all, and each list of its own."""
    if len(scene.mentions) < 2:
        return frozenset()
    lists = {tuple(dict.fromkeys(mention.line for mention in scene.mentions))}
    listed = [mention.line for mention in scene.mentions[:1]]
    for first, second in pairwise(scene.mentions):
        if not is_listed_with(scene, first, second):
            lists.add(tuple(listed))
            listed = []
        listed.append(second.line)
    lists.add(tuple(listed))
    return frozenset(lines for lines in lists if len(lines) > 1)


def _runs(scene: Scene, figures: Sequence[Figure]) -> list[_Run]:
    """Return runs of lines, each with the run of figures that follows them."""
    runs = [_Run([], [])]
    items: list[Mention | Figure] = sorted([*scene.mentions, *figures], key=lambda item: item.span.start)
    for item in items:
        if isinstance(item, Mention):
            if runs[-1].figures:
                runs.append(_Run([], []))
            runs[-1].mentions.append(item)
        else:
            runs[-1].figures.append(item)
    return runs


def _forward(scene: Scene, figures: list[Figure], mentions: list[Mention]) -> int:
    """Return how many of the last figures belong to the lines that follow them."""
    if not mentions or not _FOR.fullmatch(scene.between(figures[-1].span.end, mentions[0].span.start)):
        return 0
    between = scene.between(figures[-1].span.end, mentions[0].span.start)
    if "(" in between and scene.between(mentions[0].span.end, mentions[0].span.end + 1) != ")":
        return 0
    return len(mentions) if len(mentions) == len(figures) else 1


def _ahead(figures: list[Figure], mentions: list[Mention], count: int) -> dict[Figure, Bound]:
    if count > 1:
        pairs = zip(figures, mentions, strict=True)
        return {figure: Bound((mention.line,), pair=True) for figure, mention in pairs}
    return {figures[0]: Bound(tuple(mention.line for mention in mentions), pair=len(mentions) == 1)}


def _behind(scene: Scene, figures: list[Figure], mentions: list[Mention], *, totals: bool) -> dict[Figure, Bound]:
    if not figures:
        return {}
    own = [figure for figure in figures if not (totals and _sums_up(scene, mentions, figure))]
    if len(own) == len(mentions) > 1 and own == figures[: len(own)]:
        pairs = {figure: Bound((mention.line,), pair=True) for figure, mention in zip(own, mentions, strict=True)}
        return pairs | {figure: Bound(total=True) for figure in figures[len(own) :]}
    group = _group(scene, mentions)
    bound: dict[Figure, Bound] = {}
    summed = False
    for index, figure in enumerate(figures):
        summed = summed or (totals and (_sums_up(scene, mentions, figure) or (index > 0 and _equals(scene, figure))))
        if summed or not group:
            bound[figure] = Bound(total=summed)
        else:
            bound[figure] = Bound(group, after=index > 0)
    return bound


def _is_sum_of_rest(scene: Scene, figure: Figure, following: _Run) -> bool:
    """Tell whether a figure sums up lines that have their own: "a balance of FIGURE, for ID (FIGURE)"."""
    if not following.figures or not _TOTAL.search(scene.between(scene.span.start, figure.span.start)[-30:]):
        return False
    between = scene.between(following.mentions[-1].span.end, following.figures[0].span.start)
    return between.strip(" (:=,") == ""


def _equals(scene: Scene, figure: Figure) -> bool:
    return scene.between(max(scene.span.start, figure.span.start - 4), figure.span.start).strip().endswith("=")


def _group(scene: Scene, mentions: list[Mention]) -> tuple[str, ...]:
    """Return the lines that are named as one list with the last one."""
    group = mentions[-1:]
    for mention in reversed(mentions[:-1]):
        if not is_listed_with(scene, mention, group[0]):
            break
        group.insert(0, mention)
    return tuple(mention.line for mention in group)


def _sums_up(scene: Scene, mentions: list[Mention], figure: Figure) -> bool:
    """Tell whether a figure stands for a sum: a total cue stands between the line and it, or right after it.

    "TX-1 comes to", "TX-1 has a balance of" speak of that line, or of the list that it ends. A line that is
    only named in passing ("the total, including TX-1, is") leaves the cue before it in force.
    """
    if _totals_after(scene.between(figure.span.end, min(scene.span.end, figure.span.end + 60))):
        return True
    start = max(
        [mentions[-1].span.end if mentions else scene.span.start]
        + [item.span.end for item in scene.figures if item.kind is figure.kind and item.span.end <= figure.span.start]
    )
    between = scene.between(start, figure.span.start)
    if _tells_total(between):
        return not (mentions and _is_of_line(between))
    if not mentions:
        return False
    before = scene.between(scene.span.start, mentions[0].span.start)
    if _LED_BY_ASIDE.fullmatch(before) and between.strip() == ",":
        return True  # "Including TX-1, FIGURE is open"
    if not _COPULA.search(between):
        return False
    return bool(_ASIDE.search(scene.between(scene.span.start, mentions[-1].span.start)) and _TOTAL.search(before))


@lru_cache(maxsize=2048)
def _totals_after(text: str) -> bool:
    after = _TOTAL_AFTER.match(text)
    return bool(after and not _OTHER_FIGURE.match(text, after.end()))


@lru_cache(maxsize=2048)
def _tells_total(text: str) -> bool:
    return bool(_TOTAL.search(text))


def _is_of_line(between: str) -> bool:
    outside = _BRACKETED.sub(" ", between)
    return bool(_OF_LINE.match(outside)) and not _WHOLE.search(outside)
