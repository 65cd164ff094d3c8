"""Let a person decide on a draft, or hand it on: each act is one POST, and a refusal keeps what was typed."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from reviewhub import reviewing
from reviewhub.edits import Refused
from reviewhub.forms import ApproveForm, ClaimForm, DecisionForm, DeclineForm, EscalateForm, GuardForm, OverrideForm
from reviewhub.models import Draft, Role
from reviewhub.permissions import acting
from reviewhub.reviewing import AlreadyDecided, Override
from reviewhub.views.answers import conflict, incomplete, refused
from reviewhub.views.drafts import draft_context, visible_draft
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = [
    "approve",
    "claim",
    "confirm_tone",
    "decline",
    "escalate",
    "override",
    "redraft",
    "refuse_tone",
    "release",
    "undo",
]


@require_POST
@signed_in
def approve(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Approve the shown text as it is."""
    draft = visible_draft(request, draft_id)
    form = ApproveForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    return _answer(request, draft, partial(reviewing.approve_as_is, **form.cleaned_data))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def override(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Ask a lead why the checks are mistaken, then approve the shown text over them."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue, Role.LEAD)
    form = OverrideForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, draft, "override.html", form)
    given = form.cleaned_data
    reason = Override(given.pop("override_reason"))
    return _answer(request, draft, partial(reviewing.approve_as_is, override=reason, **given), typed=[reason.reason])


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def decline(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Ask for the reason, then decline."""
    draft = visible_draft(request, draft_id)
    form = DeclineForm(request.POST if request.method == "POST" else None, queue=draft.queue)
    if not form.is_valid():
        return _ask(request, draft, "decline.html", form)
    return _answer(request, draft, partial(reviewing.decline, **form.cleaned_data), typed=[form.cleaned_data["note"]])


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def escalate(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Ask for a note, then hand the draft to a lead."""
    draft = visible_draft(request, draft_id)
    form = EscalateForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, draft, "escalate.html", form)
    version, note = form.cleaned_data["version"], form.cleaned_data["note"]
    return _answer(request, draft, partial(reviewing.escalate, version=version, note=note), typed=[note])


@require_POST
@signed_in
def redraft(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Have a new draft written on the newest facts, and show that one."""
    draft = visible_draft(request, draft_id)
    form = GuardForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    return _answer(request, draft, partial(reviewing.redraft, version=form.cleaned_data["version"]))


@require_POST
@signed_in
def confirm_tone(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Agree that the tone does not fit, and hand the draft to a lead."""
    return _rule_on_tone(request, draft_id, reviewing.confirm_tone)


@require_POST
@signed_in
def refuse_tone(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Say that the tone fits, so that the draft can be approved."""
    return _rule_on_tone(request, draft_id, reviewing.refuse_tone)


@require_POST
@signed_in
def undo(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Take one's own decision back."""
    draft = visible_draft(request, draft_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    decision = get_object_or_404(draft.decisions, pk=form.cleaned_data["decision"])
    try:
        reviewing.undo(decision_id=decision.pk, user=request.user, now=timezone.now())
    except Refused as error:
        return refused(request, draft, error)
    messages.success(request, _("The decision is taken back. The draft waits for one again."))
    return redirect("draft", draft_id=draft.pk)


@require_POST
@signed_in
def claim(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Hold the draft for ten minutes, so that two people do not work on the same one."""
    draft = visible_draft(request, draft_id)
    form = ClaimForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    return _answer(request, draft, partial(reviewing.claim, take_over=form.cleaned_data["take_over"]))


@require_POST
@signed_in
def release(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Let go of a draft that one holds."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue)
    draft.release(user_id=request.user.pk)
    return redirect("draft", draft_id=draft.pk)


def _rule_on_tone(request: SignedInRequest, draft_id: int, act: Callable[..., Draft]) -> HttpResponse:
    draft = visible_draft(request, draft_id)
    form = GuardForm(request.POST)
    if not form.is_valid():
        return incomplete(request, draft)
    return _answer(request, draft, partial(act, version=form.cleaned_data["version"]))


def _answer(
    request: SignedInRequest, draft: Draft, act: Callable[..., object], *, typed: Sequence[str] = ()
) -> HttpResponse:
    try:
        done = act(draft_id=draft.pk, user=request.user, now=timezone.now())
    except AlreadyDecided as error:
        return conflict(request, error, typed)
    except Refused as error:
        return refused(request, draft, error)
    return redirect("draft", draft_id=done.pk if isinstance(done, Draft) else draft.pk)


def _ask(
    request: SignedInRequest, draft: Draft, template: str, form: DeclineForm | EscalateForm | OverrideForm
) -> HttpResponse:
    acting(request.user, draft.queue)
    if not draft.is_reviewable:
        note = str(form["override_reason" if isinstance(form, OverrideForm) else "note"].value() or "")
        return conflict(request, AlreadyDecided(draft, draft.current_decision()), [note])
    return show(
        request, template, {**draft_context(request, draft), "form": form}, status=422 if form.is_bound else 200
    )
