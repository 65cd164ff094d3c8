"""Say what each kind of reply is for, how it sounds and what its blocks have to do."""

from agent.domains.domain import BlockTask, Situation

__all__ = ["SITUATIONS"]

_HELP = BlockTask("closing", "invite a reply to this message if anything is unclear", 1)
_ANSWER = BlockTask("answer", "say that the answer to each question stands below with the article it is from", 2)
_ORDER = ("ORDER",)


def _refund(name: str, purpose: str, tone: str, avoid: str, opening: str, answer: BlockTask, *slots: str) -> Situation:
    return Situation(
        name=name,
        purpose=purpose,
        tone=tone,
        avoid=avoid,
        blocks=(BlockTask("opening", opening, 2), answer, _HELP),
        slots=(*_ORDER, *slots),
    )


_ALL = (
    _refund(
        "refund_granted",
        "an answer to a customer who may have a refund",
        "friendly and clear",
        "saying that the refund was made, days, other favours",
        "thank for the message about order [ORDER]",
        BlockTask("answer", "say that the order is eligible for a refund of [REFUND_AMOUNT]", 2),
        "REFUND_AMOUNT",
    ),
    _refund(
        "refund_partial",
        "an answer to a customer of whose payment a part goes back",
        "friendly and exact",
        "saying that all of it goes back, other favours",
        "thank for the message about order [ORDER]",
        BlockTask("answer", "say that the refund of [REFUND_AMOUNT] is a part of the price, by the policy below", 2),
        "REFUND_AMOUNT",
    ),
    _refund(
        "refund_made",
        "an answer to a customer whose refund was made",
        "friendly and clear",
        "a day of arrival, other favours",
        "thank for the message about order [ORDER]",
        BlockTask("answer", "say that the refund of [REFUND_AMOUNT] was issued on [REFUND_DATE]", 2),
        "REFUND_AMOUNT",
        "REFUND_DATE",
    ),
    _refund(
        "refund_denied",
        "an answer to a customer who asks for a refund outside the window",
        "firm, kind and clear",
        "promises, exceptions, blame",
        "thank for the message about order [ORDER]",
        BlockTask("answer", "say that a refund is not possible, since the window of [REFUND_WINDOW] has ended", 2),
        "REFUND_WINDOW",
    ),
    _refund(
        "refund_open",
        "an answer to a customer whose refund cannot be decided yet",
        "friendly and clear",
        "promises of any kind",
        "thank for the message about the refund",
        BlockTask(
            "answer", "say that the request needs a decision by a person, and that what is known stands below", 2
        ),
    ),
    Situation(
        name="product_answer",
        purpose="an answer to questions about a product from the knowledge base",
        tone="helpful and plain",
        avoid="claims about the product that are not asked, figures, promises",
        blocks=(BlockTask("opening", "thank for the question", 1), _ANSWER, _HELP),
        slots=("ARTICLES",),
    ),
    Situation(
        name="complaint_explained",
        purpose="an answer to a complaint, with what the knowledge base says about it",
        tone="calm and respectful",
        avoid="excuses, blame, promises, saying that anything was done",
        blocks=(
            BlockTask("opening", "say sorry for the trouble that the customer describes", 2),
            BlockTask("answer", "say that what is known about it stands below with the article it is from", 2),
            _HELP,
        ),
        slots=("ORDER", "ARTICLES"),
    ),
    Situation(
        name="complaint_apology",
        purpose="an apology to a customer who complains",
        tone="sincere and calm",
        avoid="excuses, promises, saying that anything was done",
        blocks=(
            BlockTask("opening", "say sorry for the trouble that the customer describes", 2),
            BlockTask("answer", "say that the complaint is taken seriously", 1),
            _HELP,
        ),
        slots=("ORDER",),
    ),
    Situation(
        name="complaint_escalated",
        purpose="an answer to a customer whose complaint was passed on",
        tone="sincere and clear",
        avoid="promises, a day of an answer, other things that were done",
        blocks=(
            BlockTask("opening", "say sorry for the trouble that the customer describes", 2),
            BlockTask("answer", "say that the complaint was escalated on [ESCALATED_ON]", 2),
            _HELP,
        ),
        slots=("ORDER", "ESCALATED_ON"),
    ),
)

SITUATIONS = {situation.name: situation for situation in _ALL}
"""The kinds of reply by name."""
