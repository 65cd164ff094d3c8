"""Take cases in from a person: one by form, or many by file."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviewhub.forms import ImportForm, NewCaseForm
from reviewhub.importing import FileInvalid, import_named
from reviewhub.intake import Result, submit_case
from reviewhub.models import Queue
from reviewhub.permissions import acting
from reviewhub.views.showing import SignedInRequest, show
from reviewhub.views.signing_in import signed_in

__all__ = ["import_cases", "new_case"]

# A person corrects some faults at a time; a file with another shape would list thousands.
_MOST_FAULTS = 50


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_case(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """Show the form; save the case, or show each fault at its field with everything that was typed."""
    queue = get_object_or_404(Queue.objects.visible_to(request.user), slug=slug)
    by = acting(request.user, queue)
    form = NewCaseForm(request.POST if request.method == "POST" else None, queue=queue)
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.is_bound else 200
        return show(request, "new_case.html", {"queue": queue, "form": form}, status=status)
    submitted = submit_case(queue=queue, case=form.case, by=by, now=timezone.now())
    messages.success(request, _SAID[submitted.result]())
    return redirect("draft", draft_id=submitted.draft.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def import_cases(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """Take a file of cases or a ledger, all or nothing; every fault is shown with its line."""
    queue = get_object_or_404(Queue.objects.visible_to(request.user), slug=slug)
    by = acting(request.user, queue)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        return show(request, "import.html", {"queue": queue, "form": form}, status=422 if form.is_bound else 200)
    try:
        file = form.cleaned_data["file"]
        done = import_named(
            file,
            name=file.name,
            queue=queue,
            domain=None,
            by=by,
            now=timezone.now(),
            ledger=form.ledger(),
        )
    except FileInvalid as error:
        faults = {"bad": error.bad[:_MOST_FAULTS], "more": max(len(error.bad) - _MOST_FAULTS, 0)}
        return show(request, "import.html", {"queue": queue, "form": form, **faults}, status=422)
    messages.success(
        request,
        _("%(created)d new, %(new_facts)d with new facts, %(same)d unchanged.")
        % {"created": done.created, "new_facts": done.new_facts, "same": done.same},
    )
    return redirect("queue", slug=queue.slug)


_SAID = {
    Result.CREATED: lambda: _("The case is saved, and its draft is on its way."),
    Result.SAME: lambda: _("This case was here already with the same facts, so nothing changed."),
    Result.NEW_FACTS: lambda: _("The case has new facts, and a new draft is on its way. The old one was superseded."),
}
