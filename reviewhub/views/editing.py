"""Let a person write, in place of the prose or freely; a text that fails is kept, with its faults beside it."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from agent.body import Code, Prose
from agent.outcome import Status
from reviewhub.edits import Edit, Refused, check_edit
from reviewhub.forms import EditForm, WriteForm
from reviewhub.models import Draft, Finding
from reviewhub.permissions import acting
from reviewhub.reviewing import AlreadyDecided, Override, TextRefused, approve_edited, seen_of
from reviewhub.views.answers import conflict
from reviewhub.views.drafts import draft_context, visible_draft
from reviewhub.views.marks import mark, number
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["edit", "write"]


@dataclass(frozen=True, slots=True)
class Part:
    """Hold one block of the form: a passage to type into (`field` names it), or one that code owns."""

    name: str
    text: str
    field: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Edit the prose blocks; code blocks are shown and stay."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue)
    shown = _passages(draft)
    if not shown:
        return redirect("write", draft_id=draft.pk)
    if request.method != "POST":
        kept = (draft.pending or {}).get("prose")
        return _page(request, draft, Edit(prose=tuple(kept)) if kept and len(kept) == len(shown) else None)
    form = EditForm(request.POST, blocks=len(shown))
    typed = tuple(request.POST.get(f"prose-{place}", "") for place in range(len(shown)))
    if not form.is_valid():
        return _page(request, draft, Edit(prose=typed), refusal=_why(form), checks=False, status=422)
    return _take(request, draft, form, Edit(prose=tuple(form.prose())))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write(request: SignedInRequest, draft_id: int) -> HttpResponseBase:
    """Write the whole text by hand; it is checked as one free block."""
    draft = visible_draft(request, draft_id)
    acting(request.user, draft.queue)
    if request.method != "POST":
        kept = (draft.pending or {}).get("free")
        return _page(request, draft, Edit(free=kept) if kept else None, is_free=True)
    form = WriteForm(request.POST)
    if not form.is_valid():
        typed = Edit(free=request.POST.get("text", ""))
        return _page(request, draft, typed, is_free=True, refusal=_why(form), checks=False, status=422)
    return _take(request, draft, form, Edit(free=form.cleaned_data["text"]))


def _take(request: SignedInRequest, draft: Draft, form: EditForm | WriteForm, typed: Edit) -> HttpResponse:
    is_free = typed.free is not None
    if "check" in request.POST:
        return _page(request, draft, typed, is_free=is_free)
    try:
        approve_edited(
            draft_id=draft.pk,
            version=form.cleaned_data["version"],
            edit=typed,
            user=request.user,
            key=form.cleaned_data["key"],
            now=timezone.now(),
            facts_confirmed=form.cleaned_data["facts_confirmed"],
            override=_override(request, form),
        )
    except AlreadyDecided as error:
        return conflict(request, error, [*_texts(typed), form.cleaned_data["override_reason"]])
    except TextRefused as error:
        return _page(request, draft, typed, is_free=is_free, refusal=str(error), status=422)
    except Refused as error:
        return _page(request, draft, typed, is_free=is_free, refusal=str(error), status=409)
    return redirect("draft", draft_id=draft.pk)


def _override(request: SignedInRequest, form: EditForm | WriteForm) -> Override | None:
    """Return why a lead approves over what fails, when they pressed the button for it."""
    if "override" not in request.POST:
        return None
    return Override(form.cleaned_data["override_reason"], form.cleaned_data["override_seen"])


def _page(
    request: SignedInRequest,
    draft: Draft,
    typed: Edit | None,
    *,
    is_free: bool = False,
    refusal: str = "",
    checks: bool = True,
    status: int = 200,
) -> HttpResponse:
    """Show the form with what was typed, or what the model wrote, and what the checks say of what was typed.

    `checks` is off for a text that the form itself refused: it may be too long to check in a request.
    """
    if not draft.is_reviewable:
        return conflict(request, AlreadyDecided(draft, draft.current_decision()), _texts(typed))
    context = {
        **draft_context(request, draft),
        "is_free": is_free,
        "refusal": refusal,
        "override_reason": request.POST.get("override_reason", ""),
        "facts_confirmed": "facts_confirmed" in request.POST,
        "parts": [Part("text", _free_text(draft, typed), "text")] if is_free else _parts(draft, typed),
        **(_checked(draft, typed) if typed and checks else {"is_checked": False}),
    }
    return show(request, "edit.html", context, partials=("checked",), status=status)


def _checked(draft: Draft, typed: Edit) -> dict[str, Any]:
    body, checked = check_edit(draft, typed, now=timezone.now())
    rows = [Finding.of(outcome, draft=draft, position=at) for at, outcome in enumerate(checked.outcomes)]
    problems = sorted((row for row in rows if row.status != Status.PASS), key=lambda row: (row.status, -row.severity))
    rendered = body.render(draft.sheet.as_case().slot_values())
    numbered = number(problems, checked.text)
    return {
        "is_checked": True,
        "findings": numbered,
        "blocks": mark(rendered, numbered),
        "passes": checked.verdict == "PASS",
        "override_seen": seen_of(checked.failures),
    }


def _passages(draft: Draft) -> list[str]:
    """Return the shown draft's prose as a person reads it, with its slots filled."""
    body = draft.shown.stored_body() if draft.shown else None
    if body is None:
        return []
    rendered = body.render(draft.sheet.as_case().slot_values())
    return [rendered.text[place.start : place.end] for place in rendered.prose]


def _parts(draft: Draft, typed: Edit | None) -> list[Part]:
    body = draft.shown.stored_body() if draft.shown else None
    texts = list(typed.prose) if typed else _passages(draft)
    parts: list[Part] = []
    for block in body.blocks if body else ():
        if isinstance(block, Code):
            parts.append(Part(block.name, block.text))
        elif isinstance(block, Prose):
            place = sum(bool(part.field) for part in parts)
            parts.append(Part(block.name, texts[place], f"prose-{place}"))
    return parts


def _free_text(draft: Draft, typed: Edit | None) -> str:
    if typed and typed.free is not None:
        return typed.free
    return draft.shown.text if draft.shown else ""


def _texts(typed: Edit | None) -> list[str]:
    if typed is None:
        return []
    return [typed.free] if typed.free is not None else list(typed.prose)


def _why(form: EditForm | WriteForm) -> str:
    if {"version", "key"} & form.errors.keys():
        return _("The form came without all its parts, so nothing was done. Your text is here: press again.")
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
