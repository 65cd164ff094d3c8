"""Answer an act that could not be done: say why, where the draft stands now, and hand back what was typed."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.utils.translation import gettext as _

from reviewhub.edits import Refused
from reviewhub.models import Draft
from reviewhub.reviewing import AlreadyDecided
from reviewhub.views.drafts import draft_context
from reviewhub.views.showing import SignedInRequest, show

__all__ = ["conflict", "incomplete", "refused"]


def conflict(request: SignedInRequest, error: AlreadyDecided, typed: Sequence[str] = ()) -> HttpResponse:
    """Say who decided and when, or what the draft has become, with everything that the person had typed."""
    context = {
        "draft": error.draft,
        "queue": error.draft.queue,
        "decision": error.decision,
        "typed": [text for text in typed if text.strip()],
    }
    return show(request, "conflict.html", context, status=409)


def refused(request: SignedInRequest, draft: Draft, error: Refused) -> HttpResponse:
    """Show the draft with the reason why the act was not done."""
    return show(request, "draft.html", {**draft_context(request, draft), "refusal": str(error)}, status=409)


def incomplete(request: SignedInRequest, draft: Draft) -> HttpResponse:
    """Show the draft again when a form lacked its version or key, as one from a damaged page does."""
    refusal = _("The form came without all its parts, so nothing was done. Look at the draft and press again.")
    return show(request, "draft.html", {**draft_context(request, draft), "refusal": refusal}, status=422)
