"""Say what each kind of payment letter is for, how it sounds and what its blocks have to do."""

from agent.domains.domain import BlockTask, Situation

__all__ = ["SITUATIONS"]

_HELP = BlockTask("closing", "invite a reply to this message if anything is unclear", 1)

_ALL = (
    Situation(
        name="check_in",
        purpose="a first, friendly note that items are open on the account",
        tone="warm and light, as between people who work together",
        avoid="pressure, blame, the word reminder, talk of earlier notes",
        blocks=(
            BlockTask("opening", "say in a friendly way that items are open", 3),
            BlockTask(
                "request", "say that the total is [TOTAL_DUE], and ask if all is there to pay it", needs=("NEXT_DUE",)
            ),
            BlockTask("request", "say that the total is [TOTAL_DUE], and ask to settle the items that are due"),
            _HELP,
        ),
        slots=("OPEN_ITEMS", "TOTAL_DUE", "OLDEST_DUE", "NEXT_DUE", "PAY_BY"),
    ),
    Situation(
        name="gentle_reminder",
        purpose="a second note, because the items are still open",
        tone="polite and helpful",
        avoid="threats, blame, impatience",
        blocks=(
            BlockTask("opening", "remind of the open items"),
            BlockTask("request", "ask to settle the total of [TOTAL_DUE], or to say what holds it up"),
            _HELP,
        ),
        slots=("OPEN_ITEMS", "TOTAL_DUE", "OLDEST_DUE", "NEXT_DUE", "PAY_BY"),
    ),
    Situation(
        name="firm_reminder",
        purpose="a firm letter after several reminders",
        tone="firm, factual and polite",
        avoid="threats, insults, fees, legal steps, collection",
        blocks=(
            BlockTask("opening", "say that the items are still open. Then say how late the oldest is"),
            BlockTask("request", "ask plainly for payment of [TOTAL_DUE], or for the reason in writing"),
            BlockTask("closing", "ask to treat the matter as a priority", 1),
        ),
        slots=("EARLIER_REMINDERS", "DAYS_OVERDUE", "TOTAL_DUE", "PAY_BY"),
    ),
    Situation(
        name="dispute_reply",
        purpose="an answer to a client who disputes a line; the rest of the account stays due",
        tone="calm, respectful and clear",
        avoid="asking for the disputed amount, judging the dispute, promising how it ends",
        blocks=(
            BlockTask(
                "opening", "acknowledge the dispute about [DISPUTED_LINES], and say that it is left out of the total"
            ),
            BlockTask("request", "ask to settle the total of [TOTAL_DUE], which is for the other items"),
            BlockTask("closing", "ask for documents or details about the dispute", 1),
        ),
        slots=("DISPUTED_LINES", "DISPUTED_TOTAL", "TOTAL_DUE", "PAY_BY"),
    ),
    Situation(
        name="partial_payment",
        purpose="thanks for what was paid or credited, and a request for the rest",
        tone="appreciative and clear",
        avoid="saying that the rest was paid, saying that the account is settled",
        blocks=(
            BlockTask("opening", "give thanks for the payment of [PAID_TO_DATE]", needs=("PAID_TO_DATE",)),
            BlockTask("opening", "say that the credit of [CREDIT_TOTAL] is taken off", needs=("CREDIT_TOTAL",)),
            BlockTask("opening", "say that this is an overview of the account"),
            BlockTask("request", "say that a balance of [TOTAL_DUE] remains, and ask to settle it"),
            _HELP,
        ),
        slots=("PAID_TO_DATE", "CREDIT_TOTAL", "TOTAL_DUE", "DISPUTED_LINES", "PAY_BY"),
    ),
    Situation(
        name="formal_notice",
        purpose="a formal notice about items that are very late",
        tone="formal, sober and exact",
        avoid="threats, courts, lawyers, collection, fees, chatty or friendly phrases",
        blocks=(
            BlockTask("opening", "state that this is a formal notice. Then say how late the oldest item is"),
            BlockTask("request", "demand payment of [TOTAL_DUE] in full, or an answer in writing"),
            BlockTask("closing", "ask for immediate attention", 1),
        ),
        slots=("DAYS_OVERDUE", "TOTAL_DUE", "PAY_BY"),
    ),
)

SITUATIONS = {situation.name: situation for situation in _ALL}
"""The kinds of letter by name."""
