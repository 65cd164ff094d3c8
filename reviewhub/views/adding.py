"""Let a person add a fact with where they know it from, or take one back."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from reviewhub import reviewing
from reviewhub.edits import Refused
from reviewhub.fact_forms import FORMS, AddFactForm, WithdrawForm
from reviewhub.models import Draft
from reviewhub.permissions import acting
from reviewhub.reviewing import AlreadyDecided, FactRefused
from reviewhub.views.answers import conflict, incomplete, refused
from reviewhub.views.drafts import draft_context, visible_draft
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["add_fact", "withdraw_fact"]


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def add_fact(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Show a form for each kind of fact; add the one that is sent, or show its faults with all that was typed."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue)
    forms: dict[str, AddFactForm] = {kind: made(draft=draft) for kind, made in FORMS.items()}
    if request.method != "POST":
        return _page(request, draft, forms)
    kind = request.POST.get("kind", "")
    if kind not in forms:
        return incomplete(request, draft)
    forms[kind] = FORMS[kind](request.POST, draft=draft)
    return _take(request, draft, forms, forms[kind])


@require_POST
@signed_in
def withdraw_fact(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Take an added fact back."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue)
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    version, added = form.cleaned_data["version"], form.cleaned_data["added"]
    try:
        done = reviewing.withdraw_fact(
            draft_id=draft.pk, version=version, added_id=added, user=request.user, now=timezone.now()
        )
    except AlreadyDecided as error:
        return conflict(request, error)
    except Refused as error:
        return refused(request, draft, error)
    messages.success(request, _said(done))
    return redirect("draft", draft_id=done.pk)


def _take(request: SignedInRequest, draft: Draft, forms: Mapping[str, AddFactForm], form: AddFactForm) -> HttpResponse:
    if not form.is_valid():
        return _page(request, draft, forms, status=422)
    version, key = form.cleaned_data["version"], form.cleaned_data["key"]
    try:
        done = reviewing.add_fact(
            draft_id=draft.pk, version=version, fact=form.fact(), user=request.user, key=key, now=timezone.now()
        )
    except AlreadyDecided as error:
        return conflict(request, error, _typed(form))
    except FactRefused as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return _page(request, draft, forms, status=422)
    except Refused as error:
        return refused(request, draft, error)
    messages.success(request, _said(done))
    return redirect("draft", draft_id=done.pk)


def _page(
    request: SignedInRequest, draft: Draft, forms: Mapping[str, AddFactForm], *, status: int = 200
) -> HttpResponse:
    if not draft.is_reviewable:
        typed = [text for form in forms.values() if form.is_bound for text in _typed(form)]
        return conflict(request, AlreadyDecided(draft, draft.current_decision()), typed)
    context = {
        **draft_context(request, draft),
        "forms": forms,
        "faults": [error for form in forms.values() for error in form.non_field_errors()],
    }
    return show(request, "add_fact.html", context, status=status)


def _typed(form: AddFactForm) -> list[str]:
    return [str(form[name].value() or "") for name in form.fields if name not in {"version", "key"}]


def _said(draft: Draft) -> str:
    if draft.shown is None:
        return _("The facts are now version %(version)d.") % {"version": draft.sheet.version}
    words = _("The facts are now version %(version)d. The draft was rendered and checked again on them.")
    return words % {"version": draft.sheet.version}
