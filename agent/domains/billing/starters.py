"""Show the model good prose for each kind of letter, until people's own edits outrank it."""

from agent.domains.domain import Exemplar

__all__ = ["STARTERS"]

_PROSE: tuple[tuple[str, str, str, str], ...] = (
    (
        "check_in",
        "I hope all is well with you. Your account shows [OPEN_ITEMS]. The oldest item was due on [OLDEST_DUE].",
        "The total of all items is [TOTAL_DUE]. Please settle the ones that are due when you have a moment.",
        "If anything is unclear or missing, just reply to this message.",
    ),
    (
        "check_in",
        "Just a short note about your account, with the open items listed below.",
        "The total is [TOTAL_DUE]. Do you have everything you need to pay it as it falls due?",
        "If you have a question about any of the items, a short reply to this message is enough.",
    ),
    (
        "check_in",
        "I hope all is well with you. Here is a short overview of your account, which shows [OPEN_ITEMS].",
        "The next payment falls due on [NEXT_DUE]. Do you have all you need to pay the total of [TOTAL_DUE] in time?",
        "If anything is unclear or missing, just reply to this message.",
    ),
    (
        "gentle_reminder",
        "This is a friendly reminder of the open items on your account. The oldest item was due on [OLDEST_DUE].",
        "Please settle the total of [TOTAL_DUE] as soon as you can, or let us know if something is holding it up.",
        "If you have already arranged the payment, please disregard this message.",
    ),
    (
        "gentle_reminder",
        "I am writing about your account, because the items below are still open.",
        "Could you arrange payment of [TOTAL_DUE], or tell us if one of the items does not look right to you?",
        "If you have a question about any of the items, please reply to this message.",
    ),
    (
        "firm_reminder",
        "Despite [EARLIER_REMINDERS], the items below are still open. The oldest item is now [DAYS_OVERDUE] overdue.",
        "Please settle the balance of [TOTAL_DUE] now. If you cannot pay, please give us the reason in writing.",
        "We ask you to treat this matter as a priority.",
    ),
    (
        "firm_reminder",
        "We refer to [EARLIER_REMINDERS] about the items below. The oldest of them is [DAYS_OVERDUE] overdue.",
        "Please arrange payment of [TOTAL_DUE] in full, or explain in a reply to this message what prevents it.",
        "Please give this your attention now.",
    ),
    (
        "firm_reminder",
        "The items below are still open on your account.",
        "Please arrange payment of [TOTAL_DUE] in full. If you cannot pay, please give us the reason in writing.",
        "We ask you to treat this matter as a priority.",
    ),
    (
        "dispute_reply",
        "We have noted your dispute about [DISPUTED_LINES]. The disputed amount of [DISPUTED_TOTAL] is left out.",
        "The rest of the account is not affected by the dispute. Please settle the total of [TOTAL_DUE].",
        "If you have documents that support your view, please send them in a reply to this message.",
    ),
    (
        "dispute_reply",
        "Your dispute about [DISPUTED_LINES] is on record here, and we do not ask for payment of that part.",
        "For the other items a balance of [TOTAL_DUE] is open. Please arrange payment of that balance.",
        "Please reply to this message with any details that help us understand your dispute.",
    ),
    (
        "dispute_reply",
        "Below is an overview of your account as it stands here.",
        "Please settle the total of [TOTAL_DUE]. If you see an item differently, please explain what you object to.",
        "Please reply to this message with any details that help us understand your view.",
    ),
    (
        "partial_payment",
        "Thank you for your payment. We have received [PAID_TO_DATE] for the items below.",
        "A balance of [TOTAL_DUE] is still open. Please settle it as soon as you can, or let us know what holds it up.",
        "If your records differ from the list above, please reply to this message.",
    ),
    (
        "partial_payment",
        "Below is an overview of your account. Your credit of [CREDIT_TOTAL] is already taken off the total.",
        "Please settle the remaining balance of [TOTAL_DUE], or let us know if something is holding it up.",
        "If you have a question about the credit or the open items, please reply to this message.",
    ),
    (
        "partial_payment",
        "Thank you for your payment of [PAID_TO_DATE]. Your credit of [CREDIT_TOTAL] is already taken off the total.",
        "A balance of [TOTAL_DUE] remains open. Please settle it as soon as you can.",
        "If your records differ from the list above, please reply to this message.",
    ),
    (
        "partial_payment",
        "Below is an overview of your account with the items that are still open.",
        "Please settle the remaining balance of [TOTAL_DUE], or let us know if something is holding it up.",
        "If your records differ from the list above, please reply to this message.",
    ),
    (
        "formal_notice",
        "This is a formal notice about your account. The oldest item is [DAYS_OVERDUE] overdue.",
        "Please pay the balance of [TOTAL_DUE] in full. If you are unable to pay, please state why in writing.",
        "We ask you to give this notice your immediate attention.",
    ),
    (
        "formal_notice",
        "We hereby give you formal notice of the items below. The oldest of them is [DAYS_OVERDUE] overdue.",
        "We require payment of the balance of [TOTAL_DUE] in full, or a written statement of your reasons.",
        "Please attend to this matter without delay.",
    ),
    (
        "formal_notice",
        "This is a formal notice about the items below, which are open on your account.",
        "We require payment of the balance of [TOTAL_DUE] in full, or a written statement of your reasons.",
        "We ask you to give this notice your immediate attention.",
    ),
)

STARTERS = tuple(
    Exemplar(
        id=f"billing/{situation}/{number}",
        situation=situation,
        prose={"opening": opening, "request": request, "closing": closing},
    )
    for number, (situation, opening, request, closing) in enumerate(_PROSE, start=1)
)
"""Starter exemplars, each of which passes the verifier on a ledger that has its slots."""
