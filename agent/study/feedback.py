"""Ask for a draft anew in the ways that the study holds against structured outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.attempt import Attempt
from agent.domains.domain import Case
from agent.llm.chat import ChatModel, Message, Reply, Sampling
from agent.loop import Revise
from agent.reflection import Request, first_request, revision_request, shown_draft
from agent.study.arms import Feedback

__all__ = ["Critic", "revise_with"]

_CALL_SECONDS = 240.0
_CRITIC = "You check drafts before they are sent. You see what a draft was to be, and the draft."
_ASKED = "List in at most five short points what is wrong with the draft, or answer: nothing is wrong."


def revise_with(feedback: Feedback, critic: "Critic") -> Revise:
    """Return how an arm asks again; `critic` is asked in the arm whose model criticises itself."""
    match feedback:
        case Feedback.NAMES:
            return _by_names
        case Feedback.CRITIQUE:
            return critic.revise
        case Feedback.STRUCTURED:
            return revision_request
        case Feedback.BARE | Feedback.NONE:
            return _again


@dataclass(slots=True)
class Critic:
    """Have a model criticise its own drafts, and keep what that costs: `replies` of the calls it took."""

    model: ChatModel
    seed: int
    replies: list[Reply] = field(default_factory=list)

    def revise(self, case: Case, best: Attempt, history: Sequence[Attempt]) -> Request:
        """Ask the model what is wrong with its best draft, then ask for another with that answer.

        Raises ModelError when the model does not answer.
        """
        reply = self.model.chat(
            (
                Message("system", _CRITIC),
                Message("user", f"{case.domain.circumstances(case)}\nThe draft:\n{shown_draft(best)}\n{_ASKED}"),
            ),
            sampling=Sampling(temperature=0.2, seed=self.seed + len(history), max_tokens=200),
            schema=None,
            deadline_seconds=_CALL_SECONDS,
        )
        self.replies.append(reply)
        return _told(case, best, f"What is wrong with it:\n{reply.text.strip()}")


def _again(case: Case, _best: Attempt, _history: Sequence[Attempt]) -> Request:
    return first_request(case)


def _by_names(case: Case, best: Attempt, _history: Sequence[Attempt]) -> Request:
    names = dict.fromkeys(outcome.validator_source.partition("@")[0] for outcome in best.failures)
    return _told(case, best, f"It failed these checks: {', '.join(names)}.")


def _told(case: Case, best: Attempt, reason: str) -> Request:
    """Return the first request with the refused draft and a reason before what is asked for."""
    request = first_request(case)
    *before, last = request.prompt
    refused = f"Your last draft, which was refused:\n{shown_draft(best)}\n{reason}\nWrite it anew."
    return replace(request, prompt=(*before, Message(last.role, f"{last.content}\n\n{refused}")))
