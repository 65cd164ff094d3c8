"""Say for each slot of a ledger in which clauses it may stand, and beside which words it may not.

The patterns allow what is known to be true of the fact and leave the rest to a second attempt: a clause that they do
not know is refused with the forms that they do.
"""

from collections.abc import Mapping

from agent.facts import FactType, LineStatus
from agent.slots import Slot

__all__ = [
    "EVENT_SLOTS",
    "credit_total",
    "days_overdue",
    "disputed_total",
    "earlier_reminders",
    "event_date",
    "line",
    "next_due",
    "oldest_due",
    "open_items",
    "paid_to_date",
    "pay_by",
    "total_due",
]

_GAP = r"[^\[\]]*?"  # words between a cue and its slot, with no other slot among them

# What is said of money that has come in, or is given up; never of what is still due.
_SETTLED = (
    r"(?:receiv\w+|receipt|refund\w*|credit(?:ed|s)?|fees?|charges?|interest|discount\w*|waive\w*|deduct\w*|reduc\w+|"
    r"thank\w*|appreciat\w+|agree\w*|promis\w+|disput\w+|instal\w+|(?<!to be )(?<!not been )(?<!not yet )(?<!not )paid)"
)
_IS_SETTLED = (
    r"(?:has|have|had|was|were|is|are)(?: now| already| just)?(?: been)? "
    r"(?:receiv|paid|credit|refund|waiv|clear|settl)\w*"
)
_ASK = (
    r"(?:settl\w+|pay|paying|payments?|clear|clearing|remit\w*|transfer\w*|send|owe|owes|owed|owing|due|overdue|"
    r"outstanding|unpaid)"
)
_LATE = r"(?:overdue|late|past due|past (?:its|the|their) due date)"
_OF_THE_OLDEST = r"(?=.*\b(?:oldest|earliest|longest|first|goes? back|dates? back|up to)\b)"
_NOT_SINCE = "by|before|until|next|will|paid|received|agreed|promised|called|spoke|wrote|sent"
_SET_ASIDE = r"(?:except\w*|apart from|other than|without|exclud\w+|leav\w+|not|set(?:ting)? aside|no)"
_QUERY = r"(?:disput\w+|quer(?:y|ied|ies)|contest\w*)"

EVENT_SLOTS: Mapping[str, tuple[str, str]] = {
    "call": ("CALL_DATE", "call|conversation|spoke"),
    "email": ("EMAIL_DATE", "e-mail|email|message"),
    "promise": ("PROMISE_DATE", "promise"),
    "agreement": ("AGREEMENT_DATE", "agreement|agreed"),
    "payment": ("PAYMENT_DATE", "payment|paid"),
    "dispute_opened": ("DISPUTE_DATE", "dispute|query|queries|raised"),
}
"""The slot of an event's day by the event's kind, with the words of which one must stand beside it."""


def total_due(*, all_late: bool) -> Slot:
    """Describe the total due; it may be called overdue only when all of it is."""
    overdue = (
        rf"\b(?:overdue|past due|late)\b{_GAP}\[TOTAL_DUE\]",
        rf"\[TOTAL_DUE\]{_GAP}\b(?:overdue|past due|late)\b",
    )
    return Slot(
        "TOTAL_DUE",
        FactType.MONEY,
        "total_due",
        clauses=("The total due is [TOTAL_DUE]", "a balance of [TOTAL_DUE] is open", "Please settle [TOTAL_DUE]"),
        patterns=(
            rf"\b(?:total|balance|amount|sum)\b{_GAP}\[TOTAL_DUE\]",
            rf"\b{_ASK}\b{_GAP}\[TOTAL_DUE\]",
            rf"\[TOTAL_DUE\]{_GAP}\b(?:due|outstanding|open|owed|unpaid|overdue|in total|to be paid)\b",
            rf"\[TOTAL_DUE\]{_GAP}\b(?:remains?|balance|total)\b",
        ),
        never=(
            rf"\b{_SETTLED}\b{_GAP}\[TOTAL_DUE\]",
            rf"\[TOTAL_DUE\] {_IS_SETTLED}",
            *(() if all_late else overdue),
        ),
        aliases=("TOTAL", "AMOUNT_DUE", "TOTAL_AMOUNT", "BALANCE", "BALANCE_DUE", "AMOUNT"),
    )


def open_items() -> Slot:
    """Describe the number of open lines with its noun, credits and disputed lines included."""
    return Slot(
        "OPEN_ITEMS",
        FactType.COUNT,
        "open_count",
        clauses=("Your account shows [OPEN_ITEMS]",),
        never=(r"\b(?:overdue|late|past due|paid|disputed)\b", r"\b(?:we|us) owe\b"),
        aliases=("OPEN_COUNT", "ITEM_COUNT"),
        echo=r"(?:open |outstanding )?(?:items?|invoices?)",
        tail="",
    )


def oldest_due(*, alone: bool) -> Slot:
    """Describe the due date of the oldest late line; with several, the clause must say that it is of the oldest."""
    which = "" if alone else _OF_THE_OLDEST
    return Slot(
        "OLDEST_DUE",
        FactType.DATE,
        "oldest_due",
        clauses=("the oldest item was due on [OLDEST_DUE]", "the oldest open item dates back to [OLDEST_DUE]"),
        patterns=(rf"^{which}.*\b(?:due|since|back to|date|payable)\b{_GAP}\[OLDEST_DUE\]",),
        never=(rf"\b(?:{_NOT_SINCE}|(?:is|are|falls?|comes?) (?:now )?due)\b{_GAP}\[OLDEST_DUE\]",),
        aliases=("OLDEST_DUE_DATE", "DUE_DATE", "OLDEST_DATE"),
        tail="",
    )


def days_overdue(*, alone: bool) -> Slot:
    """Describe how many days the oldest late line is overdue, with the word days."""
    which = "" if alone else _OF_THE_OLDEST
    return Slot(
        "DAYS_OVERDUE",
        FactType.DAYS,
        "days_overdue",
        clauses=("the oldest item is [DAYS_OVERDUE] overdue",),
        patterns=(
            rf"^{which}.*\[DAYS_OVERDUE\] {_LATE}\b",
            rf"^{which}.*\b{_LATE}\b[^\[\]]{{0,20}}\[DAYS_OVERDUE\]",
        ),
        never=(r"\b(?:within|in|next|after|another) (?:the )?(?:next )?\[DAYS_OVERDUE\]",),
        aliases=("DAYS_LATE", "OLDEST_DAYS"),
        echo="days?",
        tail=" overdue",
    )


def next_due() -> Slot:
    """Describe the next due date of a ledger on which nothing is late yet."""
    return Slot(
        "NEXT_DUE",
        FactType.DATE,
        "line_due",
        clauses=("the next payment falls due on [NEXT_DUE]",),
        patterns=(rf"\b(?:due|payable|date)\b{_GAP}\[NEXT_DUE\]",),
        never=(rf"\b(?:since|was|were|overdue|late|past due|paid|received)\b{_GAP}\[NEXT_DUE\]",),
        aliases=("DUE_DATE", "NEXT_DUE_DATE"),
        tail="",
    )


def pay_by() -> Slot:
    """Describe the day by which the sender wants to be paid; it exists only where the policy gives one."""
    return Slot(
        "PAY_BY",
        FactType.DATE,
        "pay_by",
        clauses=("Please pay by [PAY_BY]",),
        patterns=(r"\b(?:by|before|no later than|on or before|until)(?: the date of)? \[PAY_BY\]",),
        never=(rf"\b(?:was|were|since|paid|received|overdue|promised|agreed|spoke|called)\b{_GAP}\[PAY_BY\]",),
        aliases=("DEADLINE", "PAY_BY_DATE"),
        tail="",
    )


def paid_to_date() -> Slot:
    """Describe what has been paid on lines that are still open."""
    came = r"(?:received|receipt of|paid|(?:your|the|a|part|partial|for) payments?(?: to date)?(?: of| totalling)?)"
    asked = (
        r"(?:due|owe\w*|outstanding|remain\w*|balance|settle|pay|send|remit|arrange|expect\w*|await\w*|"
        r"look forward to|not (?:yet )?received|refund\w*)"
    )
    return Slot(
        "PAID_TO_DATE",
        FactType.MONEY,
        "paid_to_date",
        clauses=("We have received [PAID_TO_DATE]", "Thank you for your payment of [PAID_TO_DATE]"),
        patterns=(
            rf"\b{came}\b{_GAP}\[PAID_TO_DATE\]",
            r"\[PAID_TO_DATE\] (?:has|have|was|were) (?:already )?(?:been )?(?:paid|received)",
        ),
        never=(rf"\b{asked}\b{_GAP}\[PAID_TO_DATE\]", r"\[PAID_TO_DATE\] (?:is|are|remains?|now) "),
        aliases=("AMOUNT_PAID", "PAID", "PAYMENT_RECEIVED"),
    )


def credit_total() -> Slot:
    """Describe the credits that the total due already takes off."""
    return Slot(
        "CREDIT_TOTAL",
        FactType.MONEY,
        "credit_total",
        clauses=("Your credit of [CREDIT_TOTAL] is already taken off the total",),
        patterns=(rf"\bcredits?\b{_GAP}\[CREDIT_TOTAL\]", rf"\[CREDIT_TOTAL\]{_GAP}\b(?:credit|in your favou?r)\b"),
        never=(rf"\b(?:settle|pay|owe\w*|outstanding|due|received|refund\w*|fees?)\b{_GAP}\[CREDIT_TOTAL\]",),
        aliases=("CREDIT", "CREDIT_AMOUNT"),
    )


def disputed_total() -> Slot:
    """Describe the disputed amount, which is named and never demanded."""
    other = r"(?:settle|pay|owe\w*|outstanding|overdue|received|refund\w*|credit\w*|fees?|remit)"
    return Slot(
        "DISPUTED_TOTAL",
        FactType.MONEY,
        "disputed_total",
        clauses=("the disputed amount of [DISPUTED_TOTAL] is not part of the total",),
        patterns=(rf"\b{_QUERY}\b{_GAP}\[DISPUTED_TOTAL\]", rf"\[DISPUTED_TOTAL\]{_GAP}\b{_QUERY}\b"),
        never=(rf"\b{other}\b{_GAP}\[DISPUTED_TOTAL\]",),
        aliases=("DISPUTED_AMOUNT",),
    )


def earlier_reminders() -> Slot:
    """Describe the reminders sent before; where there were none, nobody can be told that there were."""
    return Slot(
        "EARLIER_REMINDERS",
        FactType.COUNT,
        "reminders_sent",
        clauses=("Despite [EARLIER_REMINDERS] the items are still open",),
        never=(rf"\b(?:received|your|from you)\b{_GAP}\[EARLIER_REMINDERS\]",),
        aliases=("REMINDERS_SENT", "REMINDERS"),
        echo=r"(?:earlier |previous )?reminders?",
    )


def event_date(kind: str) -> Slot:
    """Describe the day of the last event of a kind."""
    name, cue = EVENT_SLOTS[kind]
    return Slot(
        name,
        FactType.DATE,
        f"event_{kind}",
        clauses=(f"your {cue.split('|')[0]} of [{name}]",),
        patterns=(rf"\b(?:{cue})\w*\b{_GAP}\[{name}\]", rf"\[{name}\]{_GAP}\b(?:{cue})\w*\b"),
        never=(rf"\b(?:due|by|before|until|pay|overdue|since)\b[^\[\]]{{0,15}}\[{name}\]",),
    )


def line(name: str, status: LineStatus, *, late: bool) -> Slot:
    """Describe the id of a line, or of several of one status; `late` when all of them are overdue."""
    bracket = rf"\[{name}\]"
    demand = r"(?:settle|pay|clear|remit|overdue|owe\w*)"
    if status is LineStatus.DISPUTED:
        return _ids(
            name,
            form=f"your dispute about [{name}]",
            patterns=(rf"\b(?:{_QUERY}|rais\w+)\b", rf"\b{_SET_ASIDE}\b{_GAP}{bracket}"),
            never=(
                rf"\b{demand}\b(?!.*\b{_SET_ASIDE}\b){_GAP}{bracket}",
                rf"{bracket} (?:is|are) (?:now )?(?:over)?due",
            ),
        )
    if status is LineStatus.CREDIT:
        return _ids(
            name,
            form=f"your credit [{name}]",
            patterns=(r"\bcredit\w*\b",),
            never=(rf"\b{demand}\b{_GAP}{bracket}",),
        )
    overdue = (rf"\b{_LATE}\b{_GAP}{bracket}", rf"{bracket}{_GAP}\b{_LATE}\b")
    never = (
        rf"\b(?:disput\w+|credit\w*|refund\w*|waive\w*)\b{_GAP}{bracket}",
        rf"{bracket} (?:has|have|was|were|is|are) (?:been )?(?:paid|settled|cleared|disputed|credited|waived)",
    )
    return _ids(name, form=f"[{name}] is open", never=never if late else (*never, *overdue))


def _ids(name: str, *, form: str, patterns: tuple[str, ...] = (), never: tuple[str, ...] = ()) -> Slot:
    return Slot(name, FactType.TEXT, "line_id", clauses=(form,), patterns=patterns, never=never)
