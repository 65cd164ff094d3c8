"""Show the model good prose for each kind of reply, until people's own edits outrank it."""

from agent.domains.domain import Exemplar

__all__ = ["STARTERS"]

_REPLY = "If anything is unclear, please reply to this message."
_MORE = "Please reply to this message if you need anything else."
_PROSE: tuple[tuple[str, str, str, str], ...] = (
    (
        "refund_granted",
        "Thank you for your message about order [ORDER].",
        "Your order is eligible for a refund of [REFUND_AMOUNT]. The policy that applies stands below.",
        _REPLY,
    ),
    (
        "refund_granted",
        "Thank you for writing to us about order [ORDER]. We are sorry that it did not suit you.",
        "A refund of [REFUND_AMOUNT] is possible under the policy below.",
        _MORE,
    ),
    (
        "refund_partial",
        "Thank you for your message about order [ORDER].",
        "The refund of [REFUND_AMOUNT] is a part of the price, as the policy below sets out.",
        _REPLY,
    ),
    (
        "refund_partial",
        "Thank you for your message about your refund.",
        "The policy below sets out which part of the price can go back.",
        _MORE,
    ),
    (
        "refund_made",
        "Thank you for your message about order [ORDER].",
        "Your refund of [REFUND_AMOUNT] has been issued. The refund was made on [REFUND_DATE].",
        _REPLY,
    ),
    (
        "refund_made",
        "Thank you for your message about your refund.",
        "Your refund was made on [REFUND_DATE].",
        _MORE,
    ),
    (
        "refund_denied",
        "Thank you for your message about order [ORDER]. We understand that this is not the answer you hoped for.",
        "A refund is not possible for this order, because the refund window of [REFUND_WINDOW] has ended.",
        _REPLY,
    ),
    (
        "refund_denied",
        "Thank you for writing to us about order [ORDER].",
        "We cannot refund this order. The policy below gives a window of [REFUND_WINDOW], and it has ended.",
        _MORE,
    ),
    (
        "refund_open",
        "Thank you for your message about your refund request.",
        "Your request needs a decision by a person. What is known so far stands below.",
        _MORE,
    ),
    (
        "product_answer",
        "Thank you for your question.",
        "The answer to what you ask stands below, with the article it is from.",
        _REPLY,
    ),
    (
        "product_answer",
        "Thank you for getting in touch with us.",
        "Please find the answer to your question in the articles [ARTICLES], which are quoted below.",
        _MORE,
    ),
    (
        "complaint_explained",
        "We are sorry for the trouble that you describe.",
        "What is known about it stands below, with the article it is from.",
        _REPLY,
    ),
    (
        "complaint_explained",
        "Thank you for telling us about this, and we are sorry for the trouble with order [ORDER].",
        "The text below sets out what applies here and where you can read it.",
        _MORE,
    ),
    (
        "complaint_apology",
        "We are sorry for the trouble that you describe.",
        "We take your complaint seriously.",
        _MORE,
    ),
    (
        "complaint_escalated",
        "We are sorry for the trouble that you describe.",
        "Your complaint was escalated on [ESCALATED_ON].",
        _REPLY,
    ),
    (
        "complaint_escalated",
        "Thank you for telling us about order [ORDER], and we are sorry for the trouble.",
        "We have escalated your complaint. It was passed on on [ESCALATED_ON].",
        _MORE,
    ),
)

STARTERS = tuple(
    Exemplar(
        id=f"support/{situation}/{number}",
        situation=situation,
        prose={"opening": opening, "answer": answer, "closing": closing},
    )
    for number, (situation, opening, answer, closing) in enumerate(_PROSE, start=1)
)
"""Starter exemplars, each of which passes the verifier on a case that has its slots."""
