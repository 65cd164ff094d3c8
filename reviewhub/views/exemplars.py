"""Show what a queue's memory holds, and let its people confirm words, correct texts and forget them."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from reviewhub import curating
from reviewhub.curating import ExemplarMoved
from reviewhub.edits import Refused
from reviewhub.forms import ConfirmWordsForm, ExemplarEditForm
from reviewhub.models import Exemplar, ExemplarQuerySet, ExemplarState, ExemplarUse, Queue, Role
from reviewhub.permissions import acting
from reviewhub.views.doubts import number_doubts, passages
from reviewhub.views.drafts import draft_context, visible_draft
from reviewhub.views.showing import SignedInRequest, htmx_of, show
from reviewhub.views.signing_in import signed_in
from reviewhub.views.tabs import PAGE, Listed, Tab, lists, shown_count

__all__ = ["TABS", "confirm", "edit", "exemplar_page", "forget", "mark_bad", "memory_page", "unmark_bad"]

# How many of the drafts that an exemplar was shown to its page names.
NAMED = 20


TABS = (
    Tab(
        "quarantine",
        "Quarantine",
        (ExemplarState.QUARANTINED,),
        "Nothing is in quarantine",
        "An edited text comes here when one of its words might tell who it is about. Until a person has looked, "
        "no draft is written from it.",
    ),
    Tab(
        "coming",
        "On its way",
        (ExemplarState.WAITING, ExemplarState.READY),
        "Nothing is on its way",
        "An edited text comes here once its approval can no longer be undone, until it is stripped of personal "
        "details and indexed.",
    ),
    Tab(
        "indexed",
        "In the index",
        (ExemplarState.INDEXED,),
        "The index is empty",
        "Edit a draft and approve it: the text, free of personal details, becomes an example for the next similar one.",
        newest_first=True,
    ),
)


@require_safe
@signed_in
@lists("memory", TABS)
def memory_page(request: SignedInRequest, asked: Listed[ExemplarState]) -> HttpResponseBase:
    """List one group of a queue's exemplars, from a place on."""
    rows = _of(asked.queue, asked.tab).keyset_page(after=asked.after, newest_first=asked.tab.newest_first)
    page = asked.page(list(rows.select_related("case").defer("vector")[: PAGE + 1]))
    context = {
        **page,
        "rows": [{"exemplar": row, "words": _doubtful(row)} for row in page["rows"]],
        "tabs": [_counted(asked.queue, item) for item in TABS],
        "forgotten": Exemplar.objects.of_queue(asked.queue).in_state(ExemplarState.FORGOTTEN).count(),
    }
    return show(request, "memory.html", context, partials=("list",))


@require_safe
@signed_in
def exemplar_page(request: SignedInRequest, exemplar_id: int) -> HttpResponseBase:
    """Show one exemplar; while it is being examined, htmx asks whether there is news."""
    exemplar = _visible(request, exemplar_id)
    if htmx_of(request) and request.GET.get("seen") == curating.stamp(exemplar):
        return HttpResponse(status=204)  # nothing is replaced under the reader's eyes
    return show(request, "exemplar.html", _context(request, exemplar), partials=("exemplar",))


@require_POST
@signed_in
def confirm(request: SignedInRequest, exemplar_id: int) -> HttpResponseBase:
    """Add words to the queue's vocabulary."""
    exemplar = _visible(request, exemplar_id)
    acting(request.user, exemplar.queue)
    form = ConfirmWordsForm(request.POST)
    if not form.is_valid():
        refusal = _("Nothing was confirmed. Tick the words that tell nothing about anybody, then press again.")
        return _page(request, exemplar, refusal, 422)
    words = form.cleaned_data["words"]
    try:
        curating.confirm_words(
            exemplar_id=exemplar.pk, seen=form.cleaned_data["seen"], words=words, user=request.user, now=timezone.now()
        )
    except Refused as error:
        return _page(request, _visible(request, exemplar_id), str(error), 409)
    messages.success(request, _("Confirmed. The text is examined again."))
    return redirect("exemplar", exemplar_id=exemplar.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: SignedInRequest, exemplar_id: int) -> HttpResponseBase:
    """Show the passages as fields, then have the correction examined."""
    exemplar = _visible(request, exemplar_id)
    acting(request.user, exemplar.queue)
    texts = exemplar.texts()
    form = ExemplarEditForm(request.POST if request.method == "POST" else None, blocks=len(texts))
    typed = [str(form[name].value() or "") for name in form.fields if name.startswith("prose-")]
    if not curating.may_be_corrected(exemplar):
        return _changed(request, exemplar, typed)
    if not form.is_valid():
        return _fields(request, exemplar, form, typed if form.is_bound else list(texts.values()))
    try:
        curating.edit_exemplar(
            exemplar_id=exemplar.pk,
            seen=form.cleaned_data["seen"],
            texts=form.prose(),
            user=request.user,
            now=timezone.now(),
        )
    except ExemplarMoved:
        return _changed(request, _visible(request, exemplar_id), typed)
    except Refused as error:
        return _fields(request, exemplar, form, typed, str(error))
    messages.success(request, _("Your correction is kept. It is examined like every text before it is used."))
    return redirect("exemplar", exemplar_id=exemplar.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def forget(request: SignedInRequest, exemplar_id: int) -> HttpResponseBase:
    """Ask once more, then blank the text for good."""
    exemplar = _visible(request, exemplar_id)
    acting(request.user, exemplar.queue)
    if request.method != "POST":
        return show(request, "forget.html", {"exemplar": exemplar, "queue": exemplar.queue})
    curating.forget_exemplar(exemplar_id=exemplar.pk, user=request.user, now=timezone.now())
    messages.success(request, _("Forgotten. No draft is written from this text any more."))
    return redirect("exemplar", exemplar_id=exemplar.pk)


@require_POST
@signed_in
def mark_bad(request: SignedInRequest, use_id: int) -> HttpResponseBase:
    """Note that an exemplar misled a draft."""
    use = _visible_use(request, use_id)
    curating.mark_bad(use_id=use.pk, user=request.user, now=timezone.now())
    return _marked(request, use)


@require_POST
@signed_in
def unmark_bad(request: SignedInRequest, use_id: int) -> HttpResponseBase:
    """Take that mark back."""
    use = _visible_use(request, use_id)
    curating.unmark_bad(use_id=use.pk, user=request.user, now=timezone.now())
    return _marked(request, use)


def _visible(request: SignedInRequest, exemplar_id: int) -> Exemplar:
    rows = Exemplar.objects.visible_to(request.user).select_related("queue", "case", "decision__decided_by")
    return get_object_or_404(rows.select_related("decision__draft"), pk=exemplar_id)


def _visible_use(request: SignedInRequest, use_id: int) -> ExemplarUse:
    queues = Queue.objects.visible_to(request.user)
    return get_object_or_404(ExemplarUse.objects.filter(draft__queue__in=queues), pk=use_id)


def _of(queue: Queue, tab: Tab[ExemplarState]) -> ExemplarQuerySet:
    return Exemplar.objects.of_queue(queue).in_state(*tab.states)


def _counted(queue: Queue, tab: Tab[ExemplarState]) -> dict[str, Any]:
    return {"tab": tab, "count": shown_count(_of(queue, tab))}


def _doubtful(exemplar: Exemplar) -> list[str]:
    return [doubt.words for doubt in number_doubts(exemplar)]


def _context(request: SignedInRequest, exemplar: Exemplar) -> dict[str, Any]:
    doubts = number_doubts(exemplar)
    role = exemplar.queue.role_of(request.user)
    uses = exemplar.uses.select_related("draft__case", "marked_bad_by").order_by("-id")
    return {
        "exemplar": exemplar,
        "queue": exemplar.queue,
        "seen": curating.stamp(exemplar),
        "passages": passages(exemplar.prose, doubts),
        "doubts": doubts,
        "may_confirm": any(doubt.confirmable for doubt in doubts),
        "may_act": role is not None and role.covers(Role.OPERATOR),
        "may_correct": curating.may_be_corrected(exemplar),
        "is_moving": exemplar.state in {ExemplarState.WAITING, ExemplarState.READY},
        "uses": list(uses[:NAMED]),
        "now": timezone.now(),
    }


def _page(request: SignedInRequest, exemplar: Exemplar, refusal: str, status: int) -> HttpResponse:
    return show(request, "exemplar.html", {**_context(request, exemplar), "refusal": refusal}, status=status)


def _fields(
    request: SignedInRequest, exemplar: Exemplar, form: ExemplarEditForm, typed: list[str], refusal: str = ""
) -> HttpResponse:
    parts = [
        {"field": f"prose-{place}", "name": name, "text": text, "errors": form.errors.get(f"prose-{place}", ())}
        for place, (name, text) in enumerate(zip(exemplar.texts(), typed, strict=True))
    ]
    if form.is_bound and "seen" in form.errors:
        refusal = _("The form came without all its parts, so nothing was done. Look at the text and press again.")
    context = {**_context(request, exemplar), "parts": parts, "refusal": refusal}
    return show(request, "exemplar_edit.html", context, status=422 if form.is_bound else 200)


def _changed(request: SignedInRequest, exemplar: Exemplar, typed: list[str]) -> HttpResponse:
    context = {"exemplar": exemplar, "queue": exemplar.queue, "typed": [text for text in typed if text.strip()]}
    return show(request, "exemplar_changed.html", context, status=409)


def _marked(request: SignedInRequest, use: ExemplarUse) -> HttpResponseBase:
    if htmx_of(request):
        draft = visible_draft(request, use.draft_id)
        return show(request, "draft.html", draft_context(request, draft), partials=("exemplars",))
    response = redirect("draft", draft_id=use.draft_id)
    response["Location"] += "#exemplars"
    return response
