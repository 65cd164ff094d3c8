"""A grammar of true billing drafts, in which every figure is known.

    ledger    1 to 8 lines of one currency: open, partly paid, paid, disputed, credit; total due above nothing;
              ids of one of five shapes; due dates 3 to 140 days back in one year; a pay-by date or none; 0 to 3
              reminders sent
    draft     [greeting] (lines total | total lines) extra* [closing]; at most 4 extras
    lines     open (a sentence, bullet or table row a line | ids then figures in order | FIGURE for ID | ids alone),
              then each credit, each disputed line, each paid line (paid lines may be left out)
    total     a sentence with a total cue and the total due
    extra     due date of a line | two ids and their due dates in order
              | days, whole weeks or whole months overdue of a line | number of open invoices
              | ordinal of this reminder | pay-by date | billed, paid and left of a partly paid line
              | a conditional | a polite remark
    money     sign, code before or after, or currency word; grouped as the locale writes it or not at all; with all
              minor digits or, when whole, none; or in words
    date      month day, year | day month year | ordinals | abbreviated | with its weekday | ISO | without year
              | in slashes when one reading exists
    count     digits or words

A draft is text and `Figure`s in turn. A figure knows its type, its value and the line that it speaks of, so that a
test can change one and say for certain whether the draft is still true.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from tests.agent.ledger_grammar import Ledger, ledgers
from tests.agent.renderings import DATE_STYLES, MONEY_STYLES, Figure, Kind

__all__ = ["Draft", "drafts"]

_Parts = list[str | Figure]


@dataclass(frozen=True)
class Draft:
    """Hold a draft as text and figures in turn, about one ledger."""

    ledger: Ledger
    parts: tuple[str | Figure, ...]

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text(self.ledger.money) for part in self.parts)

    @property
    def figures(self) -> dict[int, Figure]:
        return {index: part for index, part in enumerate(self.parts) if isinstance(part, Figure)}

    def changed(self, values: Mapping[int, Any]) -> "Draft":
        """Give the draft with other values at some of its figures."""
        parts = list(self.parts)
        for index, figure in self.figures.items():
            if index in values:
                parts[index] = replace(figure, value=values[index])
        return replace(self, parts=tuple(parts))


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Draw a ledger and a true, complete draft about it."""
    ledger = draw(ledgers())
    middle = [draw(_open_part(ledger)) + draw(_other_part(ledger)), draw(_total_part(ledger))]
    if draw(st.booleans()):
        middle.reverse()
    extras = draw(st.lists(st.sampled_from(_EXTRAS), max_size=4, unique=True))
    greeting = draw(st.sampled_from(("", "Hello Nora,\n\n", "Dear Ms Quinn,\n\n", "To Quayside Foods Ltd:\n\n")))
    closing = draw(st.sampled_from(("", "\n\nKind regards,\nFelix Brandt", "\n\nFelix Brandt\nAccounts Receivable")))
    parts: _Parts = [greeting, *middle[0], " ", *middle[1]]
    for extra in extras:
        parts += [" ", *draw(extra(ledger))]
    return Draft(ledger, (*parts, closing))


def _series(items: Sequence[_Parts]) -> _Parts:
    parts: _Parts = []
    for index, item in enumerate(items):
        parts += [] if not index else [" and "] if index == len(items) - 1 else [", "]
        parts += item
    return parts


@st.composite
def _open_part(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    lines = ledger.of("open", "partial")
    styles = MONEY_STYLES if len(lines) <= 3 else MONEY_STYLES[:-1]
    style = draw(st.sampled_from(styles))
    figures = [Figure(Kind.MONEY, line.open, style, line.id) for line in lines]
    names = _series([[line.id] for line in lines])
    verb = "is" if len(lines) == 1 else "are"
    form = draw(st.sampled_from(("sentences", "bullets", "table", "ids_then_figures", "figure_for_id", "ids")))
    if form == "sentences":
        wording = draw(st.sampled_from((" is open at ", " remains unpaid at ", " stands at ")))
        return [
            p
            for line, f in zip(lines, figures, strict=True)
            for p in (f"{line.id} ({line.description})", wording, f, ". ")
        ]
    if form == "bullets":
        rows: _Parts = [
            p for line, f in zip(lines, figures, strict=True) for p in (f"- {line.id}, {line.description}: ", f, "\n")
        ]
        return ["Open items:\n", *rows, "\n"]
    if form == "table":
        rows = [
            p
            for line, f in zip(lines, figures, strict=True)
            for p in (f"| {line.id} | {line.description} | ", f, " |\n")
        ]
        return ["| Invoice | Description | Open |\n|---|---|---|\n", *rows, "\n"]
    if form == "ids_then_figures":
        return [*names, f" {verb} open at ", *_series([[figure] for figure in figures]), ". "]
    if form == "figure_for_id":
        bound: list[_Parts] = [[figure, f" for {line.id}"] for line, figure in zip(lines, figures, strict=True)]
        return ["We are waiting for ", *_series(bound), ". "]
    return [*names, f" {verb} {draw(st.sampled_from(('open', 'unpaid', 'outstanding')))}. "]


@st.composite
def _other_part(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    parts: _Parts = []
    style = draw(st.sampled_from(MONEY_STYLES[:-1]))
    for line in ledger.of("credit", "disputed", "paid"):
        figure = Figure(Kind.MONEY, line.amount, style, line.id)
        with_amount: dict[str, _Parts] = {
            "credit": [f"Credit {line.id} of ", figure, " has been applied. "],
            "disputed": [f"{line.id} (", figure, ") is in dispute and is set aside. "],
            "paid": [f"{line.id} (", figure, ") has been paid, thank you. "],
        }
        bare = {"credit": f"{line.id} is a credit. ", "disputed": f"{line.id} is disputed. ", "paid": ""}
        parts += with_amount[line.status] if draw(st.booleans()) else [bare[line.status]]
    return parts


@st.composite
def _total_part(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    figure = Figure(Kind.MONEY, ledger.total_due, draw(st.sampled_from(MONEY_STYLES)))
    before, after = draw(
        st.sampled_from(
            (
                ("The total due is ", "."),
                ("You owe ", "."),
                ("Your balance comes to ", "."),
                ("The amount outstanding is ", "."),
                ("Please pay the balance of ", "."),
                ("In all, ", " is due."),
            )
        )
    )
    return [before, figure, after]


@st.composite
def _due_date(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    line = draw(st.sampled_from(ledger.of("open", "partial")))
    return [f"{line.id} was due on ", Figure(Kind.DATE, line.due, draw(st.sampled_from(DATE_STYLES)), line.id), "."]


@st.composite
def _due_dates_in_order(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    lines = ledger.of("open", "partial")[:2]
    style = draw(st.sampled_from(("us_ordinal", "uk", "no_year", "iso")))
    figures = [Figure(Kind.DATE, line.due, style, line.id) for line in lines]
    verb = " was due on " if len(lines) == 1 else " were due on "
    return [*_series([[line.id] for line in lines]), verb, *_series([[figure] for figure in figures]), "."]


@st.composite
def _lateness(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    line = draw(st.sampled_from(ledger.of("open", "partial")))
    late = {kind: value for kind, value in line.overdue(ledger.as_of).items() if value}
    kind = draw(st.sampled_from(sorted(late)))
    return [
        f"{line.id} is ",
        Figure(kind, late[kind], draw(st.sampled_from(("digits", "words"))), line.id),
        " overdue.",
    ]


@st.composite
def _count(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    lines = ledger.of("open", "partial")
    if len(lines) < 2 or len(lines) + len(ledger.of("paid")) < len(ledger.lines):
        return ["Thank you."]  # with a credit or a dispute, what counts as open is a matter of opinion
    return ["There are ", Figure(Kind.COUNT, len(lines), draw(st.sampled_from(("digits", "words")))), " open invoices."]


@st.composite
def _reminder(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    figure = Figure(Kind.ORDINAL, ledger.reminders_sent + 1, draw(st.sampled_from(("digits", "words"))))
    return ["This is our ", figure, " reminder."]


@st.composite
def _pay_by(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    if not ledger.pay_by:
        return ["Please arrange payment."]
    return ["Please pay by ", Figure(Kind.DATE, ledger.pay_by, draw(st.sampled_from(DATE_STYLES))), "."]


@st.composite
def _part_payment(draw: st.DrawFn, ledger: Ledger) -> _Parts:
    partial = ledger.of("partial")
    if not partial:
        return ["Thank you for your help."]
    line, style = partial[0], draw(st.sampled_from(MONEY_STYLES[:-1]))
    billed, paid, left = (Figure(Kind.MONEY, value, style, line.id) for value in (line.amount, line.paid, line.open))
    return [f"{line.id} was billed at ", billed, ", of which ", paid, " has been paid, so ", left, " remains."]


def _remark(_: Ledger) -> st.SearchStrategy[_Parts]:
    remarks = (
        "If you have already paid, please ignore this message.",
        "Please let me know if anything looks wrong.",
        "You may reply to this message.",
        "Do not hesitate to ask.",
    )
    return st.sampled_from(remarks).map(lambda remark: [remark])


_EXTRAS: tuple[Callable[[Ledger], st.SearchStrategy[_Parts]], ...] = (
    _due_date,
    _due_dates_in_order,
    _lateness,
    _count,
    _reminder,
    _pay_by,
    _part_payment,
    _remark,
)
